"""One layer of a ruleset: the files of one edition, and what they were written for; and all layers as one tree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.edition_reference import Reference
from rulewright.ruleset.layers.value_origins import ValueHistory
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One edition's own files. `name` is its reference with version.

    `chain` names the layers it was written for, and itself; where it is empty, all that lie below. `over` are overlays
    that it is meant to lie over where the two meet.
    """

    name: str
    folder: Path
    manifest: Mapping
    files: tuple[Mapping, ...]
    chain: frozenset[str] = frozenset()
    over: tuple[Reference, ...] = ()

    @property
    def ruleset(self) -> str:
        """The name without its version."""
        return self.name.partition("@")[0]

    @property
    def path(self) -> Path:
        """Its manifest's file."""
        return self.folder / "ruleset.yaml"

    def is_for(self, layers: Collection[str]) -> bool:
        """Return whether it was written to lie on all of `layers`, which are names."""
        return not self.chain or self.chain.issuperset(layers)


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedRules:
    """All layers merged: what every later floor reads."""

    manifest: Mapping
    rules: Mapping
    layers: tuple[Layer, ...]
    history: ValueHistory

    def find_layer(self, span: Span) -> str:
        """Return the name of the layer whose file `span` lies in."""
        # One layer's folder may lie in another's: the nearest counts.
        holders = [layer for layer in self.layers if Path(span.file).is_relative_to(layer.folder)]
        return max(holders, key=lambda layer: len(layer.folder.parts), default=self.layers[-1]).name
