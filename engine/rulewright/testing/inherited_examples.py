"""Detection of inherited examples that fail in the edition below too, independently of the top layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_not

from rulewright.base.incremental.traces import Traces
from rulewright.engine.state.faults import Allowance
from rulewright.language.expressions.word_notes import record_readings
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.pipeline import build_ruleset_from_layers
from rulewright.ruleset.recovery.tainted import list_runnable
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span
from rulewright.testing.run_examples import ExampleRun, run_example

RunnableBelow = tuple[Ruleset, frozenset[str]]
"""An edition below, and the ids of its examples that can run."""


@dataclass(frozen=True, slots=True)
class FailuresBelow:
    """The edition below with the runs of examples that fail there, too, and the ids of those that fail alike."""

    ruleset: Ruleset
    runs: tuple[ExampleRun, ...]
    alike: frozenset[str]


def find_failing_below(ruleset: Ruleset, runs: Sequence[ExampleRun], traces: Traces) -> FailuresBelow | None:
    """Run failed examples again in the nearest complete edition below.

    `runs` are the failed runs of `ruleset`. None if no layer below is a complete game or no example fails alike.
    `traces` keeps the edition below while its files are the same.
    """
    if not runs:
        return None
    # Keep the recorded readings of expressions for the top edition only.
    with record_readings():
        below = find_below(ruleset, traces)
        if below is None:
            return None
        lower, known = below
        allowance = Allowance()
        again = {
            run.example.id: run_example(lower, lower.examples[run.example.id], allowance)
            for run in runs
            if run.example.id in known
        }
    alike = frozenset(
        run.example.id for run in runs if run.example.id in again and _faults(run) == _faults(again[run.example.id])
    )
    failing = tuple(run for run in again.values() if not run.holds)
    return FailuresBelow(lower, failing, alike) if alike else None


def find_below(ruleset: Ruleset, traces: Traces) -> RunnableBelow | None:
    """Return the nearest complete edition below, and the ids of its runnable examples, or None.

    It is built again only if a layer was read again.
    """
    layers = ruleset.resolved.layers
    nodes = [node for layer in layers[:-1] for node in (layer.manifest, *layer.files)]
    latest: list[tuple[list[Mapping], RunnableBelow | None]] = traces.open_table(("below", layers[-1].name), list)
    if not latest or len(latest[0][0]) != len(nodes) or any(map(is_not, latest[0][0], nodes)):
        latest[:] = [(nodes, _build_below(layers))]
    return latest[0][1]


def _build_below(layers: Sequence[Layer]) -> RunnableBelow | None:
    """Return the ruleset of the most layers below the top that form a complete game, and its runnable examples.

    If this ruleset has errors, these are the examples that do not depend on them. None if no layers form a game.
    """
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
    """Return the problems of a run without their suggestions."""
    return [(each.code.id, each.span, each.message) for each in run.problems]
