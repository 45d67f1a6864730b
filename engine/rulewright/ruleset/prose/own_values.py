"""Placeholders for the values of an object, such as `{self.place}`, and for values inside these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.language.declarations import Declarations
from rulewright.language.types import RecordOf, Row, Type, present

SELF = "self"
"""The name by which an object's labels and log texts refer to the object itself."""


@dataclass(frozen=True, slots=True)
class Own:
    """A placeholder for the object of a text (`field` is empty), one of its fields, or a value `given` to the text.

    Columns of a row, or parts of a record, may follow the field, as in `tile.worth`.
    """

    field: str
    written: str
    given: bool = False


def map_parts(kind: Type, declared: Declarations) -> Mapping[str, Type]:
    """Return the types of a row's columns or a record's parts by name, and nothing for other types."""
    match present(kind):
        case Row(table=table):
            return declared.tables[table].columns
        case RecordOf(parts=parts):
            return dict(parts)
    return {}


def follow_path(value: Any, kind: Type, path: Sequence[str], declared: Declarations) -> tuple[Any, Type]:
    """Return a value inside another one, with its type, by the names of columns and parts.

    A value that is none or hidden is the result itself.
    """
    for part in path:
        parts = map_parts(kind, declared)
        match present(kind), value:
            case _ if part not in parts:
                break
            case Row(table=table), str():
                value = declared.tables[table].rows[value].cells[part]
            case RecordOf(), tuple():
                value = value[list(parts).index(part)]
            case _:
                break
        kind = parts[part]
    return value, kind
