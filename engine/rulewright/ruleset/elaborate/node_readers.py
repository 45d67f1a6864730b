"""Read values from merged nodes that have passed schema validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.evaluator import LARGEST, Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.numerals import NUMBER_WORD, number_of
from rulewright.language.types import INTEGER, TEXT, ListOf, MapOf, RecordOf, Type, Unknown, find_default, join, present
from rulewright.ruleset import ruleset_diagnostics
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence


def read_text(node: Node | None, default: str = "") -> str:
    """Return the stripped text of a scalar, or `default` for any other node."""
    return node.text.strip() if isinstance(node, Scalar) else default


def iterate_entries(node: Node | None) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of a mapping, or nothing for any other node."""
    if isinstance(node, Mapping):
        yield from node.entries.items()


def read_names(node: Node | None) -> dict[str, str]:
    """Return the texts in a mapping by name, or empty for any other node."""
    return {name: read_text(entry.value) for name, entry in iterate_entries(node)}


def list_items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, or a scalar as its only item, or empty for None and mappings."""
    if isinstance(node, Sequence):
        return node.items
    return () if node is None or isinstance(node, Mapping) else (node,)


def make_title(identity: str) -> str:
    """Return an id as a title: `visit_cave` → `Visit cave`."""
    return identity.replace("_", " ").capitalize()


def read_constant(
    node: Node | None, declarations: Declarations, diagnostics: Diagnostics, *, expected: Type | None = None
) -> tuple[Type, Any]:
    """Return the type and the value of a constant expression.

    Lists, maps and records may be written as YAML collections. Errors are reported to `diagnostics`. With an error, the
    value is None and the type is `expected` or unknown, but in a collection, only the part with the error is None. A
    missing `node` gives an unknown type and None, without a report. Before the declarations are settled, the expression
    is added to `declarations.parameters`.
    """
    type_ = present(expected) if expected is not None else None
    if isinstance(node, Sequence):
        return _constants(node, declarations, diagnostics, type_)
    if isinstance(node, Mapping) and isinstance(type_, MapOf):
        return _by_row(node, declarations, diagnostics, type_)
    if isinstance(node, Mapping) and isinstance(type_, RecordOf):
        return _by_part(node, declarations, diagnostics, type_)
    if not isinstance(node, Scalar):
        return Unknown(), None
    if type_ == TEXT:
        return TEXT, node.text
    faults = len(diagnostics.errors)
    typed = _check(node, Scope(declarations), diagnostics, expected)
    # An expression with an error may have a known type, but no value.
    if isinstance(typed.type, Unknown) or len(diagnostics.errors) > faults:
        return expected or typed.type, None
    if any(part.READS_GAME for part in walk_all(typed, declarations)):
        diagnostics.add(
            ruleset_diagnostics.NOT_CONSTANT,
            "this depends on the state of a game, but its value must be fixed",
            node.span,
        )
        return Unknown(), None
    if not declarations.settled:
        declarations.parameters.append(typed)
    try:
        value = Evaluate(declarations).value(typed)
        if type(value) is int and not -LARGEST <= value <= LARGEST:
            raise OverflowError(f"a number has more than {len(str(LARGEST)) - 1} digits")
    except (RulewrightError, OverflowError) as error:
        diagnostics.add(language_codes.EXPRESSION_TOO_LARGE, str(error), node.span)
        return Unknown(), None
    except (TypeError, AttributeError):
        # The expression uses something invalid, which was reported before.
        if not diagnostics.errors:
            raise
        return Unknown(), None
    return typed.type, value


def _constants(
    node: Sequence, declarations: Declarations, diagnostics: Diagnostics, expected: Type | None
) -> tuple[Type, Any]:
    """Return the type and values of a list of constant expressions, which must have a type in common.

    If they do not, or a list is not expected, that is reported, and the result is unknown and None. An invalid item is
    reported, and None in the tuple.
    """
    if expected is not None and not isinstance(expected, ListOf):
        diagnostics.add(language_codes.WRONG_TYPE, f"{expected} is needed here, but this is a list", node.span)
        return Unknown(), None
    kind: Type = Unknown()
    values = []
    for item in node.items:
        result, value = read_constant(
            item, declarations, diagnostics, expected=expected.inner if expected is not None else None
        )
        joined = join(kind, result)
        if joined is None:
            message = f"a list of {kind} cannot hold {result}"
            diagnostics.add(language_codes.WRONG_TYPE, message, item.span)
            return Unknown(), None
        kind = joined
        values.append(value)
    return expected or ListOf(kind), tuple(values)


def _by_row(node: Mapping, declarations: Declarations, diagnostics: Diagnostics, expected: MapOf) -> tuple[Type, Any]:
    """Return a map written row by row, as its type and a tuple in the order of the table's rows.

    Omitted rows get the default of the type, or are reported if it has none. Unknown rows are reported and ignored.
    """
    rows = declarations.tables[expected.table].rows
    value = {}
    for name, entry in node.entries.items():
        if name in rows:
            value[name] = read_constant(entry.value, declarations, diagnostics, expected=expected.inner)[1]
        else:
            hint = suggest_name(name, rows)
            message = f"{expected.table} has no row `{name}`"
            diagnostics.add(language_codes.UNKNOWN_ROW, message, entry.key.span, suggestion=hint)
    start, known = find_default(expected.inner)
    missing = [row for row in rows if row not in value]
    if missing and not known:
        message = f"this has no value for `{missing[0]}`, but {expected.inner} is needed"
        diagnostics.add(language_codes.WRONG_TYPE, message, node.span, suggestion=f"write `{missing[0]}: …`")
    return expected, tuple(value.get(row, start) for row in rows)


def _by_part(
    node: Mapping, declarations: Declarations, diagnostics: Diagnostics, expected: RecordOf
) -> tuple[Type, Any]:
    """Return a record written part by part, as its type and a tuple in the order of its parts.

    Omitted parts get the default of their type, or are reported if it has none. Unknown parts are reported and
    ignored.
    """
    parts = dict(expected.parts)
    value = {}
    for name, entry in node.entries.items():
        if name in parts:
            value[name] = read_constant(entry.value, declarations, diagnostics, expected=parts[name])[1]
        else:
            hint = suggest_name(name, parts)
            message = f"a record `{expected.name}` has no part `{name}`"
            diagnostics.add(language_codes.UNKNOWN_FIELD, message, entry.key.span, suggestion=hint)
    for name, kind in expected.parts:
        start, known = find_default(kind)
        if name not in value and not known and not isinstance(kind, Unknown):
            message = f"`{name}` is missing; it must be {kind}"
            diagnostics.add(language_codes.WRONG_TYPE, message, node.span, suggestion=f"write `{name}: …`")
        value.setdefault(name, start)
    return expected, tuple(value[name] for name in parts)


def walk_all(typed: Typed, declarations: Declarations) -> Iterator[Typed]:
    """Yield every node in `typed` and in the formulas that it uses.

    A formula is repeated for each of its uses. Raises `KeyError` for an unknown formula.
    """
    from rulewright.language.expressions.typed_ast import Invoke

    for part in typed.walk():
        yield part
        if isinstance(part, Invoke):
            yield from walk_all(declarations.formulas[part.formula].body, declarations)


def _check(node: Scalar, scope: Scope, diagnostics: Diagnostics, expected: Type | None) -> Typed:
    """Return the typed expression of a constant, whose type is unknown if it is invalid. Errors are reported.

    For a number spelled out in words, the suggestion has its digits.
    """
    word = read_text(node)
    if NUMBER_WORD.fullmatch(word) is None or (expected is not None and present(expected) != INTEGER):
        return check_expression(node, scope, diagnostics, expected=expected)
    result = Diagnostics()
    typed = check_expression(node, scope, result, expected=expected)
    figure = str(number_of(word))
    hint = Suggestion(f"this is a number (`int`): write `{figure}`", word, [figure])
    unknown = language_codes.UNKNOWN_NAME
    diagnostics.extend(replace(each, suggestion=hint) if each.code is unknown else each for each in result)
    return typed
