"""Who sees the cards, rolls and choices of a step that not every player sees."""

from __future__ import annotations

from rulewright.book.english.expression_english import English
from rulewright.language.expressions.typed_ast import If, Items, Objects, Present, Stored, Typed
from rulewright.language.visibility import SHOWN


def name_viewers(say: English, seen: Typed) -> str:
    """Return the players who see a value."""
    match seen:
        case Objects():
            return "everybody"
        case Items(items=()):
            return "nobody"
        case Items(items=(one,)):
            return say.within(one)
        case If(condition=Present(operand=operand)):
            return say.within(operand)
    return say.within(seen)


def describe_viewers(say: English, seen: Typed | None, what: str, owner: Typed | None = None) -> str:
    """Return a sentence about the viewers of a result, or an empty string if every player sees it.

    The sentence begins with a space, and `what` is its word for the result. `owner` is the player who draws or rolls
    it.
    """
    if seen is None or isinstance(seen, Objects):
        return ""
    if owner is not None and isinstance(seen, Items) and seen.items == (owner,):
        return f" Nobody else may look at {what}."
    if isinstance(seen, Items) and not seen.items:
        return f" Nobody may look at {what}."
    return f" Only {name_viewers(say, seen)} may look at {what}."


def describe_others(say: English, seen: Typed, chooser: Typed) -> str:
    """Return a sentence, with a space before it, about the other players that see the choice of `chooser`."""
    if isinstance(seen, Items) and all(each == chooser for each in seen.items):
        return " Nobody else sees the choice."
    sees = "sees" if isinstance(seen, Items | If) else "see"
    return f" Of the others, only {name_viewers(say, seen)} {sees} the choice."


def name_hidden(say: English, what: Typed) -> str:
    """Return the field that a step reveals, or the phrase for all hidden fields of an object."""
    fields = say.style.ruleset.declarations.kinds
    if isinstance(what, Stored) and f"{SHOWN}{what.field}" in fields[what.kind].fields:
        return say.within(what)
    return f"everything hidden about {say.within(what)}"
