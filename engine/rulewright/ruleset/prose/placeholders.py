"""Split texts into literal parts and placeholders. `{{` and `}}` are escapes for braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import write_text

LONGEST = 500
"""The maximum length of a placeholder, so that an unclosed one is reported at its start."""

_BRACE = re.compile("[{}]")
_SENTENCE_END = re.compile(r"""(?:^|[.!?…]["”’»“)*_]*\s+|\n\s*\n\s*|\n\s*(?:[-*+]|\d+[.)])\s+)["“„‘'«(*_]*$""")
"""Pattern of text after which a sentence begins, also at the start of a paragraph or of a list item."""


def begins_sentence(before: str) -> bool:
    """Return whether a word after this text begins a sentence. The empty text is the start of a text.

    >>> begins_sentence("It ends. "), begins_sentence("It ends with ")
    (True, False)
    """
    return _SENTENCE_END.search(before) is not None


def raise_first(word: str) -> str:
    """Return a word with a capital first letter."""
    return word[:1].upper() + word[1:]


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text that begins at offset `start` of the source. Each escape is a literal of its own."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The text between two braces. `start` is the offset of the stripped `body` in the source."""

    body: str
    start: int


@dataclass(frozen=True, slots=True)
class Stray:
    """A brace without a partner."""

    text: str
    start: int


Part = Literal | Placeholder | Stray


@lru_cache(maxsize=8192)
def parse_parts(words: str) -> tuple[Part, ...]:
    """Return the parts of `words` in order. Cached, because each text is checked several times.

    >>> parse_parts("a {city} {{x}}")[:2]
    (Literal(text='a ', start=0), Placeholder(body='city', start=3))
    """
    return tuple(_parts(words))


def _parts(words: str) -> Iterator[Part]:
    """Yield the parts of `words` in order. A brace without a partner is a `Stray`."""
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


def build_placeholder_edits(scalar: Scalar, start: int, written: str, placeholder: str) -> tuple[Edit, ...]:
    """Return the edits of a text that replace the words `written` at `start` with a placeholder.

    A text without quotes gets them, for the braces. Edits of several words of a text can be applied together.
    """
    if scalar.style == "single":
        placeholder = placeholder.replace("'", "''")
    span = scalar.span
    if scalar.style == "plain" and not _IN_QUOTES.isdisjoint(scalar.raw or '"'):
        text = f"{scalar.text[:start]}{placeholder}{scalar.text[start + len(written) :]}"
        return (Edit(span, write_text(text)),)
    edit = Edit(scalar.position(start, len(written)), placeholder)
    if scalar.style != "plain":
        return (edit,)
    opening = Span(span.file, span.line, span.column, span.line, span.column)
    closing = Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)
    return (Edit(opening, '"'), edit, Edit(closing, '"'))


_IN_QUOTES = frozenset('"\\')
"""The characters that need an escape in a text in double quotes."""
