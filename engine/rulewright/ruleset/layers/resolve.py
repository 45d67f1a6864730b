"""Layers → one resolved tree, with the history of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.ruleset.codes import OVERRIDE_WITHOUT_EFFECT
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.overlay import INHERITED, lay
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.ruleset.layers.stack import is_stack, settle_contests
from rulewright.ruleset.layers.written import entry_removed
from rulewright.ruleset.section import sections
from rulewright.source.diagnostics.collected import Diagnostic, Diagnostics
from rulewright.source.nodes import Mapping

__all__ = ["Layer", "Resolved", "resolve"]


def resolve(layers: Sequence[Layer], diagnostics: Diagnostics) -> Resolved:
    """Merge `layers`, the lowest first. References are resolved by later floors, once all layers have merged.

    Where overlays that know nothing of each other meet, and nothing settles it, that alone is told.
    """
    contested = settle_contests(layers, diagnostics) if is_stack(layers) else frozenset()
    found = Diagnostics()
    laid = lay(layers, found, contested)
    if not diagnostics.errors:
        diagnostics.extend(_remediable(each, layers) for each in found)
    # Sections stand in the order of the model, whichever file came first.
    rules = laid.rules
    rules = replace(rules, entries={key: rules.entries[key] for key in sections() if key in rules})
    manifest = layers[0].manifest
    for layer in layers[1:]:
        manifest = Mapping({**manifest.entries, **layer.manifest.entries}, layer.manifest.span)
    # What an edition is called and whether it is finished is its own affair, never inherited.
    own_keys = layers[-1].manifest.entries
    entries = {key: entry for key, entry in manifest.entries.items() if key in own_keys or key in INHERITED}
    return Resolved(Mapping(entries, manifest.span), rules, tuple(layers), laid.history)


def _remediable(diagnostic: Diagnostic, layers: Sequence[Layer]) -> Diagnostic:
    """What was said of an override that does nothing, with the edit that takes it out."""
    if diagnostic.code is not OVERRIDE_WITHOUT_EFFECT:
        return diagnostic
    removed = (entry_removed(layer, diagnostic.span) for layer in layers)
    return replace(diagnostic, edits=tuple(edit for edit in removed if edit is not None)[:1])
