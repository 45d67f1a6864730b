"""The values that examples expect, read from YAML and written as YAML."""

from __future__ import annotations

from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.dice.simplify import condense
from rulewright.engine import engine_diagnostics
from rulewright.language.declarations import FIRST_PLAYER, Declarations
from rulewright.language.types import PLAYER, UNKNOWN, ListOf, RecordOf, Type, present
from rulewright.ruleset.elaborate.node_readers import read_constant
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.yaml.core_schema import parse_whole_number
from rulewright.source.yaml.flow_style import write_scalar
from rulewright.source.yaml.yaml_reader import read_text


def read_expected(expected: Node, kind: Type, declarations: Declarations, problems: Diagnostics) -> Any:
    """Return the expected value. Players are given by seat number, and rolls condensed.

    Reports an invalid value to `problems`. The result then has no meaning.
    """
    inner = present(kind)
    if isinstance(inner, ListOf) and inner.inner == PLAYER and isinstance(expected, Sequence):
        return tuple(read_expected(item, PLAYER, declarations, problems) for item in expected.items)
    if isinstance(inner, ListOf) and isinstance(inner.inner, RecordOf) and isinstance(expected, Sequence):
        return tuple(read_expected(item, inner.inner, declarations, problems) for item in expected.items)
    if isinstance(inner, RecordOf) and isinstance(expected, Mapping):
        return _read_record(expected, inner, declarations, problems)
    if inner == PLAYER and isinstance(expected, Scalar) and (seat := parse_whole_number(expected.text)):
        return FIRST_PLAYER + seat - 1
    value = read_constant(expected, declarations, problems, expected=kind)[1]
    return condense(value) if isinstance(value, Roll) else value


def _read_record(expected: Mapping, kind: RecordOf, declarations: Declarations, problems: Diagnostics) -> Any:
    """Return an expected record. Reports unknown parts. Reports missing parts, and then returns None."""
    parts = dict(kind.parts)
    for name in expected.entries:
        if name not in parts:
            message = f"a record `{kind.name}` has no part `{name}`"
            problems.add(
                engine_diagnostics.BAD_EXAMPLE,
                message,
                expected.find_key_span(name),
                suggestion=suggest_name(name, parts),
            )
    missing = [name for name in parts if name not in expected.entries]
    if missing:
        message = f"the record has no value for `{missing[0]}`"
        hint = f"write `{missing[0]}: …`, or expect a single part, as in `best.{missing[0]}: …`"
        problems.add(engine_diagnostics.BAD_EXAMPLE, message, expected.span, suggestion=hint)
        return None
    return tuple(read_expected(expected.entries[name].value, part, declarations, problems) for name, part in kind.parts)


def write_value(value: Any, kind: Type = UNKNOWN, expected: tuple[Any, ...] | None = None) -> str:
    """Return a value of a run, such as a number, a row or a list, as YAML on one line.

    With its type, players are seats, and the parts of records have names. Of a record, leave out the parts that are as
    in `expected`.
    """
    inner = present(kind)
    if isinstance(inner, RecordOf) and isinstance(value, tuple):
        parts = [
            f"{name}: {write_value(part, of)}"
            for number, ((name, of), part) in enumerate(zip(inner.parts, value, strict=True))
            if expected is None or expected[number] != part
        ]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, (list, tuple)):
        of = inner.inner if isinstance(inner, ListOf) else UNKNOWN
        return f"[{', '.join(write_value(item, of) for item in value)}]"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if inner == PLAYER:
        return str(value - FIRST_PLAYER + 1)
    return write_scalar(format_roll(value) if isinstance(value, Roll) else str(value))


def write_expected(value: Any, kind: Type, declarations: Declarations, *, instead_of: Node, expected: Any) -> str:
    """Return YAML for an example to expect a value, or "" if none is read as this value, as of most objects.

    The text is to be merged over `instead_of`, which expects `expected`. Of a record, it has the parts that differ.
    """
    text = write_value(value, kind)
    problems = Diagnostics()
    try:
        file = read_text(f"expect: {text}\n", "<expected>")
        assert isinstance(file, Mapping)
        again = read_expected(file.entries["expect"].value, kind, declarations, problems)
    except RulewrightError:
        return ""
    if again != value or problems.errors:
        return ""
    inner = present(kind)
    if isinstance(inner, RecordOf) and isinstance(instead_of, Mapping) and isinstance(expected, tuple):
        return write_value(value, kind, expected)
    return text
