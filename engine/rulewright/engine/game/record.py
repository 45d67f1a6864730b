"""The record of a game: each choice, and each result that came up. A replay needs no generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.source.diagnostics.excerpt import shorten


@dataclass(frozen=True, slots=True)
class Chosen:
    """An option that a player chose, by its id."""

    option: str

    def plain(self) -> list[Any]:
        """Return as JSON."""
        return ["choose", self.option]

    def redact(self) -> list[Any]:
        """Return as JSON, for whoever was not told what was chosen."""
        return ["choose", None]


@dataclass(frozen=True, slots=True)
class CameUp:
    """What came up: the total of a roll and, where known, its faces pool by pool; or what was drawn."""

    value: Any
    faces: tuple[tuple[int, ...], ...] | None

    def plain(self) -> list[Any]:
        """Return as JSON."""
        return ["chance", _list(self.value), None if self.faces is None else [list(pool) for pool in self.faces]]

    def redact(self) -> list[Any]:
        """Return as JSON, for whoever was not told what came up."""
        return ["chance", None, None]


Entry = Chosen | CameUp
"""One line of a record."""


def read_entry(plain: Any) -> Entry:
    """Return the entry that `plain()` wrote. Raises `ValueError` for anything else."""
    match plain:
        case ["choose", str() as option]:
            return Chosen(option)
        case ["chance", value, None] if _may_be_drawn(value):
            return CameUp(_frozen(value), None)
        # To Python, yes and no are numbers too.
        case ["chance", value, [*faces]] if type(value) in (int, str) and all(map(_are_faces, faces)):
            return CameUp(value, tuple(tuple(pool) for pool in faces))
    raise ValueError(f"no line of a record: {shorten(repr(plain))}")


def _list(value: Any) -> Any:
    return [_list(each) for each in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _may_be_drawn(value: Any) -> bool:
    """Return whether it may be a card, an object, a number, a truth value, nothing, or a record of these."""
    if isinstance(value, list):
        return all(map(_may_be_drawn, value))
    return value is None or type(value) in (int, str, bool)


def _are_faces(pool: Any) -> bool:
    return isinstance(pool, list) and all(type(face) is int for face in pool)
