"""English grammar helpers for text that may contain markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulewright.language.numerals import spell_number

_TAG = re.compile(r"<[^>]*>")
_OPEN = re.compile(r"\W*(?:[aeio]|un(?!i)|u[lmp])", re.IGNORECASE)
"""Pattern of nouns that take `an`: `egg` and `uncle`, but not `unit` and `use`."""
NARROW = "\N{NARROW NO-BREAK SPACE}"
"""Separator between the thousands of a large number."""

_COUNT = re.compile(r"^(?:the )?number of ")

_ARTICLE = re.compile(r"^An? ")
_PREPOSITIONS = ("at", "for", "from", "in", "of", "on", "to", "with")

_BEHIND_LIST = re.compile(r"(</ul>)[.,;:]")

_FIRST_LETTER = re.compile(r"^((?:<svg.*?</svg>|<[^>]*>|[“(])*)(\w)", re.DOTALL)


def strip_markup(text: str) -> str:
    """Return the text without its markup."""
    return _TAG.sub("", text)


def join_list(parts: Sequence[str], joint: str = "and") -> str:
    """Return the parts as `a`, `a and b` or `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def capitalize(sentence: str) -> str:
    """Return the sentence with its first letter in upper case. Leading markup is skipped."""
    return _FIRST_LETTER.sub(lambda match: match[1] + match[2].upper(), sentence, count=1)


def end_sentence(sentence: str) -> str:
    """Return the sentence with a full stop, unless it already ends with a punctuation mark."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def lower_first(sentence: str) -> str:
    """Return the sentence with its first letter in lower case, to follow a comma.

    A sentence that begins with markup keeps its capital, because its first word is a term of the game.
    """
    return sentence if sentence.startswith("<") else sentence[:1].lower() + sentence[1:]


def strip_list_marks(sentence: str) -> str:
    """Return the sentence without punctuation right after a list, because the list ends the sentence."""
    return _BEHIND_LIST.sub(r"\1", sentence)


def is_same_noun(first: str, second: str) -> bool:
    """Return whether two nouns are the same but for their markup, capitals and article."""
    return _bare(first) == _bare(second)


def begins_with_noun(words: str, noun: str) -> bool:
    """Return whether words begin with a noun, such as `player who deals`, whatever their markup and article."""
    return f"{_bare(words)} ".startswith(f"{_bare(noun)} ")


def is_long(noun: str, most: int = 2) -> bool:
    """Return whether a noun has more than `most` words without its article, so that a clause may be among them."""
    return len(_bare(noun).split()) > most


def strip_count(noun: str) -> str:
    """Return what a noun counts, such as `ayes` of `the number of ayes`, or an empty text for other nouns."""
    return "".join(_COUNT.split(noun, maxsplit=1)[1:])


def is_one_sentence(text: str, names: Iterable[str] = ()) -> bool:
    """Return whether a text consists of only one sentence. Full stops within the `names` do not end a sentence."""
    for name in names:
        text = text.replace(name, "").replace(lower_first(name), "")
    return ". " not in strip_markup(text)


def strip_subject(sentence: str, subject: str) -> str:
    """Return the sentence after its subject, or an empty string if it has another or mentions this one again."""
    rest = sentence.removeprefix(f"{subject} ")
    return "" if rest == sentence or subject in rest or not strip_markup(rest)[:1].islower() else rest


def is_same_title(noun: str, title: str) -> bool:
    """Return whether a noun is the same as a title, whatever their articles, markup and capitals."""
    return _bare(noun) == _bare(_ARTICLE.sub("", strip_markup(title)))


def begins_with_noun_of(noun: str, words: str) -> bool:
    """Return whether a noun begins with a word of `words`, which may be in the plural there.

    `the bed that comes next` does for `one of the beds still to dig`. Words that end with a preposition never count.
    """
    first, *_ = _bare(noun).split() or [""]
    nouns = {first, pluralize(first), f"{first}es"} if first else set()
    tokens = strip_markup(words).casefold().split()
    return bool(nouns & set(tokens)) and tokens[-1] not in _PREPOSITIONS


def _bare(noun: str) -> str:
    return strip_markup(noun).casefold().removeprefix("the ")


def choose_article(noun: str) -> str:
    """Return the noun with `a` or `an` before it."""
    return ("an " if _OPEN.match(strip_markup(noun)) else "a ") + noun


def pluralize(noun: str) -> str:
    """Return the plural of a plain English noun."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


_MOST_IN_WORDS = 12
"""The highest number that a sentence spells out."""


def format_times(count: str) -> str:
    """Return `once`, `twice`, `three times` for small numbers, and `as many times as …` for several words.

    `count` is a number or a phrase for one. A single word is followed by `times`. Numbers above twelve stay in digits.
    """
    if count in ("1", "2"):
        return "once" if count == "1" else "twice"
    if count.isdigit() and int(count) <= _MOST_IN_WORDS:
        return f"{spell_number(int(count))} times"
    if count.isdigit():
        return f"{f'{int(count):,}'.replace(',', NARROW)} times"
    return f"as many times as {count.removeprefix('what ')}" if is_long(count, most=1) else f"{count} times"
