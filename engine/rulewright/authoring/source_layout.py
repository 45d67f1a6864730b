"""Format the text of a rules file: two spaces per level, no trailing spaces. Words and comments stay.

Alignment within a line stays too: spaces between a key and its value, or between two values, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.yaml.yaml_reader import read_unlisted

_STEP = 2
_DASH = re.compile(r"-( +)(?=\S)")
_MOST_EMPTY = 2
"""The maximum number of consecutive empty lines."""


def format_source(text: str) -> str:
    r"""Return the formatted text. Idempotent.

    Line breaks are `\n`. Returns the text unchanged if it is not valid YAML, or if formatting would change its content.

    >>> format_source("a:\n    b: 1   \n    c:\n    - d # why\n\n\n\n")
    'a:\n  b: 1\n  c:\n    - d # why\n'
    """
    node = _read(text)
    if node is None:
        return text
    lines = text.split("\n")
    running = list(_running_on(node, lines))
    words = {number for first, last, words in running if words for number in range(first + 1, last + 1)}
    goes_on = {number for first, last, _ in running for number in range(first + 1, last + 1)}
    formatted = _normalize_spaces(_indent(lines, goes_on), words)
    result = "\n".join(formatted).rstrip("\n") + "\n"
    again = _read(result)
    same = again is not None and again.to_plain() == node.to_plain() and _styles(again) == _styles(node)
    return result if same and _comments(result) == _comments(text) else text


def _read(text: str) -> Node | None:
    try:
        return read_unlisted(text, "<formatting>")
    except DiagnosticError:
        return None


def _styles(node: Node) -> list[str]:
    """Return the style and text of each value in order, to verify that formatting preserves them."""
    match node:
        case Scalar():
            return [f"{node.style} {node.text}"]
        case SequenceNode():
            return [style for item in node.items for style in _styles(item)]
    return [style for entry in node.entries.values() for style in (entry.key.text, *_styles(entry.value))]


def _comments(text: str) -> list[str]:
    """Return everything that looks like a comment, in order."""
    return [line[line.index("#") :].rstrip() for line in text.split("\n") if "#" in line]


def _running_on(node: Node, lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the first and last line of each value that spans lines and has a layout of its own.

    These are flow collections and multi-line texts. The third item is whether it is a block scalar, in which trailing
    spaces count.
    """
    if isinstance(node, Scalar):
        block = node.style in ("literal", "folded")
        last = node.span.end_line - (block and node.span.end_column == 1)
        if last > node.span.line:
            yield node.span.line, last, block
        return
    if lines[node.span.line - 1][node.span.column - 1 : node.span.column] in ("{", "["):
        if node.span.end_line > node.span.line:
            yield node.span.line, node.span.end_line, False
        return
    inside = [entry.value for entry in node.entries.values()] if isinstance(node, Mapping) else node.items
    for each in inside:
        yield from _running_on(each, lines)


def _indent(lines: Sequence[str], goes_on: Collection[int]) -> list[str]:
    """Return every line with its new indentation. Continuation lines and comments above a line move along with it.

    `goes_on` has the numbers of the continuation lines, from 1.
    """
    levels: list[tuple[int, int, bool]] = [(-1, -_STEP, False)]
    """The open levels: the original indentation, the new indentation, and whether the level is a list."""
    results: list[str] = []
    waiting: list[int] = []
    by = 0
    for number, line in enumerate(lines, start=1):
        content = line.lstrip(" ")
        if number in goes_on:
            results.append(_move(line, by))
            continue
        if not content.strip() or content.startswith("#"):
            waiting.append(len(results))
            results.append(line)
            continue
        results.append("")
        old, rest, out = len(line) - len(content), content, ""
        while True:
            dash = _DASH.match(rest) or (re.fullmatch(r"-\s*", rest) and re.match(r"-", rest))
            while len(levels) > 1 and (levels[-1][0] > old or (levels[-1][0] == old and levels[-1][2] and not dash)):
                levels.pop()
            if levels[-1][0] != old or levels[-1][2] is not bool(dash):
                levels.append((old, levels[-1][1] + _STEP, bool(dash)))
            out = out or " " * levels[-1][1]
            if not dash:
                break
            width = len(dash[0])
            out += "- " if width > 1 else "-"
            rest, old = rest[width:], old + width
            if not rest.strip() or rest.startswith("#") or not _is_layout(rest):
                break
        results[-1] = out + rest
        by = len(out) - (len(line) - len(rest))
        for place in waiting:
            results[place] = _comment(lines[place], line, results[-1])
        waiting.clear()
    for place in waiting:
        results[place] = lines[place].rstrip()
    return results


def _is_layout(rest: str) -> bool:
    """Return whether the text after a dash starts a level of its own: another dash, or a key."""
    return rest.startswith("- ") or re.match(r"""("[^"]*"|'[^']*'|[^\s{\["'][^#]*?):(\s|$)""", rest) is not None


def _comment(comment: str, line: str, moved: str) -> str:
    """Return a comment with its indentation relative to the line below it unchanged. A blank line becomes empty."""
    if not comment.strip():
        return ""
    own, below = (len(each) - len(each.lstrip(" ")) for each in (comment, line))
    indent = len(moved) - len(moved.lstrip(" "))
    return " " * max(0, indent + own - below) + comment.lstrip(" ").rstrip()


def _move(line: str, by: int) -> str:
    content = line.lstrip(" ")
    return " " * max(0, len(line) - len(content) + by) + content if content else line


def _normalize_spaces(lines: Sequence[str], words: Collection[int]) -> list[str]:
    """Return the lines without trailing spaces and surplus empty lines, except inside block scalars.

    `words` has the numbers of the lines inside block scalars, from 1.
    """
    results: list[str] = []
    empty = 0
    for number, line in enumerate(lines, start=1):
        saved = line if number in words else line.rstrip()
        empty = 0 if saved or number in words else empty + 1
        if empty <= _MOST_EMPTY and (saved or results):
            results.append(saved)
    return results
