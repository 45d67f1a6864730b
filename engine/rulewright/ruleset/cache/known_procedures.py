"""Checked procedures of earlier rulesets, which are used again if nothing that their check has read is different."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial

from rulewright.base.incremental.reads import record_reads
from rulewright.base.incremental.traces import Trace, Traces
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.word_notes import ScalarReading, record_readings, repeat_readings
from rulewright.ruleset.cache.content_digest import ContentDigests
from rulewright.ruleset.cache.tracked_declarations import DeclarationDigests, TrackedDeclarations
from rulewright.source.diagnostics.collector import Diagnostics

Check = Callable[[Declarations, Diagnostics], Procedure]
"""A function that checks a procedure, and adds the diagnostics."""

_NOWHERE = Declarations()


@dataclass(frozen=True, slots=True)
class _Checked:
    """A procedure that was checked without diagnostics, and what its check has recorded elsewhere."""

    procedure: Procedure
    readings: tuple[ScalarReading, ...]
    rolls: tuple[tuple[str, tuple[str, ...]], ...]


class KnownProcedures:
    """The checked procedures of earlier rulesets in `traces`, for one ruleset that is being built.

    A procedure is shared with the earlier ruleset, so it must not be changed, except by `assign_numbers`.
    """

    def __init__(self, traces: Traces) -> None:
        self._traces = traces
        self._placed = ContentDigests(shared=traces.open_table("places"))
        self._digests: DeclarationDigests | None = None
        self._again: dict[str, Callable[[], Procedure]] = {}
        """How to check a procedure again that came from an earlier ruleset, by id."""

    def fetch(
        self, identity: str, written: object, declarations: Declarations, diagnostics: Diagnostics, check: Check
    ) -> Procedure:
        """Return a checked procedure, from an earlier ruleset if possible.

        `written` is all that `check` reads besides the declarations it gets. The declarations must be complete, except
        for signatures.
        """
        if self._digests is None:
            self._digests = DeclarationDigests(declarations)
        key = ("procedure", identity, self._placed.compute(written))
        trace = self._traces.find(key, self._digests)
        if trace is not None:
            checked: _Checked = trace.value
            repeat_readings(checked.readings, declarations)
            declarations.rolls_read.update(dict.fromkeys(checked.rolls))
            self._again[identity] = partial(self._check, key, trace, partial(check, declarations, Diagnostics()))
            return checked.procedure
        self._traces.work["procedure"] += 1
        view, found = TrackedDeclarations(declarations), Diagnostics()
        with record_reads() as reads, record_readings() as readings:
            procedure = check(view, found)
        repeat_readings(readings, declarations)
        declarations.rolls_read.update(view.rolls)
        diagnostics.extend(found)
        if not len(found):
            bare = tuple(replace(each, scope=replace(each.scope, declarations=_NOWHERE)) for each in readings)
            self._traces.add(key, reads, self._digests, _Checked(procedure, bare, tuple(view.rolls)))
        return procedure

    def _check(self, key: Hashable, trace: Trace, check: Callable[[], Procedure]) -> Procedure:
        """Check a procedure again, and store it in place of the one in `trace`."""
        procedure = check()
        assert self._digests is not None
        self._traces.add(
            key, (read for read, _ in trace.reads), self._digests, replace(trace.value, procedure=procedure)
        )
        return procedure

    def assign_numbers(self, procedure: Procedure, before: int) -> Procedure:
        """Assign numbers to the steps of a procedure, from `before + 1`, and return it.

        If it came from an earlier ruleset, where its steps have other numbers, another one is numbered and returned.
        """
        numbers = [step.number for step in procedure.iterate_steps()]
        if procedure.id in self._again and numbers != list(range(before + 1, before + 1 + len(numbers))):
            procedure = self._again[procedure.id]()
        for number, step in enumerate(procedure.iterate_steps(), start=before + 1):
            step.number = number
        return procedure
