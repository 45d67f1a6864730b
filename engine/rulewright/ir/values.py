"""Values of programs: typed operations without side effects, each with the types of its arguments and its result.

A value is an operation with arguments, and with `data` that is fixed when the rules are read. An operator with
several types in the rules language (`+`, `max`, `in`) is a separate operation for each type, so that a back end never
has to inspect types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulewright.language.types import Type


@dataclass(frozen=True, slots=True)
class Kind:
    """The description of an operation on values with its name, its arguments and `data`, and its result."""

    name: str
    takes: str
    means: str


def _kinds(*kinds: Kind) -> Mapping[str, Kind]:
    return MappingProxyType({kind.name: kind for kind in kinds})


CONSTANTS = _kinds(
    Kind("int", "= number", "A whole number."),
    Kind("bool", "= truth", "True or false."),
    Kind("text", "= text", "Words for readers."),
    Kind("symbol", "= id", "One of a closed set of ids."),
    Kind("row", "= id", "A row of a table."),
    Kind("ref", "= number", "The game, or a player."),
    Kind("dice", "= notation", "A roll that has not been made."),
    Kind("none", "", "The missing value of an optional type."),
)
"""The operations without arguments, whose values are constants."""

OPERATIONS = _kinds(
    *CONSTANTS.values(),
    Kind("figure", "= number, published", "A named number whose value may differ from the published one."),
    Kind("slot", "= number", "The value of a slot of the frame."),
    Kind("temp", "= number", "A stored intermediate value, or the answer of an operation."),
    Kind("var", "= name", "The current element of a list, or an argument of a formula."),
    Kind("objects", "= kind", "Every object of a kind that is in the game, oldest first."),
    Kind("field", "ref = kind, field", "A field of an object. Fails if the object has left the game."),
    Kind("cell", "row = table, column", "The value of a row in a column of its table."),
    Kind("record", "value … = record, part …", "A record with these parts."),
    Kind("record.part", "record = record, part, place", "The part of a record at a place, counted from 0."),
    Kind("map.at", "map row = table", "The value of a map for a row."),
    Kind("row.rank", "row = table", "The place of a row in its table, from 1."),
    Kind("row.next", "row = table", "The next row of the table, or none after the last."),
    Kind("row.previous", "row = table", "The previous row of the table, or none before the first."),
    Kind("row.for", "int = table", "The row of a roll table for a total of its dice."),
    Kind(
        "deck.left",
        "[list] = deck",
        "The cards that may be drawn next: one on top, any other, or any of a refilled deck.",
    ),
    Kind("deck.count", "[ref] = deck", "The number of cards left in a deck, which an object or the game has."),
    Kind("list", "value …", "A list of these elements."),
    Kind("list.join", "list list", "The first list followed by the second. Fails if the result is too long."),
    Kind("list.minus", "list list", "The first list without the elements of the second. Each removes one."),
    Kind("list.has", "value list", "True if the value is in the list."),
    Kind("list.lacks", "value list", "True if the value is not in the list."),
    Kind(
        "list.after",
        "value list",
        "The next element, or the first after the last; the value itself if the list is empty.",
    ),
    Kind(
        "list.before",
        "value list",
        "The previous element, or the last before the first; the value itself if the list is empty.",
    ),
    Kind(
        "players.after", "ref list", "The next player, or the first after the last. Players have consecutive numbers."
    ),
    Kind("players.before", "ref list", "The previous player, or the last before the first."),
    Kind("list.set", "list", "The same list as a set, for membership tests only."),
    Kind(
        "gather",
        "list element [where] [order] = variable",
        "A value for each element of a list for which a condition is true.",
    ),
    Kind(
        "walk.reach",
        "list onward [where] [cost] [limit] [until] = variable",
        "The places that a walk reaches, nearest first. `onward` gives the neighbours of a place. The walk does not go "
        "on from a place for which `until` is true.",
    ),
    Kind(
        "walk.distance",
        "list onward [where] [cost] [limit] goal [until] = variable",
        "The cost of reaching the goal, or none if it cannot be reached.",
    ),
    Kind("walk.path", "list onward [where] [cost] [limit] goal [until] = variable", "The places on the cheapest path."),
    Kind("walk.ray", "list onward [where] [cost] [limit] [until] = variable", "The same places without the starts."),
    Kind("walk.groups", "list onward [where] = variable", "A list of places for each of the groups that walks form."),
    Kind("list.count", "list", "The number of elements."),
    Kind("list.some", "list", "True if the list has an element."),
    Kind("list.empty", "list", "True if the list is empty."),
    Kind("list.first", "list", "The first element, or none."),
    Kind("list.last", "list", "The last element, or none."),
    Kind("list.nth", "int list", "The element with that index, from 1, or none."),
    Kind("list.index", "value list", "The index of the first such element, from 1, or 0 if there is none."),
    Kind("list.of", "list", "The list itself."),
    Kind("list.head", "int list", "That many elements from the start."),
    Kind("list.tail", "int list", "That many elements from the end."),
    Kind("list.rotate", "int list", "The list from that many elements further on, going round."),
    Kind("list.distinct", "list", "The list without repeats, in the order in which each element comes first."),
    Kind("list.flat", "list", "The elements of all lists of a list. Fails if the result is too long."),
    Kind("list.any", "list", "True if any element is true."),
    Kind("list.none", "list", "True if no element is true."),
    Kind("list.all", "list", "True if all elements are true."),
    Kind("list.sum", "list", "The sum of the numbers."),
    Kind("list.sum.dice", "list", "The sum of the rolls, as one roll."),
    Kind("list.max", "list", "The highest number, or 0 for an empty list."),
    Kind("list.min", "list", "The lowest number, or 0 for an empty list."),
    Kind(
        "list.max.row", "list = table", "The last of the rows in the table's order, or its first row for an empty list."
    ),
    Kind(
        "list.min.row",
        "list = table",
        "The first of the rows in the table's order, or its first row for an empty list.",
    ),
    Kind("int.add", "int int", "A sum."),
    Kind("int.sub", "int int", "A difference."),
    Kind("int.mul", "int int", "A product with a small constant factor."),
    Kind("int.mul.checked", "int int", "A product. Fails if it is too large."),
    Kind("int.div", "int int = rounding", "A quotient, rounded to an integer. Fails on division by zero."),
    Kind("int.mod", "int int", "The remainder of a division that rounds down. Fails on division by zero."),
    Kind("int.max", "int …", "The highest."),
    Kind("int.min", "int …", "The lowest."),
    Kind("row.max", "row … = table", "The last of the rows in the table's order."),
    Kind("row.min", "row … = table", "The first of the rows in the table's order."),
    Kind("same", "value value", "True if the values are equal."),
    Kind("differ", "value value", "True if the values are not equal."),
    Kind("less", "number number", "True if the first is less than the second."),
    Kind("at-most", "number number", "True if the first is at most the second."),
    Kind("more", "number number", "True if the first is greater than the second."),
    Kind("at-least", "number number", "True if the first is at least the second."),
    Kind("not", "bool", "The opposite."),
    Kind("and", "bool …", "True if all are true. Stops at the first that is false."),
    Kind("or", "bool …", "True if any is true. Stops at the first that is true."),
    Kind("all", "bool …", "True if all are true. Evaluates every one."),
    Kind("any", "bool …", "True if any is true. Evaluates every one."),
    Kind("some", "optional", "True if the value is not none."),
    Kind("else", "optional value", "The first value if it is not none, else the second, evaluated only then."),
    Kind("if", "bool value value", "One of two values. Only that one is evaluated."),
    Kind("dice.of", "int or dice", "A roll, or a number as a roll that always has this result."),
    Kind("dice.add", "dice dice", "The sum of two rolls. Fails if it takes too many dice."),
    Kind("dice.sub", "dice dice", "The first roll minus the second. Fails if it takes too many dice."),
    Kind("dice.mul", "int dice", "A single roll multiplied by a number. Fails if it takes too many dice."),
    Kind("dice.each", "int dice", "The sum of a number of separate rolls."),
    Kind("dice.max", "dice …", "The highest of several rolls, all of which are made."),
    Kind("dice.min", "dice …", "The lowest of several rolls, all of which are made."),
    Kind("dice.mean", "dice", "The exact mean of a roll, a fraction."),
    Kind("formula", "value … = formula", "The result of a formula."),
    Kind(
        "after",
        "value … bool = procedure",
        "The last value, in the state that a procedure with the other values would leave.",
    ),
    Kind("options", "value [where] … = which", "The options whose conditions are true."),
    Kind("options.subsets", "list [int] [int] = which", "All subsets of a list, with bounds on their size."),
    Kind("options.sequences", "list [int] [int] = which", "All subsets of a list, each in every order."),
    Kind("options.range", "int int", "All whole numbers from the first to the second."),
    Kind("options.none", "list", "A list, followed by none."),
)
"""Every operation on values."""


@dataclass(frozen=True, slots=True)
class Value:
    """One operation on values. `op` is the name of one of `OPERATIONS`."""

    op: str
    type: Type
    args: tuple[Value, ...] = ()
    data: tuple[Any, ...] = ()

    def walk(self) -> Iterator[Value]:
        """Yield this value and all that it is worked out from."""
        yield self
        for arg in self.args:
            yield from arg.walk()

    @property
    def fixed(self) -> bool:
        """Whether the value is a constant of the rules in literal form."""
        return self.op in CONSTANTS or (self.op in ("list", "record") and all(arg.fixed for arg in self.args))


def to_python(value: Value) -> Any:
    """Return the Python value of one that the rules fix."""
    if value.op == "none":
        return None
    return tuple(map(to_python, value.args)) if value.op in ("list", "record") else value.data[0]
