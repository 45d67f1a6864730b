"""The type expected at an expression that is being typed, so that completion can rank by type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulewright.language.declarations import Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.language.types import BOOLEAN, INTEGER, MapOf, Row, Type, Unknown, present
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span

Keys = Mapping[tuple[str, str], Type]
"""The usual type of expressions under a key of a step, by section and key."""

_MOST = 0.9
"""The share of expressions under a key that must have the same type."""

_PARTIAL = re.compile(r"[^\W\d]\w*$")
_COMPARED = re.compile(r"((?:[^\W\d]\w*|\d+)(?:\.[^\W\d]\w*|\[[^\[\]]*\]|\([^()]*\))*)\s*(?:==|!=|<=?|>=?)$")
_ENTRY = re.compile(r"((?:[^\W\d]\w*)(?:\.[^\W\d]\w*|\[[^\[\]]*\])*)\[$")
_JOINED = re.compile(r"\b(?:and|or|not|if)$")
_CHOSEN = re.compile(r"\b(?:then|else)$")


def by_keys(layers: Iterable[Layer], readings: Iterable[ScalarReading]) -> Keys:
    """Return the expected type under each key of a step, by section and key, from the expressions in other steps.

    Keys whose expressions have no common type in at least 90 % of cases are left out. So are sections without steps,
    because the types of their keys depend on the entry.
    """
    types = {reading.scalar.span: _find_type(reading) for reading in readings}
    counted: dict[tuple[str, str], Counter[Type]] = {}
    for layer in layers:
        for file in layer.files:
            for section, entry in file.entries.items():
                if section not in load_sections() or "steps" not in load_sections()[section].parts:
                    continue
                for key, span in _scalars(entry.value, section):
                    if (type_ := types.get(span)) is not None:
                        counted.setdefault((section, key), Counter())[type_] += 1
    most = {place: (result.most_common(1)[0], result.total()) for place, result in counted.items()}
    return {place: kind for place, ((kind, count), total) in most.items() if count >= _MOST * total}


def _find_type(reading: ScalarReading) -> Type | None:
    """Return the expected type of an expression, or else its own type. None if neither is known."""
    if reading.expected is not None:
        return present(reading.expected)
    kind = reading.parts[-1][1].type if reading.parts else None
    return present(kind) if kind is not None and not isinstance(kind, Unknown) else None


def _scalars(node: Node, key: str) -> Iterator[tuple[str, Span]]:
    """Yield the key above each scalar, inside lists as well, and the span of the scalar.

    `key` is the key above `node`.
    """
    match node:
        case Scalar():
            yield key, node.span
        case MappingNode():
            for name, entry in node.entries.items():
                yield from _scalars(entry.value, name)
        case _:
            for item in node.items:
                yield from _scalars(item, key)


def find_expected_type(typed: str, scope: Scope, whole: Type | None) -> Type | None:
    """Return the type expected next in an expression of type `whole`, after the text `typed`.

    None if any type is possible, or if it is unknown.
    """
    before = _PARTIAL.sub("", typed).strip(" \"'")
    if not before or _CHOSEN.search(before):
        return whole
    compared = _COMPARED.search(before)
    if compared is not None:
        other = type_of(compared[1], scope)
        return None if isinstance(other, Unknown) else present(other)
    entry = _ENTRY.search(before)
    if entry is not None and isinstance(held := present(type_of(entry[1], scope)), MapOf):
        return Row(held.table)
    if _JOINED.search(before):
        return BOOLEAN
    if before[-1] in "+-*/":
        return INTEGER
    call = call_at(before) if before[-1] in "(," else None
    if call is not None and (formula := scope.declarations.formulas.get(call[0])) is not None:
        return next(iter(list(formula.parameters.values())[call[1] :]), None)
    return None


def type_of(written: str, scope: Scope) -> Type:
    """Return the type of an expression, or the unknown type if it is invalid."""
    text = written.strip()
    return check_expression(Scalar(text, text, Span.for_file("")), scope, Diagnostics()).type


def call_at(typed: str) -> tuple[str, int] | None:
    """Return the name of the function whose arguments are being typed, and the index of the argument, from 0.

    None outside of calls.
    """
    depth, active = 0, 0
    for place in range(len(typed) - 1, -1, -1):
        char = typed[place]
        if char in ")]}":
            depth += 1
        elif char in "([{" and depth:
            depth -= 1
        elif char == "(":
            named = _PARTIAL.search(typed[:place])
            return (named.group(), active) if named is not None else None
        elif char in "[{":
            return None
        elif char == "," and depth == 0:
            active += 1
    return None
