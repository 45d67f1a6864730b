"""The record of a game: all choices and chance results, so that a replay needs no random generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
