"""The verdicts on examples, which are reused as long as the rules that the runs have read are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.base.incremental.reads import note_read
from rulewright.engine.state.faults import Allowance
from rulewright.language.expressions.word_notes import (
    DetachedReadings,
    detach_readings,
    is_recording_readings,
    repeat_readings,
    set_readings_aside,
)
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.rules_met import list_rules_met
from rulewright.testing.run_examples import ExampleRun, run_example

Weigh = Callable[[Ruleset, Example, int], tuple[Iterable[Diagnostic], int]]
"""A function from an example and the remaining branches to the problems with its odds and the branches used."""


@dataclass(frozen=True, slots=True)
class ExampleVerdict:
    """The verdict on an example.

    Attributes:
        events: The number of its events, or None if it runs no procedure.
        rules: The rules that its run used, if it proves an answer.
        run: The run, if it has problems; otherwise None.
    """

    example: Example
    events: int | None
    rules: frozenset[str]
    run: ExampleRun | None

    @property
    def holds(self) -> bool:
        """Whether the example ran and met every expectation."""
        return self.run is None or self.run.holds


class _Outcome(NamedTuple):
    """The outcome of running an example. Without a `run`, it refers to nothing of its ruleset, so it can be stored."""

    events: int | None
    rules: tuple[str, ...]
    operations: int
    readings: DetachedReadings | None
    run: ExampleRun | None


class ExampleJudge:
    """The judge of the examples of one ruleset, which reuses the outcomes of earlier runs.

    The examples spend a common allowance in their order, whether they run or not. Runs with problems are not reused,
    because problems name positions in files, which any edit may move.
    """

    def __init__(self, checks: CleanChecks) -> None:
        self._checks = checks
        self._allowance = Allowance()
        self._proving = {each.text for question in checks.view.whole.faq.values() for each in question.examples}

    def judge(self, example: Example) -> ExampleVerdict:
        """Return the verdict on an example. It runs unless the outcome of an earlier run is still valid.

        Either way, its operations are charged to the allowance.
        """
        proves = example.id in self._proving
        key = ("example", example.id, proves, is_recording_readings())
        left = self._allowance.left
        stored = self._checks.traces.fetch(
            key,
            self._checks.digests_in_play,
            lambda: self._run(example, proves=proves),
            keep=lambda outcome: outcome.run is None,
            fits=lambda outcome: _Outcome(*outcome).operations <= left,
        )
        outcome = _Outcome(*stored)  # on disk, it is any sequence
        self._allowance.left = left - outcome.operations
        repeat_readings(outcome.readings, self._checks.view.whole.declarations)
        return ExampleVerdict(example, outcome.events, frozenset(outcome.rules), outcome.run)

    def _run(self, example: Example, *, proves: bool) -> _Outcome:
        """Run an example within the common allowance, and record what it reads as readings of the check.

        The outcome has the rules that the run used if it passes and `proves`, and the run only if it has problems.
        """
        view, before = self._checks.view, self._allowance.left
        note_read(("entry", "examples", example.id))
        if is_recording_readings():
            # Readings name positions in files, so they are valid only if the example is where it was.
            note_read(("placed", "examples", example.id))
        with set_readings_aside() as readings:
            run = run_example(view, example, self._allowance)
            rules = tuple(sorted(list_rules_met(view, run))) if proves and run.holds else ()
        events = None if run.finished is None else run.finished.event_count
        operations = before - self._allowance.left
        return _Outcome(events, rules, operations, detach_readings(readings), run if len(run.problems) else None)

    def weigh(self, verdict: ExampleVerdict, weigh: Weigh) -> ExampleVerdict:
        """Return the verdict with the problems of the odds that its example expects.

        The odds spend a common allowance of branches. If it is used up, that is the problem. They are computed unless
        earlier ones are still valid. A run in the verdict gets the problems, too.
        """
        example, left = verdict.example, self._allowance.branches
        refused = self._allowance.refuse_branches(example.id, example.span)
        if refused is not None:
            return _with_problems(verdict, [refused])

        def compute() -> tuple[list[Diagnostic], int]:
            note_read(("entry", "examples", example.id))
            with set_readings_aside():  # the questions are read in no file
                problems, branches = weigh(self._checks.view, example, left)
            return list(problems), branches

        problems, branches = self._checks.traces.fetch(
            ("odds", example.id),
            self._checks.digests_in_play,
            compute,
            keep=lambda weighed: not weighed[0],
            fits=lambda weighed: weighed[1] <= left,
        )
        self._allowance.branches = left - branches
        return _with_problems(verdict, problems)


def _with_problems(verdict: ExampleVerdict, problems: list[Diagnostic]) -> ExampleVerdict:
    """Return a verdict with more problems, which are also added to its run. Without any, return the same verdict."""
    if not problems:
        return verdict
    run = verdict.run or ExampleRun(verdict.example, (), None, None, Diagnostics())
    run.problems.extend(problems)
    return replace(verdict, run=run)
