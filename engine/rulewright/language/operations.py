"""Operations: the small instruction set to which every statement lowers its steps.

A region is a sequence of operations. An operation may contain further regions. It evaluates its values in the order of
`values`, all of them before it has any effect. Statements write values as typed expressions (`Typed`). A whole program
replaces them with low-level ones.

Temporaries hold values until the next stop. A value that must outlive a stop goes into a slot, because the state of a
game holds slots only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations
from math import comb, perm
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.types import Type

if TYPE_CHECKING:
    from rulewright.language.checked_steps import Step


V = TypeVar("V")
W = TypeVar("W")
"""The type of an operation's values after a conversion."""


# -- values that only operations have -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Temporary(Typed):
    """A value stored by `Keep`, or the answer of an operation."""

    number: int


Costs = tuple[tuple[str, Typed], ...]
"""The costs of an option that players see, as pairs of a field or term and an amount. The rules ignore them."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An option with an id, available if `when` is None or true. `label` is the text for readers."""

    id: str
    when: Typed | None
    label: str
    costs: Costs = ()


@dataclass(frozen=True, slots=True)
class Offered(Typed):
    """A list of the options whose conditions are true."""

    offers: tuple[Offer, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return tuple(offer.when for offer in self.offers if offer.when is not None)

    @property
    def certain(self) -> int:
        """Number of options that are always available, because they have no condition, or one that is always true."""
        return sum(
            offer.when is None or (isinstance(offer.when, Constant) and offer.when.value) for offer in self.offers
        )


@dataclass(frozen=True, slots=True)
class Subsets(Typed):
    """All subsets of a list that have `low` to `high` elements. With `in_order`, each in every order."""

    source: Typed
    low: Typed | None
    high: Typed | None
    in_order: bool = False

    @property
    def children(self) -> tuple[Typed, ...]:
        return tuple(part for part in (self.source, self.low, self.high) if part is not None)


@dataclass(frozen=True, slots=True)
class Range(Typed):
    """All whole numbers from `low` to `high`."""

    low: Typed
    high: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.low, self.high)


@dataclass(frozen=True, slots=True)
class OrNone(Typed):
    """A list, followed by none if `when` is true or None."""

    source: Typed
    when: Typed | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.source,) if self.when is None else (self.source, self.when)


@dataclass(frozen=True, slots=True)
class CardsLeft(Typed):
    """The cards left in a deck. If none is left, all of its cards except those in `held`."""

    READS_GAME: ClassVar[bool] = True

    deck: str
    held: Typed | None

    @property
    def children(self) -> tuple[Typed, ...]:
        return () if self.held is None else (self.held,)


@dataclass(frozen=True, slots=True)
class RowFor(Typed):
    """The row of a roll table for a total of its dice."""

    table: str
    total: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.total,)


# -- operations -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Generic[V]):
    """Base of all operations. `step` is the step that it belongs to.

    Class attributes:
        told: Type of the event that it records, or empty if it records none.
        stops: Whether a back end that makes no decisions and no rolls stops at it.
        suspends: Whether a back end may stop before the operation is complete.
        changes: Whether it may change the state of the game.
        holds: Names of the members that are values, in the order of evaluation.
        inside: Names of the members that are regions.
    """

    step: Step

    event_kind: ClassVar[str] = ""
    stops: ClassVar[bool] = False
    suspends: ClassVar[bool] = False
    changes: ClassVar[bool] = False

    holds: ClassVar[tuple[str, ...]] = ()
    inside: ClassVar[tuple[str, ...]] = ()

    @property
    def values(self) -> tuple[V, ...]:
        """The values that it evaluates, in order."""
        return tuple(value for value in map(self.__getattribute__, self.holds) if value is not None)

    @property
    def regions(self) -> tuple[Region[V], ...]:
        """The regions that it may execute."""
        return tuple(map(self.__getattribute__, self.inside))

    @property
    def fills(self) -> tuple[int, ...]:
        """The slots that it assigns."""
        return ()

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        """Return a copy with every value converted, also in its regions."""
        changes: dict[str, Any] = {
            name: tuple(inner.map_values(convert) for inner in getattr(self, name)) for name in self.inside
        }
        for name in self.holds:
            value = getattr(self, name)
            changes[name] = None if value is None else convert(value)
        values: Operation[W] = replace(cast("Operation[Any]", self), **changes)
        return values

    def walk(self) -> Iterator[Operation[V]]:
        """Yield this operation and all operations inside it, in order."""
        yield self
        for region in self.regions:
            for inner in region:
                yield from inner.walk()


