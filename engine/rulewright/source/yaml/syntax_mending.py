"""Edits that mend a fault of syntax: offered only where the parser, asked again, gets past the section of the place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulewright.source.diagnostics.edits import Edit

if TYPE_CHECKING:
    from rulewright.source.text_places import TextPlaces
    from rulewright.source.yaml.syntax_failure import Failure

Change = tuple[int, int, str]
"""An offset, another, and the text to stand between them."""

_SECTION = re.compile(r"\n(?=[A-Za-z_])")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def mending(failure: Failure, *changes: Change) -> tuple[Edit, ...]:
    """The changes as edits, if with all of them made the parser stops at nothing before the next section."""
    return edits_of(failure.places, changes) if _gets_past(failure, changes) else ()


def edits_of(places: TextPlaces, changes: tuple[Change, ...]) -> tuple[Edit, ...]:
    """The changes as edits of the text's file."""
    return tuple(Edit(places.span(start, end), text) for start, end, text in changes)


def quoted_whole(places: TextPlaces, start: int) -> tuple[Change, ...]:
    """The change that puts quotes around the text from `start` to the end of its line, its comment left out."""
    whole = _COMMENT.sub("", places.text[start : places.line_end(start)]).rstrip()
    if not whole or "\\" in whole or ('"' in whole and "'" in whole):
        return ()
    sign = "'" if '"' in whole else '"'
    return ((start, start + len(whole), f"{sign}{whole}{sign}"),)


def _gets_past(failure: Failure, changes: tuple[Change, ...]) -> bool:
    import yaml

    if not changes:
        return False
    parts, at = [], 0
    for start, end, text in sorted(changes):
        parts += [failure.text[at:start], text]
        at = end
    mended = "".join([*parts, failure.text[at:]])
    section = _SECTION.search(failure.text, failure.places.line_end(max(failure.at, *(end for _, end, _ in changes))))
    section_start = len(failure.text) if section is None else section.start()
    grown = len(mended) - len(failure.text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for _ in yaml.parse(mended, loader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        since = error.context_mark or mark
        return mark is not None and since is not None and min(mark.index, since.index) > section_start + grown
    except (OverflowError, ValueError):
        return False
    return True
