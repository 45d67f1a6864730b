"""Causes and suggested fixes for failing examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.engine.state.faults import RULES_FAULT
from rulewright.language.checked_steps import Step
from rulewright.language.statement import load_statements
from rulewright.ruleset.recovery.span_index import SpanIndex
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span
from rulewright.testing.contradictions import (
    advise,
    find_contradictions,
    list_names,
    report_contradiction,
)
from rulewright.testing.inherited_examples import find_failing_below
from rulewright.testing.run_examples import ExampleRun


def report_failures(
    ruleset: Ruleset, runs: Iterable[ExampleRun], *, traces: Traces | None = None
) -> Iterator[Diagnostic]:
    """Yield the problems of examples, with causes and suggestions. Runs failing examples again to find the causes.

    A change of the top layer that makes inherited examples fail appears once, with all of them. So does a step of the
    top layer that cannot run, with all inherited examples that it stops. Problems that also exist in the edition below
    appear as that edition reports them, because the top layer cannot fix them.
    """
    results = [run for run in runs if list(run.problems)]
    inherited = [run for run in results if not run.holds and _is_inherited(ruleset, run)]
    below = find_failing_below(ruleset, inherited, NoTraces() if traces is None else traces)
    if below is not None:
        # With all runs that fail there, these reports are the same as those of the edition itself.
        yield from report_failures(below.ruleset, below.runs, traces=traces)
        results = [run for run in results if run.example.id not in below.alike]
        inherited = [run for run in inherited if run.example.id not in below.alike]
    stopped: dict[Span, list[ExampleRun]] = {}
    for run in inherited:
        for problem in run.problems:
            if problem.code is RULES_FAULT and ruleset.resolved.is_own(problem.span):
                stopped.setdefault(problem.span, []).append(run)
    contradictions = {
        run.example.id: contradiction
        for contradiction in (find_contradictions(ruleset, inherited) if inherited else ())
        for run in contradiction.runs
    }
    for run in results:
        contradiction = contradictions.get(run.example.id)
        if contradiction is not None:
            if contradiction.runs[0] is run:
                yield report_contradiction(ruleset, contradiction)
            continue
        for problem in _list_problems(ruleset, run):
            there = stopped.get(problem.span, ()) if problem.code is RULES_FAULT else ()
            if not there:
                yield problem
            elif there[0] is run:
                yield replace(problem, suggestion=_suggest_guard(ruleset, problem.span, there))


def _suggest_guard(ruleset: Ruleset, place: Span, stopped: Sequence[ExampleRun]) -> str:
    """Return a suggestion for a step that stops inherited examples because it cannot run.

    It is to guard the step, or else to restate or delete the examples.
    """
    first, *others = (run.example.id for run in stopped)
    step = next((each for each in ruleset.steps.values() if each.span == place), None)
    guard = _guard(ruleset, step) if step is not None else ""
    advice = f"guard the step: `when: {guard}`" if guard else "guard the step with `when:`"
    if others:
        advice += f". The same step also stops {list_names(others)}"
    deleted = ", ".join(f"{name}: {{delete: true}}" for name in (first, *others))
    return f"{advice}.\nIf the step is right, write the new results, or delete the examples: `examples: {{{deleted}}}`"


def _guard(ruleset: Ruleset, step: Step) -> str:
    """Return the condition under which a step can run, combined with its existing `when:`, or "" if unknown."""
    result = SpanIndex(ruleset.resolved.rules, {step.span.file}).find(step.span)
    node = result[1] if result is not None else None
    if not isinstance(node, Mapping):
        return ""
    guard = load_statements()[step.verb.name].guard(step, node)
    known = node.get("when")
    return f"({known.text}) and {guard}" if guard and isinstance(known, Scalar) else guard


def _is_inherited(ruleset: Ruleset, run: ExampleRun) -> bool:
    return not ruleset.resolved.is_own(run.example.span)


def _list_problems(ruleset: Ruleset, run: ExampleRun) -> Iterator[Diagnostic]:
    """Yield the problems of an example, with suggestions if it is inherited."""
    identity, whose = run.example.id, ruleset.resolved.find_layer(run.example.span)
    for place, problem in enumerate(run.problems):
        if not problem.examples:
            problem = replace(problem, message=f"`{identity}`: {problem.message}", examples=(identity,))
        if not _is_inherited(ruleset, run):
            yield problem
            continue
        problem = replace(problem, message=f"{problem.message} (an example of {whose})")
        if place:
            yield replace(problem, suggestion=problem.suggestion or f"fix it like `{identity}` above")
        else:
            advice, edits = advise(ruleset, [run])
            yield replace(problem, suggestion=advice, edits=edits)
