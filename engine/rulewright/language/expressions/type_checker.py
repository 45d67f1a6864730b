"""Untyped trees → typed ones, with every fault reported at its place: of expressions, and of types as written."""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.language import language_diagnostics
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.calls import check_aggregate, check_call, check_row_call
from rulewright.language.expressions.dice_embedding import DICE_INSIDE, is_roll, with_braces
from rulewright.language.expressions.expression_cost import MOST_IN_AN_EXPRESSION, ExpressionCosts, summarize_cost
from rulewright.language.expressions.expression_parser import ExpressionError, parse_expression, parse_type
from rulewright.language.expressions.name_resolution import check_field, check_index, check_name
from rulewright.language.expressions.narrowing import NOT_ZERO, has_certain_end, is_known_present
from rulewright.language.expressions.operators import check_and, check_conditional, check_operation, check_or
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Arithmetic,
    Comparison,
    Constant,
    Items,
    Present,
    Typed,
    build_path,
)
from rulewright.language.expressions.untyped_ast import Syntax, TypeName
from rulewright.language.expressions.word_notes import ScalarReading, begin
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    NOTHING,
    TEXT,
    UNKNOWN,
    Boolean,
    Choice,
    Dice,
    Entity,
    ListOf,
    MapOf,
    Optional,
    Record,
    RecordOf,
    Row,
    Text,
    Type,
    Unknown,
    is_assignable,
    join,
    make_optional,
    present,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import CODES, Code, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name
from rulewright.source.nodes import Node, Scalar

__all__ = ["BROKEN", "check_expression"]


def check_expression(
    scalar: Scalar, scope: Scope, diagnostics: Diagnostics, *, expected: Type | None = None, condition: bool = False
) -> Typed:
    """Return the typed tree of the expression in `scalar`, of type `expected` if given.

    With `condition`, an optional value means whether it is present. Errors go to `diagnostics`, and the result then
    has unknown types in their place.
    """
    result = Diagnostics()
    typed = _check_scalar(scalar, scope, result, expected, condition)
    # Errors from reading the roll as an expression would be misleading.
    if not result.errors or not _explained_as_roll(scalar, scope, result, diagnostics, expected, condition):
        diagnostics.extend(result)
    return typed


def _explained_as_roll(
    scalar: Scalar,
    scope: Scope,
    result: Diagnostics,
    diagnostics: Diagnostics,
    expected: Type | None,
    condition: bool,
) -> bool:
    """Report a roll that needs braces, or that has parameters of the rules inside them. Returns whether it did.

    `result` has the errors from reading `scalar` as an expression. The report goes to `diagnostics` and replaces them.
    `condition` says whether a truth value is needed.
    """
    written = scalar.text.strip()
    rolled = not condition and (expected is None or isinstance(expected, Dice))
    # A text that is not a valid expression may be a roll, whatever type is expected.
    unread = isinstance(expected, Dice) or any(each.code is language_diagnostics.EXPRESSION_SYNTAX for each in result)
    if unread and is_roll(written, scope):
        message = f"`{written}` is a roll that is not a sum of dice and numbers, so it needs braces"
        hint = f"put braces around a roll that is not a sum: `{{{written}}}`"
        edits = _make_edits(scalar, f"{{{written}}}") if rolled else ()
        diagnostics.add(language_diagnostics.DICE_NOTATION, message, scalar.span, suggestion=hint, edits=edits)
        return True
    rewritten = _with_braces(scalar, scope)
    if rewritten is None:
        return False
    message = (
        "put braces around a roll that is not a sum of dice and numbers, but leave named numbers outside the braces"
    )
    if written.startswith("{"):
        message = "braces may contain only dice and literal numbers; leave named numbers outside the braces"
    hint = f'roll it in a separate step, `roll: "{rewritten}"`, and use the id of that step here'
    if rolled:
        hint = f'write `"{rewritten}"`'
    edits = _make_edits(scalar, rewritten) if rolled else ()
    diagnostics.add(language_diagnostics.DICE_NOTATION, message, scalar.span, suggestion=hint, edits=edits)
    return True


