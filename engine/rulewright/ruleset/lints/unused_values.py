"""Results of steps that nothing reads."""

from __future__ import annotations

from rulewright.language.codes import UNUSED_VALUE
from rulewright.language.expression.typed import Local
from rulewright.ruleset.reading import nodes, of_procedure
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics import Diagnostics

WORKED_OUT = ("let", "roll", "draw", "choose")
"""Verbs whose result is what they are for."""


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report them. Exceptions bind whether they hold; that is always used."""
    for procedure in ruleset.procedures.values():
        read = {node.slot for node in nodes(of_procedure(procedure)) if isinstance(node, Local)}
        for step in procedure.steps():
            own = step.rule == f"{procedure.id}.{step.id}"
            if own and step.verb.name in WORKED_OUT and step.slot is not None and step.slot not in read:
                message = f"nothing in `{procedure.id}` uses `{step.id}`"
                diagnostics.add(UNUSED_VALUE, message, step.span)
