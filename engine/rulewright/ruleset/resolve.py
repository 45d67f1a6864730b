"""Layers → one resolved tree, with the history of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from rulewright.ruleset.history import History
from rulewright.ruleset.lay import INHERITED, lay
from rulewright.ruleset.layer import Layer
from rulewright.ruleset.model import RULES
from rulewright.ruleset.stack import is_stack, settle_contests
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

__all__ = ["Layer", "Resolved", "resolve"]


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
        holders = [layer for layer in self.layers if FilePath(span.file).is_relative_to(layer.folder)]
        return max(holders, key=lambda layer: len(layer.folder.parts), default=self.layers[-1]).name


def resolve(layers: Sequence[Layer], diagnostics: Diagnostics) -> Resolved:
    """Merge `layers`, the lowest first. References are resolved by later floors, once all layers have merged.

    Where overlays that know nothing of each other meet, and nothing settles it, that alone is told.
    """
    contested = settle_contests(layers, diagnostics) if is_stack(layers) else frozenset()
    found = Diagnostics()
    laid = lay(layers, found, contested)
    if not diagnostics.errors:
        diagnostics.extend(found)
    # Sections stand in the order of the model, whichever file came first.
    rules = laid.rules
    rules = replace(rules, entries={key: rules.entries[key] for key in RULES.members if key in rules})
    manifest = layers[0].manifest
    for layer in layers[1:]:
        manifest = Mapping({**manifest.entries, **layer.manifest.entries}, layer.manifest.span)
    # What an edition is called and whether it is finished is its own affair, never inherited.
    own_keys = layers[-1].manifest.entries
    entries = {key: entry for key, entry in manifest.entries.items() if key in own_keys or key in INHERITED}
    return Resolved(Mapping(entries, manifest.span), rules, tuple(layers), laid.history)