def _with_braces(scalar: Scalar, scope: Scope) -> str | None:
    """Return the text of `scalar` with the braces that its rolls need, if it is then a valid roll. None otherwise."""
    if not DICE_INSIDE.search(scalar.text):
        return None

    def is_sound(text: str) -> bool:
        faults = Diagnostics()
        _check_scalar(replace(scalar, text=text, raw=""), scope, faults, None, False)
        return not faults.errors

    def is_roll(text: str) -> bool:
        faults = Diagnostics()
        _check_scalar(replace(scalar, text=text, raw=""), scope, faults, DICE, False)
        return not faults.errors

    rewritten = with_braces(scalar.text, scope, is_sound)
    return rewritten if rewritten is not None and is_roll(rewritten) else None


def _make_edits(scalar: Scalar, rewritten: str) -> tuple[Edit, ...]:
    """Return the edit that puts `rewritten` in the place of `scalar`."""
    # Without quotes, YAML would read the braces as a mapping.
    quote = {"plain": '"', "double": '"', "single": "'"}.get(scalar.style)
    return () if quote is None else (Edit(scalar.span, f"{quote}{rewritten}{quote}"),)


def _check_scalar(
    scalar: Scalar, scope: Scope, diagnostics: Diagnostics, expected: Type | None, condition: bool
) -> Typed:
    """Return the typed tree of an expression, of type `expected` or a condition.

    Adds it to the readings, if any are recorded.

    Errors go to `diagnostics`, and the result then has unknown types in their place.
    """
    checker = _Checker(scalar, diagnostics, begin(scalar, scope, BOOLEAN if condition else expected))
    try:
        tree = parse_expression(scalar.text)
    except ExpressionError as error:
        span = scalar.position(error.start, error.end - error.start)
        diagnostics.add(CODES[error.code], error.message, span, suggestion=error.suggestion)
        return BROKEN
    if condition:
        return checker.check_cost(checker.check_condition(tree, scope), scope)
    typed = checker.check_cost(checker.check_value(tree, scope, expected), scope)
    return checker.fit(typed, expected, tree) if expected is not None else typed


def explain_lost_test(message: str, step: RelatedSpan | None) -> tuple[str, tuple[RelatedSpan, ...]]:
    """Return a message about a tested value, and related places, with the step that may have changed it, if any."""
    return (message, ()) if step is None else (f"{message}: it was tested, but {step.message}", (step,))


_TESTED = (language_diagnostics.MAY_BE_NONE, language_diagnostics.DIVISION_BY_ZERO)
"""The codes of faults that a test before the expression prevents."""

TRUE = Constant(BOOLEAN, True)
KEYS = re.compile(r"(?<=[{,])\s*([A-Za-z_]\w*)\s*(?=:)")
"""The names before colons between braces."""


