"""The state of a game: plain data, its few mutations, its chance events, and the view that expressions have of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.dice.ast import Roll
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.engine.state.faults import RemovedError
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.expression_cost import (
    CROWD,
    LONGEST_LIST,
    MOST_IN_A_MOVE,
    MOST_OBJECTS,
    Budget,
    EffortError,
)
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.sections.measures import FIRST, WINNERS, Measure

if TYPE_CHECKING:
    from rulewright.dice.sampling.random_generator import Generator
    from rulewright.ir.program import StateLayout
    from rulewright.language.checked_steps import Step
    from rulewright.ruleset.ruleset import Ruleset


RUNNING, DECISION, CHANCE, OVER, PAUSED = range(5)
"""The modes of a state: running, at a decision, at a roll or draw, over, or paused at a requested step."""


class Machine(Protocol):
    """The part of a back end that a state uses."""

    ruleset: Ruleset
    layout: StateLayout

    def begin(self, state: State, procedure: str, arguments: Sequence[Any]) -> None: ...
    def empty(self, players: int, *, options: Mapping[str, str] | None = None) -> State: ...
    def present(self, state: State) -> None: ...
    def step(self, state: State) -> Step | None: ...
    def iterate_frames(self, state: State) -> Iterator[tuple[str, list[Any], Step | None]]: ...
    def look_ahead(self, state: State, procedure: str, arguments: Sequence[Any]) -> State: ...
    def explain(self, state: State, error: Exception) -> None: ...


class Only(tuple[int, ...]):
    """The last detail of a hidden event: the seats that may see its result."""

    __slots__ = ()


UNLOGGED: Any = deque(maxlen=0)
"""The undo log of a state without a savepoint. It discards its entries."""

_blank = object.__new__


class State:
    """A game between two pause points.

    `objects` has every object as a list `[kind, field, …]` at its number, or None once it has left the game. `live`
    has the numbers of each kind's objects. `stack` has the frames of the running procedures, each `[step, slot, …]`.

    At a decision, `who` is the deciding player and `options` are the values to choose from. At a chance event, `roll`
    is the roll or the cards of a deck. `root` is the procedure at the bottom of the stack. `winners` is None until
    the game is over. `events` is a list if events are recorded, or None.

    `bots` is set if a fused back end plays whole games: the `draws` of its `Picks`.

    `work` is the number of operations left until the next decision, and `crowd` the factor by which the longest list
    so far multiplies their cost. Both limit one move and are not saved.

    `undo_log` records the container, the position and the old value before every write in place (see `savepoint.py`).
    The savepoint logs the top frame as a whole, and the end of the procedure above logs a frame below.

    `take` continues the back end after an answer. It is derived from the frames and not saved.
    """

    __slots__ = (
        "bots",
        "crowd",
        "events",
        "frame",
        "generator",
        "given",
        "live",
        "machine",
        "mode",
        "objects",
        "options",
        "roll",
        "root",
        "stack",
        "take",
        "undo_log",
        "who",
        "winners",
        "work",
    )

    machine: Machine
    objects: list[Any]
    live: tuple[tuple[int, ...], ...]
    stack: list[list[Any]]
    frame: list[Any]
    mode: int
    who: int
    options: tuple[Any, ...]
    roll: Any
    root: str
    take: Callable[[State, Any], Any]
    events: list[tuple[Any, ...]] | None
    winners: tuple[int, ...] | None
    given: tuple[Any, ...]
    generator: Generator | None
    bots: list[Any]
    undo_log: Any
    work: int
    crowd: int

    def apply(self, index: int) -> None:
        """Take option number `index` of the decision and run to the next pause point. Does not check the index.

        Raises `RulesFault` if the rules make a step impossible. The state is then unusable unless `roll_back`
        restores it.
        """
        try:
            step = self.take(self, self.options[index])
            while step is not None:
                step = step(self)
        except Exception as error:
            self.machine.explain(self, error)
            raise

    def apply_outcome(self, outcome: Any) -> None:
        """Resolve the chance event with `outcome`, a total or a card, and run to the next pause point.

        Does not check the outcome. Raises `RulesFault` as `apply` does.
        """
        try:
            step = self.take(self, outcome)
            while step is not None:
                step = step(self)
        except Exception as error:
            self.machine.explain(self, error)
            raise

    def legal_actions(self) -> range:
        """Return the indices of a decision's options, as `apply` takes them."""
        return range(len(self.options))

    def chance_outcomes(self) -> tuple[tuple[Any, ...], tuple[float, ...]]:
        """Return the outcomes of a chance event, as `apply_outcome` takes them, and their probabilities."""
        return list_chances(self.roll)

    def clone(self) -> State:
        """Return an independent copy, including events and generator. It has no undo log."""
        other = _blank(State)
        other.machine = self.machine
        other.objects = [item and item[:] for item in self.objects]
        # `live` is never changed in place, so copies can share it.
        other.live = self.live
        other.stack = stack = [frame[:] for frame in self.stack]
        other.frame = stack[-1] if stack else []
        other.mode = self.mode
        other.who = self.who
        other.options = self.options
        other.roll = self.roll
        other.root = self.root
        other.take = self.take
        other.winners = self.winners
        other.given = self.given
        other.work = self.work
        other.crowd = self.crowd
        other.undo_log = UNLOGGED
        other.generator = generator = self.generator
        if generator is not None:
            other.generator = generator.copy()
        other.events = events = self.events
        if events is not None:
            other.events = events[:]
        return other

    # -- effects -----------------------------------------------------------------------------

    def create(self, kind: int, entity: list[Any]) -> int:
        """Add an object, also to the living objects of its kind, and return its number.

        `kind` is the number of the kind. `entity` is the list of that number and the values, which the state keeps as
        it is. Raises `OverflowError` at the limit of objects.
        """
        number = len(self.objects)
        if number >= MOST_OBJECTS:
            raise OverflowError(f"a game may create at most {MOST_OBJECTS:,} objects")
        self.objects.append(entity)
        live = self.live
        if len(live[kind]) >= CROWD * self.crowd:
            self.hold(len(live[kind]) + 1)
        self.live = (*live[:kind], (*live[kind], number), *live[kind + 1 :])
        return number

    def remove(self, entity: int) -> None:
        """Remove an object from the game. Its number is never used again.

        Raises `RemovedError` if it has left already.
        """
        result = self.objects[entity]
        if result is None:
            raise RemovedError
        kind = result[0]
        live = self.live
        rest = tuple([number for number in live[kind] if number != entity])
        self.live = (*live[:kind], rest, *live[kind + 1 :])
        self.undo_log.append((self.objects, entity, result))
        self.objects[entity] = None

    def spend(self, operations: int) -> None:
        """Charge operations to this move. Raises `EffortError` if its budget is exhausted."""
        self.work -= operations * self.crowd
        if self.work < 0:
            raise EffortError

    def hold(self, elements: int) -> None:
        """Check a list of this length, or this number of objects. Raises `OverflowError` if it is too large."""
        if elements > LONGEST_LIST:
            raise OverflowError(f"a game may have at most {LONGEST_LIST:,} objects of one kind")
        self.crowd = max(self.crowd, -(-elements // CROWD))

    def new_move(self) -> None:
        """Reset the operation budget, at a decision or at the start of the first procedure."""
        self.work = MOST_IN_A_MOVE

    def draw(self, deck: int, card: str, cards: tuple[str, ...], ordered: bool = False, owner: int = 0) -> None:
        """Remove a card from the deck in field number `deck` of the game or of its owner, and log this for undo.

        `cards` are the contents of the deck. An `ordered` deck has its known top and bottom cards in the next two
        fields, and those are removed first. `card` must be that card, which is not checked.
        """
        item = self.objects[owner]
        if ordered and (item[deck + 1] or (item[deck + 2] and not item[deck])):
            known = deck + 1 if item[deck + 1] else deck + 2
            self.undo_log.append((item, known, item[known]))
            item[known] = item[known][1:]
            return
        place = cards.index(card)
        self.undo_log.append((item, deck, item[deck]))
        item[deck] = cards[:place] + cards[place + 1 :]


@lru_cache(maxsize=1024)
def list_outcomes(source: Any) -> tuple[tuple[Any, Fraction], ...]:
    """Return the outcomes of a roll, a deck or a constant with their probabilities.

    Those of a roll ascend, and cards come in the order of the deck. Raises `DiceError` if the roll exceeds the limits.
    """
    if isinstance(source, Roll):
        distribution = compute_distribution(source)
        return tuple((total, distribution.get_probability(total)) for total in distribution.outcomes)
    if isinstance(source, int):
        return ((source, Fraction(1)),)
    counts = Counter(source)
    return tuple((card, Fraction(count, len(source))) for card, count in counts.items())


@lru_cache(maxsize=4096)
def list_chances(source: Any) -> tuple[tuple[Any, ...], tuple[float, ...]]:
    """Return the outcomes and their probabilities as floating-point numbers.

    For samplers that want speed over exactness.
    """
    outcomes = list_outcomes(source)
    return tuple(outcome for outcome, _ in outcomes), tuple(float(chance) for _, chance in outcomes)


class View:
    """A view of a state for the evaluator of expressions."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.layout = state.machine.layout
        self.spend = Budget().spend

    def objects(self, kind: str) -> tuple[int, ...]:
        return self.state.live[self.layout.kinds[kind]]

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        return self.state.objects[entity][self.layout.places[kind, name]]

    def look_ahead(self, procedure: str, arguments: tuple[Any, ...], judge: Callable[[Evaluate], Any]) -> Any:
        ahead = View(self.state.machine.look_ahead(self.state, procedure, arguments))
        return judge(Evaluate(self.state.machine.ruleset.declarations, ahead))

    def hold(self, elements: int) -> None:
        """Do nothing, because looking at a game adds no cost to a move."""


def evaluate_expression(state: State, expression: Typed, variables: dict[str, Any] | None = None) -> Any:
    """Return the value of an expression that needs no frame: a formula's body, a measure."""
    declarations = state.machine.ruleset.declarations
    return Evaluate(declarations, View(state)).value(expression, (), variables or {})


def compute_measures(state: State, first: int | None) -> dict[str, int]:
    """Return every measure of the ruleset, in a state. `first` is the player who made the first decision, if any."""
    return {name: compute_measure(state, each, first) for name, each in state.machine.ruleset.measures.items()}


def compute_measure(state: State, measure: Measure, first: int | None) -> int:
    """Return a measure in a state, with 1 for true. `first` is the player who made the first decision, if any."""
    return int(evaluate_expression(state, measure.value, bind_result(state, measure, first)))


def bind_result(state: State, measure: Measure, first: int | None) -> dict[str, Any]:
    """Return the values of a measure's parameters in a state."""
    values = {WINNERS: state.winners or (), FIRST: first}
    return {name: values[name] for name, _ in measure.parameters}
