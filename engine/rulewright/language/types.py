"""The types of the rules language.

Every value a ruleset can write has one of these types, and every type's values are immutable:

=============  =========================================  =====================================
type           values while a game runs                   written in YAML
=============  =========================================  =====================================
Integer        `int`                                      `int`, `count` (never below zero)
Boolean        `bool`                                     `bool`
Text           `str`                                      `text`
Dice           `rulewright.dice.ast.Roll`                `dice`
Ratio          `fractions.Fraction`                       (only the result of `mean`)
Choice         `str`, one of a closed set of ids          `one of [cards, dice_only]`
Row            `str`, the id of a row of one table        the table's id
Thing          `int`, the number of an object             the kind's id
Optional       `None` or a value of the inner type        `optional player`
ListOf         `tuple`                                    `list of piece`
ByPlayer       `tuple`, in the order of the players       (their simultaneous choices)
MapOf          `tuple`, in the order of the table's rows  `map of goods to count`
RecordOf       `tuple`, in the order of its parts         the record's id
Record         one slot for each field                    (the result of `do`)
=============  =========================================  =====================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Type:
    """Base of all types. `str()` returns the phrase that diagnostics use."""

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Integer(Type):
    """A whole number of any size."""

    def __str__(self) -> str:
        return "a number"


@dataclass(frozen=True, slots=True)
class Boolean(Type):
    """True or false."""

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True, slots=True)
class Text(Type):
    """Text for a reader. The rules cannot compute with it."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class Dice(Type):
    """A roll that has not been made yet."""

    def __str__(self) -> str:
        return "dice"


@dataclass(frozen=True, slots=True)
class Ratio(Type):
    """An exact fraction, which can only be compared."""

    def __str__(self) -> str:
        return "an exact mean"


@dataclass(frozen=True, slots=True)
class Choice(Type):
    """One of a closed, ordered set of ids."""

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(self.ids)


@dataclass(frozen=True, slots=True)
class Row(Type):
    """A row of one table. Rows are ordered as the table lists them."""

    table: str

    def __str__(self) -> str:
        return f"a row of {self.table}"


@dataclass(frozen=True, slots=True)
class Entity(Type):
    """An object of one kind.

    >>> str(Entity("owl")), str(Entity("player"))
    ('an owl', 'a player')
    """

    kind: str

    def __str__(self) -> str:
        return f"{'an' if self.kind[:1] in 'aeio' else 'a'} {self.kind}"


@dataclass(frozen=True, slots=True)
class Optional(Type):
    """A value that may be missing."""

    inner: Type

    def __str__(self) -> str:
        return f"{self.inner}, or none"


@dataclass(frozen=True, slots=True)
class ListOf(Type):
    """A list in order."""

    inner: Type

    def __str__(self) -> str:
        return "a list" if isinstance(self.inner, Unknown) else f"a list ({self.inner})"


@dataclass(frozen=True, slots=True)
class ByPlayer(ListOf):
    """A list with one element for each player, in the order of the players."""

    def __str__(self) -> str:
        return f"a list by player ({self.inner})"


@dataclass(frozen=True, slots=True)
class MapOf(Type):
    """A value for each row of one table."""

    table: str
    inner: Type

    def __str__(self) -> str:
        return f"a map of {self.table} ({self.inner})"


@dataclass(frozen=True, slots=True)
class RecordOf(Type):
    """A value of several named parts. Two records are equal if all of their parts are."""

    name: str
    parts: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return f"a record `{self.name}`"

    def place(self, part: str) -> int:
        """Return the index of a part, from 0. Raise `ValueError` if there is no such part."""
        return [name for name, _ in self.parts].index(part)


@dataclass(frozen=True, slots=True, eq=False)
class Record(Type):
    """The result of a procedure, or of a step with several parts: a value for each name."""

    fields: Mapping[str, Type]

    def __str__(self) -> str:
        return f"a result with {' and '.join(f'`{name}`' for name in self.fields) or 'no parts'}"


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """The type of an expression with a reported error. It fits every other type, which avoids follow-up errors."""

    def __str__(self) -> str:
        return "something unknown"


INTEGER = Integer()
BOOLEAN = Boolean()
TEXT = Text()
DICE = Dice()
RATIO = Ratio()
NOTHING = Nothing()
UNKNOWN = Unknown()
PLAYER = Entity("player")


def is_assignable(expected: Type, given: Type) -> bool:
    """Return whether a value of type `given` can be used as a value of type `expected`.

    An integer can be used as a roll, a value as an optional value, and a choice among some ids as a choice among more.
    Lists and maps go by the types of their elements. An unknown type fits every type.
    """
    if isinstance(given, Unknown) or isinstance(expected, Unknown) or expected == given:
        return True
    match expected, given:
        case Dice(), Integer():
            return True
        case Optional(), Nothing():
            return True
        case Optional(inner=inner), Optional(inner=other):
            return is_assignable(inner, other)
        case Optional(inner=inner), _:
            return is_assignable(inner, given)
        case ListOf(inner=inner), ListOf(inner=other):
            return is_assignable(inner, other)
        case MapOf(table=table, inner=inner), MapOf(table=another, inner=other):
            return table == another and is_assignable(inner, other)
        case Choice(ids=ids), Choice(ids=fewer):
            return set(fewer) <= set(ids)
    return False


def join(left: Type, right: Type) -> Type | None:
    """Return the narrowest type that fits both values, or None if there is none.

    If one type is unknown, the result is the other.
    """
    match left, right:
        case Unknown(), _:
            return right
        case _, Unknown():
            return left
        case Nothing(), _:
            return make_optional(right)
        case _, Nothing():
            return make_optional(left)
        case (Optional(), _) | (_, Optional()):
            joined = join(present(left), present(right))
            return None if joined is None else make_optional(joined)
        case ListOf(inner=a), ListOf(inner=b):
            joined = join(a, b)
            return None if joined is None else ListOf(joined)
        case MapOf(table=table, inner=a), MapOf(table=other, inner=b) if table == other:
            joined = join(a, b)
            return None if joined is None else MapOf(table, joined)
        case Choice(ids=a), Choice(ids=b):
            return Choice(a + tuple(i for i in b if i not in a))
        case (Dice(), Integer()) | (Integer(), Dice()):
            return DICE
    return left if left == right else None


def present(kind: Type) -> Type:
    """Return the type of a value that is not none: the inner type of an optional type, any other type unchanged."""
    return kind.inner if isinstance(kind, Optional) else kind


def make_optional(kind: Type) -> Type:
    """Return the type of a value that may be none. A type that allows none, or is unknown, is returned unchanged."""
    return kind if isinstance(kind, (Optional, Nothing, Unknown)) else Optional(kind)


def find_default(kind: Type) -> tuple[Any, bool]:
    """Return the default value of a type, and whether it has one.

    The default is 0, false, an empty text, an empty list, or None for an optional type. Other types have none.
    """
    match kind:
        case Integer():
            return 0, True
        case Boolean():
            return False, True
        case Text():
            return "", True
        case ListOf():
            return (), True
    return None, isinstance(kind, Optional)