Region = tuple[Operation[V], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Keep(Operation[V]):
    """Evaluates a value once and stores it in temporary number `into`."""

    into: int
    value: V

    holds: ClassVar[tuple[str, ...]] = ("value",)


@dataclass(frozen=True, slots=True, eq=False)
class Bind(Operation[V]):
    """Assigns a value to a slot. A `bounded` value must stay within the range of numbers.

    With `name`, it assigns a new value to that name of the rules and records an event. Without, it initializes the
    slot. With `row`, it changes the entry for that row of `table` in the map that the slot holds.
    """

    slot: int
    value: V
    type: Type
    bounded: bool = False
    name: str = ""
    row: V | None = None
    table: str = ""

    holds: ClassVar[tuple[str, ...]] = ("row", "value")
    event_kind: ClassVar[str] = "written"

    @property
    def fills(self) -> tuple[int, ...]:
        return (self.slot,)


@dataclass(frozen=True, slots=True, eq=False)
class Write(Operation[V]):
    """Assigns a value to a field of an object. The value must not be below `minimum`.

    `by` is `+` or `-` if the rules add or subtract an amount. With `row`, it changes the entry for that row of `table`
    in the map that the field holds. `type` is the type of the assigned value.
    """

    entity: V
    kind: str
    field: str
    type: Type
    minimum: int | None
    value: V
    by: str = ""
    bounded: bool = True
    row: V | None = None
    table: str = ""

    holds: ClassVar[tuple[str, ...]] = ("entity", "row", "value")
    event_kind: ClassVar[str] = "written"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Create(Operation[V]):
    """Creates an object, temporary `into`. Fields not `given` get their default. `least` holds minimums of fields."""

    into: int
    kind: str
    given: tuple[tuple[str, V], ...]
    least: tuple[tuple[str, int], ...]

    event_kind: ClassVar[str] = "created"
    changes: ClassVar[bool] = True

    @property
    def values(self) -> tuple[V, ...]:
        return tuple(value for _, value in self.given)

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        given = tuple((name, convert(value)) for name, value in self.given)
        return Create(self.step, self.into, self.kind, given, self.least)


@dataclass(frozen=True, slots=True, eq=False)
class Remove(Operation[V]):
    """Removes an object, or every object of a list, from the game."""

    entity: V
    several: bool = False

    holds: ClassVar[tuple[str, ...]] = ("entity",)
    event_kind: ClassVar[str] = "removed"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Ask(Operation[V]):
    """Asks player `who` to choose one of the `options`. The choice is temporary `into`.

    A single option is taken without a question, unless this is `always` asked, so that a player who is not asked
    reveals no secret. Programs set `always`. An empty list is a fault of the rules. `costs` are the costs of an option,
    which they call `it`, for readers. Only the players in `viewers` see the choice. None means everybody.
    """

    into: int
    who: V
    options: V
    costs: Costs = ()
    viewers: V | None = None
    always: bool = False

    holds: ClassVar[tuple[str, ...]] = ("who", "options", "viewers")
    NOTHING: ClassVar[str] = "there is nothing to choose from"
    event_kind: ClassVar[str] = "asked"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Chance(Operation[V]):
    """Makes a roll. The result is temporary `into`. `table` is the id of a roll table, if the roll is on one.

    Only the players in `viewers` see the result. None means everybody.
    """

    into: int
    dice: V
    table: str | None = None
    viewers: V | None = None

    holds: ClassVar[tuple[str, ...]] = ("dice", "viewers")
    event_kind: ClassVar[str] = "rolled"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Draw(Operation[V]):
    """Draws an element of a list that is not empty, all equally likely. The element is temporary `into`.

    The lowering puts a fault for an empty list before it. With `deck`, the element is a card, which leaves that deck.
    `left` then evaluates the cards of the deck again. `owner` is the object that has the deck, or None for the game.
    Only the players in `viewers` see the draw. None means everybody.
    """

    into: int
    among: V
    deck: str = ""
    left: V | None = None
    viewers: V | None = None
    owner: V | None = None

    holds: ClassVar[tuple[str, ...]] = ("among", "left", "owner", "viewers")
    NOTHING: ClassVar[str] = "there is nothing to draw from"
    event_kind: ClassVar[str] = "drawn"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Reveal(Operation[V]):
    """Reveals the choices of several players to everybody: `answers`, in the order of `who`."""

    who: V
    answers: V

    holds: ClassVar[tuple[str, ...]] = ("who", "answers")
    event_kind: ClassVar[str] = "revealed"


@dataclass(frozen=True, slots=True, eq=False)
class Announce(Operation[V]):
    """Adds a sentence to the log: `text`, with `{given.name}` for the values in `given`, in the order of `names`."""

    text: str
    names: tuple[str, ...]
    given: tuple[V, ...]

    event_kind: ClassVar[str] = "announced"

    @property
    def values(self) -> tuple[V, ...]:
        return self.given

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        return Announce(self.step, self.text, self.names, tuple(map(convert, self.given)))


@dataclass(frozen=True, slots=True, eq=False)
class Call(Operation[V]):
    """Calls another procedure and assigns its results to `count` slots from `first` on."""

    procedure: str
    arguments: tuple[V, ...]
    first: int | None
    count: int

    event_kind: ClassVar[str] = "called"
    suspends: ClassVar[bool] = True
    changes: ClassVar[bool] = True

    @property
    def values(self) -> tuple[V, ...]:
        return self.arguments

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        return Call(self.step, self.procedure, tuple(map(convert, self.arguments)), self.first, self.count)

    @property
    def fills(self) -> tuple[int, ...]:
        return () if self.first is None else tuple(range(self.first, self.first + self.count))


@dataclass(frozen=True, slots=True, eq=False)
class Give(Operation[V]):
    """Ends the procedure. Its results are evaluated at this point."""

    event_kind: ClassVar[str] = "ended"


@dataclass(frozen=True, slots=True, eq=False)
class Leave(Operation[V]):
    """Ends the loop of the step with the id `loop`, which it is inside of. Execution continues after that loop."""

    loop: str

    event_kind: ClassVar[str] = "ended"


@dataclass(frozen=True, slots=True, eq=False)
class Finish(Operation[V]):
    """Ends the game. `winners` are the winning players."""

    winners: V

    holds: ClassVar[tuple[str, ...]] = ("winners",)
    event_kind: ClassVar[str] = "finished"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Fault(Operation[V]):
    """Ends the game with a fault: the rules have led to an impossible position."""

    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Operation[V]):
    """Executes one of two regions."""

    condition: V
    then: Region[V]
    otherwise: Region[V] = ()

    holds: ClassVar[tuple[str, ...]] = ("condition",)
    inside: ClassVar[tuple[str, ...]] = ("then", "otherwise")


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Operation[V]):
    """Executes `body` repeatedly.

    Before each round, the loop ends if `most` rounds are over or `going` is false. It is a fault of the rules if
    `within` rounds are over, because they have promised to end earlier. With `most` or `within`, slot `counter` counts
    the rounds that have begun. It holds none outside of the loop.
    """

    counter: int
    going: V | None
    most: V | None
    within: V | None
    body: Region[V]

    holds: ClassVar[tuple[str, ...]] = ("most", "going", "within")
    inside: ClassVar[tuple[str, ...]] = ("body",)
    UNFINISHED: ClassVar[str] = "this loop should have ended before its limit, but did not"

    @property
    def bounded(self) -> bool:
        """Whether the loop counts its rounds."""
        return self.most is not None or self.within is not None


