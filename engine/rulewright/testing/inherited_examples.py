"""Inherited examples that fail in the edition below already: the layer on top has nothing to do with that."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.state.faults import Allowance
from rulewright.language.expressions.word_notes import record_readings
from rulewright.ruleset.pipeline import build_ruleset_from_layers
from rulewright.ruleset.recovery.tainted import list_runnable
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.span import Span
from rulewright.testing.run_examples import ExampleRun, run_example


def find_failing_below(ruleset: Ruleset, runs: Sequence[ExampleRun]) -> tuple[Ruleset, dict[str, ExampleRun]] | None:
    """Return the nearest edition below, and the runs there, by example, of those that go wrong there as they do here.

    None where no layer below is a game by itself, or nothing goes wrong in it alike.
    """
    if not runs:
        return None
    # Whoever explains the expressions of the edition on top has no use for how they are read in another one.
    with record_readings():
        below = _below(ruleset)
        if below is None:
            return None
        lower, known = below
        allowance = Allowance()
        again = {
            run.example.id: run_example(lower, lower.examples[run.example.id], allowance)
            for run in runs
            if run.example.id in known
        }
    alike = {
        run.example.id: again[run.example.id]
        for run in runs
        if run.example.id in again and _faults(run) == _faults(again[run.example.id])
    }
    return (lower, alike) if alike else None


def _below(ruleset: Ruleset) -> tuple[Ruleset, frozenset[str]] | None:
    """Return the nearest edition below that is a game by itself, and the examples that can be run in it."""
    layers = ruleset.resolved.layers
    for count in range(len(layers) - 1, 0, -1):
        stage = build_ruleset_from_layers(layers[:count])
        if stage.value is not None:
            lower = stage.value
            if stage.sound:
                return lower, frozenset(lower.examples)
            errors = [each for each in stage.diagnostics if each.severity == "error"]
            return lower, frozenset(each.id for each in list_runnable(lower, stage.tainted, errors))
    return None


def _faults(run: ExampleRun) -> list[tuple[str, Span, str]]:
    """Return what went wrong, whatever is advised about it."""
    return [(each.code.id, each.span, each.message) for each in run.problems]
