"""Join the lines of paragraphs, which have no meaning for readers, and break paragraphs into lines again.

Authors break lines where a file is full. Translators should not see that: in their tools, a line break is part of the
text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from rulewright.ruleset.prose.markup import begins_item

_BLANK_LINES = re.compile(r"(\n(?:[ \t]*\n)+)")
_MARKER = re.compile(r" *(?:(?:[-*+]|\d{1,9}[.)]) +)?")


def join_prose(text: str) -> str:
    r"""Return a text with each paragraph and each item of a list on one line. Tables keep their lines.

    >>> join_prose("- One\n  item.\n- Two.")
    '- One item.\n- Two.'
    """
    return _edit_blocks(text, _join_lines)


def wrap_prose(text: str, width: int) -> str:
    """Return a text with joined paragraphs in lines that are at most as long as `width` if their words allow it.

    Lines that continue an item of a list are indented. Joined again, they are the same text.
    """
    return _edit_blocks(text, lambda lines: (each for line in lines for each in _wrap_line(line, width)))


def _edit_blocks(text: str, edit: Callable[[list[str]], Iterable[str]]) -> str:
    """Return a text with other lines between blank lines, except in tables."""
    return "".join(
        part if place % 2 or "|" in part else "\n".join(edit(part.split("\n")))
        for place, part in enumerate(_BLANK_LINES.split(text))
    )


def _join_lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a block with those that continue another one added to it."""
    joined = lines[0]
    for line in lines[1:]:
        longer = f"{joined.rstrip()} {line.strip()}"
        # A marker that is alone on its line begins no item, and would begin one with the next line.
        is_item = begins_item(line.lstrip()) or begins_item(longer.lstrip()) is not begins_item(joined.lstrip())
        if is_item or not line.strip() or not joined.strip():
            yield joined
            joined = line
        else:
            joined = longer
    yield joined


def _wrap_line(line: str, width: int) -> list[str]:
    marker = _MARKER.match(line)
    wrapped = break_words(line, width, " " * (marker.end() if marker is not None else 0))
    return wrapped if wrapped and list(_join_lines(wrapped)) == [line] else [line]


def break_words(line: str, width: int, indent: str = "") -> list[str]:
    """Return a line as several that are at most as long as `width`, except for longer words.

    Lines after the first begin with `indent`. Several spaces at a break are lost.
    """
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=indent,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