@dataclass(frozen=True, slots=True, eq=False)
class Each(Operation[V]):
    """Executes `body` for each element of a list, which is in slot `item`. The list is evaluated once.

    Slot `rest` holds the elements still to come, and none outside of the loop. With
    `of_entities`, the elements are objects, and the loop skips those that have left the game before their turn.
    """

    source: V
    item: int
    rest: int
    of_entities: bool
    body: Region[V]

    holds: ClassVar[tuple[str, ...]] = ("source",)
    inside: ClassVar[tuple[str, ...]] = ("body",)

    @property
    def fills(self) -> tuple[int, ...]:
        return (self.item,)


MOST_OPTIONS = 100_000
"""The maximum number of options of a decision. Listing more would take too long."""


def list_subsets(items: tuple[Any, ...], low: int, high: int, *, in_order: bool = False) -> tuple[tuple[Any, ...], ...]:
    """Return all subsets of `items` with `low` to `high` elements, smallest first, each in the order of `items`.

    With `in_order`, the result has each subset in every order, like `itertools.permutations`. Raise `OverflowError` if
    there are more than `MOST_OPTIONS`.
    """
    if has_many_subsets(len(items), low, high, in_order=in_order):
        raise OverflowError(f"{MANY_SUBSETS.format(value=len(items))}: {FEWER_SUBSETS}")
    choose = permutations if in_order else combinations
    return tuple(chain.from_iterable(choose(items, size) for size in range(max(low, 0), min(high, len(items)) + 1)))


