"""What readers are told of an event: what the game itself says of it, as people would write it down."""

from __future__ import annotations

import re

from rulewright.book.english.english import English
from rulewright.book.english.grammar import plain
from rulewright.book.style import Style
from rulewright.book.words import fill
from rulewright.dice.text import SYMBOL
from rulewright.dice.text import text as dice_text
from rulewright.dice.tree import Roll
from rulewright.language.declarations import GAME_KIND
from rulewright.play.events import Event

_NOTHING = "none"
"""How the game says that there is no value."""

_MINUS = re.compile(r"(?<=\s)-(?=\d)")


def told(event: Event, style: Style) -> str:
    """What an event says; the dice that were rolled lead to their odds."""
    match event.verb:
        case "roll":
            return _roll(event, style)
        case "choose":
            return style.escape(_choice(event))
        case "set":
            return style.escape(_minus(_change(event, style)))
    return style.escape(_minus(event.text))


def _roll(event: Event, style: Style) -> str:
    text = event.text.removeprefix(f"{SYMBOL} ")
    roll = event.details[0]
    if isinstance(roll, Roll) and text.startswith(dice_text(roll)):
        return style.dice(roll) + style.escape(_minus(text.removeprefix(dice_text(roll))))
    return style.escape(text)


def _choice(event: Event) -> str:
    _, chosen = event.details
    if chosen is None:
        return f"{event.text.removesuffix(f' {_NOTHING}.')} nothing."
    if isinstance(chosen, tuple) and len(chosen) > 1:
        first, _, last = event.text.rpartition(", ")
        return f"{first} and {last}"
    return event.text


def _change(event: Event, style: Style) -> str:
    thing, name, before, after = event.details
    kind = _kind(event, style)
    option = name.removeprefix("options.")
    if option != name:
        setting = style.ruleset.declarations.options[option]
        plainly = Style(style.ruleset)
        return f"{fill(setting.title, plainly)}: {fill(setting.choices[after], plainly)}."
    if thing is None or kind in (None, GAME_KIND):
        # What the game only notes for itself has no past that anybody would look for.
        return (
            f"{event.text.rpartition(': ')[0]}: {'yes' if after else 'no'}." if isinstance(after, bool) else event.text
        )
    if isinstance(after, bool):
        said = event.text.partition(": no → " if after else ": yes → ")[0]
        owner, _, field = said.rpartition(", ")
        return f"{owner} is {'now' if after else 'no longer'} {field}."
    if before is None:
        said, _, value = event.text.partition(f": {_NOTHING} → ")
        owner, _, field = said.rpartition(", ")
        if value.removesuffix(".").casefold() == field.casefold():
            return f"{owner} now has {_one(field, style)}."
        return f"{said}: {value}"
    if after is None:
        field = plain(English(style).naming.field(kind, name))
        owner = event.text.partition(f", {field}: ")[0]
        return f"{owner} no longer has {_one(field, style)}." if owner != event.text else event.text
    return event.text


def _kind(event: Event, style: Style) -> str | None:
    """The kind of thing whose field a `set` changed. What is done in a special case is known by the same rule."""
    steps = (step for step in style.ruleset.steps.values() if step.rule == event.rule and step.verb.name == "set")
    return next(
        (target.kind for step in steps for target, _ in step.action.changes if target.field == event.details[1]), None
    )


def _one(noun: str, style: Style) -> str:
    return plain(English(style).naming.one(noun))


def _minus(text: str) -> str:
    """The text with a minus where it has a hyphen before a figure."""
    return _MINUS.sub("\N{MINUS SIGN}", text)
