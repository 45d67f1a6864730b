"""Events: what happened, which rule made it happen, and how much of a story it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from rulewright.play.telling.account import NOTHING, Account

__all__ = ["Event", "Weight"]


CHANCES = ("rolled", "drawn")
"""What comes up by chance."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `rule` is the step that caused it, `procedure.step`; `verb` what kind of step it is; `text` says it in a sentence,
    or is empty where nothing is worth saying; `weight` is what it is worth telling. `set_up` says that it came before
    anybody chose anything. `data` holds its values by name, as plain data: of a choice `player` and `chosen`, of a roll
    `roll`, `total` and, of a table, `row`, of a draw `card`, of what comes into play or leaves it `object` (and its
    `fields`), of a change `object`, `field`, `before` and `after`, of the end `winners`. `details` are the same values
    as the machine has them, in no order that is promised. `told` is the kind of operation that it was: `asked`,
    `rolled`, `drawn`, `created`, `removed`, `written`, `called`, `ended` or `finished`. `account` is the sentence and
    what it speaks of in parts, to be rendered otherwise than as plain text.
    """

    rule: str
    verb: str
    details: tuple[Any, ...]
    text: str
    weight: Weight
    set_up: bool
    data: Mapping[str, Any]
    told: str = ""
    account: Account = NOTHING

    def to_json(self) -> dict[str, Any]:
        """As plain data; `rulewright schema log` prints the schema of a list of these."""
        return {
            "rule": self.rule,
            "verb": self.verb,
            "weight": self.weight.name.lower(),
            "set_up": self.set_up,
            "text": self.text,
            "data": dict(self.data),
        }


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
