"""The verdicts on examples, which are reused as long as the rules that the runs have read are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rulewright.base.incremental.reads import note_read, record_reads
from rulewright.engine.state.faults import Allowance
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.word_notes import (
    ScalarReading,
    is_recording_readings,
    record_readings,
    repeat_readings,
)
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.cache.content_digest import ContentDigests
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.rules_met import list_rules_met
from rulewright.testing.run_examples import ExampleRun, run_example

Weigh = Callable[[Ruleset, Example, int], tuple[Iterable[Diagnostic], int]]
"""A function from an example and the remaining branches to the problems with its odds and the branches used."""

_NOWHERE = Declarations()


@dataclass(frozen=True, slots=True)
class ExampleVerdict:
    """The verdict on an example.

    Attributes:
        events: The number of its events, or None if it runs no procedure.
        met: The rules that its run used, if it proves an answer.
        run: The run, if it has problems; otherwise None.
    """

    example: Example
    events: int | None
    met: frozenset[str]
    run: ExampleRun | None

    @property
    def holds(self) -> bool:
        """Whether the example ran and met every expectation."""
        return self.run is None or self.run.holds


@dataclass(frozen=True, slots=True)
class _Passed:
    """What is stored of an example that passes without problems. It refers to nothing of its ruleset."""

    events: int | None
    met: frozenset[str]
    operations: int
    readings: tuple[ScalarReading, ...]


class ExampleJudge:
    """The judge of the examples of one ruleset, which reuses the verdicts of earlier ones.

    The examples spend a common allowance in their order, whether they run or not.
    """

    def __init__(self, checks: CleanChecks) -> None:
        self._digests = checks.digests_in_play
        self._traces = checks.traces
        self._view = checks.view
        self._allowance = Allowance()
        self._placed = ContentDigests()
        self._proving = {each.text for question in checks.view.whole.faq.values() for each in question.examples}

    def judge(self, example: Example) -> ExampleVerdict:
        """Return the verdict on an example. It runs unless an earlier verdict is still valid."""
        proves = example.id in self._proving
        # Readings name positions in files, so they are valid only if the example is where it was.
        key = ("example", example.id, proves, self._placed.compute(example.node) if is_recording_readings() else "")
        trace = self._traces.find(key, self._digests)
        if trace is not None and trace.value.operations <= self._allowance.left:
            passed: _Passed = trace.value
            self._allowance.left -= passed.operations
            repeat_readings(passed.readings, self._view.whole.declarations)
            return ExampleVerdict(example, passed.events, passed.met, None)
        self._traces.work["example"] += 1
        before = self._allowance.left
        with record_reads() as reads, record_readings() as readings:
            note_read(("entry", "examples", example.id))
            run = run_example(self._view, example, self._allowance)
            met = frozenset(list_rules_met(self._view, run) if proves and run.holds else ())
        repeat_readings(readings, self._view.whole.declarations)
        events = None if run.finished is None else len(run.steps)
        if len(run.problems):
            # Problems name positions in files, so they are found anew each time.
            return ExampleVerdict(example, events, met, run)
        bare = [replace(each, scope=replace(each.scope, declarations=_NOWHERE)) for each in readings]
        passed = _Passed(events, met, before - self._allowance.left, tuple(bare if is_recording_readings() else ()))
        self._traces.add(key, reads, self._digests, passed)
        return ExampleVerdict(example, events, met, None)

    def weigh(self, verdict: ExampleVerdict, weigh: Weigh) -> ExampleVerdict:
        """Return the verdict with the problems of the odds that its example expects.

        The odds spend a common allowance of branches. They are computed unless earlier ones are still valid.
        """
        example = verdict.example
        refused = self._allowance.refuse_branches(example.id, example.span)
        if refused is not None:
            return _with_problems(verdict, [refused])
        key = ("odds", example.id)
        trace = self._traces.find(key, self._digests)
        if trace is not None and trace.value <= self._allowance.branches:
            self._allowance.branches -= trace.value
            return verdict
        self._traces.work["odds"] += 1
        with record_reads() as reads:
            note_read(("entry", "examples", example.id))
            problems, taken = weigh(self._view, example, self._allowance.branches)
        self._allowance.branches -= taken
        result = list(problems)
        if not result:
            self._traces.add(key, reads, self._digests, taken)
        return _with_problems(verdict, result)


def _with_problems(verdict: ExampleVerdict, problems: Iterable[Diagnostic]) -> ExampleVerdict:
    """Return a verdict with more problems."""
    result = list(problems)
    if not result:
        return verdict
    run = verdict.run or ExampleRun(verdict.example, (), (), None, None, Diagnostics())
    run.problems.extend(result)
    return replace(verdict, run=run)
