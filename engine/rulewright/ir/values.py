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


def _kinds(*found: Kind) -> Mapping[str, Kind]:
    return MappingProxyType({kind.name: kind for kind in found})


CONSTANTS = _kinds(
    Kind("int", "= number", "A whole number."),
    Kind("bool", "= truth", "True or false."),
    Kind("text", "= text", "Words for readers."),
    Kind("symbol", "= id", "One of a closed set of ids."),
    Kind("row", "= id", "A row of a table."),
    Kind("ref", "= number", "The game, or a player."),
    Kind("dice", "= notation", "A roll that has not been made."),
    Kind("none", "", "Nothing, where there may be something."),
)
"""Operations without arguments whose value the rules fix."""

OPERATIONS = _kinds(
    *CONSTANTS.values(),
    Kind("figure", "= number, published", "A named number that may be another one than is published."),
    Kind("slot", "= number", "What a slot of the frame holds."),
    Kind("temp", "= number", "What was kept on the way, or an answer."),
    Kind("var", "= name", "The element that a list is at, or what a formula is given."),
    Kind("objects", "= kind", "Every object of a kind that is in the game, oldest first."),
    Kind("field", "ref = kind, field", "A field of an object. Fails where the object has left the game."),
    Kind("cell", "row = table, column", "What a table says in a column."),
    Kind("record", "value … = record, part …", "A record, part by part."),
    Kind("record.part", "record = record, part, place", "A part of a record, which stands at a place from 0."),
    Kind("map.at", "map row = table", "What a map holds for a row."),
    Kind("row.rank", "row = table", "The place of a row in its table, from 1."),
    Kind("row.next", "row = table", "The row after it, or none."),
    Kind("row.for", "int = table", "The row of a roll table for what its dice came to."),
    Kind("deck.left", "[list] = deck", "Which card may come next: one on top, any of the others, or of a whole deck."),
    Kind("deck.count", "= deck", "How many cards are left in a deck."),
    Kind("list", "value …", "A list, element by element."),
    Kind("list.join", "list list", "One list after the other. Fails where it becomes too long."),
    Kind("list.has", "value list", "Whether something is in a list."),
    Kind("list.lacks", "value list", "Whether something is not in a list."),
    Kind("list.after", "value list", "The element after it, going round; itself where the list is empty."),
    Kind("players.after", "ref list", "The player after it, going round; players are numbered without gaps."),
    Kind("list.set", "list", "The same list, for those who only look for things in it."),
    Kind(
        "gather", "list element [where] [order] = variable", "An element for each of a list, where a condition holds."
    ),
    Kind(
        "walk.reach",
        "list onward [where] [cost] [limit] = variable",
        "The places that are reached, nearest first, going on from each to those it leads to.",
    ),
    Kind(
        "walk.distance",
        "list onward [where] [cost] [limit] goal = variable",
        "What reaching the goal costs, or none.",
    ),
    Kind("walk.path", "list onward [where] [cost] [limit] goal = variable", "The places on the cheapest way there."),
    Kind("list.count", "list", "How many there are."),
    Kind("list.some", "list", "Whether there is one."),
    Kind("list.empty", "list", "Whether there is none."),
    Kind("list.first", "list", "The first, or none."),
    Kind("list.last", "list", "The last, or none."),
    Kind("list.of", "list", "The list as it is."),
    Kind("list.any", "list", "Whether one of them holds."),
    Kind("list.none", "list", "Whether none of them holds."),
    Kind("list.all", "list", "Whether all of them hold."),
    Kind("list.sum", "list", "The numbers added up."),
    Kind("list.sum.dice", "list", "The rolls made together."),
    Kind("list.max", "list", "The greatest number, 0 where there is none."),
    Kind("list.min", "list", "The least number, 0 where there is none."),
    Kind("list.max.row", "list = table", "The greatest row, the first of the table where there is none."),
    Kind("list.min.row", "list = table", "The least row, the first of the table where there is none."),
    Kind("int.add", "int int", "A sum."),
    Kind("int.sub", "int int", "A difference."),
    Kind("int.mul", "int int", "A product, one side of which is small and fixed."),
    Kind("int.mul.checked", "int int", "A product. Fails where it is too large."),
    Kind("int.div", "int int = rounding", "A quotient, truncated to an integer. Fails on division by zero."),
    Kind("int.mod", "int int", "What is left of a division that rounds down. Fails where it is divided by 0."),
    Kind("int.max", "int …", "The greatest."),
    Kind("int.min", "int …", "The least."),
    Kind("row.max", "row … = table", "The row that stands last in its table."),
    Kind("row.min", "row … = table", "The row that stands first in its table."),
    Kind("same", "value value", "Whether both are equal."),
    Kind("differ", "value value", "Whether both are not equal."),
    Kind("less", "number number", "Whether the first is less."),
    Kind("at-most", "number number", "Whether the first is not more."),
    Kind("more", "number number", "Whether the first is more."),
    Kind("at-least", "number number", "Whether the first is not less."),
    Kind("not", "bool", "The opposite."),
    Kind("and", "bool …", "Whether all hold, asked from the first until one does not."),
    Kind("or", "bool …", "Whether one holds, asked from the first until one does."),
    Kind("all", "bool …", "Whether all hold, each of them asked."),
    Kind("any", "bool …", "Whether one holds, each of them asked."),
    Kind("some", "optional", "Whether there is something."),
    Kind("else", "optional value", "The first where it is there, else the second, which is worked out only then."),
    Kind("if", "bool value value", "One of two, only which is worked out."),
    Kind("dice.of", "int or dice", "A roll; of a number, one that always comes to it."),
    Kind("dice.add", "dice dice", "Both rolls together. Fails where they are too many dice."),
    Kind("dice.sub", "dice dice", "The first roll less the second. Fails where they are too many dice."),
    Kind("dice.mul", "int dice", "A roll as often as a number says. Fails where the dice are too many."),
    Kind("dice.each", "int dice", "A roll made so many times and added up."),
    Kind("dice.max", "dice …", "All made, of which the greatest counts."),
    Kind("dice.min", "dice …", "All made, of which the least counts."),
    Kind("dice.mean", "dice", "The exact mean of a roll, a fraction."),
    Kind("formula", "value … = formula", "What a formula comes to."),
    Kind("options", "value [where] … = which", "Options, each of them where its condition holds."),
    Kind("options.subsets", "list [int] [int] = which", "Every choice of so many of a list."),
    Kind("options.range", "int int", "Every number from one to another."),
    Kind("options.none", "list", "A list, and none at its end."),
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
