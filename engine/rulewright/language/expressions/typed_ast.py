"""The typed tree of an expression: every name resolved, every node knowing its type.

This is the only form that is evaluated, compiled, explained in English or compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rulewright.language.types import UNKNOWN, RecordOf, Type


@dataclass(frozen=True, slots=True)
class Typed:
    """Base of all nodes. `type` is the type of the value. `READS_GAME` marks the nodes that read a game in play."""

    READS_GAME: ClassVar[bool] = False

    type: Type

    @property
    def children(self) -> tuple[Typed, ...]:
        """The nodes directly below this one."""
        return ()

    def walk(self) -> Iterator[Typed]:
        """Yield this node and every node below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Constant(Typed):
    """A value known when the rules are read. `name` is its word in the source, if it has one."""

    value: Any
    name: str | None = None


BROKEN = Constant(UNKNOWN, None)
"""A placeholder for an expression with a reported error."""


@dataclass(frozen=True, slots=True)
class Local(Typed):
    """A value bound in the running procedure: a parameter or the result of a step, in slot `slot`."""

    slot: int
    name: str


@dataclass(frozen=True, slots=True)
class Variable(Typed):
    """A value bound inside the expression: by `for`, or a formula's parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Objects(Typed):
    """All objects of one kind, oldest first."""

    READS_GAME: ClassVar[bool] = True

    kind: str


@dataclass(frozen=True, slots=True)
class Stored(Typed):
    """A field of an object."""

    READS_GAME: ClassVar[bool] = True

    base: Typed
    kind: str
    field: str

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.base,)


@dataclass(frozen=True, slots=True)
class CardCount(Typed):
    """`deck.left`: the number of cards left in a deck, which all players see. `owner` has it, or the game if None."""

    READS_GAME: ClassVar[bool] = True

    deck: str
    owner: Typed | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return () if self.owner is None else (self.owner,)


@dataclass(frozen=True, slots=True)
class DeckCards(Typed):
    """`deck.cards`: the cards left in a deck, which are `stored` in fields of its owner, or of the game if None."""

    deck: str
    stored: Typed
    owner: Typed | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.stored,)


ROW_RANK = "#rank"
"""The built-in column with the position of a row in its table, from 1: `rank` in rules, unless the table has a column
of that name."""


@dataclass(frozen=True, slots=True)
class Cell(Typed):
    """A column of a table's row. The column may be `ROW_RANK`."""

    base: Typed
    table: str
    column: str

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.base,)


@dataclass(frozen=True, slots=True)
class Lookup(Typed):
    """`table[key]`: the row whose id the key is."""

    key: Typed
    table: str

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.key,)


@dataclass(frozen=True, slots=True)
class Entry(Typed):
    """`map[key]`: the value of a map for a row of its table."""

    base: Typed
    key: Typed
    table: str

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.base, self.key)


@dataclass(frozen=True, slots=True)
class PartOf(Typed):
    """`record.part`: a part of a record."""

    base: Typed
    record: str
    part: str

    @property
    def place(self) -> int:
        """The place of the part in the record, from 0."""
        kind = self.base.type
        assert isinstance(kind, RecordOf)
        return kind.place(self.part)

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.base,)


@dataclass(frozen=True, slots=True)
class Nth(Typed):
    """`list[2]`: an element of a list by its index from 1. Only expressions from outside of a game use it."""

    source: Typed
    place: int

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.source,)


@dataclass(frozen=True, slots=True)
class ListElement(Typed):
    """`list[number]`: an element of a list by its index from 1, or none if there is no such element.

    With `among`, the index is that of `key` in this list: the answer of one of the players in it, or none.
    """

    source: Typed
    key: Typed
    among: Typed | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.source, self.key) if self.among is None else (self.source, self.key, self.among)


@dataclass(frozen=True, slots=True)
class Arithmetic(Typed):
    """`+ - * / %` on numbers or dice, and `+ -` on lists. `rounding` says how `/` drops a fraction."""

    operator: str
    left: Typed
    right: Typed
    rounding: str | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Comparison(Typed):
    """`== != < <= > >=`. With `table`, rows are compared by their place in it."""

    operator: str
    left: Typed
    right: Typed
    table: str | None = None

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Membership(Typed):
    """`item in list`."""

    item: Typed
    source: Typed
    negated: bool

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.item, self.source)


@dataclass(frozen=True, slots=True)
class Logic(Typed):
    """`and` or `or` of truth values."""

    operator: str
    operands: tuple[Typed, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Not(Typed):
    """The opposite of a truth value."""

    operand: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Present(Typed):
    """Whether an optional value is there."""

    operand: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Coalesce(Typed):
    """`a or b` on values: the first that is there."""

    first: Typed
    otherwise: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.first, self.otherwise)