class _Checker:
    """Checks the trees of one scalar."""

    def __init__(self, scalar: Scalar, diagnostics: Diagnostics, reading: ScalarReading | None = None) -> None:
        self.scalar = scalar
        self.reading = reading
        self.diagnostics = diagnostics
        self.lost: dict[tuple[int, int], RelatedSpan] = {}
        """The steps that may have undone a test, by the offsets of the tested value."""

    def report(self, code: Code, message: str, node: Syntax, suggestion: str | None = None) -> Typed:
        """Report an error at `node`, and return `BROKEN`."""
        if suggestion is None and code is language_diagnostics.MAY_BE_NONE:
            suggestion = language_diagnostics.suggest_presence(self.get_source_text(node))
        step = self.lost.get((node.start, node.end)) if code in _TESTED else None
        message, related = explain_lost_test(message, step)
        span = self.scalar.position(node.start, max(1, node.end - node.start))
        self.diagnostics.add(code, message, span, related=related, suggestion=suggestion)
        return BROKEN

    def report_at(self, code: Code, message: str, start: int, end: int, suggestion: str | None = None) -> Typed:
        """Report an error between two offsets, and return `BROKEN`."""
        span = self.scalar.position(start, max(1, end - start))
        self.diagnostics.add(code, message, span, suggestion=suggestion)
        return BROKEN

    def check_cost(self, typed: Typed, scope: Scope) -> Typed:
        """Return `typed`, or report an error and return `BROKEN` if its static cost is too high."""
        cost = ExpressionCosts.for_declarations(scope.declarations).estimate(typed)
        if cost <= MOST_IN_AN_EXPRESSION:
            return typed
        message = (
            f"this expression takes {summarize_cost(cost)} operations, but only {MOST_IN_AN_EXPRESSION:,} are allowed"
        )
        hint = "go through fewer elements, or store an intermediate result in a field"
        return self.report_at(language_diagnostics.TOO_MUCH_WORK, message, 0, len(self.scalar.text), hint)

    def check_value(self, node: Syntax, scope: Scope, expected: Type | None = None) -> Typed:
        """Return the typed tree of `node`. `expected` gives bare ids their meaning, and is not enforced here."""
        return self._refuse_record(self._any(node, scope, expected), node)

    def get_source_text(self, node: Syntax) -> str:
        """Return the source text of `node`."""
        return self.scalar.text[node.start : node.end]

    def record(self, node: Syntax, scope: Scope) -> Typed:
        """Return the typed tree of `node`, which may be all results of a step, for the left side of a dot."""
        return self._any(node, scope, None)

    def fit(self, typed: Typed, expected: Type, node: Syntax) -> Typed:
        """Return `typed`, or `BROKEN` after a report at `node` if its type is not assignable to `expected`."""
        if is_assignable(expected, typed.type):
            return typed
        needed = f"{expected} {'are' if isinstance(expected, Dice) else 'is'} needed here"
        if isinstance(typed.type, Optional) and is_assignable(expected, typed.type.inner):
            return self.report(language_diagnostics.MAY_BE_NONE, f"{needed}, but this may be none", node)
        hint = self._without_none(typed, expected, node)
        hint = hint or ("ask a question, such as `x > 0`" if isinstance(expected, Boolean) else f"write {expected}")
        return self.report(language_diagnostics.WRONG_TYPE, f"{needed}, but this is {typed.type}", node, hint)

    def _without_none(self, typed: Typed, expected: Type, node: Syntax) -> str | None:
        """Return a hint for removing missing values from a list, or None if that does not help."""
        value = typed.type.inner if isinstance(typed.type, ListOf) else None
        if not isinstance(value, Optional) or not is_assignable(expected, ListOf(value.inner)):
            return None
        if isinstance(node, untyped_ast.Operation) and isinstance(typed, Arithmetic) and isinstance(typed.right, Items):
            return language_diagnostics.suggest_presence(self.get_source_text(node.operands[1]))
        if not isinstance(node, untyped_ast.Aggregate) or node.condition is not None:
            return "leave out missing values, as in `list(x for x in … if x)`"
        written = self.get_source_text(node)
        each = self.get_source_text(node.element)
        return f"leave out missing values: `{written.removesuffix(')')} if {each})`"

    def check_condition(self, node: Syntax, scope: Scope) -> Typed:
        """Return `node` as a yes-or-no question: an optional value asks whether it is there."""
        return self.as_condition(self.check_question(node, scope), node)

    def check_question(self, node: Syntax, scope: Scope) -> Typed:
        """Return the typed tree of a value whose presence is tested, and which may be known to be present."""
        typed = self._form(node, scope, None)
        if self.reading is not None:
            self.reading.parts.append((node, typed))
        return self._refuse_record(typed, node)

    def as_condition(self, typed: Typed, node: Syntax) -> Typed:
        """Return `typed` as a truth value. An optional boolean that is none is not true."""
        if isinstance(typed.type, Optional):
            is_boolean = isinstance(typed.type.inner, Boolean)
            return Comparison(BOOLEAN, "==", typed, TRUE) if is_boolean else Present(BOOLEAN, typed)
        return self.fit(typed, BOOLEAN, node)

    def _any(self, node: Syntax, scope: Scope, expected: Type | None) -> Typed:
        """Return the typed tree of `node`, which may be all results of a step, and add it to the reading of the scalar.

        An optional value that is known to be there loses the `optional` of its type.
        """
        typed = self._form(node, scope, expected)
        if self.reading is not None:
            self.reading.parts.append((node, typed))
        if isinstance(typed.type, Optional) and (
            is_known_present(typed, scope.facts, scope.declarations) or has_certain_end(typed, scope.declarations)
        ):
            return replace(typed, type=typed.type.inner)
        if scope.lost and (path := build_path(typed)):
            fact = path if isinstance(typed.type, Optional) else f"{path}.{NOT_ZERO}"
            if fact in scope.lost:
                self.lost[node.start, node.end] = scope.lost[fact]
        return typed

    def _refuse_record(self, typed: Typed, node: Syntax) -> Typed:
        """Return `typed`, or report that it is all results of a step and return `BROKEN`."""
        if not isinstance(typed.type, Record):
            return typed
        parts = list(typed.type.fields)
        message = "this contains all results of a step; only its parts are values"
        return self.report(
            language_diagnostics.WRONG_TYPE, message, node, f"name a part: `.{parts[0]}`" if parts else None
        )

    def _form(self, node: Syntax, scope: Scope, expected: Type | None) -> Typed:
        """Return the typed tree of `node` by its form. Reports errors, and then returns `BROKEN`."""
        match node:
            case untyped_ast.Literal(value=value):
                kind = NOTHING if value is None else BOOLEAN if isinstance(value, bool) else INTEGER
                return Constant(kind, value)
            case untyped_ast.DiceLiteral():
                return self._dice(node, scope)
            case untyped_ast.Name():
                return check_name(self, node, scope, expected)
            case untyped_ast.Field():
                return check_field(self, node, scope)
            case untyped_ast.Index():
                return check_index(self, node, scope)
            case untyped_ast.Operation(operator="and"):
                return check_and(self, node, scope)
            case untyped_ast.Operation(operator="or"):
                return check_or(self, node, scope, expected)
            case untyped_ast.Operation():
                return check_operation(self, node, scope)
            case untyped_ast.Conditional():
                return check_conditional(self, node, scope, expected)
            case untyped_ast.Listing():
                return self._listing(node, scope, expected)
            case untyped_ast.Call():
                return check_call(self, node, scope)
            case untyped_ast.RowCall():
                return check_row_call(self, node, scope)
            case untyped_ast.Aggregate():
                return check_aggregate(self, node, scope)
        raise TypeError(f"{type(node).__name__} is not an expression")

    def _dice(self, node: untyped_ast.DiceLiteral, scope: Scope) -> Typed:
        """Return a roll in braces as a constant. Reports invalid notation, and then returns `BROKEN`."""
        from rulewright.dice.dice_error import DiceError

        try:
            return Constant(DICE, scope.declarations.read_dice(node.notation))
        except DiceError as error:
            start = node.start + error.start
            hint = f"write `{error.suggestion}`" if error.suggestion else error.help
            hint = scope.declarations.record_of(KEYS.findall(node.notation)) or hint
            name = error.expression[error.start : error.end]
            if error.suggestion is None and error.code == "unknown-die" and self._is_known(name, scope):
                hint = (
                    f"`{name}` is a named number, but braces may contain "
                    "only dice and literal numbers: write the number itself"
                )
            return self.report_at(
                language_diagnostics.DICE_NOTATION, error.message, start, node.start + error.end, hint
            )

    def _is_known(self, name: str, scope: Scope) -> bool:
        """Return whether `name` is a value of the rules here."""
        quiet = _Checker(self.scalar, Diagnostics())
        return not isinstance(quiet.check_value(untyped_ast.Name(0, 1, name), scope).type, Unknown)

    def _listing(self, node: untyped_ast.Listing, scope: Scope, expected: Type | None) -> Typed:
        """Return the typed tree of a literal list.

        A bare id takes its meaning from `expected`, or from the items before it.

        Reports items of different types, and then returns `BROKEN`.
        """
        type_ = present(expected) if expected is not None else None
        inner = type_.inner if isinstance(type_, ListOf) else UNKNOWN
        kind: Type = UNKNOWN
        items = []
        for source in node.items:
            # Bare ids may take their meaning from the items before them.
            item = self.check_value(source, scope, inner if inner != UNKNOWN else kind)
            joined = join(kind, item.type)
            if joined is None:
                return self.report(language_diagnostics.WRONG_TYPE, f"a list of {kind} cannot hold {item.type}", source)
            kind = joined
            items.append(item)
        return Items(ListOf(kind if items else inner), tuple(items))