MANY_SUBSETS = f"a choice may offer at most {MOST_OPTIONS:,} combinations, and {{value}} items have more"
"""The message of a fault. `{value}` is the number of items."""
FEWER_SUBSETS = "set a lower `at_most`, or let the player choose one item after another"
"""What to do about it."""


def has_many_subsets(items: int, low: int, high: int, *, in_order: bool = False) -> bool:
    """Return whether a number of items has more than `MOST_OPTIONS` subsets with `low` to `high` elements."""
    # Count size by size, and stop early, because for many items, the total would have thousands of digits.
    ways = 0
    for size in range(max(low, 0), min(high, items) + 1):
        ways += perm(items, size) if in_order else comb(items, size)
        if ways > MOST_OPTIONS:
            return True
    return False


def list_numbers(low: int, high: int) -> tuple[int, ...]:
    """Return the numbers from `low` to `high`. Raise `OverflowError` if there are more than `MOST_OPTIONS`."""
    if high - low >= MOST_OPTIONS:
        raise OverflowError(f"a choice may offer at most {MOST_OPTIONS:,} numbers")
    return tuple(range(low, high + 1))


def find_lost_temporaries(
    region: Region[V], list_read: Callable[[Operation[V]], Iterable[int]]
) -> Iterator[tuple[Operation[V], int, bool]]:
    """Yield the operations that read a temporary where a back end has no value of it, with its number.

    A temporary must be set before it is read, and not be read after a possible pause. The code before a pause runs
    again when a state is restored, so a pause may only read values kept since the last change: for a violation of this
    rule, the last value is true. `list_read` returns the temporaries that an operation reads itself.
    """
    yield from _follow(region, list_read, set(), set())


def _follow(
    region: Region[V], list_read: Callable[[Operation[V]], Iterable[int]], numbers: set[int], recent: set[int]
) -> Iterator[tuple[Operation[V], int, bool]]:
    """Yield what `find_lost_temporaries` does, after operations that set `numbers`, and `recent` since a change.

    Changes both sets to what they are after the region.
    """
    for each in region:
        for number in list_read(each):
            if number not in numbers:
                yield each, number, False
            elif each.stops and number not in recent:
                yield each, number, True
        for inner in each.regions:
            # A temporary set on one path is unknown on the other, and a round may pause.
            again = isinstance(each, Loop | Each)
            yield from _follow(inner, list_read, set() if again else {*numbers}, set() if again else {*recent})
        within = list(each.walk())
        if any(part.suspends for part in within):
            numbers.clear()
        if any(part.suspends or part.changes or isinstance(part, Bind) for part in within):
            recent.clear()
        into = getattr(each, "into", None)
        if into is not None:
            numbers.add(into)
            recent |= {into} if isinstance(each, Keep) else set()