@dataclass(frozen=True, slots=True)
class If(Typed):
    """`then if condition else otherwise`."""

    condition: Typed
    then: Typed
    otherwise: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (self.condition, self.then, self.otherwise)


@dataclass(frozen=True, slots=True)
class Items(Typed):
    """A list, a map in the order of the table's rows, or a record in the order of its parts."""

    items: tuple[Typed, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return self.items


@dataclass(frozen=True, slots=True)
class Apply(Typed):
    """A function of the language on its arguments."""

    function: str
    arguments: tuple[Typed, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True)
class Invoke(Typed):
    """A formula of the ruleset, or a derived field, on its arguments."""

    formula: str
    arguments: tuple[Typed, ...]

    @property
    def children(self) -> tuple[Typed, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True)
class Aggregate(Typed):
    """`function(element for variable in source if condition by order)`."""

    function: str
    element: Typed
    variable: str
    source: Typed
    condition: Typed | None
    order: Typed | None

    @property
    def children(self) -> tuple[Typed, ...]:
        return tuple(c for c in (self.element, self.source, self.condition, self.order) if c is not None)


@dataclass(frozen=True, slots=True)
class After(Typed):
    """`after(procedure(arguments), condition)`: the condition in the state that the procedure would leave.

    The game itself stays as it is.
    """

    READS_GAME: ClassVar[bool] = True

    procedure: str
    arguments: tuple[Typed, ...]
    condition: Typed

    @property
    def children(self) -> tuple[Typed, ...]:
        return (*self.arguments, self.condition)


@dataclass(frozen=True, slots=True)
class Travel(Typed):
    """`function(onward for variable in source if condition until end by cost within limit to goal)`.

    It starts at the places in `source` and continues from each to the places that `onward` returns. It enters those
    that satisfy `condition`, at the `cost` of each (default 1), up to a total of `limit`. It does not continue from
    an entered place that satisfies `until`. The starts need not satisfy either.
    """

    function: str
    onward: Typed
    variable: str
    source: Typed
    condition: Typed | None
    cost: Typed | None
    limit: Typed | None
    goal: Typed | None
    until: Typed | None

    @property
    def inside(self) -> tuple[Typed, ...]:
        """The parts evaluated for each place."""
        return tuple(c for c in (self.onward, self.condition, self.cost, self.until) if c is not None)

    @property
    def outside(self) -> tuple[Typed, ...]:
        """The parts evaluated once."""
        return tuple(c for c in (self.source, self.limit, self.goal) if c is not None)

    @property
    def children(self) -> tuple[Typed, ...]:
        return (*self.outside, *self.inside)


def build_path(node: Typed) -> str | None:
    """Return a text that identifies the place `node` reads, or None if it is no place.

    It is the same for the same place.
    """
    match node:
        case Local(slot=slot):
            return f"#{slot}"
        case Variable(name=name):
            return name
        case Constant(value=value) if isinstance(value, int):
            return f"object {value}"
        case Stored(base=base, field=name) | Cell(base=base, column=name) | PartOf(base=base, part=name):
            return _below(base, name)
        case Lookup(key=key, table=table):
            return _below(key, f"[{table}]")
        case Entry(base=base, key=Constant(value=str(row))):
            return _below(base, f"['{row}']")
        case Entry(base=base, key=key) if inside := _build_key(key):
            return _below(base, f"[{inside}]")
        case ListElement(source=base, key=Constant(value=int(index))):
            return _below(base, f"[{index}]")
        case ListElement(source=base, key=key) if inside := _build_key(key):
            return _below(base, f"[{inside}]")
    return None


def _build_key(key: Typed) -> str | None:
    """Return the path of a key in brackets. None if it is no place, or has brackets itself."""
    path = build_path(key)
    return None if path is None or "[" in path else path


def _below(base: Typed, name: str) -> str | None:
    path = build_path(base)
    return None if path is None else f"{path}.{name}"


def map_methods_by_kind(of: type) -> dict[type[Typed], Any]:
    """Return the methods of a class that take a node, by the kind they take: `_cell` takes a `Cell`."""
    kinds: list[type[Typed]] = [Typed]
    for kind in kinds:
        kinds += kind.__subclasses__()
    named = {kind: f"_{kind.__name__.lower()}" for kind in kinds}
    return {kind: getattr(of, name) for kind, name in named.items() if hasattr(of, name)}
