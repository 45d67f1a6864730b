"""Merge layers, lowest first, into one tree with the history of its values, and resolve conflicts between overlays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.base.incremental.latest_results import keep_latest
from rulewright.ruleset.layers.conflicts import Contest, explain_conflict, find_conflicts, is_settled, report_clashes
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.merge import Merge
from rulewright.ruleset.layers.merge_files import unite
from rulewright.ruleset.layers.merge_log import MergeLog
from rulewright.ruleset.layers.source_edits import build_entry_removal
from rulewright.ruleset.layers.value_origins import Path, Touch, ValueHistory
from rulewright.ruleset.ruleset_diagnostics import OVERRIDE_WITHOUT_EFFECT
from rulewright.ruleset.schema.model import build_rules_shape
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostic, Diagnostics
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

__all__ = ["Layer", "ResolvedRules", "resolve"]


def resolve(layers: Sequence[Layer], diagnostics: Diagnostics) -> ResolvedRules:
    """Return `layers`, lowest first, merged into one tree. References between entries are not resolved yet.

    Errors go to `diagnostics`. If independent overlays conflict and nothing resolves that, only the conflicts are
    reported. The tree is complete in either case. Raises `IndexError` if there are no layers.
    """
    contested = settle_contests(layers, diagnostics) if is_stack(layers) else frozenset()
    result = Diagnostics()
    merged = lay(layers, result, contested)
    known = {(each.code, each.span) for each in diagnostics}
    if not diagnostics.errors:
        diagnostics.extend(each for each in result if (each.code, each.span) not in known)
    diagnostics.replace([_remediable(each, layers) for each in diagnostics])
    # Sections are in schema order, regardless of the files.
    rules = merged.rules
    rules = replace(rules, entries={key: rules.entries[key] for key in load_sections() if key in rules})
    manifest = layers[0].manifest
    for layer in layers[1:]:
        manifest = Mapping({**manifest.entries, **layer.manifest.entries}, layer.manifest.span)
    # An edition's name, version and status are never inherited.
    own_keys = layers[-1].manifest.entries
    entries = {key: entry for key, entry in manifest.entries.items() if key in own_keys or key in INHERITED}
    return ResolvedRules(Mapping(entries, manifest.span), rules, tuple(layers), merged.history)


def _remediable(diagnostic: Diagnostic, layers: Sequence[Layer]) -> Diagnostic:
    """Return the diagnostic. If an override has no effect, it has the edit that removes it."""
    if diagnostic.code is not OVERRIDE_WITHOUT_EFFECT:
        return diagnostic
    removed = (build_entry_removal(layer, diagnostic.span) for layer in layers)
    return replace(diagnostic, edits=tuple(edit for edit in removed if edit is not None)[:1])


INHERITED = ("rounding", "players", "start", "payoff", "evaluate", "simulations")
"""The keys of a manifest that concern the game and are inherited by editions that extend it."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedLayers:
    """Merged layers, with the history of every value and the changes of the top layer."""

    rules: Mapping
    history: ValueHistory
    touches: tuple[Touch, ...]


def lay(layers: Sequence[Layer], diagnostics: Diagnostics, contested: Collection[Path] = ()) -> MergedLayers:
    """Merge the rules of `layers`, lowest first, and return them with their history and the changes of the last layer.

    Errors go to `diagnostics`, except those of overrides at `contested` paths. Raises `IndexError` if there are no
    layers.
    """
    names = [layer.name for layer in layers]
    *below, top = (
        _LayerFiles(each.name, each.files, not each.is_for(names[:place])) for place, each in enumerate(layers)
    )
    place = Span.for_file(str(layers[0].folder))
    stack = _lay_on(_lay_below(tuple(below), frozenset(contested), place), top, frozenset(contested))
    diagnostics.extend(stack.diagnostics)
    return MergedLayers(stack.rules, stack.history, (*stack.touches, *_settings(layers[-1])))


