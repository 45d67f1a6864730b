"""What rules come down to: the few operations that every verb lowers its steps to.

A region is a list of operations in order; an operation may hold regions of its own. An operation works its values out
in the order of `values`, all of them before it does anything. Values are typed expressions (`Typed`) as verbs write
them, and low-level ones once a whole program is made of them.

Temporaries hold values from where they are kept to the next stop. What outlives a stop is bound to a slot, for the
state of a game holds slots and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Type

if TYPE_CHECKING:
    from rulewright.language.checked_steps import Step


V = TypeVar("V")
W = TypeVar("W")
"""What values are written as, before and after."""


# -- values that only operations have -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Temporary(Typed):
    """A value that was kept on the way, or an answer."""

    number: int


Costs = tuple[tuple[str, Typed], ...]
"""What an option costs, for the players to see: of what (a field or term), and how much. No rule goes by it."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An option that is offered by id, where its condition holds. `label` is what readers call it."""

    id: str
    when: Typed | None
    label: str
    costs: Costs = ()


@dataclass(frozen=True, slots=True)
class Offered(Typed):
    """A list of options, each of them only where its condition holds."""

    offers: tuple[Offer, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return tuple(offer.when for offer in self.offers if offer.when is not None)

    @property
    def certain(self) -> int:
        """How many are there in any case."""
        return sum(offer.when is None for offer in self.offers)


@dataclass(frozen=True, slots=True)
class Subsets(Typed):
    """Every choice of `low` to `high` of a list."""

    source: Typed
    low: Typed | None
    high: Typed | None

    @property
    def children(self) -> tuple[Typed, ...]:
        return tuple(part for part in (self.source, self.low, self.high) if part is not None)


@dataclass(frozen=True, slots=True)
class Range(Typed):
    """Every number from one to another."""

    low: Typed
    high: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.low, self.high)


@dataclass(frozen=True, slots=True)
class OrNone(Typed):
    """A list, and none at its end."""

    source: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.source,)


@dataclass(frozen=True, slots=True)
class CardsLeft(Typed):
    """The cards of a deck that are left, or, where none is, all of them but those `held` elsewhere."""

    READS_GAME: ClassVar[bool] = True

    deck: str
    held: Typed | None

    @property
    def children(self) -> tuple[Typed, ...]:
        return () if self.held is None else (self.held,)


@dataclass(frozen=True, slots=True)
class RowFor(Typed):
    """The row of a roll table for what its dice came to."""

    table: str
    total: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.total,)


# -- operations -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Generic[V]):
    """Base of all operations; `step` is the step it comes from.

    `told` is the kind of the event that it leaves, empty where it leaves none. `stops` says whether a machine that
    settles nothing by itself stops at it, `suspends` whether a machine may stop before it is done, and `changes`
    whether anything is different in the game after it. `holds` are the members that are values, in the order in which
    they are worked out, `inside` those that are regions.
    """

    step: Step

    told: ClassVar[str] = ""
    stops: ClassVar[bool] = False
    suspends: ClassVar[bool] = False
    changes: ClassVar[bool] = False

    holds: ClassVar[tuple[str, ...]] = ()
    inside: ClassVar[tuple[str, ...]] = ()

    @property
    def values(self) -> tuple[V, ...]:
        """What it works out, in order."""
        return tuple(value for value in map(self.__getattribute__, self.holds) if value is not None)

    @property
    def regions(self) -> tuple[Region[V], ...]:
        """What may be carried out within it."""
        return tuple(map(self.__getattribute__, self.inside))

    @property
    def fills(self) -> tuple[int, ...]:
        """The slots it gives a value to."""
        return ()

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        """Return this operation with other values."""
        changes: dict[str, Any] = {
            name: tuple(inner.map_values(convert) for inner in getattr(self, name)) for name in self.inside
        }
        for name in self.holds:
            value = getattr(self, name)
            changes[name] = None if value is None else convert(value)
        made: Operation[W] = replace(cast("Operation[Any]", self), **changes)
        return made

    def walk(self) -> Iterator[Operation[V]]:
        """Yield this operation and every one within it."""
        yield self
        for region in self.regions:
            for inner in region:
                yield from inner.walk()


