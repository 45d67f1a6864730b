"""All layers as one tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.layers.history import History
from rulewright.ruleset.layers.layer import Layer
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """All layers merged: what every later floor reads."""

    manifest: Mapping
    rules: Mapping
    layers: tuple[Layer, ...]
    history: History

    def layer_of(self, span: Span) -> str:
        """The name of the layer whose file `span` lies in."""
        # One layer's folder may lie in another's: the nearest counts.
        holders = [layer for layer in self.layers if Path(span.file).is_relative_to(layer.folder)]
        return max(holders, key=lambda layer: len(layer.folder.parts), default=self.layers[-1]).name
