"""Checked procedures of earlier rulesets, which are used again if nothing that their check has read is different."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from rulewright.base.incremental.reads import note_read, record_reads
from rulewright.base.incremental.traces import Traces
from rulewright.language.checked_steps import Procedure
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
    WRITTEN,
    DeclarationDigests,
    TrackedDeclarations,
    name_series,
    open_contents,
)
from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.source.diagnostics.collector import Diagnostics


class ProcedureResult(Protocol):
    """The result of a check of a procedure, which has the procedure."""

    @property
    def procedure(self) -> Procedure: ...


S = TypeVar("S", bound=ProcedureResult)

Check = Callable[[Declarations, Diagnostics], S]
"""A function that checks a procedure, and adds the diagnostics."""


@dataclass(frozen=True, slots=True)
class _Checked(Generic[S]):
    """The result of a check of a procedure, and what the check has found and recorded elsewhere."""

    summary: S
    diagnostics: Diagnostics
    readings: DetachedReadings | None
    rolls: tuple[tuple[str, tuple[str, ...]], ...]


class KnownProcedures:
    """The checked procedures of earlier rulesets in `traces`, for a ruleset that is being built of some layers.

    A procedure is shared with the earlier ruleset, so it must not be changed, except by `assign_numbers`.
    """

    def __init__(self, traces: Traces, resolved: ResolvedRules) -> None:
        self._traces = traces
        self._resolved = resolved
        self._placed = ContentDigests(shared=traces.open_table("places", KnownDigests))
        self._digests: DeclarationDigests | None = None
        self._again: dict[str, Callable[[], Procedure]] = {}
        """How to check a procedure once more, by id."""

    def fetch(
        self, identity: str, written: object, declarations: Declarations, diagnostics: Diagnostics, check: Check[S]
    ) -> S:
        """Return a checked procedure, from an earlier ruleset if possible.

        `written` is all that `check` reads besides the declarations it gets. The declarations must be complete, except
        for signatures and triggers. What the check found is added to `diagnostics`, and the rolls that it read to
        `declarations`.
        """
        if not self._traces.keeps("procedure"):
            return check(declarations, diagnostics)
        if self._digests is None:
            contents = open_contents(self._resolved, self._traces)
            self._digests = DeclarationDigests(declarations, name_series(self._resolved.layers), contents)
        digests = self._digests
        digests.written[identity] = self._placed.compute(written)
        key = ("procedure", identity, is_recording_readings())

        def compute() -> _Checked[S]:
            note_read((WRITTEN, identity, ""))
            view, diagnostics = TrackedDeclarations(declarations), Diagnostics()
            with set_readings_aside() as readings:
                summary = check(view, diagnostics)
            return _Checked(summary, diagnostics, detach_readings(readings), tuple(view.rolls))

        def check_again() -> Procedure:
            with record_reads() as reads:
                checked = compute()
            self._traces.add(key, reads, digests, checked)
            return checked.summary.procedure

        self._again[identity] = check_again
        checked = self._traces.fetch(key, digests, compute, keep=lambda checked: not len(checked.diagnostics))
        repeat_readings(checked.readings, declarations)
        declarations.rolls_read.update(dict.fromkeys(checked.rolls))
        diagnostics.extend(checked.diagnostics)
        return checked.summary

    def assign_numbers(self, procedure: Procedure, before: int) -> Procedure:
        """Assign numbers to the steps of a procedure, from `before + 1`, and return it.

        If it came from an earlier ruleset, where its steps have other numbers, another one is numbered and returned.
        """
        numbers = {place: step.number for place, step in enumerate(procedure.iterate_steps(), start=before + 1)}
        if any(number not in (place, -1) for place, number in numbers.items()):
            procedure = self._again[procedure.id]()
        for number, step in enumerate(procedure.iterate_steps(), start=before + 1):
            step.number = number
        return procedure