Region = tuple[Operation[V], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Keep(Operation[V]):
    """Works a value out once: temporary number `into`."""

    into: int
    value: V

    holds: ClassVar[tuple[str, ...]] = ("value",)


@dataclass(frozen=True, slots=True, eq=False)
class Bind(Operation[V]):
    """Puts a value into a slot. A `bounded` one must be no larger than numbers may be.

    With `said`, it is a change of a name of the rules, which is told; otherwise the slot is given its first value.
    With `row`, it is what the map in the slot holds for a row of `table` that changes.
    """

    slot: int
    value: V
    type: Type
    bounded: bool = False
    said: str = ""
    row: V | None = None
    table: str = ""

    holds: ClassVar[tuple[str, ...]] = ("row", "value")
    told: ClassVar[str] = "written"

    @property
    def fills(self) -> tuple[int, ...]:
        return (self.slot,)


@dataclass(frozen=True, slots=True, eq=False)
class Write(Operation[V]):
    """Puts a value into a field of an object, where it is not below `minimum`.

    `by` is `+` or `-` where the rules speak of an amount that is added or taken. With `row`, it is what the map in the
    field holds for a row of `table` that changes; `type` is that of what is put there.
    """

    thing: V
    kind: str
    field: str
    type: Type
    minimum: int | None
    value: V
    by: str = ""
    bounded: bool = True
    row: V | None = None
    table: str = ""

    holds: ClassVar[tuple[str, ...]] = ("thing", "row", "value")
    told: ClassVar[str] = "written"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Create(Operation[V]):
    """Makes an object: temporary `into`. Fields that are not `given` start at their default; `least` is of some."""

    into: int
    kind: str
    given: tuple[tuple[str, V], ...]
    least: tuple[tuple[str, int], ...]

    told: ClassVar[str] = "created"
    changes: ClassVar[bool] = True

    @property
    def values(self) -> tuple[V, ...]:
        return tuple(value for _, value in self.given)

    def map_values(self, convert: Callable[[V], W]) -> Operation[W]:
        given = tuple((name, convert(value)) for name, value in self.given)
        return Create(self.step, self.into, self.kind, given, self.least)


@dataclass(frozen=True, slots=True, eq=False)
class Remove(Operation[V]):
    """Takes an object, or every object of a list, out of the game."""

    thing: V
    several: bool = False

    holds: ClassVar[tuple[str, ...]] = ("thing",)
    told: ClassVar[str] = "removed"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Ask(Operation[V]):
    """Asks player `who` to take one of the `options`: temporary `into`.

    Where there is one alone it is taken without a question, and where there is none the rules are at fault. `costs` are
    those of any option, as readers see them; the option is `it`. The answer is told to those who are `seen`, everybody
    without.
    """

    into: int
    who: V
    options: V
    costs: Costs = ()
    seen: V | None = None

    holds: ClassVar[tuple[str, ...]] = ("who", "options", "seen")
    NOTHING: ClassVar[str] = "there is nothing to choose from"
    told: ClassVar[str] = "asked"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Chance(Operation[V]):
    """Makes a roll; what it comes to is temporary `into`. `table` is the roll table it is made on, if any.

    The result is told to those who are `seen`, everybody without.
    """

    into: int
    dice: V
    table: str | None = None
    seen: V | None = None

    holds: ClassVar[tuple[str, ...]] = ("dice", "seen")
    told: ClassVar[str] = "rolled"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Draw(Operation[V]):
    """Draws one of a list that is not empty, each as likely as the others: temporary `into`.

    With `deck`, it is a card, which leaves that deck; `left` are then the cards of it, worked out once more. What was
    drawn is told to those who are `seen`, everybody without.
    """

    into: int
    among: V
    deck: str = ""
    left: V | None = None
    seen: V | None = None

    holds: ClassVar[tuple[str, ...]] = ("among", "left", "seen")
    told: ClassVar[str] = "drawn"
    stops: ClassVar[bool] = True
    suspends: ClassVar[bool] = True
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Reveal(Operation[V]):
    """Tells everybody what each of several players chose, now that all have: the `answers` of `who`, in order."""

    who: V
    answers: V

    holds: ClassVar[tuple[str, ...]] = ("who", "answers")
    told: ClassVar[str] = "revealed"


@dataclass(frozen=True, slots=True, eq=False)
class Call(Operation[V]):
    """Carries out another procedure, and puts what it gives back into `count` slots from `first` on."""

    procedure: str
    arguments: tuple[V, ...]
    first: int | None
    count: int

    told: ClassVar[str] = "called"
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
    """Ends the procedure, whose results are worked out then."""

    told: ClassVar[str] = "ended"


@dataclass(frozen=True, slots=True, eq=False)
class Finish(Operation[V]):
    """Ends the game: these players have won."""

    winners: V

    holds: ClassVar[tuple[str, ...]] = ("winners",)
    told: ClassVar[str] = "finished"
    changes: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Fault(Operation[V]):
    """Ends everything: the rules have led to something impossible."""

    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Operation[V]):
    """Carries out one of two regions."""

    condition: V
    then: Region[V]
    otherwise: Region[V] = ()

    holds: ClassVar[tuple[str, ...]] = ("condition",)
    inside: ClassVar[tuple[str, ...]] = ("then", "otherwise")


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Operation[V]):
    """Carries out `body` again and again.

    Before each round: it is over after `most` rounds; it is over where `going` does not hold; and the rules are at
    fault after `within` rounds, for they have promised to end before. Slot `counter` counts the rounds begun where
    either of them bounds the loop, and holds none outside of it.
    """

    counter: int
    going: V | None
    most: V | None
    within: V | None
    body: Region[V]

    holds: ClassVar[tuple[str, ...]] = ("most", "going", "within")
    inside: ClassVar[tuple[str, ...]] = ("body",)
    UNFINISHED: ClassVar[str] = "this loop was to end by itself before, and has not"

    @property
    def bounded(self) -> bool:
        """Whether rounds are counted."""
        return self.most is not None or self.within is not None


