"""Layers laid one over another, the lowest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rulewright.language.shape import MapOf, Record
from rulewright.ruleset import codes
from rulewright.ruleset.canonical import canonical
from rulewright.ruleset.history import History, Path
from rulewright.ruleset.layer import Layer
from rulewright.ruleset.merge import Merge
from rulewright.ruleset.merge_log import MergeLog
from rulewright.ruleset.model import RULES
from rulewright.ruleset.touches import Touch
from rulewright.source.diagnostic import Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Entry, Mapping
from rulewright.source.span import Span

INHERITED = ("rounding", "players", "start", "evaluate", "simulations")
"""What a manifest says of the game itself, and not of its edition alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Layers merged, with the history of every value, and what the uppermost layer touched."""

    rules: Mapping
    history: History
    touches: tuple[Touch, ...]


def lay(layers: Sequence[Layer], diagnostics: Diagnostics, contested: Collection[Path] = ()) -> Laid:
    """Merge the rules of `layers`. At `contested` paths overlays meet, so that saying a thing again settles it."""
    history = History()
    appended: dict[Path, str] = {}
    rules = Mapping({}, Span.at(str(layers[0].folder)))
    below: list[str] = []
    touches: tuple[Touch, ...] = ()
    for layer in layers:
        stacked = not layer.is_for(below)
        log = MergeLog(layer.name, history, diagnostics, contested=contested, stacked=stacked, appended=appended)
        rules = Merge(log).mapping(rules, unite(layer, diagnostics), RULES, ())
        below.append(layer.name)
        touches = (*log.touches, *_settings(layer))
    return Laid(rules, history, touches)


def _settings(layer: Layer) -> list[Touch]:
    found = [(key, entry.value) for key, entry in layer.manifest.entries.items() if key in INHERITED]
    return [Touch("changes", (key,), value, value.span) for key, value in found]


def unite(layer: Layer, diagnostics: Diagnostics) -> Mapping:
    """All files of one layer as one mapping; the same thing declared in two of them is reported."""
    united: dict[str, Entry] = {}
    span = Span.at(str(layer.folder))
    for file in layer.files:
        whole = canonical(file, RULES)
        assert isinstance(whole, Mapping)
        span = whole.span if not united else span
        for section, entry in whole.entries.items():
            there = united.get(section)
            united[section] = entry if there is None else _joined(section, there, entry, diagnostics)
    return Mapping(united, span)


def _joined(section: str, first: Entry, second: Entry, diagnostics: Diagnostics) -> Entry:
    shape = RULES.members[section].shape if section in RULES.members else None
    if not isinstance(shape, (MapOf, Record)) or not isinstance(first.value, Mapping):
        return first
    if not isinstance(second.value, Mapping):
        return first
    entries = dict(first.value.entries)
    for key, entry in second.value.entries.items():
        if key in entries:
            related = (Related(entries[key].key.span, "it is here too"),)
            message = f"`{key}` is declared in two files of one edition"
            diagnostics.add(codes.DECLARED_TWICE, message, entry.key.span, related=related)
        else:
            entries[key] = entry
    return Entry(first.key, Mapping(entries, first.value.span))
