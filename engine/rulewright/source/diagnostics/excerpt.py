"""Excerpts for diagnostics: a source line with carets under the position, and shortened texts."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from rulewright.source.source_map import SOURCES, SourceMap
from rulewright.source.span import Span

_WIDTH = 100
_AROUND = 12  # columns kept on either side of a span in a clipped line
_CLIP = "…"
_JOINER = "\u200d"
_EMOJI_VARIANT = "\ufe0f"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A source line prepared for a terminal, and the carets to print below it."""

    line: str
    underline: str


def extract_excerpt(span: Span, *, sources: SourceMap = SOURCES, width: int = _WIDTH) -> Excerpt | None:
    """Return the first line of a span, clipped to `width` columns around it.

    None if the text is no longer known or the span does not fit it. Tabs and control characters are replaced by visible
    ones with one column. Wide characters count as two columns.
    """
    line = sources.find_line(span.file, span.line)
    if line is None or span.column > len(line) + 1:
        return None
    start = span.column - 1
    end = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    end = max(end, start)
    first, last = _choose_window(line, start, end, width)
    head = _CLIP if first > 0 else ""
    tail = _CLIP if last < len(line) else ""
    shown_end = min(end, last)
    carets = "^" * max(1, measure_width(line[start:shown_end]))
    blanks = " " * measure_width(head + line[first:start])
    return Excerpt(escape_invisible(head + line[first:last] + tail).rstrip(), blanks + carets)


def measure_width(text: str) -> int:
    r"""Return the number of terminal columns of a text, as displayed by `escape_invisible`.

    >>> measure_width("abc"), measure_width("🏰"), measure_width("e\u0301")
    (3, 2, 1)
    """
    width = 0
    previous = ""
    previous_width = 0
    for char in text:
        if char == _EMOJI_VARIANT:
            here = 1 if previous_width == 1 else 0  # a character that is narrow as text becomes wide as an emoji
        elif previous == _JOINER:
            here = 0  # joined to the previous emoji, so it takes no columns
        else:
            here = _measure_char(char)
        width += here
        previous = char
        previous_width = here
    return width


def escape_invisible(text: str) -> str:
    """Return the text with visible replacements for tabs, control characters and characters that reorder a line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape_char, text))


def _measure_char(char: str) -> int:
    """Return the number of columns of one character: 0 if it combines with the one before, 2 if it is wide, else 1."""
    if " " <= char <= "~":
        return 1
    category = unicodedata.category(char)
    if category in ("Mn", "Me") or char == _JOINER:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" and category != "Cc" else 1


def _escape_char(char: str) -> str:
    """Return a visible replacement for a tab, a control or an invisible character, and any other one unchanged."""
    if char == "\t":
        return "→"
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == "\x7f":
        return "␡"
    is_hidden = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != _JOINER
    return "�" if is_hidden else char


def _choose_window(line: str, start: int, end: int, width: int) -> tuple[int, int]:
    """Return the offsets of the part of a line to show: all of it, or as much around the span as fits."""
    if len(line) * 2 <= width or measure_width(line) <= width:
        return 0, len(line)
    room = width - 2  # without the clipping marks at both ends
    first = start
    columns = 0
    before = max(_AROUND, (room - min(end - start, room)) // 2)
    while first > 0 and columns < before:
        first -= 1
        columns += _measure_char(line[first])
    last = first
    columns = 0
    while last < len(line) and columns + _measure_char(line[last]) <= room:
        columns += _measure_char(line[last])
        last += 1
    while last == len(line) and first > 0 and columns < room - 1:
        first -= 1
        columns += _measure_char(line[first])
    return first, last


MOST_QUOTED = 80
"""The maximum length in characters of a value quoted in a message."""

MOST_NAMED = 500
"""The maximum length in characters of a file name in a message: long enough for any real one."""

MOST_SAID = 1_500
"""The maximum length of a message, including quotations."""


def shorten(text: str, most: int = MOST_QUOTED) -> str:
    """Return `text`, or its beginning and end if it has more than `most` characters."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def extend_to_lines(text: str, most: int = MOST_SAID) -> str:
    r"""Return `text` without some of its middle lines if it has more than `most` characters.

    A line is cut only if it alone is too long.

    >>> print(extend_to_lines("one\ntwo\nthree\nfour\nfive", 20))
    one
    two
    three
    … 1 line left out …
    five
    """
    if len(text) <= most:
        return text
    lines = [shorten(line, most) for line in text.split("\n")]
    if len(lines) == 1:
        return lines[0]
    end, room = len(lines), most // 4
    while end > 1 and len(lines[end - 1]) < room:
        end -= 1
        room -= len(lines[end]) + 1
    start, room = 1, room + most - most // 4 - len(lines[0])
    while start < end and len(lines[start]) < room:
        room -= len(lines[start]) + 1
        start += 1
    left_out = end - start
    note = [f"… {left_out} {'line' if left_out == 1 else 'lines'} left out …"] if left_out else []
    return "\n".join([*lines[:start], *note, *lines[end:]])


def quote_value(value: object, most: int = MOST_QUOTED) -> str:
    """Return the shortened `repr` of a value, or its type if `repr` fails, as for a very long number.

    >>> quote_value("six"), quote_value(10**5000)
    ("'six'", 'a value of type int')
    """
    try:
        return shorten(repr(value), most)
    except Exception:
        return f"a value of type {type(value).__name__}"
