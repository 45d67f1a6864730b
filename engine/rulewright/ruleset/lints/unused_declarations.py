"""Numbers, formulas, tables, decks and options that no rule uses."""

from __future__ import annotations

from rulewright.language.lowering import operations
from rulewright.language.operations import Draw
from rulewright.ruleset.doubts.layer_at_fault import below
from rulewright.ruleset.queries.names_read import everything, named, tables_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.explained import shown
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

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
                diagnostics.add(
                    UNUSED_DECLARATION, message, thing.span, suggestion=below(ruleset.resolved, section, name)
                )


def _used(ruleset: Ruleset) -> set[str]:
    declared = ruleset.declarations
    used = {f"formulas.{ruleset.evaluate}", *named(everything(ruleset), ruleset)}
    for procedure in ruleset.procedures.values():
        for step in procedure.steps():
            if step.binds is not None:
                used.update(tables_of(step.binds))
            used.update(f"decks.{each.deck}" for each in operations(step) if isinstance(each, Draw))
    for deck in declared.decks.values():
        used.add(f"tables.{deck.table}")
    for kind in declared.kinds.values():
        for field in kind.fields.values():
            used.update(tables_of(field.type))
    for found in declared.tables.values():
        for column in found.columns.values():
            used.update(path for path in tables_of(column) if path != f"tables.{found.id}")
    return used