@dataclass(frozen=True, slots=True, eq=False)
class Each(Operation[V]):
    """Carries out `body` for each of a list, which is worked out once and has the turn in slot `item`.

    Slot `rest` holds those still to come, and none outside of the loop. Of `things`, those are passed over that have
    left the game by the time they would have their turn.
    """

    source: V
    item: int
    rest: int
    things: bool
    body: Region[V]

    holds: ClassVar[tuple[str, ...]] = ("source",)
    inside: ClassVar[tuple[str, ...]] = ("body",)

    @property
    def fills(self) -> tuple[int, ...]:
        return (self.item,)


MOST_OPTIONS = 100_000
"""Options one decision may have: beyond it, listing them would stop the game rather than the player."""


def list_subsets(items: tuple[Any, ...], low: int, high: int) -> tuple[tuple[Any, ...], ...]:
    """Return every choice of `low` to `high` of `items`, fewest first, each in the order of `items`."""
    sizes = range(max(low, 0), min(high, len(items)) + 1)
    # The ways are counted one size after the other: for many items, the whole sum would have thousands of digits.
    ways = 0
    for size in sizes:
        ways += comb(len(items), size)
        if ways > MOST_OPTIONS:
            raise OverflowError(f"there are more than {MOST_OPTIONS:,} ways to choose from {len(items)}")
    return tuple(chain.from_iterable(combinations(items, size) for size in sizes))


def list_numbers(low: int, high: int) -> tuple[int, ...]:
    """Return every number from `low` to `high`."""
    if high - low >= MOST_OPTIONS:
        raise OverflowError(f"there are more than {MOST_OPTIONS:,} numbers to choose from")
    return tuple(range(low, high + 1))


def remove_cards(cards: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """Return the cards that are left when those held elsewhere are taken out, one copy for each that is held."""
    taken = Counter(held)
    left = []
    for card in cards:
        if taken[card]:
            taken[card] -= 1
        else:
            left.append(card)
    return tuple(left)
