"""Whether the example behind each answer comes across the rule that it is said to prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.language.declarations import Scope
from rulewright.language.expression.check import check_expression
from rulewright.language.expression.typed import Typed
from rulewright.play.codes import UNPROVED_ANSWER
from rulewright.play.examples.ending import end_scope
from rulewright.play.examples.judging import ExampleRun
from rulewright.ruleset.lints.references import known_rules
from rulewright.ruleset.queries.names_read import named, of_procedure, tables_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Scalar


def check_answers(ruleset: Ruleset, runs: Mapping[str, ExampleRun], diagnostics: Diagnostics) -> None:
    """Report every answer whose example, in `runs` by its id, neither carries out nor reads the rule in question."""
    known = set(known_rules(ruleset))
    for question in ruleset.faq.values():
        rule = question.about.text
        if rule not in known:  # told where it is looked for
            continue
        for example in question.examples:
            run = runs.get(example.text)
            # What is missing or fails is told where it is looked for or run.
            if run is None or not run.holds:
                continue
            if rule not in met(ruleset, run):
                message = (
                    f"`{rule}` does not come up in `{run.example.id}`, which is to prove the answer to `{question.id}`"
                )
                diagnostics.add(UNPROVED_ANSWER, message, example.span)


def met(ruleset: Ruleset, run: ExampleRun) -> set[str]:
    """The path of every rule that a run came across: procedures carried out, their steps, and what these read."""
    rules = {moment.event.rule for moment in run.steps}
    # A procedure may be carried out without anything to tell of it.
    carried_out = {rule.partition(".")[0] for rule in rules} | ({run.example.of} & ruleset.procedures.keys())
    found = {f"procedures.{rule}" for rule in rules | carried_out}
    read: list[Typed] = list(_written(ruleset, run))
    for identity in carried_out:
        procedure = ruleset.procedures[identity]
        read += of_procedure(procedure)
        for step in procedure.steps():
            found.update(tables_of(step.binds) if step.binds is not None else ())
    waiting = set(named(read, ruleset))
    while waiting:
        path = waiting.pop()
        found.add(path)
        formula = ruleset.declarations.formulas.get(path.removeprefix("formulas."))
        if path.startswith("formulas.") and formula is not None:
            waiting |= set(named([formula.body], ruleset)) - found
    return found


def _written(ruleset: Ruleset, run: ExampleRun) -> Iterator[Typed]:
    """What the example itself works out and expects."""
    scope = Scope(ruleset.declarations)
    if run.finished is not None and run.finished.procedure is not None:
        scope = end_scope(run.finished.procedure, ruleset.declarations)
    expect = run.example.expect
    wanted = [entry.key for entry in expect.entries.values()] if isinstance(expect, MappingNode) else []
    for node in (run.example.value, run.example.roll, *wanted):
        if isinstance(node, Scalar):
            yield check_expression(node, scope, Diagnostics())
