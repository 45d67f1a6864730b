"""Paths: fields of objects, columns of rows, rows of tables, parts of what a procedure gave."""

from __future__ import annotations

from rulewright.language import codes
from rulewright.language.declarations import GAME, GAME_KIND, Declarations
from rulewright.language.expression import syntax
from rulewright.language.expression.checking import Checking
from rulewright.language.expression.names import listed
from rulewright.language.expression.typed import BROKEN, Cell, Constant, Invoke, Local, Lookup, Stored, Typed
from rulewright.language.scope import Scope
from rulewright.language.types import INTEGER, Choice, Optional, Record, Row, Thing, Unknown
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggest import did_you_mean


def check_field(checker: Checking, node: syntax.Field, scope: Scope) -> Typed:
    """`base.name`."""
    declared = scope.declarations
    head = node.base.text if isinstance(node.base, syntax.Name) else ""
    if head and head not in scope.variables and head not in scope.locals:
        if head == "options" and declared.options:
            return _option(checker, node, declared)
        if head in declared.tables:
            if node.name in declared.tables[head].rows:
                return Constant(Row(head), node.name, node.name)
            rows = list(declared.tables[head].rows)
            hint = did_you_mean(node.name, rows) or listed(rows)
            return _fault(checker, codes.UNKNOWN_ROW, f"{head} has no row `{node.name}`", node, hint)
    base = checker.record(node.base, scope)
    match base.type:
        case Unknown():
            return BROKEN
        case Thing(kind=kind):
            return _thing_field(checker, node, base, kind, declared)
        case Row(table=table):
            return _cell(checker, node, base, declared, table)
        case Record() if isinstance(base, Local):
            return _part(checker, node, base, scope)
        case Optional():
            message = f"this may be none, and none has no field `{node.name}`"
            return checker.report(codes.MAY_BE_NONE, message, node.base)
    return _fault(checker, codes.UNKNOWN_FIELD, f"{base.type} has no fields", node, None)


def check_index(checker: Checking, node: syntax.Index, scope: Scope) -> Typed:
    """`table[key]`."""
    declared = scope.declarations
    if not isinstance(node.base, syntax.Name) or node.base.text not in declared.tables:
        known = did_you_mean(node.base.text, declared.tables) if isinstance(node.base, syntax.Name) else None
        return checker.report(codes.WRONG_TYPE, "only a table is looked up with `[…]`", node.base, known)
    table = declared.tables[node.base.text]
    key = checker.value(node.key, scope, table.type)
    match key.type:
        case Unknown():
            return BROKEN
        case Row(table=other):
            ids = tuple(declared.tables[other].rows)
        case Choice(ids=choices):
            ids = choices
        case Optional():
            message = f"this may be none, and {table.id} has no row for that"
            return checker.report(codes.MAY_BE_NONE, message, node.key)
        case _:
            message = f"{table.id} is looked up by the id of a row, not by {key.type}"
            return checker.report(codes.WRONG_TYPE, message, node.key)
    if isinstance(key, Constant):
        ids = (key.value,)
    missing = [i for i in ids if i not in table.rows]
    if missing:
        message = f"{table.id} has no row `{missing[0]}`, which may be asked for here"
        hint = did_you_mean(missing[0], table.rows) or f"add a row `{missing[0]}` to {table.id}"
        return checker.report(codes.UNKNOWN_ROW, message, node.key, hint)
    return Lookup(table.type, key, table.id)


def _fault(checker: Checking, code: Code, message: str, node: syntax.Field, hint: str | None) -> Typed:
    return checker.report_at(code, message, node.name_start, node.end, hint)


def _option(checker: Checking, node: syntax.Field, declared: Declarations) -> Typed:
    if node.name not in declared.options:
        hint = did_you_mean(node.name, declared.options)
        return _fault(checker, codes.UNKNOWN_NAME, f"there is no option `{node.name}`", node, hint)
    kind = declared.options[node.name].type
    return Stored(kind, Constant(Thing(GAME_KIND), GAME), GAME_KIND, f"options.{node.name}")


def _thing_field(checker: Checking, node: syntax.Field, base: Typed, kind: str, declared: Declarations) -> Typed:
    owner = declared.kinds[kind]
    if node.name in owner.fields:
        return Stored(owner.fields[node.name].type, base, kind, node.name)
    if node.name in owner.derived:
        formula = declared.formulas.get(owner.derived[node.name])
        if formula is None:  # reported where the derived field is declared
            return BROKEN
        return Invoke(formula.type, formula.id, (base,))
    hint = did_you_mean(node.name, [*owner.fields, *owner.derived])
    return _fault(checker, codes.UNKNOWN_FIELD, f"`{kind}` has no field `{node.name}`", node, hint)


def _cell(checker: Checking, node: syntax.Field, base: Typed, declared: Declarations, table: str) -> Typed:
    if node.name == "rank":
        return Cell(INTEGER, base, table, "rank")
    columns = declared.tables[table].columns
    if node.name in columns:
        return Cell(columns[node.name], base, table, node.name)
    hint = did_you_mean(node.name, [*columns, "rank"])
    return _fault(checker, codes.UNKNOWN_FIELD, f"{table} has no column `{node.name}`", node, hint)


def _part(checker: Checking, node: syntax.Field, base: Local, scope: Scope) -> Typed:
    parts = scope.locals[base.name].parts or {}
    if node.name in parts:
        return Local(parts[node.name].type, parts[node.name].slot, f"{base.name}.{node.name}")
    hint = did_you_mean(node.name, parts)
    return _fault(checker, codes.UNKNOWN_FIELD, f"`{base.name}` gives no `{node.name}`", node, hint)
