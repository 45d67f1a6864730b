"""The people of a saved game: who sat where, how long decisions took, what was marked, and who left.

The file is in the folder of the save: `NAME.people.json` for `NAME.json`. A save has no data about people.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.save_format import MOST_ENTRIES
from rulewright.ruleset.schema.json_file import read_json

SUFFIX = ".people.json"

VERSION = 1
"""The version of the file format."""

MOST_BYTES = 4 * 1024 * 1024
"""The maximum size of the file, in bytes."""

LONGEST_NAME, LONGEST_WORD = 100, 40
"""The maximum number of characters of a person's id, and of the word of a mark."""

_DAY = 86_400


def _list(items: dict[str, Any], says: str) -> dict[str, Any]:
    return {"description": says, "type": "array", "items": items, "maxItems": MOST_ENTRIES}


def _object(properties: dict[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


_SEAT = {"type": "integer", "minimum": 1, "description": "A seat, counted from 1."}

SCHEMA: dict[str, Any] = _object(
    {
        "version": {"const": VERSION},
        "seats": {
            "description": "The person in each seat: an id that is the same in every game of this person, or null.",
            "type": "array",
            "items": {"type": ["string", "null"], "minLength": 1, "maxLength": LONGEST_NAME},
            "minItems": 1,
        },
        "seconds": _list(
            {"type": "number", "minimum": 0, "maximum": _DAY},
            "How long each decision took, in seconds, in the order of the game.",
        ),
        "marks": _list(
            _object(
                {
                    "decision": {"type": "integer", "minimum": 1, "description": "A decision, counted from 1."},
                    "word": {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD},
                },
                ("decision", "word"),
            ),
            "Decisions that somebody marked with a word, such as boring.",
        ),
        "left": _list(
            _object(
                {
                    "seat": _SEAT,
                    "decision": {
                        "type": "integer",
                        "minimum": 0,
                        "description": "The last decision of the game before the player left, or 0.",
                    },
                },
                ("seat", "decision"),
            ),
            "The players who left before the end.",
        ),
    },
    ("version", "seats"),
)
"""The schema of the file, without what depends on its game."""


@dataclass(frozen=True, slots=True)
class DecisionMark:
    """A decision, counted from 1, that a person marked with a word."""

    decision: int
    word: str


@dataclass(frozen=True, slots=True)
class Leaver:
    """A seat, from 1, whose player left, and the number of decisions in the game until then."""

    seat: int
    decision: int


@dataclass(frozen=True, slots=True)
class GamePeople:
    """The people of one game.

    Attributes:
        seats: The id of the person in each seat, or None for a person without one.
        seconds: How long each decision took, or an empty tuple if that is not known.
        marks: The marked decisions.
        left: The players who left before the end.
    """

    seats: tuple[str | None, ...]
    seconds: tuple[float, ...] = ()
    marks: tuple[DecisionMark, ...] = ()
    left: tuple[Leaver, ...] = ()


def place_of_people(save: Path) -> Path:
    """Return the path of the file about the people of a save."""
    return save.with_name(save.stem + SUFFIX)


def read_people(path: Path, *, players: int, decisions: int) -> GamePeople:
    """Read the people of a game with this number of players and decisions. Without the file, no player has an id.

    Raises `GameError` if the file cannot be read, or does not fit the game.
    """
    try:
        data = read_json(path, SCHEMA, most=MOST_BYTES)
    except FileNotFoundError:
        return GamePeople((None,) * players)
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror or error}"
        raise GameError(message, code="unreadable-file") from None
    except ValueError as error:
        raise GameError(f"{path.name} is not about the people of a game: {error}") from None
    seconds = data.get("seconds", ())
    marks = tuple(DecisionMark(int(mark["decision"]), mark["word"]) for mark in data.get("marks", ()))
    left = tuple(Leaver(int(each["seat"]), int(each["decision"])) for each in data.get("left", ()))
    if len(data["seats"]) != players:
        raise GameError(f"{path.name} has {len(data['seats'])} seats, but the game has {players}")
    if seconds and len(seconds) != decisions:
        raise GameError(f"{path.name} has the seconds of {len(seconds)} decisions, but the game has {decisions}")
    for number in (*(mark.decision for mark in marks), *(each.decision for each in left)):
        if number > decisions:
            raise GameError(f"{path.name} names decision {number}, but the game has {decisions}")
    if any(each.seat > players for each in left):
        raise GameError(f"{path.name} names a seat that left, but the game has only {players}")
    if not all(mark.word.isprintable() for mark in marks):
        raise GameError(f"{path.name} has a mark with characters that cannot be printed")
    return GamePeople(tuple(data["seats"]), tuple(seconds), marks, left)
