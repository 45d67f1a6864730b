"""Report declarations, fields and results of steps that nothing uses."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.language.checked_steps import CellSteps, Step
from rulewright.language.expressions.typed_ast import Local, Stored, Typed
from rulewright.language.language_diagnostics import UNUSED_VALUE
from rulewright.language.lowering import list_operations, list_step_expressions
from rulewright.language.operations import Announce, Bind, Call, Create, Draw, Each, Finish, Leave, Loop, Remove, Write
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose.explained_rules import list_displayed_rules
from rulewright.ruleset.queries.name_uses import (
    iterate_nodes,
    list_all_expressions,
    list_names_of_nodes,
    list_tables_of_type,
)
from rulewright.ruleset.recovery.blame import find_inherited_name
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

UNUSED_DECLARATION = Code(
    "unused-declaration",
    "A declaration that nothing uses",
    "A number that no rule reads looks like a rule but is not one.",
    "Use it in a rule, show it in the rulebook, or remove it.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report unused fields, declarations, dice and results."""
    # Listing all expressions also reads the lazy sections, which registers their rolls.
    nodes = [*iterate_nodes(list_all_expressions(ruleset))]
    _fields(nodes, ruleset, diagnostics)
    _declarations(nodes, ruleset, diagnostics)
    _dice(ruleset, diagnostics)
    _results(ruleset, diagnostics)
    _steps_of_rows(ruleset, diagnostics)


def _fields(nodes: Iterable[Typed], ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report each field that steps set and no expression reads, once, at its declaration.

    `nodes` are those of all expressions. Players read fields to which amounts are added or from which they are taken,
    and fields in their own `log`.
    """
    read = {(node.kind, node.field) for node in nodes if isinstance(node, Stored)}
    reported: set[tuple[str, str]] = set()
    for step in ruleset.steps.values():
        for each in list_operations(step):
            # Players read amounts that steps add or take.
            if not isinstance(each, Write) or each.by:
                continue
            place = (each.kind, each.field)
            if "." not in each.field and place not in read | reported:
                reported.add(place)
                field = ruleset.declarations.kinds[each.kind].fields[each.field]
                if any(f"{{self.{field.name}{end}" in text for text in field.log.values() for end in "}."):
                    continue
                message = f"`{step.rule}` sets `{each.field}` of `{each.kind}`, but no rule reads it"
                diagnostics.add(UNUSED_VALUE, message, field.span)


def _declarations(nodes: Iterable[Typed], ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report numbers, formulas, tables, decks, settings and records that neither rules nor pages use."""
    declared = ruleset.declarations
    used = _find_used(nodes, ruleset) | list_displayed_rules(ruleset)
    for section, result in (
        ("numbers", declared.numbers),
        ("formulas", {name: formula for name, formula in declared.formulas.items() if name.isidentifier()}),
        ("tables", declared.tables),
        ("decks", declared.decks),
        ("options", declared.options),
        ("records", declared.records),
    ):
        for name, item in result.items():
            if f"{section}.{name}" not in used:
                message = f"nothing uses `{section}.{name}`"
                diagnostics.add(
                    UNUSED_DECLARATION,
                    message,
                    item.span,
                    suggestion=find_inherited_name(ruleset.resolved, section, name),
                )


def _dice(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report custom dice and named rolls that no roll and no page uses.

    A ruleset without procedures is skipped, because its dice are for players.
    """
    if not ruleset.procedures:
        return
    declared, pages = ruleset.declarations, list_displayed_rules(ruleset)
    for name, entry in iterate_entries(ruleset.resolved.rules.get("dice")):
        used = any(declared.needs(name, text, names) for text, names in declared.rolls_read)
        if not used and f"dice.{name}" not in pages:
            hint = find_inherited_name(ruleset.resolved, "dice", name)
            diagnostics.add(UNUSED_DECLARATION, f"nothing uses `dice.{name}`", entry.key.span, suggestion=hint)


def _find_used(nodes: Iterable[Typed], ruleset: Ruleset) -> set[str]:
    """Return the paths of the declarations that the rules use, such as `tables.guests`. Pages do not count."""
    declared = ruleset.declarations
    used = {
        f"formulas.{ruleset.evaluate}",
        f"formulas.{ruleset.payoff}",
        *list_names_of_nodes(nodes, ruleset),
    }
    for procedure in ruleset.procedures.values():
        for step in procedure.iterate_steps():
            if step.binds is not None:
                used.update(list_tables_of_type(step.binds))
            used.update(f"decks.{each.deck}" for each in list_operations(step) if isinstance(each, Draw))
    for deck in declared.decks.values():
        used.add(f"tables.{deck.table}")
    for kind in declared.kinds.values():
        for field in kind.fields.values():
            used.update(list_tables_of_type(field.type))
    for result in declared.tables.values():
        for column in result.columns.values():
            used.update(path for path in list_tables_of_type(column) if path != f"tables.{result.id}")
    return used


def _results(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report results of steps that no expression of their procedure reads, if the step is only for its result.

    Results of exceptions and of steps that another rule inserts are skipped. Steps that rows share are reported once.
    """
    reported: set[Span] = set()
    for procedure in ruleset.procedures.values():
        read = _find_slots(procedure.gives.values())
        for step in procedure.iterate_steps():
            # A step may compute one of its results from another one.
            read |= _find_slots(list_step_expressions(step)) - set(step.slots)
        for step in procedure.iterate_steps():
            own = step.rule == f"{procedure.id}.{step.id}"
            bound = {each.slot for each in list_operations(step) if isinstance(each, Bind)}
            if own and _is_for_its_result(step) and step.slots and read.isdisjoint(bound.union(step.slots)):
                message = f"nothing in `{procedure.id}` uses `{step.id}`"
                if step.span not in reported:
                    diagnostics.add(UNUSED_VALUE, message, step.span)
                reported.add(step.span)


def _find_slots(expressions: Iterable[Typed]) -> set[int]:
    """Return the slots that the expressions read."""
    return {node.slot for node in iterate_nodes(expressions) if isinstance(node, Local)}


def _steps_of_rows(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report columns of steps that no step runs, for any row or for one, and no example either."""
    called = {
        each.procedure
        for step in ruleset.steps.values()
        if not step.is_dispatch
        for each in list_operations(step)
        if isinstance(each, Call)
    }
    called |= {example.of for example in ruleset.examples.values()}
    for procedure in ruleset.procedures.values():
        cell = procedure.cell
        if cell is None or not procedure.is_dispatch:
            continue
        rows = ruleset.declarations.tables[cell.table].rows
        if called.isdisjoint([procedure.id, *(CellSteps(cell.table, row, cell.column).id for row in rows)]):
            message = f"nothing runs the steps in the column `{cell.column}` of `{cell.table}`"
            hint = f"run them where a row takes effect, with `do: row.{cell.column}`"
            diagnostics.add(UNUSED_DECLARATION, message, procedure.span, suggestion=hint)


def _is_for_its_result(step: Step) -> bool:
    """Return whether a step has no effect besides its result."""
    return not step.blocks and not any(
        isinstance(each, Write | Create | Remove | Announce | Call | Loop | Each | Finish | Leave)
        for each in list_operations(step)
    )
