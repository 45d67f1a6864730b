"""What readers are told of an event: what the game itself says of it, as people would write it down."""

from __future__ import annotations

import re

from rulewright.book.style.style import Style
from rulewright.dice.text import SYMBOL
from rulewright.dice.text import text as dice_text
from rulewright.dice.tree import Roll
from rulewright.play.telling.events import Event

_MINUS = re.compile(r"(?<=\s)-(?=\d)")


def told(event: Event, style: Style) -> str:
    """What an event says; the dice that were rolled lead to their odds."""
    if event.told == "rolled":
        return _roll(event, style)
    return style.escape(_MINUS.sub("\N{MINUS SIGN}", event.text))


def _roll(event: Event, style: Style) -> str:
    text = event.text.removeprefix(f"{SYMBOL} ")
    roll = event.details[0]
    if isinstance(roll, Roll) and text.startswith(dice_text(roll)):
        return style.dice(roll) + style.escape(_MINUS.sub("\N{MINUS SIGN}", text.removeprefix(dice_text(roll))))
    return style.escape(text)
