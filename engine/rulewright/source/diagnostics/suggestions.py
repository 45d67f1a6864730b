"""Suggestions of similar names: did you mean …?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from heapq import nsmallest

TRUTHS = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}
"""The boolean values of other languages and of older YAML."""

_MOST_COMPARED = 500
"""The maximum number of candidates to compare letter by letter, more than any shipped game has of one sort."""

_TOO_LONG = 100  # names this long are not typing mistakes, and comparing them is slow


def find_nearest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return at most `limit` candidates similar to `word`, the most similar first.

    A candidate is similar if at most a third of the letters of the longer word (and at least one) need to change, or if
    one word begins with the other. Letter case and the difference between `-` and `_` do not count. The result does not
    depend on the order of the candidates, and never includes `word` itself. Empty for a very long word.

    >>> find_nearest("ownr", ["tier", "owner", "tile"])
    ['owner']
    """
    if len(word) > _TOO_LONG:
        return []
    simplified = _simplify_word(word)
    scored: list[tuple[int, int, int, str]] = []
    for candidate in _select_likely(simplified, set(candidates)):
        if candidate == word or len(candidate) > _TOO_LONG:
            continue
        offered = _simplify_word(candidate)
        shorter, longer = sorted((simplified, offered), key=len)
        is_beginning = len(shorter) >= 3 and longer.startswith(shorter)
        surplus, strange = len(longer) - len(shorter), len(set(simplified) ^ set(offered))
        most = max(1, len(longer) // 3)
        # One change of a letter makes up for one in length and two in the letters that occur.
        if not is_beginning and (surplus > most or strange > 2 * most):
            continue
        distance = _compute_distance(simplified, offered, len(longer) if is_beginning else most)
        if (distance <= most and distance < len(longer)) or is_beginning:
            # At equal distance, a different order of letters is a likelier mistake than different letters.
            scored.append((distance, surplus, strange, candidate))
    return [candidate for *_, candidate in sorted(scored)[:limit]]


class Suggestion(str):
    """A suggestion as text, with the misspelled `word` and the suggested `names`, the most similar first."""

    word: str
    names: tuple[str, ...]

    def __new__(cls, sentence: str, word: str, names: Iterable[str]) -> Suggestion:
        """Return the sentence as a string with its data."""
        suggestion = super().__new__(cls, sentence)
        suggestion.word = word
        suggestion.names = tuple(names)
        return suggestion


def suggest_name(word: str, candidates: Iterable[str]) -> str | None:
    """Return a suggestion ready to print, or None if no candidate is similar.

    >>> suggest_name("ownr", ["owner", "tile"])
    'did you mean `owner`?'
    """
    names = find_nearest(word, candidates)
    results = [f"`{name}`" for name in names]
    if not results:
        return None
    if len(results) == 1:
        return Suggestion(f"did you mean {results[0]}?", word, names)
    return Suggestion(f"did you mean {', '.join(results[:-1])} or {results[-1]}?", word, names)


def _select_likely(word: str, candidates: set[str]) -> Iterable[str]:
    """Return the candidates to compare letter by letter.

    If there are too many, these are the ones with the longest common beginning.
    """
    if len(candidates) <= _MOST_COMPARED:
        return candidates

    def rank_likeness(candidate: str) -> tuple[int, int, str]:
        return -_count_common_letters(word, candidate), abs(len(candidate) - len(word)), candidate

    return nsmallest(_MOST_COMPARED, candidates, key=rank_likeness)


def _count_common_letters(word: str, candidate: str) -> int:
    """Return the number of letters that two words have in common at the beginning."""
    shorter = min(len(word), len(candidate))
    return next((at for at, (x, y) in enumerate(zip(word, candidate, strict=False)) if x != y), shorter)


def _simplify_word(word: str) -> str:
    return word.casefold().replace("-", "_")


def _compute_distance(a: str, b: str, most: int) -> int:
    """Return the optimal string alignment distance of two words, or a greater number than `most` if it is greater.

    It is the number of letters to insert, delete, change, or swap with a neighbour.
    """
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(last) > most:
            return most + 1  # no later row has less than these two
        before, last = last, row
    return last[-1]


# Cyrillic letters, and the Greek o.
_LATIN = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u03bf", "aeopcyxisjo")


def replace_lookalikes(text: str) -> str:
    """Return `text` with Latin letters in place of Cyrillic and Greek letters that look the same.

    >>> replace_lookalikes("m\u0430p")
    'map'
    """
    return text.translate(_LATIN)


def describe_invisible(char: str) -> tuple[str, str] | None:
    r"""Return a message about an unusual space or an invisible format character, and advice.

    None for an ordinary space and for any other character, including control characters such as tabs.

    >>> describe_invisible("\u200b")
    ('this character is invisible: zero width space (U+200B)', 'delete it')
    """
    category = unicodedata.category(char)
    if category not in ("Zs", "Cf") or char == " ":
        return None
    name = f"{unicodedata.name(char, 'a character').lower()} (U+{ord(char):04X})"
    message = f"this character is invisible: {name}"
    return message, "replace it with an ordinary space" if category == "Zs" else "delete it"
