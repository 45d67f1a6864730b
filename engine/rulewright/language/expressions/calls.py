"""Calls: functions of the language, formulas of the ruleset, and functions over the elements of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import replace

from rulewright.language import language_diagnostics
from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.declarations import PLAYER_KIND, Declarations, Scope
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.name_resolution import ScalarChecker
from rulewright.language.expressions.narrowing import derive_facts_inside
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    ROW_RANK,
    After,
    Aggregate,
    Apply,
    Arithmetic,
    Cell,
    Constant,
    Invoke,
    Items,
    Objects,
    Typed,
    Variable,
)
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.expressions.walk_functions import check_walk, refuse_walking
from rulewright.language.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    UNKNOWN,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Nothing,
    Optional,
    Ratio,
    Row,
    Type,
    Unknown,
    present,
)
from rulewright.source.diagnostics.suggestions import suggest_name

_QUESTIONS = ("any", "none", "all")
"""Functions that ask something of each element."""


def check_call(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> Typed:
    """Return the typed tree of `function(a, b)`: a formula, a record, or a built-in function.

    Reports an unknown function or unsuitable arguments, and then returns `BROKEN`, as for arguments that are broken.
    """
    declared = scope.declarations
    if node.function in declared.formulas:
        return _invoke(checker, node, scope)
    if node.function in declared.records:
        return _check_record(checker, node, scope)
    if node.function in scope.player_functions:
        return _expand_player_function(checker, node, scope)
    if len(node.arguments) == 1 and node.function in list_functions():
        source = checker.check_value(node.arguments[0], scope)
        if isinstance(source.type, ListOf):
            element = Variable(source.type.inner, "it")
            return _check_aggregate(checker, node, node.function, element, "it", source, None, None)
        if node.function not in list_functions_of_values():
            return checker.fit(source, ListOf(UNKNOWN), node.arguments[0])
        arguments: tuple[Typed, ...] = (source,)
    elif node.function not in list_functions_of_values():
        built_in = [*list_functions_of_values(), *list_functions(), *list_walks()]
        known = [*built_in, *declared.formulas, *declared.records, *scope.player_functions]
        if node.function in list_walks():
            message = f"`{node.function}` walks from place to place, so it takes a `for`"
            return checker.report(
                language_diagnostics.WRONG_TYPE, message, node, f"write `{list_walks()[node.function].signature}`"
            )
        if node.function in list_functions():
            message = f"`{node.function}` takes one list"
            items = ", ".join(checker.get_source_text(argument) for argument in node.arguments)
            return checker.report(language_diagnostics.WRONG_TYPE, message, node, f"write `{node.function}([{items}])`")
        message = f"there is no function `{node.function}`"
        hint = (
            _suggest_removal(checker, node)
            or suggest_name(node.function, known)
            or f"{_list_functions(built_in)}, and those under `formulas:`"
        )
        end = node.start + len(node.function)
        return checker.report_at(language_diagnostics.UNKNOWN_FUNCTION, message, node.start, end, hint)
    elif list_functions_of_values()[node.function].looks_ahead:
        return _check_after(checker, node, scope)
    else:
        arguments = _check_compared(checker, node, scope)
    if any(isinstance(argument.type, Unknown) for argument in arguments):
        return BROKEN
    function = list_functions_of_values()[node.function]
    if function.of_players and [argument.type for argument in arguments] == [PLAYER]:
        arguments = (*arguments, Objects(ListOf(PLAYER), PLAYER_KIND))
    result = function.result([argument.type for argument in arguments])
    if isinstance(result, str):
        if not isinstance(function.result([present(argument.type) for argument in arguments]), str):
            culprit = next(n for n, a in zip(node.arguments, arguments, strict=True) if isinstance(a.type, Optional))
            message = f"`{node.function}` needs a value here, but this may be none"
            return checker.report(language_diagnostics.MAY_BE_NONE, message, culprit)
        return checker.report(language_diagnostics.WRONG_TYPE, result, node)
    return Apply(result, node.function, arguments)


def _list_values(kind: Type, declared: Declarations) -> tuple[str, ...]:
    """Return the names after a dot that give a value of a row or an object."""
    match kind:
        case Row(table=table):
            return tuple(declared.tables[table].columns)
        case Entity(kind=name):
            return (*declared.kinds[name].fields, *declared.kinds[name].derived)
    return ()


def _expand_player_function(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> Typed:
    """Return the tree of a function of a player that only this scope has. Reports unsuitable arguments."""
    if len(node.arguments) != 1:
        message = f"`{node.function}` takes a player; it is given {_count_values(node.arguments)}"
        return checker.report(language_diagnostics.ARGUMENTS, message, node)
    player = checker.fit(checker.check_value(node.arguments[0], scope, PLAYER), PLAYER, node.arguments[0])
    return BROKEN if isinstance(player.type, Unknown) else scope.player_functions[node.function](player)


_AFTER_FORM = "write `after(procedure(…), condition)`"


def _check_after(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> Typed:
    """Return the typed tree of `after(procedure(a, b), condition)`.

    Reports another form, a place that may not look ahead, an unknown procedure, and unsuitable arguments. It then
    returns `BROKEN`.
    """
    call = node.arguments[0] if len(node.arguments) == _CALL_AND_CONDITION else None
    match call:
        case untyped_ast.Call(function=procedure, arguments=given):
            pass
        case untyped_ast.Name(text=procedure):
            given = ()
        case _:
            message = f"`{node.function}` takes a procedure with its values, and a condition"
            return checker.report(language_diagnostics.WRONG_TYPE, message, node, _AFTER_FORM)
    if not scope.looks_ahead:
        message = f"`{node.function}` is allowed in formulas and steps, but not here"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node, "write a formula, and use it here")
    declared = scope.declarations
    if procedure not in declared.procedure_parameters:
        hint = suggest_name(procedure, declared.procedure_parameters)
        if procedure in declared.formulas and hint is None:
            hint = f"`{procedure}` is a formula, which changes nothing: {_AFTER_FORM}"
        message, end = f"there is no procedure `{procedure}`", call.start + len(procedure)
        return checker.report_at(language_diagnostics.UNKNOWN_PROCEDURE, message, call.start, end, hint)
    parameters = declared.procedure_parameters[procedure]
    if len(parameters) != len(given):
        message = f"`{procedure}` takes {', '.join(parameters) or 'nothing'}; it is given {_count_values(given)}"
        return checker.report(language_diagnostics.ARGUMENTS, message, call)
    arguments = tuple(
        checker.fit(checker.check_value(argument, scope, kind), kind, argument)
        for kind, argument in zip(parameters.values(), given, strict=True)
    )
    # The procedure may change any field, but neither the names of steps nor those of `for`.
    stable_facts = frozenset(fact for fact in scope.facts if "." not in fact and " " not in fact)
    condition = checker.check_condition(node.arguments[1], replace(scope, facts=stable_facts))
    if any(isinstance(part.type, Unknown) for part in (*arguments, condition)):
        return BROKEN
    typed = After(BOOLEAN, procedure, arguments, condition)
    if checker.reading is not None:
        checker.reading.parts.append((call, typed))
    return typed


_CALL_AND_CONDITION = 2


def _count_values(given: Sized) -> str:
    return f"{len(given)} value{'' if len(given) == 1 else 's'}"


def _suggest_removal(checker: ScalarChecker, node: untyped_ast.Call) -> str | None:
    """Return a hint for a function that should remove something from a list, or None for other functions."""
    removes = any(word in node.function for word in ("without", "remove", "discard", "minus", "except", "drop"))
    if not removes or len(node.arguments) != _LIST_AND_ITEM:
        return None
    value, other = (checker.get_source_text(argument) for argument in node.arguments)
    alike = f"list(each for each in {value} if each != {other})"
    return f"write `{value} - {other}` to remove it once, or `{alike}` to leave out all equal elements"


_LIST_AND_ITEM = 2


def _check_compared(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> tuple[Typed, ...]:
    """Return the typed arguments of a function of values.

    If the function compares them, bare ids after the first argument are read as values of the first one's type.
    """
    arguments: list[Typed] = []
    for argument in node.arguments:
        expected = arguments[0].type if arguments and list_functions_of_values()[node.function].ranked else None
        arguments.append(checker.check_value(argument, scope, expected))
    return tuple(arguments)


def _list_functions(names: Iterable[str]) -> str:
    """Return the functions there are, as a suggestion."""
    return f"the functions are {', '.join(f'`{name}`' for name in sorted(set(names)))}"


def check_aggregate(checker: ScalarChecker, node: untyped_ast.Aggregate, scope: Scope) -> Typed:
    """Return the typed tree of `function(element for variable in source if condition by order)`.

    Reports errors, and then returns `BROKEN`.
    """
    if node.function in list_walks():
        return check_walk(checker, node, scope)
    if node.function not in list_functions():
        of_lists = [*list_functions(), *list_walks()]
        near = suggest_name(node.function, of_lists) or _list_functions(of_lists)
        message = f"`{node.function}` is not a function of a list"
        end = node.start + len(node.function)
        return checker.report_at(language_diagnostics.UNKNOWN_FUNCTION, message, node.start, end, near)
    scope = replace(scope, later=scope.later.union((node.variable, *(name for name, _ in node.others))))
    source = checker.check_value(node.source, scope)
    if isinstance(source.type, Unknown):
        return BROKEN
    refused = refuse_walking(checker, node)
    if refused is not None:
        return refused
    if node.others and isinstance(source.type, ListOf):
        return _check_pairs(checker, node, scope)
    if not isinstance(source.type, ListOf):
        hint = f"go through the rows: `in {source.type.table}`" if isinstance(source.type, MapOf) else None
        return checker.report(
            language_diagnostics.WRONG_TYPE, f"`in` needs a list, but this is {source.type}", node.source, hint
        )
    inner = scope.with_variable(node.variable, source.type.inner)
    condition = checker.check_condition(node.condition, inner) if node.condition is not None else None
    if condition is not None:
        inner = inner.with_facts(derive_facts_inside(condition, scope.declarations))
    element = (checker.check_question if node.function in _QUESTIONS else checker.check_value)(node.element, inner)
    order = _check_order(checker, node.order, inner) if node.order is not None else None
    if order is not None and node.order is not None and not _orders(order):
        message = f"`by` orders by numbers, means or rows, not by {order.type}"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.order)
    return _check_aggregate(checker, node, node.function, element, node.variable, source, condition, order)


_OF_PARTS = {"any": "any", "all": "all", "none": "any", "sum": "sum", "count": "count"}
"""The functions that can be computed from their results for parts of a list, each with the function of a part."""


def _check_pairs(checker: ScalarChecker, node: untyped_ast.Aggregate, scope: Scope) -> Typed:
    """Return the typed tree of an aggregate with several `for`: one over the first list, of one over the others.

    Reports errors, also an order (`by`), and then returns `BROKEN`.
    """
    if node.order is not None:
        message = "`by` orders one list, so only one `for` is allowed"
        return checker.report(
            language_diagnostics.WRONG_TYPE,
            message,
            node.order,
            f"make a list first: `{node.function}(each for each in list(…) by …)`",
        )
    part = _OF_PARTS.get(node.function, "list")
    (variable, source), *others = node.others
    inner = replace(node, function=part, variable=variable, source=source, others=tuple(others))
    if part != "list":
        whole = "sum" if node.function == "count" else node.function
        return check_aggregate(checker, replace(node, function=whole, element=inner, condition=None, others=()), scope)
    pairs = replace(node, function="flatten", element=inner, condition=None, others=())
    values = check_aggregate(checker, pairs, scope)
    if node.function == "list" or not isinstance(values.type, ListOf):
        return values
    element = Variable(values.type.inner, "it")
    return _check_aggregate(checker, node, node.function, element, "it", values, None, None)


def _check_order(checker: ScalarChecker, node: Syntax, scope: Scope) -> Typed:
    """Return the typed tree of the value after `by`. A row with a minus sign orders backwards."""
    if isinstance(node, untyped_ast.Operation) and node.operator == "neg":
        row = checker.check_value(node.operands[0], scope)
        if isinstance(row.type, Row):
            return Arithmetic(INTEGER, "-", Constant(INTEGER, 0), Cell(INTEGER, row, row.type.table, ROW_RANK))
        if isinstance(row.type, Unknown):
            return BROKEN
    return checker.check_value(node, scope)


def _orders(order: Typed) -> bool:
    return isinstance(order.type, (Integer, Ratio, Row, Unknown))


def _check_aggregate(
    checker: ScalarChecker,
    node: Syntax,
    name: str,
    element: Typed,
    variable: str,
    source: Typed,
    condition: Typed | None,
    order: Typed | None,
) -> Typed:
    """Return the typed tree of a function of a list, from its checked parts.

    Reports elements that do not suit the function, and a list that is always empty, and then returns `BROKEN`. `node`
    is where they are reported.
    """
    if name in _QUESTIONS and isinstance(element.type, Optional):
        element = checker.as_condition(element, node)
    result = list_functions()[name].result([element.type])
    if isinstance(result, str):
        if not isinstance(list_functions()[name].result([present(element.type)]), str):
            message = f"`{name}` needs a value for each element, but any of these may be none"
            at = node.element if isinstance(node, untyped_ast.Aggregate) else node
            hint = f"leave out missing values: `… if {checker.get_source_text(at)}`" if at is not node else None
            return checker.report(language_diagnostics.MAY_BE_NONE, message, at, hint)
        return checker.report(language_diagnostics.WRONG_TYPE, result, node)
    if isinstance(result, Unknown) and isinstance(source, Items) and not source.items:
        return checker.report(
            language_diagnostics.WRONG_TYPE, f"this list is always empty, so `{name}` has no use", node
        )
    return Aggregate(result, name, element, variable, source, condition, order)


def _check_record(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> Typed:
    """Return the typed tree of `record(a, b)`, which makes a record from a value for each part.

    Reports a wrong number of parts and wrong types, and then returns `BROKEN`.
    """
    kind = scope.declarations.records[node.function].type
    arguments = node.arguments
    if len(kind.parts) != len(arguments):
        names = ", ".join(name for name, _ in kind.parts)
        message = f"a record `{kind.name}` is made of {names}; this gives {_count_values(arguments)}"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node, f"write `{kind.name}({names})`")
    if any(isinstance(part, Unknown) for _, part in kind.parts):
        return BROKEN
    parts = [
        checker.fit(checker.check_value(argument, scope, part), part, argument)
        for (_, part), argument in zip(kind.parts, arguments, strict=True)
    ]
    if any(isinstance(part.type, Unknown) for part in parts):
        return BROKEN
    # A missing part is not `nobody`, which is for players.
    saved = (
        Constant(type_, None) if isinstance(part.type, Nothing) else part
        for part, (_, type_) in zip(parts, kind.parts, strict=True)
    )
    return Items(kind, tuple(saved))


def _invoke(checker: ScalarChecker, node: untyped_ast.Call, scope: Scope) -> Typed:
    """Return the typed tree of a call of a formula.

    Reports a wrong number of arguments, and then returns `BROKEN`, as for a formula that is broken itself. An argument
    that does not fit is reported, and is `BROKEN` in the result.
    """
    formula = scope.declarations.formulas[node.function]
    if isinstance(formula.type, Unknown):
        return BROKEN
    arguments = _check_arguments(checker, node.function, formula.parameters, node, node.arguments, scope)
    return BROKEN if arguments is None else Invoke(formula.type, formula.id, arguments)


def _check_arguments(
    checker: ScalarChecker,
    name: str,
    parameters: Mapping[str, Type],
    node: Syntax,
    given: Sequence[Syntax],
    scope: Scope,
) -> tuple[Typed, ...] | None:
    """Return the typed arguments of a call of `name`, or None after a report of a wrong number of arguments.

    An argument that does not fit is reported, and is `BROKEN` in the result.
    """
    if len(parameters) != len(given):
        message = f"`{name}` takes {', '.join(parameters) or 'nothing'}; it is given {_count_values(given)}"
        checker.report(language_diagnostics.WRONG_TYPE, message, node)
        return None
    return tuple(
        checker.fit(checker.check_value(argument, scope, kind), kind, argument)
        for kind, argument in zip(parameters.values(), given, strict=True)
    )


def check_row_call(checker: ScalarChecker, node: untyped_ast.RowCall, scope: Scope) -> Typed:
    """Return the typed tree of `row.column(a, b)`, the formula of the column on the row and the arguments.

    Reports anything but a row with such a column, and unsuitable arguments. It then returns `BROKEN`.
    """
    declared = scope.declarations
    row = checker.check_value(node.row, scope)
    if isinstance(row.type, Unknown):
        return BROKEN
    if isinstance(row.type, Optional):
        message = f"this may be none, and none has no `{node.column}`"
        return checker.report(language_diagnostics.MAY_BE_NONE, message, node.row)
    table = declared.tables[row.type.table] if isinstance(row.type, Row) else None
    column = table.formulas.get(node.column) if table is not None else None
    if column is None:
        hint = suggest_name(node.column, table.formulas) if table is not None else None
        if node.column in declared.formulas:
            given = ", ".join(checker.get_source_text(each) for each in (node.row, *node.arguments))
            hint = f"`{node.column}` is a formula: write `{node.column}({given})`"
        elif node.column in _list_values(row.type, declared):
            hint = f"it is a value without parameters: write `{checker.get_source_text(node.row)}.{node.column}`"
        message = f"{row.type} has no `{node.column}(…)`, which only a column with `given:` has"
        end = node.name_start + len(node.column)
        return checker.report_at(language_diagnostics.UNKNOWN_FUNCTION, message, node.name_start, end, hint)
    formula = declared.formulas[column.formula]
    if isinstance(formula.type, Unknown):
        return BROKEN
    arguments = _check_arguments(checker, node.column, column.parameters, node, node.arguments, scope)
    return BROKEN if arguments is None else Invoke(formula.type, formula.id, (row, *arguments))
