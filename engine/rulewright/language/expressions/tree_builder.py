"""The semantic actions of `grammar/expression.lark`, which build the untyped tree of an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.lalr_parser import SemanticActions, Word, place, strip_word
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.expression_error import ExpressionError
from rulewright.language.expressions.untyped_ast import Operation, Syntax, TypeName

MOST_DIGITS = 18
"""The maximum number of digits of a literal: enough for any board game, and cheap to calculate with."""


_LITERALS = {"true": True, "false": False, "none": None}


def _operation(operator: str) -> Callable[..., Operation]:
    def build(self: Build, *operands: Syntax) -> Operation:
        return Operation(*self.places, operator, operands)

    return build


class Build(SemanticActions):
    """The semantic actions."""

    @property
    def places(self) -> tuple[int, int]:
        """The start and the end of the text of the rule."""
        return place(self.first)[0], self.last.end()

    def name(self, word: Word) -> Syntax:
        text = strip_word(word)
        if text in _LITERALS:
            return untyped_ast.Literal(*place(word), _LITERALS[text])
        return untyped_ast.Name(*place(word), text)

    def integer(self, word: Word) -> Syntax:
        """Return the node of a number. Raises `ExpressionError` for too many digits."""
        digits = strip_word(word)
        if len(digits) > MOST_DIGITS:
            message = f"a number may have at most {MOST_DIGITS} digits, but this has {len(digits)}"
            hint = f"write a number with at most {MOST_DIGITS} digits"
            raise ExpressionError("expression-too-large", message, *place(word), hint)
        return untyped_ast.Literal(*place(word), int(digits))

    def dice(self, notation: Word) -> Syntax:
        return untyped_ast.DiceLiteral(*place(notation), strip_word(notation))

    def field(self, base: Syntax, name: Word) -> Syntax:
        return untyped_ast.Field(base.start, self.last.end(), base, strip_word(name), place(name)[0])

    def index(self, base: Syntax, key: Syntax) -> Syntax:
        return untyped_ast.Index(base.start, self.last.end(), base, key)

    def values(self, first: Any, *further: Any) -> list[Any]:
        """Return the list of repeated values, to which the further one is added if there is a list already."""
        if not isinstance(first, list):
            return [first, *further]
        first += further
        return first

    sources = alternatives = conditions = names = values

    def listing(self, items: list[Syntax] | None) -> Syntax:
        return untyped_ast.Listing(*self.places, tuple(items or ()))

    def call(self, function: Word, arguments: list[Syntax] | None) -> Syntax:
        return untyped_ast.Call(*self.places, strip_word(function), tuple(arguments or ()))

    def row_call(self, row: Syntax, column: Word, arguments: list[Syntax] | None) -> Syntax:
        span = row.start, self.last.end()
        return untyped_ast.RowCall(*span, row, strip_word(column), place(column)[0], tuple(arguments or ()))

    def source(self, variable: Word, source: Syntax) -> tuple[str, Syntax]:
        return strip_word(variable), source

    def each(self, *parts: Any) -> tuple[Any, ...]:
        return parts

    def aggregate(self, function: Word, each: tuple[Any, ...]) -> Syntax:
        element, ((variable, source), *others), condition, until, order, limit, goal = each
        parts: tuple[Any, ...] = (element, variable, source, condition, order, limit, goal, until, tuple(others))
        return untyped_ast.Aggregate(*self.places, strip_word(function), *parts)

    def conditional(self, then: Syntax, condition: Syntax, otherwise: Syntax) -> Syntax:
        return untyped_ast.Conditional(*self.places, then, condition, otherwise)

    def comparison(self, left: Syntax, operator: Word, right: Syntax) -> Syntax:
        return Operation(*self.places, strip_word(operator), (left, right))

    def disjunction(self, operands: list[Syntax]) -> Syntax:
        return Operation(*self.places, "or", tuple(operands))

    def conjunction(self, operands: list[Syntax]) -> Syntax:
        return Operation(*self.places, "and", tuple(operands))

    negation = _operation("not")
    membership = _operation("in")
    exclusion = _operation("not in")
    plus = _operation("+")
    minus = _operation("-")
    times = _operation("*")
    divided = _operation("/")
    remainder = _operation("%")
    minus_sign = _operation("neg")

    def named_type(self, name: Word) -> TypeName:
        return TypeName(*place(name), "named", (strip_word(name),))

    def optional_type(self, inner: TypeName) -> TypeName:
        return TypeName(*self.places, "optional", (), inner)

    def list_type(self, inner: TypeName) -> TypeName:
        return TypeName(*self.places, "list", (), inner)

    def map_type(self, words: Word, table: Word, inner: TypeName) -> TypeName:
        return TypeName(*self.places, "map", (strip_word(table),), inner)

    def choice_type(self, names: list[Word]) -> TypeName:
        return TypeName(*self.places, "choice", tuple(map(strip_word, names)))
