"""A layer of a ruleset (the files of one edition) and the merged result of all layers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.layers.value_origins import ValueHistory
from rulewright.ruleset.schema.edition_reference import Reference
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The files of one edition. `name` is its reference with the version.

    `chain` has the names of the layers that it was written for, and its own. If empty, it was written for all layers
    below. `over` are overlays that it overrides where both change the same value.
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
        """The path of the manifest."""
        return self.folder / "ruleset.yaml"

    def is_for(self, layers: Collection[str]) -> bool:
        """Return whether the layer was written for all of `layers`, given by name."""
        return not self.chain or self.chain.issuperset(layers)


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedRules:
    """All layers merged, with the history of each value."""

    manifest: Mapping
    rules: Mapping
    layers: tuple[Layer, ...]
    history: ValueHistory

    def find_layer(self, span: Span) -> str:
        """Return the name of the layer whose folder contains the file of `span`; that of the top layer if none does."""
        # A layer's folder may be inside another's; the innermost counts.
        holders = [layer for layer in self.layers if Path(span.file).is_relative_to(layer.folder)]
        return max(holders, key=lambda layer: len(layer.folder.parts), default=self.layers[-1]).name

    def is_own(self, span: Span) -> bool:
        """Return whether a span is in the top layer."""
        return self.find_layer(span) == self.layers[-1].name
