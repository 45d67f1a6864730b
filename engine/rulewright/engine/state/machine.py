"""The interface of all back ends, and the random streams of the bots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.fast_rng import draw_bytes
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.state.faults import THROUGH_NONE, RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, RUNNING, UNLOGGED, State
from rulewright.ir.program import StateLayout
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from rulewright.language.lowering import find_called_procedure
from rulewright.language.step_cost import StepCosts
from rulewright.ruleset.ruleset import Ruleset


def get_effort(ruleset: Ruleset) -> StepCosts:
    """Return the costs of the steps of a ruleset. Cached in the ruleset."""
    return ruleset.get_or_make(_measure_effort)


def _measure_effort(ruleset: Ruleset) -> StepCosts:
    return StepCosts(ruleset.declarations, ruleset.procedures)


class _RoundCosts:
    """The operations of a round of each step that may have rounds, by its procedure and its place among its steps.

    A round costs what it carries out, but who runs it does not depend on those procedures otherwise.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        effort = get_effort(ruleset)
        self.parts = {
            (procedure.id, place): effort.round(step)
            for procedure in ruleset.procedures.values()
            for place, step in enumerate(procedure.iterate_steps())
        }


def get_round_cost(ruleset: Ruleset, step: Step) -> int:
    """Return the operations of a round of a step. Cached in the ruleset."""
    first = next(ruleset.procedures[step.procedure].iterate_steps())
    place = step.procedure, step.number - first.number
    return ruleset.get_part(_RoundCosts, place).parts[place]


