"""Untyped tree + scope → typed tree, with every fault reported at its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.language import codes
from rulewright.language.declarations import GAME, GAME_KIND, Declarations
from rulewright.language.expression import syntax
from rulewright.language.expression.facts import facts
from rulewright.language.expression.operators import check_operation
from rulewright.language.expression.parse import ExpressionError, parse_expression
from rulewright.language.expression.syntax import Syntax
from rulewright.language.expression.typed import (
    Aggregate,
    Apply,
    Cell,
    Coalesce,
    Constant,
    If,
    Invoke,
    Items,
    Local,
    Lookup,
    Objects,
    Present,
    Stored,
    Typed,
    Variable,
    path,
)
from rulewright.language.functions import FUNCTIONS, LIST_FUNCTIONS
from rulewright.language.scope import Scope
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    NOTHING,
    UNKNOWN,
    Boolean,
    Choice,
    ListOf,
    Optional,
    Record,
    Row,
    Thing,
    Type,
    Unknown,
    accepts,
    join,
    present,
)
from rulewright.source.diagnostic import CODES, Code
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.suggest import did_you_mean

BROKEN = Constant(UNKNOWN, None)
"""Stands for an expression that has been reported."""


def check_expression(
    scalar: Scalar, scope: Scope, diagnostics: Diagnostics, *, expected: Type | None = None, condition: bool = False
) -> Typed:
    """The typed tree of the expression in `scalar`, of type `expected` where that is given.

    With `condition`, an optional value is asked whether it is there. Faults go to `diagnostics`; what is returned
    then has an unknown type in their place.
    """
    checker = Checker(scalar, diagnostics)
    try:
        tree = parse_expression(scalar.text)
    except ExpressionError as error:
        span = scalar.position(error.start, error.end - error.start)
        diagnostics.add(CODES[error.code], error.message, span, suggestion=error.suggestion)
        return BROKEN
    if condition:
        return checker.condition(tree, scope)
    typed = checker.value(tree, scope, expected)
    return checker.fit(typed, expected, tree) if expected is not None else typed


class Checker:
    """Checks the trees of one scalar."""

    def __init__(self, scalar: Scalar, diagnostics: Diagnostics) -> None:
        self.scalar = scalar
        self.diagnostics = diagnostics

    def report(self, code: Code, message: str, node: Syntax, suggestion: str | None = None) -> Typed:
        """Report a fault at `node`; what stands there is then unknown."""
        return self.report_at(code, message, node.start, node.end, suggestion)

    def report_at(self, code: Code, message: str, start: int, end: int, suggestion: str | None = None) -> Typed:
        """Report a fault between two offsets."""
        span = self.scalar.position(start, max(1, end - start))
        self.diagnostics.add(code, message, span, suggestion=suggestion)
        return BROKEN

    # -- values --------------------------------------------------------------------------

    def value(self, node: Syntax, scope: Scope, expected: Type | None = None) -> Typed:
        """The typed tree of `node`; `expected` gives bare ids their meaning, and is not enforced here."""
        method: Callable[..., Typed] = getattr(self, "_" + type(node).__name__.lower())
        return self._narrowed(method(node, scope, expected), scope)

    def fit(self, typed: Typed, expected: Type, node: Syntax) -> Typed:
        """`typed`, reported unless it may stand where `expected` is asked for."""
        if accepts(expected, typed.type):
            return typed
        if isinstance(typed.type, Optional) and accepts(expected, typed.type.inner):
            return self.report(codes.MAY_BE_NONE, f"{expected} is needed here, and this may be none", node)
        return self.report(codes.WRONG_TYPE, f"{expected} is needed here, and this is {typed.type}", node)

    def condition(self, node: Syntax, scope: Scope) -> Typed:
        """`node` as a yes-or-no question: an optional value asks whether it is there."""
        return self.as_condition(self.value(node, scope), node)

    def as_condition(self, typed: Typed, node: Syntax) -> Typed:
        """`typed` as a truth value."""
        if isinstance(typed.type, Optional) and not isinstance(typed.type.inner, Boolean):
            return Present(BOOLEAN, typed)
        return self.fit(typed, BOOLEAN, node)

    def _narrowed(self, typed: Typed, scope: Scope) -> Typed:
        if isinstance(typed.type, Optional) and scope.facts and path(typed) in scope.facts:
            return replace(typed, type=typed.type.inner)
        return typed

    # -- leaves --------------------------------------------------------------------------

    def _literal(self, node: syntax.Literal, scope: Scope, expected: Type | None) -> Typed:
        if node.value is None:
            return Constant(NOTHING, None)
        return Constant(BOOLEAN if isinstance(node.value, bool) else INTEGER, node.value)

    def _diceliteral(self, node: syntax.DiceLiteral, scope: Scope, expected: Type | None) -> Typed:
        from rulewright.dice.errors import DiceError
        from rulewright.dice.parse import parse

        try:
            return Constant(DICE, parse(node.notation, dice=scope.declarations.dice))
        except DiceError as error:
            start = node.start + error.start
            return self.report_at(codes.DICE_NOTATION, error.message, start, node.start + error.end, error.suggestion)

    def _name(self, node: syntax.Name, scope: Scope, expected: Type | None) -> Typed:
        found = self._resolve(node.text, scope)
        symbol = self._symbol(node.text, expected, scope.declarations)
        if symbol is None:
            return found or self._unknown_name(node, scope, expected)
        if found is not None and expected is not None and accepts(expected, found.type):
            message = f"`{node.text}` is a value in reach here, and also {symbol.type}"
            return self.report(codes.AMBIGUOUS_NAME, message, node)
        return symbol

    def can_resolve(self, node: Syntax, scope: Scope) -> bool:
        """Whether `node` has a meaning of its own, without an expected type."""
        return not isinstance(node, syntax.Name) or self._resolve(node.text, scope) is not None

    def _symbol(self, text: str, expected: Type | None, declarations: Declarations) -> Typed | None:
        match present(expected) if expected else None:
            case Choice(ids=ids) as kind if text in ids:
                return Constant(kind, text, text)
            case Row(table=table) as kind if text in declarations.tables[table].rows:
                return Constant(kind, text, text)
        return None

    def _resolve(self, text: str, scope: Scope) -> Typed | None:
        declared = scope.declarations
        if text in scope.variables:
            return Variable(scope.variables[text], text)
        if text in scope.locals:
            bound = scope.locals[text]
            return Local(bound.type, bound.slot, text)
        if text in declared.numbers:
            number = declared.numbers[text]
            return Constant(number.type, number.value, text)
        state = declared.kinds.get(GAME_KIND)
        if state and text in state.fields:
            return Stored(state.fields[text].type, Constant(Thing(GAME_KIND), GAME), GAME_KIND, text)
        if text in declared.tables:
            table = declared.tables[text]
            return Constant(ListOf(table.type), tuple(table.rows), text)
        kind = declared.plurals().get(text)
        if kind:
            return Objects(ListOf(Thing(kind)), kind)
        if text in declared.formulas and not declared.formulas[text].parameters:
            return Invoke(declared.formulas[text].type, text, ())
        return None

    def _unknown_name(self, node: syntax.Name, scope: Scope, expected: Type | None) -> Typed:
        ids: list[str] = []
        match present(expected) if expected else None:
            case Choice(ids=choices):
                ids = list(choices)
            case Row(table=table):
                ids = list(scope.declarations.tables[table].rows)
                if not did_you_mean(node.text, scope.names()):
                    message = f"{table} has no row `{node.text}`"
                    return self.report(codes.UNKNOWN_ROW, message, node, did_you_mean(node.text, ids))
        hint = did_you_mean(node.text, ids + scope.names())
        return self.report(codes.UNKNOWN_NAME, f"nothing here is called `{node.text}`", node, hint)

    # -- paths ---------------------------------------------------------------------------

    def _field(self, node: syntax.Field, scope: Scope, expected: Type | None) -> Typed:
        declared = scope.declarations
        head = node.base.text if isinstance(node.base, syntax.Name) else ""
        if head and head not in scope.variables and head not in scope.locals:
            if head == "options" and declared.options:
                return self._option(node, declared)
            if head in declared.tables:
                if node.name in declared.tables[head].rows:
                    return Constant(Row(head), node.name, node.name)
                hint = did_you_mean(node.name, declared.tables[head].rows)
                return self._fault(codes.UNKNOWN_ROW, f"{head} has no row `{node.name}`", node, hint)
        base = self.value(node.base, scope)
        match base.type:
            case Unknown():
                return BROKEN
            case Thing(kind=kind):
                return self._thing_field(node, base, kind, declared)
            case Row(table=table):
                return self._cell(node, base, declared, table)
            case Record() if isinstance(base, Local):
                return self._part(node, base, scope)
            case Optional():
                message = f"this may be none, and none has no field `{node.name}`"
                return self.report(codes.MAY_BE_NONE, message, node.base)
        return self._fault(codes.UNKNOWN_FIELD, f"{base.type} has no fields", node, None)

    def _fault(self, code: Code, message: str, node: syntax.Field, hint: str | None) -> Typed:
        return self.report_at(code, message, node.name_start, node.end, hint)

    def _option(self, node: syntax.Field, declared: Declarations) -> Typed:
        if node.name not in declared.options:
            hint = did_you_mean(node.name, declared.options)
            return self._fault(codes.UNKNOWN_NAME, f"there is no option `{node.name}`", node, hint)
        kind = declared.options[node.name].type
        return Stored(kind, Constant(Thing(GAME_KIND), GAME), GAME_KIND, f"options.{node.name}")

    def _thing_field(self, node: syntax.Field, base: Typed, kind: str, declared: Declarations) -> Typed:
        owner = declared.kinds[kind]
        if node.name in owner.fields:
            return Stored(owner.fields[node.name].type, base, kind, node.name)
        if node.name in owner.derived:
            formula = declared.formulas.get(owner.derived[node.name])
            if formula is None:  # reported where the derived field is declared
                return BROKEN
            return Invoke(formula.type, formula.id, (base,))
        hint = did_you_mean(node.name, [*owner.fields, *owner.derived])
        return self._fault(codes.UNKNOWN_FIELD, f"`{kind}` has no field `{node.name}`", node, hint)

    def _cell(self, node: syntax.Field, base: Typed, declared: Declarations, table: str) -> Typed:
        if node.name == "rank":
            return Cell(INTEGER, base, table, "rank")
        columns = declared.tables[table].columns
        if node.name in columns:
            return Cell(columns[node.name], base, table, node.name)
        hint = did_you_mean(node.name, [*columns, "rank"])
        return self._fault(codes.UNKNOWN_FIELD, f"{table} has no column `{node.name}`", node, hint)

    def _part(self, node: syntax.Field, base: Local, scope: Scope) -> Typed:
        parts = scope.locals[base.name].parts or {}
        if node.name in parts:
            return Local(parts[node.name].type, parts[node.name].slot, f"{base.name}.{node.name}")
        hint = did_you_mean(node.name, parts)
        return self._fault(codes.UNKNOWN_FIELD, f"`{base.name}` gives no `{node.name}`", node, hint)

    def _index(self, node: syntax.Index, scope: Scope, expected: Type | None) -> Typed:
        declared = scope.declarations
        if not isinstance(node.base, syntax.Name) or node.base.text not in declared.tables:
            known = did_you_mean(node.base.text, declared.tables) if isinstance(node.base, syntax.Name) else None
            message = "only a table is looked up with `[…]`"
            return self.report(codes.WRONG_TYPE, message, node.base, known)
        table = declared.tables[node.base.text]
        key = self.value(node.key, scope, table.type)
        match key.type:
            case Unknown():
                return BROKEN
            case Row(table=other):
                ids = tuple(declared.tables[other].rows)
            case Choice(ids=choices):
                ids = choices
            case Optional():
                return self.report(codes.MAY_BE_NONE, f"this may be none, and {table.id} has no row for that", node.key)
            case _:
                message = f"{table.id} is looked up by the id of a row, not by {key.type}"
                return self.report(codes.WRONG_TYPE, message, node.key)
        if isinstance(key, Constant):
            ids = (key.value,)
        missing = [i for i in ids if i not in table.rows]
        if missing:
            message = f"{table.id} has no row `{missing[0]}`, which may be asked for here"
            hint = did_you_mean(missing[0], table.rows) or f"add a row `{missing[0]}` to {table.id}"
            return self.report(codes.UNKNOWN_ROW, message, node.key, hint)
        return Lookup(table.type, key, table.id)

    # -- compounds -----------------------------------------------------------------------

    def _operation(self, node: syntax.Operation, scope: Scope, expected: Type | None) -> Typed:
        if node.operator in ("and", "or"):
            return self._logic(node, scope, expected)
        return check_operation(self, node, scope)

    def _logic(self, node: syntax.Operation, scope: Scope, expected: Type | None) -> Typed:
        from rulewright.language.expression.typed import Logic

        first = self.value(node.operands[0], scope, expected)
        coalesces = node.operator == "or" and not isinstance(present(first.type), (Boolean, Unknown))
        if coalesces and not (isinstance(first.type, Optional) and self._is_question(node.operands[1], scope)):
            return self._coalesce(node, first, scope, expected)
        inner = scope
        operands: list[Typed] = []
        for index, operand in enumerate(node.operands):
            typed = self.as_condition(first, operand) if index == 0 else self.condition(operand, inner)
            operands.append(typed)
            inner = inner.knowing(facts(typed, holds=node.operator == "and"))
        return Logic(BOOLEAN, node.operator, tuple(operands))

    def _is_question(self, node: Syntax, scope: Scope) -> bool:
        """Whether `node` is a truth value: tried on a copy, so that nothing is reported twice."""
        trial = Checker(self.scalar, Diagnostics()).value(node, scope)
        return isinstance(trial.type, Boolean)

    def _coalesce(self, node: syntax.Operation, first: Typed, scope: Scope, expected: Type | None) -> Typed:
        result = first
        for operand in node.operands[1:]:
            if not isinstance(result.type, (Optional, Unknown)):
                message = f"this is always there ({result.type}), so what follows `or` is never used"
                return self.report(codes.WRONG_TYPE, message, node)
            other = self.value(operand, scope, present(result.type))
            kind = join(present(result.type), other.type)
            if kind is None:
                message = f"`or` joins {present(result.type)} and {other.type}, which are of different types"
                return self.report(codes.WRONG_TYPE, message, node)
            result = Coalesce(kind, result, other)
        return result

    def _conditional(self, node: syntax.Conditional, scope: Scope, expected: Type | None) -> Typed:
        condition = self.condition(node.condition, scope)
        then = self.value(node.then, scope.knowing(facts(condition)), expected)
        otherwise_scope = scope.knowing(facts(condition, holds=False))
        otherwise = self.value(node.otherwise, otherwise_scope, expected or present(then.type))
        kind = join(then.type, otherwise.type)
        if kind is None:
            message = f"the two ends are of different types: {then.type}, and {otherwise.type}"
            return self.report(codes.WRONG_TYPE, message, node)
        return If(kind, condition, then, otherwise)

    def _listing(self, node: syntax.Listing, scope: Scope, expected: Type | None) -> Typed:
        inner = expected.inner if isinstance(expected, ListOf) else None
        items = tuple(self.value(item, scope, inner) for item in node.items)
        kind: Type = inner or (items[0].type if items else UNKNOWN)
        for item, source in zip(items, node.items, strict=True):
            joined = join(kind, item.type)
            if joined is None:
                return self.report(codes.WRONG_TYPE, f"a list of {kind} cannot hold {item.type}", source)
            kind = joined
        return Items(ListOf(kind), items)

    def _call(self, node: syntax.Call, scope: Scope, expected: Type | None) -> Typed:
        declared = scope.declarations
        if node.function in declared.formulas:
            return self._invoke(node, scope)
        if len(node.arguments) == 1 and node.function in LIST_FUNCTIONS:
            source = self.value(node.arguments[0], scope)
            if isinstance(source.type, ListOf):
                element = Variable(source.type.inner, "it")
                return self._aggregated(node, node.function, element, "it", source, None, None)
            if node.function not in FUNCTIONS:
                return self.fit(source, ListOf(UNKNOWN), node.arguments[0])
        if node.function not in FUNCTIONS:
            known = [*FUNCTIONS, *LIST_FUNCTIONS, *declared.formulas]
            message = f"there is no function `{node.function}`"
            hint = did_you_mean(node.function, known)
            return self.report_at(codes.UNKNOWN_FUNCTION, message, node.start, node.start + len(node.function), hint)
        function = FUNCTIONS[node.function]
        arguments = tuple(self.value(argument, scope) for argument in node.arguments)
        result = function.result([argument.type for argument in arguments])
        if isinstance(result, str):
            return self.report(codes.WRONG_TYPE, result, node)
        return Apply(result, node.function, arguments)

    def _invoke(self, node: syntax.Call, scope: Scope) -> Typed:
        formula = scope.declarations.formulas[node.function]
        parameters = list(formula.parameters.items())
        if len(parameters) != len(node.arguments):
            wanted = ", ".join(name for name, _ in parameters) or "nothing"
            message = f"`{node.function}` takes {wanted}; it is given {len(node.arguments)} values"
            return self.report(codes.WRONG_TYPE, message, node)
        arguments = []
        for (_, kind), argument in zip(parameters, node.arguments, strict=True):
            arguments.append(self.fit(self.value(argument, scope, kind), kind, argument))
        return Invoke(formula.type, formula.id, tuple(arguments))

    def _aggregate(self, node: syntax.Aggregate, scope: Scope, expected: Type | None) -> Typed:
        if node.function not in LIST_FUNCTIONS:
            hint = did_you_mean(node.function, LIST_FUNCTIONS)
            message = f"`{node.function}` is no function of a list"
            end = node.start + len(node.function)
            return self.report_at(codes.UNKNOWN_FUNCTION, message, node.start, end, hint)
        source = self.value(node.source, scope)
        if isinstance(source.type, Unknown):
            return BROKEN
        if not isinstance(source.type, ListOf):
            return self.report(codes.WRONG_TYPE, f"`in` needs a list, and this is {source.type}", node.source)
        inner = scope.variable(node.variable, source.type.inner)
        condition = self.condition(node.condition, inner) if node.condition is not None else None
        if condition is not None:
            inner = inner.knowing(facts(condition))
        element = self.value(node.element, inner)
        order = self.value(node.order, inner) if node.order is not None else None
        return self._aggregated(node, node.function, element, node.variable, source, condition, order)

    def _aggregated(
        self,
        node: Syntax,
        name: str,
        element: Typed,
        variable: str,
        source: Typed,
        condition: Typed | None,
        order: Typed | None,
    ) -> Typed:
        result = LIST_FUNCTIONS[name].result([element.type])
        if isinstance(result, str):
            return self.report(codes.WRONG_TYPE, result, node)
        return Aggregate(result, name, element, variable, source, condition, order)
