"""Layers → one resolved tree, with the history of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from rulewright.language.shape import MapOf, Record
from rulewright.ruleset import codes
from rulewright.ruleset.canonical import canonical
from rulewright.ruleset.history import History
from rulewright.ruleset.merge import Merge
from rulewright.ruleset.merge_log import MergeLog
from rulewright.ruleset.model import RULES
from rulewright.source.diagnostic import Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Entry, Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One edition's own files. `name` is its reference with version."""

    name: str
    folder: FilePath
    manifest: Mapping
    files: tuple[Mapping, ...]


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
    """Merge `layers`, the lowest first. References are resolved by later floors, once all layers have merged."""
    history = History()
    rules = Mapping({}, Span.at(str(layers[0].folder)))
    for layer in layers:
        own = unite(layer, diagnostics)
        rules = Merge(MergeLog(layer.name, history, diagnostics)).mapping(rules, own, RULES, ())
    # Sections stand in the order of the model, whichever file came first.
    rules = replace(rules, entries={key: rules.entries[key] for key in RULES.members if key in rules})
    manifest = layers[0].manifest
    for layer in layers[1:]:
        manifest = Mapping({**manifest.entries, **layer.manifest.entries}, layer.manifest.span)
    # What an edition is called and whether it is finished is its own affair, never inherited.
    own_keys = layers[-1].manifest.entries
    entries = {
        key: entry
        for key, entry in manifest.entries.items()
        if key in own_keys or key in ("rounding", "players", "start", "evaluate", "simulations")
    }
    return Resolved(Mapping(entries, manifest.span), rules, tuple(layers), history)


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
