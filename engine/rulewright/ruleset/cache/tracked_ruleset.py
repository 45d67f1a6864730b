"""A view of a ruleset that notes what is read of it, entry by entry.

Computations that get the view instead of the ruleset can be reused for a later state of the rules, if everything they
have read is the same there (`rulewright.base.incremental`). `RulesetDigests` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Iterator, Mapping, ValuesView
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar, cast

from rulewright.base.incremental.reads import Memo, Read, note_read, record_reads
from rulewright.base.incremental.traces import Traces
from rulewright.dice.ast import Roll
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Declarations
from rulewright.ruleset.cache.content_digest import ContentDigests
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.files.file_digest import digest_file
from rulewright.source.nodes import Entry
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span

T = TypeVar("T")

WHOLE: Read = ("whole", "", "")
"""The read of something that no entry covers, such as the merged files. It has another digest in every ruleset."""

_DECLARED = tuple(
    each.name for each in fields(Declarations) if each.default_factory is dict and each.name != "rolls_read"
)
"""The mappings of the declarations by id, which are tracked."""

_SIGNATURES = "signatures"
"""The name for reads of `Declarations.procedures`, because `procedures` are those with steps."""

_NODES = "nodes"
"""The name for reads of the merged rules: which sections there are. `nodes.<section>` are the entries of a section."""

_MANIFEST = "manifest"


class _TrackedMapping(Mapping[Any, Any]):
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


class _TrackedSteps(_TrackedMapping):
    """All steps by number. A step is read with its procedure, because numbers change when steps are added elsewhere."""

    __slots__ = ()

    def __getitem__(self, key: int) -> Step:
        step: Step = self._entries[key]
        note_read(("entry", self._name, step.procedure))
        return step

    def get(self, key: int, default: Any = None) -> Any:
        return self[key] if key in self._entries else default


def _read_setting(name: str) -> Any:
    """Return a property for a single value, such as the title of the ruleset."""

    def read(self: Any) -> Any:
        note_read(("setting", name, ""))
        return getattr(self.whole, name)

    return property(read)


def _read_whole(name: str) -> Any:
    """Return a property for something that no entry covers, so that to read it is to read the whole."""

    def read(self: Any) -> Any:
        note_read(WHOLE)
        return getattr(self.whole, name)

    return property(read)


class _TrackedLayer(Layer):
    """A layer. Its name is tracked with those of the others, and its files are read as a whole."""

    __slots__ = ("whole",)

    whole: Layer

    manifest = _read_whole("manifest")
    files = _read_whole("files")
    chain = _read_whole("chain")
    over = _read_whole("over")

    def __init__(self, whole: Layer) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "name", whole.name)
        put(self, "folder", whole.folder)


class _TrackedSections(_TrackedMapping):
    """The sections of the merged rules. Their entries are tracked one by one."""

    __slots__ = ("_sections",)

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        super().__init__(_NODES, entries)
        self._sections: dict[str, Entry] = {}

    def __getitem__(self, key: str) -> Entry:
        note_read(("entry", _NODES, key))
        section = self._sections.get(key)
        if section is None:
            section = self._entries[key]
            if isinstance(section.value, MappingNode):
                entries = _TrackedMapping(f"{_NODES}.{key}", section.value.entries)
                section = Entry(section.key, MappingNode(entries, section.value.span))
            self._sections[key] = section
        return section

    def get(self, key: str, default: Any = None) -> Any:
        if key in self._entries:
            return self[key]
        note_read(("entry", _NODES, key))
        return default

    def values(self) -> ValuesView[Any]:
        return {key: self[key] for key in self}.values()

    def items(self) -> ItemsView[Any, Any]:
        return {key: self[key] for key in self}.items()


class _TrackedResolved(ResolvedRules):
    """Merged rules. Their entries and the names of the layers are tracked, and everything else is read as a whole."""

    __slots__ = ("_layers", "whole")

    whole: ResolvedRules
    _layers: tuple[Layer, ...]

    history = _read_whole("history")

    def __init__(self, whole: ResolvedRules) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "rules", MappingNode(_TrackedSections(whole.rules.entries), whole.rules.span))
        put(self, "manifest", MappingNode(_TrackedMapping(_MANIFEST, whole.manifest.entries), whole.manifest.span))
        put(self, "_layers", tuple(map(_TrackedLayer, whole.layers)))

    @property
    def layers(self) -> Any:
        """The layers, as a read of their names."""
        note_read(("setting", "layers", ""))
        return self._layers

    def find_layer(self, span: Span) -> str:
        """Return the name of the layer that a span is in. Digests cover it, so this is no read of its own."""
        return self.whole.find_layer(span)


class TrackedDeclarations(Declarations):
    """Declarations that note their reads. Their mappings are tracked, and everything else is read as a whole.

    `rolls` are the texts that were read as rolls, with the names they were given.
    """

    __slots__ = ("rolls", "whole")

    whole: Declarations
    rolls: dict[tuple[str, tuple[str, ...]], None]

    rounding = _read_setting("rounding")
    procedure_names = _read_whole("procedure_names")
    parameters = _read_setting("parameters")
    rolls_read = _read_setting("rolls_read")

    def __init__(self, whole: Declarations) -> None:
        self.whole = whole
        self.settled = whole.settled
        self.rolls = {}
        for name in _DECLARED:
            tracked = _TrackedMapping(_SIGNATURES if name == "procedures" else name, getattr(whole, name))
            setattr(self, name, tracked)

    def read_dice(self, text: str, *, names: tuple[str, ...] = ()) -> Roll:
        note_read(("setting", "rounding", ""))
        roll = self.whole.parse_dice(text, self.dice, self.functions, names)
        self.rolls[text, names] = None
        return roll


class TrackedRuleset(Ruleset):
    """A ruleset that notes its reads. It has the same entries as the `whole`, and its own computed values."""

    __slots__ = ("memo", "whole")

    whole: Ruleset
    memo: Memo

    reference = _read_setting("reference")
    title = _read_setting("title")
    about = _read_setting("about")
    version = _read_setting("version")
    status = _read_setting("status")
    players = _read_setting("players")
    start = _read_setting("start")
    payoff = _read_setting("payoff")
    evaluate = _read_setting("evaluate")
    simulations = _read_setting("simulations")
    digest = _read_whole("digest")
    digest_of_counts = _read_whole("digest_of_counts")
    digest_of_all = _read_whole("digest_of_all")
    warnings = _read_whole("warnings")

    def __init__(self, whole: Ruleset) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "memo", Memo())
        put(self, "declarations", TrackedDeclarations(whole.declarations))
        put(self, "steps", _TrackedSteps("procedures", whole.steps))
        put(self, "sections", {key: _TrackedMapping(key, read) for key, read in whole.sections.items()})
        put(self, "resolved", _TrackedResolved(whole.resolved))

    def get_or_make(self, make: Callable[[Ruleset], T], *which: Hashable) -> T:
        """Return `make(self)`, as the ruleset itself does, and note what it has read.

        If `make` is a class with a property `content`, only the digest of that is compared: a change of what it has
        read affects nobody as long as the content is the same.
        """
        if not isinstance(getattr(make, "content", None), property):
            return self.memo.get((make, *which), lambda: make(self))
        with record_reads(alone=True):
            value = self.memo.get((make, *which), lambda: make(self))
        note_read(("made", make, which))
        return value


class DeclarationDigests:
    """The digests of everything that tracked declarations note as read (`DigestSource`), while others are added.

    They cover neither positions nor descriptions, which no check of a procedure reads.
    """

    def __init__(self, whole: Declarations) -> None:
        self._whole = whole
        self._contents = ContentDigests(lambda file: "")
        self._known: dict[Read, str] = {}

    def get_digest(self, read: Read) -> str:
        how, name, key = cast("tuple[str, Any, Any]", read)
        if name == _SIGNATURES:  # the one mapping that still grows
            return self._compute(how, self._whole.procedures, key)
        known = self._known.get(read)
        if known is None:
            known = self._known[read] = (
                self._contents.compute_in_play(getattr(self._whole, name))
                if how == "setting"
                else self._compute(how, getattr(self._whole, name), key)
                if name in _DECLARED
                else self._contents.compute_in_play(_Unique(name))
            )
        return known

    def _compute(self, how: str, entries: Mapping[Any, Any], key: Any) -> str:
        if how == "entry":
            return self._contents.compute_in_play(entries[key]) if key in entries else ""
        return self._contents.compute_in_play(list(entries) if how == "keys" else list(entries.items()))


class RulesetDigests:
    """The digests of everything that a tracked ruleset notes as read (`DigestSource`).

    `traces` has the digests of computed values from earlier rulesets. Those in `contents` are shared with other
    digests of the ruleset. Digests of what counts `in_play` are for computations that only play, and so read no
    descriptions.
    """

    def __init__(
        self, view: TrackedRuleset, traces: Traces, *, contents: ContentDigests | None = None, in_play: bool = False
    ) -> None:
        self.view = view
        self._traces = traces
        self.contents = contents or _open_contents(view.whole, traces)
        self._compute_content = self.contents.compute_in_play if in_play else self.contents.compute
        self._in_play = in_play
        ruleset = view.whole
        self._known: dict[Read, str] = {}
        self._mappings: dict[str, Mapping[Any, Any]] = {
            **{name: getattr(ruleset.declarations, name) for name in _DECLARED if name != "procedures"},
            _SIGNATURES: ruleset.declarations.procedures,
            _MANIFEST: ruleset.resolved.manifest.entries,
            _NODES: {key: isinstance(each.value, MappingNode) for key, each in ruleset.resolved.rules.entries.items()},
            **{
                f"{_NODES}.{key}": each.value.entries
                for key, each in ruleset.resolved.rules.entries.items()
                if isinstance(each.value, MappingNode)
            },
            **ruleset.sections,
        }

    def get_digest(self, read: Read) -> str:
        known = self._known.get(read)
        if known is None:
            known = self._known[read] = self._compute(cast("tuple[str, Any, Any]", read))
        return known

    def _compute(self, read: tuple[str, Any, Any]) -> str:
        how, name, key = read
        if how == "setting":
            return self._compute_content(self._get_setting(name))
        if how == "made":
            return self._of_computed(name, key)
        if how == "file":
            return digest_file(name)
        entries = self._mappings.get(name)
        if entries is None:
            return self._compute_content(_Unique("whole"))
        if how == "keys":
            return self._compute_content(list(entries))
        if how == "entries":
            return self._compute_content([[each, self.get_digest(("entry", name, each))] for each in entries])
        return self._compute_content(entries[key]) if key in entries else ""

    def _get_setting(self, name: str) -> Any:
        whole = self.view.whole
        if name == "layers":
            return [layer.name for layer in whole.resolved.layers]
        declared = whole.declarations
        return getattr(declared if name in ("rounding", "parameters", "rolls_read") else whole, name)

    def _of_computed(self, make: Any, which: tuple[Hashable, ...]) -> str:
        """Return the digest of the content of a computed value, which is computed only if its reads have changed."""
        key = ("made", make, which, self._in_play)
        trace = self._traces.find(key, self)
        if trace is not None:
            return cast(str, trace.value)
        with record_reads(alone=True) as reads:
            value = self.view.memo.get((make, *which), lambda: make(self.view))
        self._traces.work["made"] += 1
        digest = self._compute_content(value.content)
        self._traces.add(key, reads, self, digest)
        return digest


def _open_contents(ruleset: Ruleset, traces: Traces) -> ContentDigests:
    """Return the digests of the contents of a ruleset, with those of nodes that earlier rulesets have, too."""
    layers = tuple((layer.name, layer.folder) for layer in ruleset.resolved.layers)
    return ContentDigests(partial(_name_layer, ruleset.resolved), shared=traces.open_table(("contents", layers)))


def _name_layer(resolved: ResolvedRules, file: str) -> str:
    """Return the name of the layer that a file belongs to."""
    return resolved.find_layer(Span.for_file(file))


class _Unique:
    """A value whose digest differs from all others."""

    def __init__(self, name: str) -> None:
        self.name = name
