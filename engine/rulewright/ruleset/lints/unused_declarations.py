"""Numbers, formulas, tables, decks and options that no rule uses."""

from __future__ import annotations

from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression.typed import Cell, Constant, Invoke, Lookup, Stored
from rulewright.language.types import ListOf, Optional, Row, Type
from rulewright.ruleset.reading import everything, nodes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.shown import shown
from rulewright.source.diagnostic import Code
from rulewright.source.diagnostics import Diagnostics

UNUSED_DECLARATION = Code(
    "unused-declaration",
    "Something declared that nothing uses",
    "A figure that no rule reads looks like a rule and is none.",
    "Use it in a rule, show it in the rulebook, or remove it.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report what neither rules nor the rulebook use."""
    declared = ruleset.declarations
    used = _used(ruleset) | shown(ruleset)
    for section, found in (
        ("numbers", declared.numbers),
        ("formulas", {name: formula for name, formula in declared.formulas.items() if "." not in name}),
        ("tables", declared.tables),
        ("decks", declared.decks),
        ("options", declared.options),
    ):
        for name, thing in found.items():
            if f"{section}.{name}" not in used:
                message = f"nothing uses `{section}.{name}`"
                diagnostics.add(UNUSED_DECLARATION, message, thing.span)


def _used(ruleset: Ruleset) -> set[str]:
    declared = ruleset.declarations
    used = {f"formulas.{ruleset.evaluate}"}
    for node in nodes(everything(ruleset)):
        match node:
            case Constant(name=str(name)) if name in declared.numbers:
                used.add(f"numbers.{name}")
            case Invoke(formula=formula):
                used.add(f"formulas.{formula}")
            case Cell(table=table) | Lookup(table=table):
                used.add(f"tables.{table}")
            case Stored(kind=owner, field=stored) if owner == GAME_KIND:
                section, _, name = stored.partition(".")
                used.add(f"{section}.{name}")
        used |= _tables(node.type)
    for procedure in ruleset.procedures.values():
        for step in procedure.steps():
            if step.binds is not None:
                used |= _tables(step.binds)
            if step.verb.name == "draw":
                used.add(f"decks.{step.action.deck}")
    for deck in declared.decks.values():
        used.add(f"tables.{deck.table}")
    for kind in declared.kinds.values():
        for field in kind.fields.values():
            used |= _tables(field.type)
    for found in declared.tables.values():
        for column in found.columns.values():
            used |= _tables(column) - {f"tables.{found.id}"}
    return used


def _tables(kind: Type) -> set[str]:
    match kind:
        case Row(table=table):
            return {f"tables.{table}"}
        case Optional(inner=inner) | ListOf(inner=inner):
            return _tables(inner)
    return set()