PLAIN = {"int": INTEGER, "count": INTEGER, "bool": BOOLEAN, "text": TEXT, "dice": DICE}
"""The types that need no declaration. A `count` is a number that is never below zero."""


def read_type(node: Node | None, declarations: Declarations, diagnostics: Diagnostics) -> Type:
    """Return the type written in `node`.

    Errors go to `diagnostics`, and the type is then unknown, as it is without a node.
    """
    if not isinstance(node, Scalar):
        if node is not None:
            diagnostics.add(
                language_diagnostics.UNKNOWN_TYPE, f"a type is written as text, not as {node.kind}", node.span
            )
        return UNKNOWN
    try:
        tree = parse_type(node.text)
    except ExpressionError as error:
        span = node.position(error.start, error.end - error.start)
        diagnostics.add(CODES[error.code], error.message, span, suggestion=error.suggestion)
        return UNKNOWN
    return _resolve(tree, node, declarations, diagnostics)


COMPOUND = (ListOf, MapOf, RecordOf, Text, Dice)
"""The types that a map or record cannot contain, because each of its values must have a known size."""

_COUNT = re.compile(r"(?:map\s+of\s+\w+\s+to\s+)?count")


def is_count(node: Node | None) -> bool:
    """Return whether the type written in `node` is `count`, or a map to counts: numbers that are never below zero."""
    return isinstance(node, Scalar) and _COUNT.fullmatch(node.text.strip()) is not None


