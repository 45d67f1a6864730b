"""The rules that the run of an example has used."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.declarations import Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_rule_names, list_tables_of_type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.testing.run_examples import ExampleRun
from rulewright.testing.starting_position import end_scope


def list_rules_met(ruleset: Ruleset, run: ExampleRun) -> set[str]:
    """Return the path of every rule that a run used.

    The paths cover the executed procedures and steps, and the rules that they read.
    """
    rules = run.finished.rules if run.finished is not None else frozenset()
    # A procedure can run without recording an event.
    carried_out = {rule.rpartition(".")[0] for rule in rules} | ({run.example.of} & ruleset.procedures.keys())
    rules_met = {f"procedures.{rule}" for rule in rules | carried_out}
    read: list[Typed] = list(_list_written(ruleset, run))
    for identity in carried_out:
        procedure = ruleset.procedures[identity]
        rules_met |= {f"tables.{procedure.cell.table}"} if procedure.cell is not None else set()
        read += list_procedure_expressions(procedure)
        for step in procedure.iterate_steps():
            rules_met.update(list_tables_of_type(step.binds) if step.binds is not None else ())
    waiting = set(list_rule_names(read, ruleset))
    if run.example.of not in ruleset.procedures and run.example.of in ruleset.declarations.formulas:
        waiting.add(f"formulas.{run.example.of}")
    while waiting:
        path = waiting.pop()
        rules_met.add(path)
        formula = ruleset.declarations.formulas.get(path.removeprefix("formulas."))
        if path.startswith("formulas.") and formula is not None:
            waiting |= set(list_rule_names([formula.body], ruleset)) - rules_met
    return rules_met


def _list_written(ruleset: Ruleset, run: ExampleRun) -> Iterator[Typed]:
    """Yield the typed expressions that an example itself evaluates."""
    scope = Scope(ruleset.declarations)
    if run.finished is not None and run.finished.procedure is not None:
        scope = end_scope(run.finished.procedure, ruleset.declarations)
    expect = run.example.expect
    nodes = [entry.key for entry in expect.entries.values()] if isinstance(expect, Mapping) else []
    for node in (run.example.value, run.example.roll, *nodes):
        if isinstance(node, Scalar):
            yield check_expression(node, scope, Diagnostics())
