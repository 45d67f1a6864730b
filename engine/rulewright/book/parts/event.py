"""What readers are told of an event: what the game itself says of it, as people would write it down."""

from __future__ import annotations

from rulewright.book.style.style import Style
from rulewright.play.telling.account import MINUS, Dice, Number, Phrase, leaves


def told(said: Phrase, style: Style) -> str:
    """What is told, in a style; the dice that were rolled lead to their odds."""
    found = []
    for leaf in leaves(said):
        match leaf:
            case Dice(roll=roll):
                found.append(style.dice(roll))
            case Number(value=value):
                found.append(f"{MINUS}{-value}" if value < 0 else str(value))
            case _:
                found.append(style.escape(leaf.text))
    return "".join(found)
