"""How much of a story an event is."""

from __future__ import annotations

from enum import IntEnum


class Weight(IntEnum):
    """What an event is worth telling, from what only the rules need to what decides a game."""

    ASIDE = 0
    """The rules' own reckoning: a name of a procedure changes, or a value is set to what it was."""
    DETAIL = 1
    """A heading, or an end: a procedure begins, or stops early."""
    NORMAL = 2
    """What players see happen: choices, rolls, cards, and whatever changes on the table."""
    MAJOR = 3
    """What settles the game."""