class _LayerFiles(NamedTuple):
    """What the merge reads of a layer. Two are equal if they have the same files, read once.

    `stacked` is true for a layer above one that it was not written for.
    """

    name: str
    files: tuple[Mapping, ...]
    stacked: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """Some layers merged: their rules, what the merge recorded, and the changes of the last one."""

    rules: Mapping
    history: ValueHistory
    appended: dict[Path, str]
    diagnostics: tuple[Diagnostic, ...]
    touches: tuple[Touch, ...]


@keep_latest(lambda layers, contested, place: tuple(each.name for each in layers))
def _lay_below(layers: tuple[_LayerFiles, ...], contested: frozenset[Path], place: Span) -> _Stack:
    """Return layers merged, lowest first. Cached, because most edits change only the top layer.

    `place` is that of the rules without any layer.
    """
    if not layers:
        return _Stack(Mapping({}, place), ValueHistory(), {}, (), ())
    return _lay_on(_lay_below(layers[:-1], contested, place), layers[-1], contested)


def _lay_on(stack: _Stack, layer: _LayerFiles, contested: frozenset[Path]) -> _Stack:
    """Return a layer merged with those below it, which stay as they are."""
    history, appended, diagnostics = stack.history.copy(), dict(stack.appended), Diagnostics()
    diagnostics.extend(stack.diagnostics)
    log = MergeLog(layer.name, history, diagnostics, contested=contested, stacked=layer.stacked, appended=appended)
    united = unite(layer.files, stack.rules.span, diagnostics)
    rules = Merge(log).merge_mapping(stack.rules, united.rules, build_rules_shape(), ())
    if united.shared:
        report_clashes(log.touches, united.shared, diagnostics)
    return _Stack(rules, history, appended, tuple(diagnostics), tuple(log.touches))


def _settings(layer: Layer) -> list[Touch]:
    results = [(key, entry.value) for key, entry in layer.manifest.entries.items() if key in INHERITED]
    return [Touch("changes", (key,), value, value.span) for key, value in results]


def is_stack(layers: Sequence[Layer]) -> bool:
    """Return whether some layer is above one that it was not written for."""
    names = [layer.name for layer in layers]
    return any(not layer.is_for(names[:place]) for place, layer in enumerate(layers))


def settle_contests(layers: Sequence[Layer], diagnostics: Diagnostics) -> frozenset[Path]:
    """Return the paths at which overlays conflict, including conflicts that are resolved.

    Reports unresolved conflicts, and errors that an overlay has on the layers it was written for, to `diagnostics`.
    Merges these layers separately for each overlay.
    """
    touches: dict[str, tuple[Touch, ...]] = {}
    contests: list[Contest] = []
    contested: frozenset[Path] = frozenset()
    for place, layer in enumerate(layers):
        if all(layer.is_for([other.name]) and other.name in layer.chain for other in layers[:place]) and all(
            layer.name in other.chain for other in layers[place:]
        ):
            continue  # each other layer was written for this one, or this one for it, so no conflict is possible
        own = [other for other in layers[: place + 1] if other.name in layer.chain]
        touches[layer.name] = lay(own, diagnostics, contested).touches
        for other in layers[:place]:
            if other.name not in layer.chain:
                contests += find_conflicts(other, layer, touches[other.name], touches[layer.name])
        contested = frozenset(path for contest in contests for path in contest.quiet)
    for layer in layers:
        if contests and layer.name not in touches:
            own = [other for other in layers if other.name in layer.chain]
            touches[layer.name] = lay(own, Diagnostics(), contested).touches
    # A moved step may conflict at its old and its new position; resolving one resolves both.
    meeting = {(contest.first.span, contest.second.span): contest for contest in contests}
    settled = {(c.first.span, c.second.span) for c in contests if is_settled(c, layers, touches)}
    diagnostics.extend(explain_conflict(contest, layers) for place, contest in meeting.items() if place not in settled)
    return contested
