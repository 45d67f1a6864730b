"""The ids that options of a type can have, in the form of `build_option_id`."""

from __future__ import annotations

from rulewright.language.declarations import Declarations
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, Optional, RecordOf, Row, Type
from rulewright.source.yaml.core_schema import parse_whole_number


def list_fixed_ids(kind: Type, declarations: Declarations) -> tuple[str, ...]:
    """Return the fixed ids of options of a type: those of a choice or of a table's rows, and `True` and `False`.

    An optional type also has `none`. Empty for objects, numbers, lists and records.
    """
    match kind:
        case Optional(inner=inner):
            return (*list_fixed_ids(inner, declarations), "none")
        case Choice(ids=ids):
            return ids
        case Row(table=table):
            return tuple(declarations.tables[table].rows)
        case Boolean():
            return ("True", "False")
    return ()


def may_be_option(written: str, kind: Type, declarations: Declarations) -> bool:
    """Return whether an option of this type can have this id."""
    match kind:
        case Optional(inner=inner):
            return written == "none" or may_be_option(written, inner, declarations)
        case ListOf(inner=inner):
            return written == "nothing" or all(may_be_option(each, inner, declarations) for each in written.split("+"))
        case RecordOf(parts=parts):
            given = written.split("/")
            return len(given) == len(parts) and all(
                may_be_option(each, part, declarations) for each, (_, part) in zip(given, parts, strict=True)
            )
        case Entity(kind=name):
            return written.startswith(f"{name}-") and parse_whole_number(written.removeprefix(f"{name}-")) is not None
        case Integer():
            return parse_whole_number(written.removeprefix("-")) is not None
    return written in list_fixed_ids(kind, declarations)
