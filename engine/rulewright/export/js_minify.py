"""Programs in JavaScript without what a browser has no use for: notes, indents, and blanks between what needs none.

Names and statements stay as they are, so that a fault in a browser still says where it is. Texts, patterns and
templates are left alone. Of the libraries for this that are well kept, rjsmin (1.3) takes blanks out of templates
within templates, and tdewolff-minify (2.24) moves declarations before others that they need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"|(?P<note>//[^\n]*|/\*(?s:.*?)\*/)"
    r"|(?P<line>\s*\n\s*)"
    r"|(?P<blank>\s+)"
    r"|(?P<word>[\w$#]+)"
    r"|(?P<mark>.)"
)
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_VALUELESS = "return typeof case in of delete void throw new else do await yield"
_BEFORE_A_PATTERN = frozenset(_VALUELESS.split())
_WORD = re.compile(r"[\w$#]")
_OPENS, _CLOSES = frozenset("{([;,"), frozenset("})]")


def minify(written: str) -> str:
    """Return the same program in fewer letters."""
    found: list[str] = []
    last, waits = "", ""
    for kind, token in _tokens(written):
        if kind == "note":
            continue
        if kind in ("blank", "line"):
            waits = "\n" if kind == "line" or waits == "\n" else " "
            continue
        if last and waits:
            found.append(_between(last, waits, token))
        found.append(token)
        last, waits = token, ""
    return "".join(found) + ("\n" if found else "")


def _between(before: str, waits: str, after: str) -> str:
    """Return what is to stand between two tokens that a blank, or the end of a line, stood between."""
    one, other = before[-1], after[0]
    if waits == "\n":
        # A line may end a statement, but not where something was opened, or is closed.
        return "" if one in _OPENS or other in _CLOSES else "\n"
    if _WORD.match(one) and _WORD.match(other):
        return " "
    return " " if one == other and one in "+-/" else ""


def _tokens(written: str) -> Iterator[tuple[str, str]]:
    at, last = 0, ""
    while at < len(written):
        if written[at] == "`":
            kind, end = "text", _end_of_template(written, at)
        else:
            pattern = _PATTERN.match(written, at) if _may_be_pattern(written, at, last) else None
            token = pattern or _TOKEN.match(written, at)
            assert token is not None
            kind, end = ("text" if pattern else str(token.lastgroup)), token.end()
        said = written[at:end]
        yield kind, said
        if kind not in ("note", "blank", "line"):
            last = said
        at = end


def _may_be_pattern(written: str, at: int, last: str) -> bool:
    """Return whether a stroke begins a pattern: it divides only what a value has ended before it."""
    if written[at] != "/" or written[at + 1 : at + 2] in ("/", "*"):
        return False
    return last in _BEFORE_A_PATTERN or not (last[-1:] in {")", "]", '"', "'", "`"} or _WORD.match(last[-1:]))


def _end_of_template(written: str, at: int) -> int:
    """Return where a template ends, with whatever is filled into it."""
    at += 1
    while written[at] != "`":
        if written[at] == "\\":
            at += 2
        elif written.startswith("${", at):
            depth, at = 1, at + 2
            while depth:
                if written[at] == "`":
                    at = _end_of_template(written, at)
                    continue
                token = _TOKEN.match(written, at)
                assert token is not None
                depth += {"{": 1, "}": -1}.get(token[0], 0)
                at = token.end()
        else:
            at += 1
    return at + 1
