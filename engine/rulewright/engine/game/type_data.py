"""Types and values of the rules as plain data, for hosts in other languages than Python."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.engine.wasm_backend.codegen.debug_info import Whole
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Nothing,
    Optional,
    Ratio,
    RecordOf,
    Row,
    Text,
    Type,
)

_PLAIN: dict[type[Type], str] = {
    Integer: "number",
    Boolean: "truth",
    Text: "text",
    Choice: "choice",
    Dice: "dice",
    Ratio: "ratio",
    Nothing: "nothing",
}
"""The names of the types without parameters."""


def type_of(kind: Type | None) -> Any:
    """Return a type as JSON data. The result is None for a memory word that is a plain number."""
    match kind:
        case Optional(inner=inner):
            return {"optional": type_of(inner)}
        case ListOf(inner=inner):
            return {"list": type_of(inner)}
        case MapOf(table=table, inner=inner):
            return {"map": table, "of": type_of(inner)}
        case RecordOf(name=name, parts=parts):
            return {"record": name, "parts": [[part, type_of(each)] for part, each in parts]}
        case Row(table=table):
            return {"row": table}
        case Entity(kind=name):
            return {"thing": name}
        case Whole(kind=name):
            return {"whole": name}
    return None if kind is None else _PLAIN.get(type(kind))


def to_data(value: Any) -> Any:
    """Return a value in the form of the state's JSON. Values without such a form are returned unchanged."""
    match value:
        case Roll():
            return {"dice": format_roll(value)}
        case Fraction():
            return [value.numerator, value.denominator]
        case tuple():
            return [to_data(each) for each in value]
    return value
