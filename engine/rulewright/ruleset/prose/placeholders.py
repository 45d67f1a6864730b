"""Words → literal text and placeholders. `{{` and `}}` stand for single braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 500
"""Characters a placeholder may have: one that never closes is reported where it opens, not at the end of the text."""

_BRACE = re.compile("[{}]")


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that stands for itself, from offset `start` of the words. Escapes are single characters of their own."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What stands between two braces; `start` is the offset of `body`, without blank ends, in the words."""

    body: str
    start: int


@dataclass(frozen=True, slots=True)
class Stray:
    """A brace that neither opens nor closes anything."""

    text: str
    start: int


Part = Literal | Placeholder | Stray


@lru_cache(maxsize=8192)
def parse_parts(words: str) -> tuple[Part, ...]:
    """Return the parts of `words`, in order. Every check asks for those of each text several times.

    >>> parse_parts("a {city} {{x}}")[:2]
    (Literal(text='a ', start=0), Placeholder(body='city', start=3))
    """
    return tuple(_parts(words))


def _parts(words: str) -> Iterator[Part]:
    at = begun = 0
    while (brace := _BRACE.search(words, at)) is not None:
        at, character = brace.start(), brace.group()
        if begun < at:
            yield Literal(words[begun:at], begun)
        if words[at : at + 2] in ("{{", "}}"):
            yield Literal(character, at)
            at += 2
        elif character == "{" and (end := words.find("}", at, at + LONGEST)) >= 0 and "{" not in words[at + 1 : end]:
            body = words[at + 1 : end]
            yield Placeholder(body.strip(), at + 1 + len(body) - len(body.lstrip()))
            at = end + 1
        else:
            yield Stray(character, at)
            at += 1
        begun = at
    if begun < len(words):
        yield Literal(words[begun:], begun)
