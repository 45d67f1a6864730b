"""One procedure alone: from a starting position, with scripted dice and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import engine_diagnostics
from rulewright.engine.game.record import CameUp, Chosen, Entry
from rulewright.engine.game.script import Outcome, Script, ScriptError, ScriptSource, list_option_ids
from rulewright.engine.narration.events import CHANCES, Event
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import Allowance, RulesFault, RunAllowance, estimate_scripting
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, PAUSED, State
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.checked_steps import Procedure
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span
from rulewright.testing.starting_position import PositionBuilder

MOST_STOPS = 100_000
"""Stops one run may make."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of a run, and, where it is a roll, the faces that came up (none where only a total was scripted)."""

    event: Event
    faces: tuple[tuple[int, ...], ...] | None


class RunStoppedError(DiagnosticError):
    """A run that could not go on: why, and what had happened until then."""

    def __init__(self, diagnostic: Diagnostic, moments: Sequence[Moment]) -> None:
        super().__init__((diagnostic,))
        self.moments = tuple(moments)


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run: the state it began and the one it ended in, what happened, and whether it stopped on the way.

    `dice` and `choices` are the script that leads to the same, whoever rolled and chose; `record` says it as that of a
    game does. `arguments` are what the procedure was given.
    """

    ruleset: Ruleset
    procedure: Procedure | None
    start: State
    state: State
    moments: tuple[Moment, ...]
    paused: bool
    dice: tuple[Any, ...] = ()
    choices: tuple[str, ...] = ()
    arguments: tuple[Any, ...] = ()
    record: tuple[Entry, ...] = ()

    @property
    def names(self) -> Names:
        """What things are called where the run ended."""
        return Names.for_state(self.state)

    @property
    def values(self) -> dict[str, Any]:
        """What the outermost procedure's names hold: parameters, results of steps, and what it gives back."""
        if self.procedure is None or not self.state.stack:
            return {}
        frame = self.state.stack[0]
        found = {name: frame[slot] for slot, name in self.procedure.names.items() if "(" not in name}
        return found | dict(zip(self.procedure.gives, self.state.given, strict=False))


def run(
    ruleset: Ruleset,
    procedure: str,
    *,
    given: MappingNode | None = None,
    dice: Sequence[Any] = (),
    choices: Sequence[Any] = (),
    until: str = "",
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    seed: int | str | None = None,
    span: Span | None = None,
    script: Script | None = None,
    allowance: Allowance | None = None,
    written: ScriptSource | None = None,
    walker: Callable[..., Interpreter] = Interpreter,
) -> RunResult:
    """Carry out `procedure` by script; with a `seed`, what the script leaves open is left to the generator.

    `until` names a step, by id or as `procedure.step`, after which to stop. A `script` of one's own takes the place of
    `dice`, `choices` and `seed`; what steps cost is taken from an `allowance`, or else from what a run may take. What
    does not fit is told where the script is `written`, if that is known, and else at the rule. `walker` makes what
    walks through the rules. Raises `DiagnosticError` for a position that does not fit, `RunStoppedError`, with all that
    happened until then, for a script that does not, and `RulesFault` where the rules lead to something impossible.
    """
    diagnostics = Diagnostics()
    place = span or ruleset.procedures[procedure].span
    stopping = place if written is None else written.place(written.until, 0)
    stop = _step_number(ruleset, procedure, until, stopping, diagnostics) if until else None
    machine = walker(ruleset, until=stop, allowance=allowance or RunAllowance())
    state, arguments = PositionBuilder(machine, given, diagnostics).set_up(procedure, players, options or {}, place)
    diagnostics.raise_if_errors()
    start = state.clone()
    state.events = []
    chronicle = NarrationLog.for_state(state)
    script = script or Script(
        dice, choices, generator=None if seed is None else Generator(seed, "run"), written=written
    )
    outcomes: list[Outcome] = []
    record: list[Entry] = []
    try:
        paused = _play(machine, state, procedure, arguments, script, outcomes, record, chronicle)
        ended_there = bool(state.events) and state.events[-1][0] == stop  # the game was over with that very step
        if until and not paused and not ended_there:
            raise ScriptError(engine_diagnostics.NEVER_REACHED, f"`{until}` was not reached", stopping)
        script.refuse_rest(place)
    except (ScriptError, RulesFault) as error:
        if error.diagnostic is None:
            raise
        raise RunStoppedError(error.diagnostic, _moments(state, outcomes, chronicle)) from None
    moments = tuple(_moments(state, outcomes, chronicle))
    played = ruleset.procedures[procedure]
    return RunResult(
        ruleset,
        played,
        start,
        state,
        moments,
        paused,
        tuple(script.came_up),
        tuple(script.taken),
        arguments,
        tuple(record),
    )


def _play(
    machine: Interpreter,
    state: State,
    procedure: str,
    arguments: tuple[Any, ...],
    script: Script,
    outcomes: list[Outcome],
    record: list[Entry],
    chronicle: NarrationLog,
) -> bool:
    """Go on until the procedure is over, or stopped at the step you named; say which."""
    names = Names(machine.ruleset)
    machine.begin(state, procedure, arguments)
    for _ in range(MOST_STOPS):
        if state.mode in (OVER, PAUSED):
            break
        step = machine.step(state)
        assert step is not None
        if script.listens:
            script.observe(_moments(state, outcomes, chronicle))
        if state.mode == CHANCE:
            if machine.allowance is not None and script.dice:
                machine.allowance.spend(step, estimate_scripting(state.roll))
            outcome = script.choose_outcome(state, step)
            outcomes.append(outcome)
            record.append(CameUp(outcome.value, outcome.faces))
            state.apply_outcome(outcome.value)
        elif state.mode == DECISION:
            taken = script.choose_option(state, step, names)
            record.append(Chosen(list_option_ids(state, step)[taken]))
            state.apply(taken)
    else:
        step = machine.step(state)
        span = step.span if step is not None else machine.ruleset.procedures[procedure].span
        found = Diagnostics()
        found.add(engine_diagnostics.RUNS_ON, f"`{procedure}` made {MOST_STOPS:,} stops and was still going", span)
        found.raise_if_errors()
    return state.mode == PAUSED


def _moments(state: State, outcomes: list[Outcome], chronicle: NarrationLog) -> list[Moment]:
    """Return events with the faces of each roll: rolls and draws are recorded in the order they came up."""
    came_up = iter(outcomes)
    found = []
    for event in chronicle.read(state.events or []):
        faces = next(came_up).faces if event.kind in CHANCES else None
        found.append(Moment(event, faces))
    return found


def _step_number(ruleset: Ruleset, procedure: str, until: str, span: Span, diagnostics: Diagnostics) -> int | None:
    """Return the step that `until` names: of the procedure itself first, then of any other if only one has it."""
    own = {step.rule: number for number, step in ruleset.steps.items() if step.rule.endswith(f".{step.id}")}
    if f"{procedure}.{until}" in own:
        return own[f"{procedure}.{until}"]
    if until in own:
        return own[until]
    others = [number for number, step in ruleset.steps.items() if step.id == until]
    if len(others) == 1:
        return others[0]
    known = [step.id for step in ruleset.procedures[procedure].iterate_steps()]
    what = f"several procedures have a step `{until}`" if others else f"there is no step `{until}`"
    hint = f"name one as `{ruleset.steps[others[0]].rule}`" if others else suggest_name(until, known)
    diagnostics.add(engine_diagnostics.NO_SUCH_STEP, what, span, suggestion=hint)
    diagnostics.raise_if_errors()
    return None
