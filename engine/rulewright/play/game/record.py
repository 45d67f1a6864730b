"""The record of a game: each choice, and each result that came up. A replay needs no generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.source.diagnostics.excerpt import shortened


@dataclass(frozen=True, slots=True)
class Chosen:
    """An option that a player chose, by its id."""

    option: str

    def plain(self) -> list[Any]:
        """As JSON."""
        return ["choose", self.option]

    def redact(self) -> list[Any]:
        """As JSON, for whoever was not told what was chosen."""
        return ["choose", None]


@dataclass(frozen=True, slots=True)
class CameUp:
    """What came up: the total of a roll and, where known, its faces pool by pool; or a card."""

    value: Any
    faces: tuple[tuple[int, ...], ...] | None

    def plain(self) -> list[Any]:
        """As JSON."""
        return ["chance", self.value, None if self.faces is None else [list(pool) for pool in self.faces]]

    def redact(self) -> list[Any]:
        """As JSON, for whoever was not told what came up."""
        return ["chance", None, None]


Entry = Chosen | CameUp
"""One line of a record."""


def entry(plain: Any) -> Entry:
    """The entry that `plain()` wrote. Raises `ValueError` for anything else."""
    match plain:
        case ["choose", str() as option]:
            return Chosen(option)
        case ["chance", value, None] if type(value) in (int, str):
            return CameUp(value, None)
        # To Python, yes and no are numbers too.
        case ["chance", value, [*faces]] if type(value) in (int, str) and all(map(_are_faces, faces)):
            return CameUp(value, tuple(tuple(pool) for pool in faces))
    raise ValueError(f"no line of a record: {shortened(repr(plain))}")


def _are_faces(pool: Any) -> bool:
    return isinstance(pool, list) and all(type(face) is int for face in pool)
