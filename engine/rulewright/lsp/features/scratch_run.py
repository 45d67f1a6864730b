"""Trial runs of a single procedure: its starting state, how to describe the run, and how to save it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as ListOfEntries
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.script import Script
from rulewright.engine.narration.plain_names import Names, format_faces
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.language.types import PLAYER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.testing.procedure_run import RunResult, RunStoppedError, run
from rulewright.testing.record_example import RecordRequest as Recordable
from rulewright.testing.run_results import format_values

Entries = ListOfEntries[Any]


@dataclass(frozen=True, slots=True)
class RunSetup:
    """The starting state of a procedure: empty, or that of `example`."""

    procedure: str
    given: MappingNode | None = None
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    example: str = ""

    def to_recordable(self) -> Recordable:
        """Return the starting state in the form of an example's `given:`."""
        given = {name: _flow(entry.value) for name, entry in self.given.entries.items()} if self.given else {}
        return Recordable(given=given, players=self.players, options=self.options)


def setup_of(ruleset: Ruleset, procedure: str) -> RunSetup | None:
    """Return a starting state for a procedure: of its first example if it has parameters, and otherwise empty.

    A run finds players on its own. The result is None if there is no such procedure, or no example that gives its other
    parameters.
    """
    result = ruleset.procedures.get(procedure)
    if result is None:
        return None
    examples = (
        (each.id for each in ruleset.examples.values() if each.of == procedure) if result.parameters else iter(())
    )
    if (example := next(examples, None)) is not None:
        return as_in(ruleset, example)
    return RunSetup(procedure) if all(kind == PLAYER for kind in result.parameters.values()) else None


def as_in(ruleset: Ruleset, example: str) -> RunSetup | None:
    """Return the starting state of an example, or None if it does not run a procedure."""
    result = ruleset.examples.get(example)
    if result is None or result.of not in ruleset.procedures:
        return None
    return RunSetup(result.of, result.given, result.players, result.options, example)


def try_setup(ruleset: Ruleset, setup: RunSetup, *, seed: int | None = None, script: Script | None = None) -> RunResult:
    """Run the procedure with a seed or a script. Raises the exceptions of `run`."""
    return run(
        ruleset,
        setup.procedure,
        given=setup.given,
        players=setup.players,
        options=setup.options,
        seed=seed,
        script=script,
    )


class _StepScript(Script):
    """A script that notes which step each of its entries is for."""

    def __init__(self, dice: Entries, choices: Entries) -> None:
        super().__init__(dice, choices)
        self.rolls: list[str] = []
        self.asks: list[str] = []

    def choose_outcome(self, state: State, step: Step) -> ChanceEntry:
        self.rolls.append(step.rule)
        return super().choose_outcome(state, step)

    def choose_option(self, state: State, step: Step, names: Names) -> int:
        self.asks.append(step.rule)
        return super().choose_option(state, step, names)


def list_steps(ruleset: Ruleset, example: str) -> tuple[Entries, Entries]:
    """Return the steps at which an example's dice are rolled, and those at which its choices are made, in order.

    For an example that fails, those up to the failure. Runs the example the first time it is asked for in a ruleset.
    """
    known = ruleset.get_or_make(_known_steps)
    if example not in known:
        setup, written = as_in(ruleset, example), ruleset.examples[example]
        script = _StepScript(written.dice, [str(each) for each in written.choose])
        if setup is not None:
            with suppress(RulewrightError):
                run(
                    ruleset,
                    setup.procedure,
                    given=setup.given,
                    players=setup.players,
                    options=setup.options,
                    until=written.until,
                    script=script,
                )
        known[example] = script.rolls, script.asks
    return known[example]


def _known_steps(ruleset: Ruleset) -> dict[str, tuple[Entries, Entries]]:
    return {}


def describe_run(finished: RunResult | RunStoppedError) -> list[str]:
    """Return the steps of a run that have a text, and its results, as lines of Markdown.

    A run that was stopped has its errors instead of results.
    """
    lines = []
    for moment in finished.moments:
        if moment.event.text:
            faces = format_faces(moment.faces)
            lines.append(f"- {moment.event.text}{f' *{faces}*' if faces else ''} `{moment.event.rule}`")
    if isinstance(finished, RunStoppedError):
        return [*lines, "", *(f"**{each.message}**" for each in finished.diagnostics)]
    values = format_values(finished)
    if values:
        lines += ["", "| name | value |", "|---|---|"]
        lines += [f"| `{name}` | {value.replace('|', '&#124;')} |" for name, value in values.items()]
    return lines


def _flow(node: Node) -> str:
    """Return a node as YAML in flow style, on one line."""
    match node:
        case Scalar():
            return node.raw or node.text
        case Sequence():
            return f"[{', '.join(_flow(item) for item in node.items)}]"
    return "{" + ", ".join(f"{key}: {_flow(entry.value)}" for key, entry in node.entries.items()) + "}"
