"""Conversion between whole numbers and English words: 5 is `five`, `Forty-two` is 42."""

from __future__ import annotations

import re

_ONES = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TIMES = {"twice": 2, "thrice": 3}
_LARGE = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}

HIGHEST = 99
"""Highest number that is spelled out. Above it, digits are easier to read."""


def spell_number(number: int) -> str:
    """Return a number in words, or in digits if it is negative or above `HIGHEST`.

    >>> spell_number(42), spell_number(0), spell_number(100)
    ('forty-two', 'no', '100')
    """
    if not 0 <= number <= HIGHEST:
        return str(number)
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


_NUMBERS = {spell_number(number): number for number in range(2, HIGHEST + 1)} | _TIMES | _LARGE

NUMBER_WORD = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))})(?![\w-])", re.IGNORECASE
)
"""Pattern of a spelled number from two up, as a whole word. It leaves out `one`, which is usually a pronoun."""


def number_of(word: str) -> int:
    """Return the value of a word that `NUMBER_WORD` matches. Raise `KeyError` for any other word.

    >>> number_of("Forty-two"), number_of("twice")
    (42, 2)
    """
    return _NUMBERS[word.lower()]
