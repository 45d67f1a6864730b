"""A view of a ruleset that notes what is read of it, entry by entry.

Computations that get the view instead of the ruleset can be reused for a later state of the rules, if everything they
have read is the same there (`rulewright.base.incremental`). `RulesetDigests` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Mapping, ValuesView
from typing import Any, TypeVar, cast

from rulewright.base.incremental.reads import Memo, Read, note_read, record_reads
from rulewright.base.incremental.traces import Traces
from rulewright.language.checked_steps import Step
from rulewright.ruleset.cache.content_digest import ContentDigests, KnownDigests
from rulewright.ruleset.cache.tracked_declarations import (
    DECLARED,
    SIGNATURES,
    TrackedDeclarations,
    TrackedEntries,
    UniqueValue,
    make_setting_property,
    make_whole_property,
    name_series,
    open_contents,
)
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.value_origins import Origin, Path, ValueHistory
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.files.file_digest import digest_file
from rulewright.source.nodes import Entry
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span

T = TypeVar("T")

_NODES = "nodes"
"""The name for reads of the merged rules: which sections there are. `nodes.<section>` are the entries of a section."""

_MANIFEST = "manifest"


class _TrackedSteps(TrackedEntries):
    """All steps by number. A step is read with its procedure, because numbers change when steps are added elsewhere."""

    __slots__ = ()

    def __getitem__(self, key: int) -> Step:
        step: Step = self._entries[key]
        note_read(("entry", self._name, step.procedure))
        return step

    def get(self, key: int, default: Any = None) -> Any:
        return self[key] if key in self._entries else default


class _TrackedLayer(Layer):
    """A layer. Its name and its folder are tracked with those of the others, and its files are read as a whole."""

    __slots__ = ("whole",)

    whole: Layer

    manifest = make_whole_property("manifest")
    files = make_whole_property("files")
    chain = make_whole_property("chain")
    over = make_whole_property("over")

    @property
    def folder(self) -> Any:
        """The folder, as a read of the folders of all layers: a copy elsewhere may have other drawings around it."""
        note_read(("setting", "folders", ""))
        return self.whole.folder

    def __init__(self, whole: Layer) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "name", whole.name)


class _TrackedSections(TrackedEntries):
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
                entries = TrackedEntries(f"{_NODES}.{key}", section.value.entries)
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


class _TrackedHistory(ValueHistory):
    """The history of values. It is tracked by section for those who read a section, and otherwise read as a whole."""

    __slots__ = ("whole",)

    whole: ValueHistory

    origins = make_whole_property("origins")

    def __init__(self, whole: ValueHistory) -> None:
        self.whole = whole

    def list_section(self, section: str) -> dict[Path, list[Origin]]:
        note_read(("history", section, ""))
        return self.whole.list_section(section)


class _TrackedResolved(ResolvedRules):
    """Merged rules. Their entries and histories and the names of the layers are tracked, and the rest is read whole."""

    __slots__ = ("_layers", "whole")

    whole: ResolvedRules
    _layers: tuple[Layer, ...]

    def __init__(self, whole: ResolvedRules) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "rules", MappingNode(_TrackedSections(whole.rules.entries), whole.rules.span))
        put(self, "manifest", MappingNode(TrackedEntries(_MANIFEST, whole.manifest.entries), whole.manifest.span))
        put(self, "_layers", tuple(map(_TrackedLayer, whole.layers)))
        put(self, "history", _TrackedHistory(whole.history))

    @property
    def layers(self) -> Any:
        """The layers, as a read of their names."""
        note_read(("setting", "layers", ""))
        return self._layers

    def find_layer(self, span: Span) -> str:
        """Return the name of the layer that a span is in. Digests cover it, so this is no read of its own."""
        return self.whole.find_layer(span)


class TrackedRuleset(Ruleset):
    """A ruleset that notes its reads. It has the same entries as the `whole`, and its own computed values."""

    __slots__ = ("memo", "whole")

    whole: Ruleset
    memo: Memo

    reference = make_setting_property("reference")
    title = make_setting_property("title")
    about = make_setting_property("about")
    version = make_setting_property("version")
    status = make_setting_property("status")
    players = make_setting_property("players")
    start = make_setting_property("start")
    payoff = make_setting_property("payoff")
    evaluate = make_setting_property("evaluate")
    simulations = make_setting_property("simulations")
    digests = make_whole_property("digests")
    warnings = make_whole_property("warnings")

    def __init__(self, whole: Ruleset) -> None:
        put = object.__setattr__
        put(self, "whole", whole)
        put(self, "memo", Memo())
        put(self, "declarations", TrackedDeclarations(whole.declarations))
        put(self, "steps", _TrackedSteps("procedures", whole.steps))
        put(self, "sections", {key: TrackedEntries(key, read) for key, read in whole.sections.items()})
        put(self, "resolved", _TrackedResolved(whole.resolved))

    @property
    def is_tracked(self) -> bool:
        return True

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

    def get_part(self, make: Callable[[Ruleset], T], part: Hashable) -> T:
        with record_reads(alone=True):
            value = self.memo.get((make,), lambda: make(self))
        note_read(("part", make, part))
        return value


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
        self.contents = contents or open_contents(view.whole.resolved, traces)
        self._compute_content = self.contents.compute_in_play if in_play else self.contents.compute
        self._in_play = in_play
        self._placed = ContentDigests(shared=traces.open_table("places", KnownDigests))
        ruleset = view.whole
        # A translation has other texts, so it continues the series of its own language.
        self.series = "ruleset", in_play, ruleset.language, name_series(ruleset.resolved.layers)
        self._known: dict[Read, str] = {}
        self._parts: dict[Any, dict[Hashable, str]] = {}
        sections = {key: each.value for key, each in ruleset.resolved.rules.entries.items()}
        self._mappings: dict[str, Mapping[Any, Any]] = {
            **{name: getattr(ruleset.declarations, name) for name in DECLARED if name != "procedures"},
            SIGNATURES: ruleset.declarations.procedures,
            _MANIFEST: ruleset.resolved.manifest.entries,
            _NODES: {key: True if isinstance(each, MappingNode) else each for key, each in sections.items()},
            **{f"{_NODES}.{key}": each.entries for key, each in sections.items() if isinstance(each, MappingNode)},
            **ruleset.sections,
        }

    def get_digest(self, read: Read) -> str:
        known = self._known.get(read)
        if known is None:
            known = self._known[read] = self._compute(cast("tuple[str, Any, Any]", read))
        return known

    def is_plain(self, read: Read) -> bool:
        return cast("tuple[str, Any, Any]", read)[0] not in ("made", "part")

    def _compute(self, read: tuple[str, Any, Any]) -> str:
        """Return the digest of what a read names, or an empty text for a missing entry. Not cached."""
        how, name, key = read
        if how == "setting":
            return self._compute_content(self._get_setting(name))
        if how == "made":
            return self._of_computed(name, key)
        if how == "part":
            return self._list_parts(name).get(key, "")
        if how == "file":
            return digest_file(name)
        if how == "history":
            return self._compute_content(self.view.whole.resolved.history.list_section(name))
        entries = self._mappings.get(name)
        if entries is None:
            return self._compute_content(UniqueValue("whole"))
        if how == "placed":
            return self._placed.compute(entries[key].node) if key in entries else ""
        if how == "keys":
            return self._compute_content(list(entries))
        if how == "entries":
            return self._compute_content([[each, self.get_digest(("entry", name, each))] for each in entries])
        if key not in entries:
            return ""
        return self.contents.compute_entry((name, key), entries[key], in_play=self._in_play)

    def _get_setting(self, name: str) -> Any:
        """Return a single value of the ruleset or its declarations, or the names or folders of the layers."""
        whole = self.view.whole
        if name == "layers":
            return [layer.name for layer in whole.resolved.layers]
        if name == "folders":
            return [str(layer.folder) for layer in whole.resolved.layers]
        declared = whole.declarations
        return getattr(declared if name in ("rounding", "parameters", "rolls_read") else whole, name)

    def _of_computed(self, make: Any, which: tuple[Hashable, ...]) -> str:
        """Return the digest of the content of a computed value, which is computed only if its reads have changed."""

        def compute() -> str:
            return self._compute_content(self.view.memo.get((make, *which), lambda: make(self.view)).content)

        # A comparison of digests does not count as a read.
        with record_reads(alone=True):
            return self._traces.fetch(("made", make, which, self._in_play), self, compute)

    def _list_parts(self, make: Any) -> dict[Hashable, str]:
        """Return the digest of each part of a computed value, which is computed only if its reads have changed.

        Cached, because there are many parts.
        """
        if make in self._parts:
            return self._parts[make]

        def compute() -> dict[Hashable, str]:
            parts = self.view.memo.get((make,), lambda: make(self.view)).parts
            return {name: self._compute_content(part) for name, part in parts.items()}

        with record_reads(alone=True):
            digests = self._parts[make] = self._traces.fetch(("parts", make, self._in_play), self, compute)
        return digests
