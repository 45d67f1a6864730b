"""Cells: the text of a spreadsheet's cell for a value in YAML, and the value for such a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from rulewright.authoring.sheets.sheet_table import FACES, TITLE, Column
from rulewright.language.types import TEXT, ListOf, present
from rulewright.ruleset.layers.value_origins import format_on_one_line
from rulewright.source.files.safe_read import normalize_text
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.yaml.flow_style import write_scalar, write_text

Value: TypeAlias = str | tuple[str, ...] | None
"""A value of a cell: the text of a scalar, those of the items of a list, or None for no value."""

_SIMPLE_ITEM = re.compile(r"[^\s,;\[\]\"'](?:[^,;\[\]\"'\n]*[^\s,;\[\]\"'])?")

_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([ \u00a0\u2009\u202f'’])\d{3})(?:\1\d{3})*")
_NUMBER = re.compile(r"[+-]?\d{1,100}")
_MARKED = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
"""A number whose marks may separate thousands."""
_FRACTION = re.compile(r"([+-]?\d[\d.,]*)([.,])(\d+)")


def format_cell(node: Node | None) -> str:
    r"""Return the text of a cell for a value of the rules. Line breaks are `\n`.

    A list is written with commas, or in brackets if one of its items would be read as several.
    """
    if isinstance(node, (Scalar, Sequence)):
        return format_value(read_value(node))
    return "" if node is None else format_on_one_line(node)


def format_value(value: Value) -> str:
    """Return the text of a cell for a value, which is empty for None.

    A list has commas between its items, and brackets unless all of them are simple.
    """
    if value is None or isinstance(value, str):
        return normalize_text(value or "")
    if value and all(map(_SIMPLE_ITEM.fullmatch, value)):
        return ", ".join(value)
    return normalize_text(f"[{', '.join(map(write_text, value))}]")


def read_value(node: Node | None) -> Value:
    """Return the value of a node. Items of a list that are no scalars are left out."""
    if isinstance(node, Sequence):
        return tuple(item.text for item in node.items if isinstance(item, Scalar))
    return node.text if isinstance(node, Scalar) else None


def write_value(value: str | tuple[str, ...], column: Column) -> str:
    """Return a value as YAML on one line."""
    kind = present(column.type) if column.type is not None else None
    is_text = TEXT in (kind, kind.inner if isinstance(kind, ListOf) else None) or column.key == TITLE
    write = write_text if is_text else write_scalar
    return write(value) if isinstance(value, str) else f"[{', '.join(map(write, value))}]"


def split_items(text: str, column: Column) -> tuple[str, ...]:
    """Return the items of a list in a cell, which commas, semicolons or line breaks separate."""
    items = [item.strip() for item in re.split(r"[,;\n]", text)]
    if column.key == FACES:
        items = [item.replace("–", "-").replace("−", "-") for item in items]
    return tuple(item for item in items if item)


def find_decimal_mark(separator: str, numbers: Iterable[str]) -> str:
    """Return the decimal mark of a sheet, a point or a comma, or neither if it cannot be known.

    Semicolons separate cells where commas are decimal marks. Of copied cells, a number with a fraction tells it.
    """
    if separator != "\t":
        return "," if separator == ";" else "."
    fractions = (_FRACTION.fullmatch(text.strip()) for text in numbers if not _MARKED.fullmatch(text.strip()))
    marks = {match.group(2) for match in fractions if match is not None}
    return marks.pop() if len(marks) == 1 else ""


def read_number(text: str, mark: str) -> str | None:
    """Return a whole number in digits, or None for anything else.

    `mark` is the decimal mark. Without one, a number that could mean two things is None.

    >>> read_number("1 200", ""), read_number("1.200,00", ","), read_number("1.200", ""), read_number("2,5", ",")
    ('1200', '1200', None, None)
    """
    text = text.replace("−", "-")
    if not text.isascii() or " " in text or "'" in text:
        grouped = _GROUPED.fullmatch(text)
        text = text.replace(grouped.group(1), "") if grouped is not None else text
    if mark:
        whole, _, fraction = text.partition(mark)
        thousands = "," if mark == "." else "."
        if thousands in whole and _MARKED.fullmatch(whole):
            whole = whole.replace(thousands, "")
        text = whole if not fraction.strip("0") and (fraction or not text.endswith(mark)) else text
    elif not _MARKED.fullmatch(text) and (match := _FRACTION.fullmatch(text)) and not match.group(3).strip("0"):
        text = match.group(1)
    return str(int(text)) if _NUMBER.fullmatch(text) and text.isascii() else None


def is_fraction(text: str) -> bool:
    """Return whether a text looks like a number, with a fraction or with marks between thousands."""
    return _FRACTION.fullmatch(text.replace("−", "-")) is not None
