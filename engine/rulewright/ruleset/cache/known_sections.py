"""Sections as earlier rulesets have read them, which are used again if what they were read from is the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from rulewright.base.incremental.reads import Read
from rulewright.base.incremental.traces import Traces
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.word_notes import (
    DetachedReadings,
    detach_readings,
    is_recording_readings,
    repeat_readings,
    set_readings_aside,
)
from rulewright.ruleset.cache.content_digest import ContentDigests, KnownDigests
from rulewright.ruleset.cache.tracked_declarations import (
    DECLARED,
    DeclarationDigests,
    TrackedEntries,
    UniqueValue,
    name_series,
    open_contents,
)
from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Entry, Mapping

T = TypeVar("T")

_SECTIONS = "sections"
"""The name for reads of whole sections of the merged rules, with the positions of everything in them."""

_LATER = ("procedures", "triggers")
"""The declarations that are made after the others, when procedures are checked."""

Declare = Callable[[Mapping, Declarations], None]
"""A function that declares everything in some rules. The declarations have the entries of sections that stand alone."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """Declarations without those of sections that stand alone, and the readings of the expressions in them."""

    declarations: Declarations
    readings: DetachedReadings | None
    is_sound: bool


class _SectionDigests:
    """The digests of sections of merged rules, and of what those that stand alone have declared (`DigestSource`)."""

    def __init__(self, series: Hashable, rules: Mapping, declared: DeclarationDigests, traces: Traces) -> None:
        self.series = _SECTIONS, series
        self._rules = rules
        self._declared = declared
        self._placed = ContentDigests(shared=traces.open_table("places", KnownDigests))
        self._known: dict[Read, str] = {}

    def get_digest(self, read: Read) -> str:
        how, name, key = cast("tuple[str, str, str]", read)
        if name != _SECTIONS:
            return self._declared.get_digest(read)
        known = self._known.get(read)
        if known is None:
            known = self._known[read] = self._compute(how, key)
        return known

    def is_plain(self, read: Read) -> bool:
        return True

    def _compute(self, how: str, key: str) -> str:
        if how == "entry":
            return self._placed.compute(self._rules.entries[key]) if key in self._rules.entries else ""
        return self._placed.compute(list(self._rules.entries) if how == "keys" else UniqueValue(_SECTIONS))


class KnownSections:
    """The sections of earlier rulesets in `traces`, for a ruleset of some merged rules that is being built.

    Everything is shared with the earlier rulesets, so it must not be changed.
    """

    def __init__(self, traces: Traces, resolved: ResolvedRules, declarations: Declarations) -> None:
        self._traces = traces
        self._resolved = resolved
        self._series = name_series(resolved.layers)
        self._declarations = declarations
        self._rules = _leave_out_steps(resolved.rules)
        self._digests: _SectionDigests | None = None

    def read_alone(self, key: str, read: Callable[[Mapping], T]) -> T:
        """Return what `read` makes of the rules with this section alone."""
        section = self._resolved.rules.entries.get(key)
        own = Mapping({} if section is None else {key: section}, self._resolved.rules.span)
        if not self._traces.keeps("section"):
            return read(own)

        def compute() -> T:
            own_entries: ReadOnlyMapping[str, Entry] = TrackedEntries(_SECTIONS, own.entries)
            return read(Mapping(cast("dict[str, Entry]", own_entries), own.span))

        return self._traces.fetch(("section", self._series, key), self._open_digests(), compute)

    def fetch_declarations(self, alone: Sequence[str], diagnostics: Diagnostics, declare: Declare) -> None:
        """Declare everything in the declarations, except for the entries of sections that stand `alone`.

        Those must be declared before. What was declared with diagnostics is not shared with later rulesets.
        """
        declarations = self._declarations
        if not self._traces.keeps("declarations"):
            declare(self._resolved.rules, declarations)
            return

        def compute() -> _Declared:
            own, before = Declarations(rounding=declarations.rounding), len(diagnostics)
            for name in alone:
                setattr(own, name, TrackedEntries(name, getattr(declarations, name)))
            entries: ReadOnlyMapping[str, Entry] = TrackedEntries(_SECTIONS, self._rules.entries)
            with set_readings_aside() as readings:
                declare(Mapping(cast("dict[str, Entry]", entries), self._rules.span), own)
            for name in alone:
                setattr(own, name, {})
            return _Declared(own, detach_readings(readings), len(diagnostics) == before)

        key = ("declarations", self._series, declarations.rounding, is_recording_readings())
        stored = self._traces.fetch(key, self._open_digests(), compute, keep=lambda declared: declared.is_sound)
        for name in DECLARED:
            if name not in (*alone, *_LATER):
                setattr(declarations, name, getattr(stored.declarations, name))
        declarations.parameters = [*stored.declarations.parameters]
        declarations.rolls_read.update(stored.declarations.rolls_read)
        declarations.settled = stored.declarations.settled
        repeat_readings(stored.readings, declarations)

    def _open_digests(self) -> _SectionDigests:
        if self._digests is None:
            contents = open_contents(self._resolved, self._traces)
            declared = DeclarationDigests(self._declarations, self._series, contents)
            self._digests = _SectionDigests(self._series, self._rules, declared, self._traces)
        return self._digests


def _leave_out_steps(rules: Mapping) -> Mapping:
    """Return rules whose procedures have only their parameters: declarations depend on no steps."""
    section = rules.entries.get("procedures")
    if section is None or not isinstance(section.value, Mapping):
        return rules
    procedures: dict[str, Any] = {}
    for identity, entry in section.value.entries.items():
        given = entry.value.entries.get("given") if isinstance(entry.value, Mapping) else None
        fixtures = {} if given is None else {"given": given}
        procedures[identity] = Entry(entry.key, Mapping(fixtures, section.value.span))
    return Mapping(
        {**rules.entries, "procedures": Entry(section.key, Mapping(procedures, section.value.span))}, rules.span
    )
