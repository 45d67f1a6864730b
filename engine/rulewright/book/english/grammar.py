"""Small pieces of English grammar, for text that may hold markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TAG = re.compile(r"<[^>]*>")
_OPEN = re.compile(r"\W*(?:[aeio]|un(?!i)|u[lmp])", re.IGNORECASE)
"""How a noun begins that is heard with a vowel: `egg` and `uncle`, but not `unit` and `use`."""
NARROW = "\N{NARROW NO-BREAK SPACE}"
"""What stands between the thousands of a large number."""

_BEHIND_LIST = re.compile(r"(</ul>)[.,;:]")

_FIRST_LETTER = re.compile(r"^((?:<svg.*?</svg>|<[^>]*>|[“(])*)(\w)", re.DOTALL)


def strip_markup(text: str) -> str:
    """Return the text without its markup."""
    return _TAG.sub("", text)


def join_list(parts: Sequence[str], joint: str = "and") -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def capitalize(sentence: str) -> str:
    """Return the sentence with its first letter large, wherever markup begins."""
    return _FIRST_LETTER.sub(lambda found: found[1] + found[2].upper(), sentence, count=1)


def lower_first(sentence: str) -> str:
    """Return the sentence with its first letter small, to stand behind a comma.

    A word of the game keeps its capital.
    """
    return sentence if sentence.startswith("<") else sentence[:1].lower() + sentence[1:]


def strip_list_marks(sentence: str) -> str:
    """Return the sentence without the marks behind a list that stands below it: the list ends what the mark would."""
    return _BEHIND_LIST.sub(r"\1", sentence)


def choose_article(noun: str) -> str:
    """Return `a` or `an` before a noun."""
    return ("an " if _OPEN.match(strip_markup(noun)) else "a ") + noun


def pluralize(noun: str) -> str:
    """Return the plural of a plain English noun."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def format_times(said: str) -> str:
    """Return how often, where `said` is a number or a phrase for one."""
    if said == "1":
        return "once"
    return f"{f'{int(said):,}'.replace(',', NARROW)} times" if said.isdigit() else f"{said} times"
