"""A type as written → a type of the language."""

from __future__ import annotations

from rulewright.language import codes
from rulewright.language.declarations import Declarations
from rulewright.language.expression.parse import ExpressionError, parse_type
from rulewright.language.expression.syntax import TypeName
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    TEXT,
    UNKNOWN,
    Choice,
    ListOf,
    Row,
    Thing,
    Type,
    maybe,
)
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import CODES
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Node, Scalar

PLAIN = {"int": INTEGER, "count": INTEGER, "bool": BOOLEAN, "text": TEXT, "dice": DICE}
"""The types that need no declaration; a `count` is a number that is never below zero."""


def read_type(node: Node | None, declarations: Declarations, diagnostics: Diagnostics) -> Type:
    """The type written in `node`; faults go to `diagnostics`, and the type is then unknown."""
    if not isinstance(node, Scalar):
        if node is not None:
            diagnostics.add(codes.UNKNOWN_TYPE, f"a type is written as text, not as {node.kind}", node.span)
        return UNKNOWN
    try:
        tree = parse_type(node.text)
    except ExpressionError as error:
        span = node.position(error.start, error.end - error.start)
        diagnostics.add(CODES[error.code], error.message, span, suggestion=error.suggestion)
        return UNKNOWN
    return _resolve(tree, node, declarations, diagnostics)


def is_count(node: Node | None) -> bool:
    """Whether the type written in `node` is `count`, which is never below zero."""
    return isinstance(node, Scalar) and node.text.strip() == "count"


def _resolve(tree: TypeName, node: Scalar, declarations: Declarations, diagnostics: Diagnostics) -> Type:
    match tree:
        case TypeName(form="optional", inner=TypeName() as inner):
            return maybe(_resolve(inner, node, declarations, diagnostics))
        case TypeName(form="list", inner=TypeName() as inner):
            return ListOf(_resolve(inner, node, declarations, diagnostics))
        case TypeName(form="choice", names=names):
            return Choice(names)
    name = tree.names[0]
    if name in PLAIN:
        return PLAIN[name]
    if name in declarations.kinds:
        return Thing(name)
    if name in declarations.tables:
        return Row(name)
    known = [*PLAIN, *declarations.kinds, *declarations.tables]
    span = node.position(tree.start, tree.end - tree.start)
    diagnostics.add(codes.UNKNOWN_TYPE, f"there is no type `{name}`", span, suggestion=did_you_mean(name, known))
    return UNKNOWN
