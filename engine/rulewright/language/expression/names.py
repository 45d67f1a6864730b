"""Bare names: what a word means by itself, and where it stands for a row or a choice."""

from __future__ import annotations

from rulewright.language import codes
from rulewright.language.declarations import GAME, GAME_KIND, Declarations
from rulewright.language.expression import syntax
from rulewright.language.expression.checking import Checking
from rulewright.language.expression.syntax import Syntax
from rulewright.language.expression.typed import Constant, Invoke, Local, Objects, Stored, Typed, Variable
from rulewright.language.scope import Scope
from rulewright.language.types import BOOLEAN, INTEGER, Choice, ListOf, Row, Thing, Type, accepts, present
from rulewright.source.diagnostics.suggest import TRUTHS, Meant, did_you_mean

MOST_LISTED = 8
"""Ids that a suggestion lists, where none of them is near."""


def check_name(checker: Checking, node: syntax.Name, scope: Scope, expected: Type | None) -> Typed:
    """A bare name. Where a row or a choice is `expected`, its ids are names too."""
    found = _resolve(node.text, scope)
    symbol = _symbol(node.text, expected, scope.declarations)
    if symbol is None:
        return found or _unknown(checker, node, scope, expected)
    if found is not None and expected is not None and accepts(expected, found.type):
        message = f"`{node.text}` is a value in reach here, and also {symbol.type}"
        return checker.report(codes.AMBIGUOUS_NAME, message, node, _spelt_out(symbol))
    return symbol


def can_resolve(node: Syntax, scope: Scope) -> bool:
    """Whether `node` has a meaning of its own, without an expected type."""
    return not isinstance(node, syntax.Name) or _resolve(node.text, scope) is not None


def _spelt_out(symbol: Typed) -> str | None:
    if isinstance(symbol.type, Row) and isinstance(symbol, Constant):
        return f"write `{symbol.type.table}.{symbol.value}` if the row is meant"
    return None


def _symbol(text: str, expected: Type | None, declarations: Declarations) -> Typed | None:
    match present(expected) if expected else None:
        case Choice(ids=ids) as kind if text in ids:
            return Constant(kind, text, text)
        case Row(table=table) as kind if text in declarations.tables[table].rows:
            return Constant(kind, text, text)
    return None


def _resolve(text: str, scope: Scope) -> Typed | None:
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


def _unknown(checker: Checking, node: syntax.Name, scope: Scope, expected: Type | None) -> Typed:
    ids: list[str] = []
    match present(expected) if expected else None:
        case Choice(ids=choices) as kind:
            ids = list(choices)
            if not did_you_mean(node.text, scope.names()):
                message = f"`{node.text}` is not {kind}"
                return checker.report(codes.UNKNOWN_NAME, message, node, did_you_mean(node.text, ids))
        case Row(table=table):
            ids = list(scope.declarations.tables[table].rows)
            if not did_you_mean(node.text, scope.names()):
                message = f"{table} has no row `{node.text}`"
                return checker.report(codes.UNKNOWN_ROW, message, node, did_you_mean(node.text, ids) or listed(ids))
    formula = scope.declarations.formulas.get(node.text)
    if formula is not None:
        given = ", ".join(formula.parameters)
        message = f"`{node.text}` is a formula of {given}"
        return checker.report(codes.UNKNOWN_NAME, message, node, f"give it that: `{node.text}(…)`")
    hint = _of_kind(node.text, scope) or did_you_mean(node.text, ids + scope.names())
    if node.text in TRUTHS and (hint is None or expected == BOOLEAN):
        hint = Meant(f"write `{TRUTHS[node.text]}`", node.text, [TRUTHS[node.text]])
    if node.text in ("delete", "remove") and hint is None:
        hint = Meant("to take an entry away, write `{delete: true}`", node.text, ["{delete: true}"])
    is_figure = not scope.locals and not scope.variables and expected is not None and present(expected) == INTEGER
    if hint is None and is_figure:
        hint = "write a number in figures, such as `30`, or a name that is declared"
    return checker.report(codes.UNKNOWN_NAME, f"nothing here is called `{node.text}`", node, hint)


def _of_kind(text: str, scope: Scope) -> str | None:
    """What may have been meant by the name of a kind, where one thing of it was to be named."""
    kind = scope.declarations.kinds.get(text)
    if kind is None or kind.id == GAME_KIND:
        return None
    one = " or ".join(f"`{name}`" for name in scope.of_kind(text)[:MOST_LISTED])
    of_all = f"`{kind.plural}` is the list of all"
    return f"`{text}` is a kind: did you mean {one}? {of_all}" if one else f"`{text}` is a kind; {of_all}"


def listed(ids: list[str]) -> str | None:
    """The rows of a table, where they are few, as a suggestion."""
    return "its rows are " + ", ".join(f"`{row}`" for row in ids) if len(ids) <= MOST_LISTED else None
