"""Find the numbers that a text has outside of its placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from rulewright.ruleset.prose.book_language import Language
from rulewright.ruleset.prose.placeholders import Literal, parse_parts
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span

_LIST_NUMBER = re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE)
_ENTITY = re.compile(r"&#x?[0-9A-Fa-f]+;")
_DIGITS = re.compile(r"\d*d\d+\w*|\d+(?:[.,]\d+)*%?")


@dataclass(frozen=True, slots=True)
class LiteralNumber:
    """A number in a text as it is `written` at `start`, with its `value` in digits or dice notation."""

    written: str
    value: str
    start: int
    span: Span
    is_spelled: bool


def find_numbers(scalar: Scalar, language: Language) -> Iterator[LiteralNumber]:
    """Yield every literal number of a text, in digits or in words. The numbers of lists and entities do not count."""
    for part in list_literals(scalar):
        blank = partial(re.sub, repl=lambda match: " " * len(match[0]))
        text = blank(_ENTITY, string=blank(_LIST_NUMBER, string=part.text))
        for pattern in (_DIGITS, language.number_word):
            for match in pattern.finditer(text):
                is_spelled = pattern is not _DIGITS
                value = str(language.number_of(match[0])) if is_spelled else match[0]
                start = part.start + match.start()
                yield LiteralNumber(match[0], value, start, scalar.position(start, len(match[0])), is_spelled)


def list_literals(scalar: Scalar) -> list[Literal]:
    """Return the literal parts of a text."""
    return [part for part in parse_parts(scalar.text) if isinstance(part, Literal)]
