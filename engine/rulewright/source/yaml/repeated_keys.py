"""A key that stands in a mapping a second time: what was meant, and the edits where one way to mend it is right."""

from __future__ import annotations

from rulewright.source.diagnostics.edits import Edit
from rulewright.source.nodes import Entry, Mapping, Scalar
from rulewright.source.text_places import TextPlaces

Meant = tuple[str | None, tuple[Edit, ...]]
"""What to do, and the edits that do it."""

_DASH = 2
"""Columns that a dash and its blank take."""


def as_an_item(places: TextPlaces, key: Scalar) -> Meant | None:
    """The first key of a list's item, once more on a line of its own: the next item, whose dash was forgotten."""
    at = key.span
    before = places.line(at.line)[: at.column - 1]
    if before.strip() or len(before) < _DASH:
        return None
    start = places.offset(at.line, at.column)
    hint = f"if the next item begins here, put its dash before it: `- {key.text}:`"
    return hint, (Edit(places.span(start - _DASH, start), "- "),)


def as_one(places: TextPlaces, first: Entry, second: Entry, *, before: int | None) -> Meant:
    """Two entries that say the same are one, and so are two blocks that say nothing twice.

    `before` is the offset behind what comes before the second one, where both stand between braces.
    """
    if first.value.plain() == second.value.plain():
        hint = "delete one of them: both say the same"
        end = places.offset(second.value.span.end_line, second.value.span.end_column)
        if before is not None:
            return hint, (Edit(places.span(before, end), ""),)
        lines = _lines(places, second)
        return hint, () if lines is None else (Edit(places.span(*lines), ""),)
    one, other = first.value, second.value
    if before is None and isinstance(one, Mapping) and isinstance(other, Mapping):
        lines = _lines(places, second)
        if _is_block(one, first) and _is_block(other, second) and not one.keys() & other.keys() and lines is not None:
            moved = places.text[places.line_start(places.offset(other.span.line, 1)) : lines[1]].rstrip("\n")
            end = places.line_end(places.offset(one.span.end_line, one.span.end_column))
            aligned = one.span.column == other.span.column
            edits = (Edit(places.span(end, end), f"\n{moved}"), Edit(places.span(*lines), "")) if aligned else ()
            return f"write what stands below it below the first `{first.key.text}:`", edits
    return None, ()


def _is_block(value: Mapping, entry: Entry) -> bool:
    """Whether an entry's value stands below it, with nothing between that would be lost."""
    return value.span.line == entry.key.span.line + 1


def _lines(places: TextPlaces, entry: Entry) -> tuple[int, int] | None:
    """The whole lines of an entry of a block, breaks included; None where it shares one with something else."""
    key, end = entry.key.span, entry.value.span
    if places.line(key.line)[: key.column - 1].strip():
        return None
    start = places.offset(key.line, 1)
    after = places.line_end(places.offset(end.end_line, end.end_column))
    if after < len(places.text):
        return start, after + 1
    return max(0, start - 1), after  # with the break before it, where it is the last line of a file without one
