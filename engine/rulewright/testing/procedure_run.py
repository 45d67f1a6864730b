"""Runs of a single procedure from a starting position, with scripted rolls and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rulewright.base.incremental.reads import Memo
from rulewright.base.lazy import lazy_property
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import engine_diagnostics
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, Entry
from rulewright.engine.game.script import Script, ScriptError, ScriptSource, list_option_ids
from rulewright.engine.narration.events import CHANCES, Event
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import Allowance, RulesFault, RunAllowance, estimate_scripting
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, PAUSED, State
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.lowering import list_block_slots
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span
from rulewright.testing.starting_position import PositionBuilder
from rulewright.testing.step_names import find_step_names, suggest_step

MOST_STOPS = 100_000
"""The maximum number of decisions and rolls in a run."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of a run. `faces` is None unless the event is a roll with known faces."""

    event: Event
    faces: tuple[tuple[int, ...], ...] | None


class RunStoppedError(DiagnosticError):
    """A run that could not continue, with its events up to that point."""

    def __init__(self, diagnostic: Diagnostic, tell: Callable[[], Sequence[Moment]]) -> None:
        super().__init__((diagnostic,))
        self._tell = tell

    @lazy_property
    def moments(self) -> tuple[Moment, ...]:
        """Return the events up to that point. They are put into words on first use."""
        return tuple(self._tell())


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run, with the states at its start and end and its events.

    `paused` is true if the run stopped at `until`. `dice` and `choices` are a script that repeats the run, even if a
    generator made the choices. `record` has the same results as a game record. `arguments` are those of the procedure.
    """

    ruleset: Ruleset
    procedure: Procedure | None
    start: State
    state: State
    outcomes: tuple[ChanceEntry, ...]
    paused: bool
    dice: tuple[Any, ...] = ()
    choices: tuple[str, ...] = ()
    arguments: tuple[Any, ...] = ()
    record: tuple[Entry, ...] = ()
    _memo: Memo = field(default_factory=Memo)

    @property
    def event_count(self) -> int:
        """The number of events."""
        return len(self.state.events or [])

    @property
    def rules(self) -> frozenset[str]:
        """The steps that caused the events, as `procedure.step`."""
        steps = self.ruleset.steps
        return frozenset(steps[number].rule for number in {event[0] for event in self.state.events or []})

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The events in order. They are put into words on first use, because most runs are only judged."""
        return self._memo.get("moments", self._tell)

    def _tell(self) -> tuple[Moment, ...]:
        return tuple(_moments(self.state, self.outcomes, NarrationLog.for_state(self.start)))

    @property
    def names(self) -> Names:
        """The display names in the final state."""
        return Names.for_state(self.state)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the procedure's parameters, the results of its steps and its own results, by name.

        Names such as that of a loop's element are among them only if the run paused in the block that can use them.
        Empty if the procedure's frame no longer exists.
        """
        if self.procedure is None or not self.state.stack:
            return {}
        frame = self.state.stack[0]
        ended = _list_block_names(self.procedure, self.ruleset.steps.get(frame[0]) if self.paused else None)
        results = {
            name: frame[slot] for slot, name in self.procedure.names.items() if "(" not in name and slot not in ended
        }
        return results | dict(zip(self.procedure.gives, self.state.given, strict=False))


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
    """Run a procedure by script and return the result. With a `seed`, a generator continues after the script.

    Args:
        ruleset: The rules.
        procedure: The id of the procedure.
        given: The starting position, as `testing/starting_position.py` describes it.
        dice: The results of the chance events, in order.
        choices: The decisions, in order.
        until: The step to stop after, by its id or as `procedure.step`.
        players: The number of players, by default as few as possible.
        options: The chosen settings.
        seed: The seed of the generator. Without one, a script that ends too early is an error.
        span: The position for errors in the starting position, by default that of the procedure.
        script: A script that replaces `dice`, `choices` and `seed`.
        allowance: The allowance that the steps consume, by default that of a single run.
        written: The source of the script, for positions of errors.
        walker: The constructor of the interpreter.

    Raises `DiagnosticError` for an invalid starting position or `until`, and for a run that does not end. Raises
    `RunStoppedError`, with the events so far, for a script that does not fit and for a step that cannot run. A
    `RulesFault` without a diagnostic propagates.
    """
    diagnostics = Diagnostics()
    place = span or ruleset.procedures[procedure].span
    stopping = place if written is None else written.place(written.until, 0)
    stop = _step_number(ruleset, procedure, until, stopping) if until else None
    machine = walker(ruleset, until=stop, allowance=allowance or RunAllowance())
    state, arguments = PositionBuilder(machine, given, diagnostics).set_up(procedure, players, options or {}, place)
    diagnostics.raise_if_errors()
    start = state.clone()
    state.events = []
    chronicle = NarrationLog.for_state(state)
    script = script or Script(
        dice, choices, generator=None if seed is None else Generator(seed, "run"), written=written
    )
    outcomes: list[ChanceEntry] = []
    record: list[Entry] = []
    try:
        paused = _play(machine, state, procedure, arguments, script, outcomes, record, chronicle)
        ended_there = bool(state.events) and state.events[-1][0] == stop  # the game ended with exactly that step
        if until and not paused and not ended_there:
            raise ScriptError(engine_diagnostics.NEVER_REACHED, f"`{until}` was not reached", stopping)
        script.refuse_rest(place, state)
    except (ScriptError, RulesFault) as error:
        if error.diagnostic is None:
            raise
        raise RunStoppedError(error.diagnostic, partial(_moments, state, outcomes, chronicle)) from None
    played = ruleset.procedures[procedure]
    return RunResult(
        ruleset,
        played,
        start,
        state,
        tuple(outcomes),
        paused,
        tuple(script.came_up),
        tuple(script.taken),
        arguments,
        tuple(record),
    )


def run_procedure_of(
    ruleset: Ruleset,
    example: Example,
    *,
    allowance: Allowance | None = None,
    written: ScriptSource | None = None,
    walker: Callable[..., Interpreter] = Interpreter,
) -> RunResult:
    """Run the procedure of an example with its position, script and settings, as `run` does, and return the result."""
    return run(
        ruleset,
        example.of,
        given=example.given,
        dice=example.dice,
        choices=example.choose,
        until=example.until,
        players=example.players,
        options=example.options,
        span=example.span,
        allowance=allowance,
        written=written,
        walker=walker,
    )


def _list_block_names(procedure: Procedure, step: Step | None) -> frozenset[int]:
    """Return the slots of the names that only blocks can use, except the blocks that `step` is in."""
    around: set[Step] = set()
    while step is not None:
        around.add(step)
        step = step.container.owner if step.container is not None else None
    return frozenset(
        slot for each in procedure.iterate_steps() if each not in around for slot in list_block_slots(each)
    )


def _play(
    machine: Interpreter,
    state: State,
    procedure: str,
    arguments: tuple[Any, ...],
    script: Script,
    outcomes: list[ChanceEntry],
    record: list[Entry],
    chronicle: NarrationLog,
) -> bool:
    """Run to the end of the procedure or to the stop, and return whether it stopped.

    Changes `state`, and appends to `outcomes` and `record`. Raises `DiagnosticError` after too many decisions and
    rolls, `ScriptError` for a script that does not fit, and `RulesFault` for a step that cannot run.
    """
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
            record.append(ChanceEntry(outcome.value, outcome.faces))
            state.apply_outcome(outcome.value)
        elif state.mode == DECISION:
            option = script.choose_option(state, step, names)
            record.append(ChoiceEntry(list_option_ids(state, step)[option]))
            state.apply(option)
    else:
        step = machine.step(state)
        span = step.span if step is not None else machine.ruleset.procedures[procedure].span
        diagnostics = Diagnostics()
        diagnostics.add(
            engine_diagnostics.RUNS_ON, f"`{procedure}` has not ended after {MOST_STOPS:,} decisions and rolls", span
        )
        diagnostics.raise_if_errors()
    return state.mode == PAUSED


def _moments(state: State, outcomes: Sequence[ChanceEntry], chronicle: NarrationLog) -> list[Moment]:
    """Return the events, with the faces of each roll. Events and outcomes are in the same order."""
    came_up = iter(outcomes)
    moments = []
    for event in chronicle.read(state.events or []):
        faces = next(came_up).faces if event.kind in CHANCES else None
        moments.append(Moment(event, faces))
    return moments


def _step_number(ruleset: Ruleset, procedure: str, until: str, span: Span) -> int:
    """Return the number of the step that `until` names.

    A step of the procedure itself comes first, then one with a full name, then a unique id. Raises `DiagnosticError` if
    there is no such step or several.
    """
    possible = (f"{procedure}.{until}", until)
    names = find_step_names(ruleset, *possible)
    own = next((name for name in possible if name in names.written), None)
    if own is not None:
        return names.numbers[own]
    others = names.rules.get(until, [])
    if len(others) == 1:
        return names.numbers[others[0]]
    known = {step.id: step.id for step in ruleset.procedures[procedure].iterate_steps()}
    what = f"several procedures have a step `{until}`" if others else f"there is no step `{until}`"
    hint = f"add the procedure, as in `{others[0]}`" if others else suggest_step(until, known)
    raise DiagnosticError([Diagnostic(engine_diagnostics.NO_SUCH_STEP, what, span, suggestion=hint)])