class Machine(ABC):
    """A ruleset ready to run. All games share a machine, and it has no data about any of them.

    `undoable` says whether all that it writes to a state is in the state's undo log first, or in another state.
    """

    undoable = True

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.layout = StateLayout(ruleset.declarations)
        self.effort = get_effort(ruleset)
        self._places: dict[str, tuple[int, ...]] = {}
        self._blank: dict[tuple[Any, ...], State] = {}

    def empty(self, players: int, *, options: Mapping[str, str] | None = None) -> State:
        """Return a new state with the game and its players only, at no step.

        `options` are settings, and others have their defaults.
        """
        key = (players, *options.items()) if options else (players,)
        blank = self._blank.get(key)
        if blank is None:
            blank = self._blank[key] = self._new(players, options or {})
        return blank.clone()

    def _new(self, players: int, options: Mapping[str, str]) -> State:
        """Return a new state with players, without a step. Other settings have their defaults."""
        state = State.__new__(State)
        state.machine = self
        state.work = MOST_IN_A_MOVE
        state.crowd = 1
        layout = self.layout
        state.objects = [list(layout.defaults[GAME_KIND])]
        state.live = tuple(() for _ in layout.names)
        for _ in range(players):
            state.create(1, list(layout.defaults[PLAYER_KIND]))
        for name, choice in options.items():
            state.objects[0][layout.places[GAME_KIND, f"options.{name}"]] = choice
        assert players == 0 or state.live[1][0] == FIRST_PLAYER
        state.stack = []
        state.frame = []
        state.take = refuse_early_answer
        state.mode = RUNNING
        state.who = 0
        state.options = ()
        state.roll = None
        state.root = ""
        state.winners = None
        state.given = ()
        state.events = None
        state.generator = None
        state.undo_log = UNLOGGED
        return state

    def new_game(self, players: int, *, options: Mapping[str, str] | None = None) -> State:
        """Return a new game at its first pause point.

        Raises `ValueError` if the ruleset has no `start`, and `RulesFault` as `State.apply` does.
        """
        if self.ruleset.start is None:
            raise ValueError(f"{self.ruleset.reference} has no `start`")
        state = self.empty(players, options=options)
        self.begin(state, self.ruleset.start, ())
        return state

    def begin(self, state: State, procedure: str, arguments: Sequence[Any]) -> None:
        """Call `procedure` in `state` and run to the first pause point. Raises `RulesFault` as `State.apply` does."""
        state.new_move()
        self._call(state, procedure, arguments)

    def look_ahead(self, state: State, procedure: str, arguments: Sequence[Any]) -> State:
        """Return a copy of `state` after a procedure that never pauses, with the operations left. Records no events.

        Raises `RulesFault` as `State.apply` does.
        """
        other = state.clone()
        other.events = None if state.events is None else []
        other.stack, other.mode = [], RUNNING
        self._call(other, procedure, arguments)
        return other

    def _call(self, state: State, procedure: str, arguments: Sequence[Any]) -> None:
        """Start a procedure in a new frame, and run it to its pause or end. Raises `RulesFault` if the rules fail."""
        state.root = procedure
        result = self.ruleset.procedures[procedure]
        state.frame = [0, *arguments, *([None] * (result.size - len(arguments)))]
        state.stack.append(state.frame)
        try:
            self.start(state, procedure)
        except Exception as error:
            self.explain(state, error)
            raise

    @abstractmethod
    def start(self, state: State, procedure: str) -> None:
        """Run from the first step of `procedure`, whose frame is on the stack, to the first pause point."""

    @abstractmethod
    def present(self, state: State) -> None:
        """Set the pending decision or roll of `state` from its frames. Does not run any step."""

    def step(self, state: State) -> Step | None:
        """Return the current step of a state, or None if no procedure is running."""
        return self.ruleset.steps.get(state.frame[0]) if state.stack else None

    def iterate_frames(self, state: State) -> Iterator[tuple[str, list[Any], Step | None]]:
        """Yield the id of each running procedure with its frame and its current step, outermost first.

        The step is None in a frame that is at no step, which is the last one.
        """
        procedure = state.root
        for frame in state.stack:
            step = self.ruleset.steps.get(frame[0])
            yield procedure, frame, step
            procedure = find_called_procedure(step) if step is not None else ""

    def running(self, state: State) -> Procedure:
        """Return the procedure of the top frame."""
        if len(state.stack) > 1:
            caller = self.ruleset.steps[state.stack[-2][0]]
            return self.ruleset.procedures[find_called_procedure(caller)]
        return self.ruleset.procedures[state.root]

    def locate_fault(self, state: State, error: Exception) -> Step | Procedure | None:
        """Return the step that raised `error`, or the procedure if its results did. None if no procedure is running."""
        return self.step(state) or (self.running(state) if state.stack else None)

    def explain(self, state: State, error: Exception) -> None:
        """Raise `RulesFault` for an error in a step that the rules caused. Return for any other error."""
        if isinstance(error, RulewrightError | OverflowError) and not isinstance(error, RulesFault):
            raise RulesFault(self.locate_fault(state, error), str(error)) from error
        if isinstance(error, KeyError) and error.args == (None,):
            # The checks prevent this. If they miss a case, the fault must still name the step.
            raise RulesFault(self.locate_fault(state, error), THROUGH_NONE) from error

    def close(self, state: State, given: tuple[Any, ...]) -> None:
        """End the outermost procedure, with its results `given`.

        Its frame stays, so that callers can read the results of its steps.
        """
        state.given = given
        state.frame[0] = 0
        for slot in self._loops(state.root):
            state.frame[slot] = None
        state.mode = OVER

    def _loops(self, procedure: str) -> tuple[int, ...]:
        """Return the slots in which loops of a procedure keep their position.

        A procedure may end inside a loop, and its slot then has no meaning.
        """
        if procedure not in self._places:
            steps = self.ruleset.procedures[procedure].iterate_steps()
            self._places[procedure] = tuple(step.hidden for step in steps if step.hidden is not None)
        return self._places[procedure]

    def finish(self, state: State, winners: tuple[int, ...], step: int = 0) -> None:
        """End the game. One frame remains, with the number of the step that ended it."""
        state.winners = winners
        state.stack = []
        state.frame = [step]
        state.mode = OVER


def refuse_early_answer(state: State, answer: Any) -> None:
    """Raise `RulewrightError`, because nothing is pending that `answer` could resolve."""
    raise RulewrightError("no decision or chance event is pending")


def adopt_state(state: State, machine: Machine, *, generator: Generator | None = None) -> State:
    """Return a copy of `state` that continues on another back end of the same ruleset, without recording events.

    `generator` is for back ends that sample. All back ends of a ruleset have the same frame layout, so a copy
    suffices.
    """
    copy = state.clone()
    copy.machine = machine
    copy.events = None
    copy.generator = generator
    if copy.mode in (DECISION, CHANCE):
        machine.present(copy)
    return copy


def stream(seed: int | str, seat: int) -> Generator:
    """Return the random generator of the bot in a seat."""
    return Generator(seed, stream_name(seat))


def draw_for_seat(seed: int | str, seat: int) -> Iterator[int]:
    """Return the stream of random bytes of the bot in a seat, for choices with equal probability."""
    return draw_bytes(seed, stream_name(seat))


def stream_name(seat: int) -> str:
    """Return the name of the random stream of the bot in a seat."""
    return f"bot {seat}"
