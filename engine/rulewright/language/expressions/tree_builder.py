"""Builds the untyped tree while the grammar reads, with one short method for each rule of `expression.lark`."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.expression_error import ExpressionError
from rulewright.language.expressions.untyped_ast import Operation, Syntax, TypeName

MOST_DIGITS = 18
"""The maximum number of digits of a literal: enough for any board game, and cheap to calculate with."""


_LITERALS = {"true": True, "false": False, "none": None}


def _operation(operator: str) -> Any:
    def build(self: Build, meta: Meta, *operands: Syntax) -> Operation:
        return Operation(meta.start_pos, meta.end_pos, operator, operands)

    return build


@v_args(inline=True, meta=True)
class Build(Transformer_NonRecursive[Token, Any]):
    """Grammar rules → `syntax` nodes."""

    def expression(self, meta: Meta, value: Syntax) -> Syntax:
        return value

    def type(self, meta: Meta, described: TypeName) -> TypeName:
        return described

    def name(self, meta: Meta, word: Token) -> Syntax:
        if word in _LITERALS:
            return untyped_ast.Literal(meta.start_pos, meta.end_pos, _LITERALS[word])
        return untyped_ast.Name(meta.start_pos, meta.end_pos, str(word))

    def integer(self, meta: Meta, digits: Token) -> Syntax:
        """Return the node of a number. Raises `ExpressionError` for too many digits."""
        if len(digits) > MOST_DIGITS:
            message = f"a number may have at most {MOST_DIGITS} digits, but this has {len(digits)}"
            hint = f"write a number with at most {MOST_DIGITS} digits"
            raise ExpressionError("expression-too-large", message, meta.start_pos, meta.end_pos, hint)
        return untyped_ast.Literal(meta.start_pos, meta.end_pos, int(digits))

    def dice(self, meta: Meta, notation: Token) -> Syntax:
        return untyped_ast.DiceLiteral(meta.start_pos, meta.end_pos, str(notation))

    def field(self, meta: Meta, base: Syntax, name: Token) -> Syntax:
        return untyped_ast.Field(base.start, meta.end_pos, base, str(name), name.start_pos or 0)

    def index(self, meta: Meta, base: Syntax, key: Syntax) -> Syntax:
        return untyped_ast.Index(base.start, meta.end_pos, base, key)

    def listing(self, meta: Meta, *items: Syntax | None) -> Syntax:
        return untyped_ast.Listing(meta.start_pos, meta.end_pos, tuple(i for i in items if i is not None))

    def call(self, meta: Meta, function: Token, *arguments: Syntax | None) -> Syntax:
        given = tuple(a for a in arguments if a is not None)
        return untyped_ast.Call(meta.start_pos, meta.end_pos, str(function), given)

    def source(self, meta: Meta, variable: Token, source: Syntax) -> tuple[str, Syntax]:
        return str(variable), source

    def each(self, meta: Meta, element: Syntax, *parts: Any) -> Any:
        sources = [part for part in parts if isinstance(part, tuple)]
        return element, sources, parts[len(sources) :]

    def aggregate(self, meta: Meta, function: Token, each: Any) -> Syntax:
        element, ((variable, source), *others), (condition, until, order, limit, goal) = each
        parts = (element, variable, source, condition, order, limit, goal, until, tuple(others))
        return untyped_ast.Aggregate(meta.start_pos, meta.end_pos, str(function), *parts)

    def conditional(self, meta: Meta, then: Syntax, condition: Syntax, otherwise: Syntax) -> Syntax:
        return untyped_ast.Conditional(meta.start_pos, meta.end_pos, then, condition, otherwise)

    def comparison(self, meta: Meta, left: Syntax, operator: Token, right: Syntax) -> Syntax:
        return Operation(meta.start_pos, meta.end_pos, str(operator), (left, right))

    disjunction = _operation("or")
    conjunction = _operation("and")
    negation = _operation("not")
    membership = _operation("in")
    exclusion = _operation("not in")
    plus = _operation("+")
    minus = _operation("-")
    times = _operation("*")
    divided = _operation("/")
    remainder = _operation("%")
    minus_sign = _operation("neg")

    def named_type(self, meta: Meta, name: Token) -> TypeName:
        return TypeName(meta.start_pos, meta.end_pos, "named", (str(name),))

    def optional_type(self, meta: Meta, inner: TypeName) -> TypeName:
        return TypeName(meta.start_pos, meta.end_pos, "optional", (), inner)

    def list_type(self, meta: Meta, inner: TypeName) -> TypeName:
        return TypeName(meta.start_pos, meta.end_pos, "list", (), inner)

    def map_type(self, meta: Meta, words: Token, table: Token, inner: TypeName) -> TypeName:
        return TypeName(meta.start_pos, meta.end_pos, "map", (str(table),), inner)

    def choice_type(self, meta: Meta, *names: Token) -> TypeName:
        return TypeName(meta.start_pos, meta.end_pos, "choice", tuple(str(n) for n in names))
