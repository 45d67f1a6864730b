"""Unquoted values in brackets or braces that YAML cuts at their own commas or brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

Place = tuple[int, int]
"""The start and the end of a value, as offsets."""

_NEXT = re.compile(
    r"(?<!\w)(?:\"[^\"\n]*\"|'[^'\n]*')"  # quoted text
    r"|(?:(?<=[\[{,])|(?<=:[ ]))[ ]*(?P<value>(?=[\w(-]))"
)

_SECTION = re.compile(r"\n(?=[A-Za-z_])")
_LINE = re.compile(r"[^\n]+")
_OPENS = re.compile(r"^\s*(?:- +)?(?:[\w.]+:[ ]+)?[\[{]$")
"""The text before the first bracket of a line that opens a list or a mapping of YAML."""

_BRACES = re.compile(r"\{(?![ ]*[\w.-]+[ ]*\})(?:[^{}:\n\"'\\]|:(?! ))*\}")
_REST = re.compile(r"[ ]*(?![ ,\]}#:])[^\n\"'\\]+?(?=[ ]+#|[ ]*(?:\n|\Z))(?<! )")
_REST_IN_FLOW = re.compile(r"[ ]*(?![ ,\]}#:])(?:\{[^{}\n\"'\\]*\}|[^\n,\[\]{}\"'\\])+(?<! )(?=[ ]*[,\]}])")
"""The rest of a text after braces: to the end of the line, or inside brackets."""


def cut_values(text: str, start: int, end: int) -> Iterator[Place]:
    """Yield each complete value between two offsets that YAML would cut, such as `stock[good]` or `max(a, b) + 1`."""
    at = start
    while (match := _NEXT.search(text, at, end)) is not None:
        at = max(match.end(), at + 1)
        if (first := match.start("value")) < 0:
            continue
        last, cut = _read(text, first, end)
        if cut:
            yield first, last
        at = max(last, at)


def cut_values_between_brackets(text: str, start: int) -> Iterator[Place]:
    """Yield each value that YAML would cut, from offset `start` to the end of its section.

    Only lines that open a list or mapping with a bracket or brace count.
    """
    section = _SECTION.search(text, start)
    end = len(text) if section is None else section.start()
    for line in _LINE.finditer(text, start, end):
        opening = min((at for at in map(line[0].find, "{[") if at >= 0), default=-1)
        if opening >= 0 and _OPENS.search(line[0], 0, opening + 1):
            yield from cut_values(text, line.start() + opening, line.end())


def cut_value_at(text: str, start: int, at: int) -> Place | None:
    """Return the value on the line of offset `at` that YAML cuts there, or None. The value begins after `start`."""
    first = max(start, text.rfind("\n", 0, at) + 1)
    line_end = text.find("\n", at)
    last = len(text) if line_end < 0 else line_end
    return next((each for each in cut_values(text, first, last) if each[0] < at < each[1]), None)


def find_braced_text(text: str, start: int, *, in_flow: bool) -> Place | None:
    """Return the range of a one-line text that begins with braces and continues, such as `{1d6, 1d8}kh1 + 2`.

    None if the braces contain a single word, as placeholders do, or a key with a value. With `in_flow`, a comma or a
    closing bracket ends the text.
    """
    braces = _BRACES.match(text, start)
    rest = (_REST_IN_FLOW if in_flow else _REST).match(text, braces.end()) if braces is not None else None
    return (start, rest.end()) if rest is not None else None


def _read(text: str, start: int, end: int) -> tuple[int, bool]:
    """Return the end of the value at `start`, and whether YAML would cut the value before its end."""
    open_: list[str] = []
    cut = False
    at = start
    while at < end:
        char = text[at]
        if char in "([":
            cut = cut or char == "["
            open_.append(")" if char == "(" else "]")
        elif char in ")]":
            if not open_:
                break
            if open_.pop() != char:
                return at, False
        elif char == "," and open_:
            cut = True
        elif char in ",}\"'#{" or (char == ":" and text[at + 1 : at + 2] in ("", " ", ",", "}", "]")):
            break
        at += 1
    return start + len(text[start:at].rstrip()), cut and not open_
