"""A view of declarations that notes what is read of them, and digests of what it notes."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, fields
from typing import Any, cast

from rulewright.base.incremental.reads import Read, note_read
from rulewright.base.incremental.traces import Traces
from rulewright.dice.ast import Roll
from rulewright.language.declarations import Declarations
from rulewright.ruleset.cache.content_digest import ContentDigests, KnownDigests
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.source.span import Span

WHOLE: Read = ("whole", "", "")
"""The read of something that no entry covers, such as the merged files. It has another digest in every ruleset."""

DECLARED = tuple(
    each.name for each in fields(Declarations) if each.default_factory is dict and each.name != "rolls_read"
)
"""The mappings of the declarations by id, which are tracked."""

SIGNATURES = "signatures"
"""The name for reads of `Declarations.procedures`, because `procedures` are those with steps."""


WRITTEN = "written"
"""The read of everything that was written for a procedure, with its positions."""

_UNFINISHED = (SIGNATURES, "triggers")
"""The mappings that change while procedures are checked."""


class TrackedEntries(Mapping[Any, Any]):
    """A mapping that notes which of its entries are read. `name` is that of its reads."""

    __slots__ = ("_entries", "_name")

    def __init__(self, name: str, entries: Mapping[Any, Any]) -> None:
        self._name = name
        self._entries = entries

    def __getitem__(self, key: Any) -> Any:
        note_read(("entry", self._name, key))
        return self._entries[key]

    def get(self, key: Any, default: Any = None) -> Any:
        note_read(("entry", self._name, key))
        return self._entries.get(key, default)

    def __contains__(self, key: object) -> bool:
        note_read(("entry", self._name, key))
        return key in self._entries

    def __iter__(self) -> Iterator[Any]:
        note_read(("keys", self._name, ""))
        return iter(self._entries)

    def __reversed__(self) -> Iterator[Any]:
        note_read(("keys", self._name, ""))
        return iter([*self._entries][::-1])

    def __len__(self) -> int:
        note_read(("keys", self._name, ""))
        return len(self._entries)

    def values(self) -> ValuesView[Any]:
        note_read(("entries", self._name, ""))
        return self._entries.values()

    def items(self) -> ItemsView[Any, Any]:
        note_read(("entries", self._name, ""))
        return self._entries.items()

    def __or__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**other, **self}


def make_setting_property(name: str) -> Any:
    """Return a property for a single value, such as the title of the ruleset."""

    def read(self: Any) -> Any:
        note_read(("setting", name, ""))
        return getattr(self.whole, name)

    return property(read)


def make_whole_property(name: str) -> Any:
    """Return a property for something that no entry covers, so that to read it is to read the whole."""

    def read(self: Any) -> Any:
        note_read(WHOLE)
        return getattr(self.whole, name)

    return property(read)


class TrackedDeclarations(Declarations):
    """Declarations that note their reads. Their mappings are tracked, and everything else is read as a whole.

    `rolls` are the texts that were read as rolls, with the names they were given.
    """

    __slots__ = ("rolls", "whole")

    whole: Declarations
    rolls: dict[tuple[str, tuple[str, ...]], None]

    rounding = make_setting_property("rounding")
    procedure_names = make_whole_property("procedure_names")
    parameters = make_setting_property("parameters")
    rolls_read = make_setting_property("rolls_read")

    def __init__(self, whole: Declarations) -> None:
        self.whole = whole
        self.settled = whole.settled
        self.rolls = {}
        for name in DECLARED:
            tracked = TrackedEntries(SIGNATURES if name == "procedures" else name, getattr(whole, name))
            setattr(self, name, tracked)

    def read_dice(self, text: str, *, names: tuple[str, ...] = ()) -> Roll:
        note_read(("setting", "rounding", ""))
        roll = self.whole.parse_dice(text, self.dice, self.functions, names)
        self.rolls[text, names] = None
        return roll


def name_series(layers: Iterable[Layer]) -> Hashable:
    """Return the name of the series of states of some layers, which goes on if their versions change."""
    return tuple((layer.ruleset, layer.folder) for layer in layers)


@dataclass(frozen=True, slots=True)
class _Contents:
    """The digests of the contents of the latest ruleset of a series, and those of nodes that earlier ones had, too."""

    resolved: ResolvedRules
    digests: ContentDigests
    shared: KnownDigests


def open_contents(resolved: ResolvedRules, traces: Traces) -> ContentDigests:
    """Return the digests of the contents of a ruleset, which are the same ones until a later state of it is opened.

    Digests of nodes that earlier states have, too, are known, unless the layers are others.
    """
    names = [layer.name for layer in resolved.layers]
    latest: list[_Contents] = traces.open_table(("contents", name_series(resolved.layers)), list)
    if latest and latest[0].resolved is resolved:
        return latest[0].digests
    is_same = bool(latest) and [layer.name for layer in latest[0].resolved.layers] == names
    shared = latest[0].shared if is_same else KnownDigests()
    digests = ContentDigests(lambda file: resolved.find_layer(Span.for_file(file)), shared=shared)
    latest[:] = [_Contents(resolved, digests, shared)]
    return digests


class DeclarationDigests:
    """The digests of everything that tracked declarations note as read (`DigestSource`), while procedures are checked.

    They cover neither positions nor descriptions, which no check of a procedure reads. `written` has the digests of
    what was written for the procedures, by id.
    """

    def __init__(self, whole: Declarations, series: Hashable, contents: ContentDigests) -> None:
        self.series = "declarations", series
        self._whole = whole
        self._contents = contents
        self._known: dict[Read, str] = {}
        self.written: dict[str, str] = {}

    def get_digest(self, read: Read) -> str:
        how, name, key = cast("tuple[str, Any, Any]", read)
        if how == WRITTEN:
            return self.written.get(name, "")
        known = self._known.get(read)
        if known is None:
            known = self._compute(how, "procedures" if name == SIGNATURES else name, key)
            if name not in _UNFINISHED:
                self._known[read] = known
        return known

    def is_plain(self, read: Read) -> bool:
        how, name, _ = cast("tuple[str, Any, Any]", read)
        return how != WRITTEN and name not in _UNFINISHED

    def _compute(self, how: str, name: str, key: Any) -> str:
        """Return the digest of what a read names, or an empty text for a missing entry. Not cached."""
        if how == "setting":
            return self._contents.compute_in_play(getattr(self._whole, name))
        if name not in DECLARED:
            return self._contents.compute_in_play(UniqueValue(name))
        entries: Mapping[Any, Any] = getattr(self._whole, name)
        if how == "entry":
            own = SIGNATURES if name == "procedures" else name
            return self._contents.compute_entry((own, key), entries[key], in_play=True) if key in entries else ""
        return self._contents.compute_in_play(list(entries) if how == "keys" else list(entries.items()))


class UniqueValue:
    """A value whose digest differs from all others."""

    def __init__(self, name: str) -> None:
        self.name = name
