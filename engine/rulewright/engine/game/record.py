"""The record of a game: all choices and chance results, so that a replay needs no random generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.sampling.roll_dice import is_reachable, total_from_faces
from rulewright.source.diagnostics.excerpt import shorten


@dataclass(frozen=True, slots=True)
class ChoiceEntry:
    """A choice: the id of an option that a player took."""

    option: str

    def to_data(self) -> list[Any]:
        """Return the entry as JSON data."""
        return ["choose", self.option]

    def redact(self) -> list[Any]:
        """Return the entry as JSON data for a viewer who may not know the choice."""
        return ["choose", None]


@dataclass(frozen=True, slots=True)
class ChanceEntry:
    """A chance result: the total of a roll, with its faces by pool if they are known, or the drawn value."""

    value: Any
    faces: tuple[tuple[int, ...], ...] | None

    def to_data(self) -> list[Any]:
        """Return the entry as JSON data."""
        return ["chance", _list(self.value), None if self.faces is None else [list(pool) for pool in self.faces]]

    def redact(self) -> list[Any]:
        """Return the entry as JSON data for a viewer who may not know the result."""
        return ["chance", None, None]


Entry = ChoiceEntry | ChanceEntry
"""An entry of a record."""


def read_entry(plain: Any) -> Entry:
    """Parse an entry written by `to_data()`. Raises `ValueError` for anything else."""
    match plain:
        case ["choose", str() as option]:
            return ChoiceEntry(option)
        case ["chance", value, None] if _may_be_drawn(value):
            return ChanceEntry(_frozen(value), None)
        # Not `isinstance`, because bool is a subclass of int.
        case ["chance", value, [*faces]] if type(value) in (int, str) and all(map(_are_faces, faces)):
            return ChanceEntry(value, tuple(tuple(pool) for pool in faces))
    raise ValueError(f"not an entry of a game record: {shorten(repr(plain))}")


def _list(value: Any) -> Any:
    return [_list(each) for each in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _may_be_drawn(value: Any) -> bool:
    """Return whether JSON data can be a drawn value: a text, a number, a boolean, None, or a list of these."""
    if isinstance(value, list):
        return all(map(_may_be_drawn, value))
    return value is None or type(value) in (int, str, bool)


def _are_faces(pool: Any) -> bool:
    return isinstance(pool, list) and all(type(face) is int for face in pool)


def is_possible(roll: Roll | int | tuple[Any, ...], value: Any, faces: tuple[tuple[int, ...], ...] | None) -> bool:
    """Return whether a chance event can have this value, and the faces, if there are any, have this total."""
    # Compare types as well, because 6.0 == 6 and True == 1 in Python.
    if isinstance(roll, Roll):
        if type(value) is not int:
            return False
        if faces is None:
            return is_reachable(roll, value)
        if not isinstance(faces, tuple) or not all(isinstance(pool, tuple) for pool in faces):
            return False
        all_faces = [face for pool in faces for face in pool]
        try:
            return all(type(face) is int for face in all_faces) and total_from_faces(roll, all_faces) == value
        except DiceError:
            return False  # for example, a face that the die does not have
    if isinstance(roll, int):
        return type(value) is int and value == roll
    return any(_same(value, each) for each in roll)


def _same(one: Any, other: Any) -> bool:
    """Return whether two drawn values are equal and have the same types, part by part."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