def _resolve(tree: TypeName, node: Scalar, declarations: Declarations, diagnostics: Diagnostics) -> Type:
    """Return the type that a tree of names means. Unknown names are reported, and are unknown types in the result."""
    match tree:
        case TypeName(form="optional", inner=TypeName() as inner):
            return make_optional(_resolve(inner, node, declarations, diagnostics))
        case TypeName(form="list", inner=TypeName() as inner):
            return ListOf(_resolve(inner, node, declarations, diagnostics))
        case TypeName(form="map", names=(table,), inner=TypeName() as inner):
            return _map(tree, table, _resolve(inner, node, declarations, diagnostics), node, declarations, diagnostics)
        case TypeName(form="choice", names=names):
            return Choice(names)
    name = tree.names[0]
    if name in PLAIN:
        return PLAIN[name]
    if name in declarations.kinds:
        return Entity(name)
    if name in declarations.tables:
        return Row(name)
    if name in declarations.records:
        return declarations.records[name].type
    known = [*PLAIN, *declarations.kinds, *declarations.tables, *declarations.records]
    span = node.position(tree.start, tree.end - tree.start)
    other = _OTHER_TYPES.get(name.casefold())
    hint = Suggestion(f"did you mean `{other}`?", name, [other]) if other else suggest_name(name, known)
    diagnostics.add(language_diagnostics.UNKNOWN_TYPE, f"there is no type `{name}`", span, suggestion=hint)
    return UNKNOWN


_OTHER_TYPES = {
    **dict.fromkeys(("string", "str", "word"), "text"),
    **dict.fromkeys(("integer", "number", "num"), "int"),
    **dict.fromkeys(("boolean", "flag", "truth"), "bool"),
    **dict.fromkeys(("die", "roll"), "dice"),
}
"""The types of the language by their names in other languages."""


def _map(
    tree: TypeName, table: str, inner: Type, node: Scalar, declarations: Declarations, diagnostics: Diagnostics
) -> Type:
    """Return the type of a map of a table's rows. Errors go to `diagnostics`, and the type is then unknown."""
    span = node.position(tree.start, tree.end - tree.start)
    if table not in declarations.tables:
        hint = suggest_name(table, declarations.tables)
        message = f"a map has a value for each row of a table, but there is no table `{table}`"
        diagnostics.add(language_diagnostics.UNKNOWN_TYPE, message, span, suggestion=hint)
        return UNKNOWN
    if isinstance(present(inner), COMPOUND):
        message = f"a map has a number, a boolean, an id, a row or an object for each row, not {inner}"
        diagnostics.add(
            language_diagnostics.UNKNOWN_TYPE,
            message,
            span,
            suggestion="declare a kind with these fields, and map the rows to its objects",
        )
        return UNKNOWN
    return UNKNOWN if isinstance(inner, Unknown) else MapOf(table, inner)
