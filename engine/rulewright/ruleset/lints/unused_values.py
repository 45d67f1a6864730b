"""Results of steps that nothing reads."""

from __future__ import annotations

from rulewright.language.codes import UNUSED_VALUE
from rulewright.language.expression.typed import Local
from rulewright.language.lowering import operations
from rulewright.language.operations import Call, Create, Each, Loop, Remove, Write
from rulewright.language.step import Step
from rulewright.ruleset.queries.names_read import nodes, of_procedure
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report them. Exceptions bind whether they hold; that is always used."""
    for procedure in ruleset.procedures.values():
        read = {node.slot for node in nodes(of_procedure(procedure)) if isinstance(node, Local)}
        for step in procedure.steps():
            own = step.rule == f"{procedure.id}.{step.id}"
            if own and _is_for_its_result(step) and step.slot is not None and step.slot not in read:
                message = f"nothing in `{procedure.id}` uses `{step.id}`"
                diagnostics.add(UNUSED_VALUE, message, step.span)


def _is_for_its_result(step: Step) -> bool:
    """Whether nothing comes of a step but its result."""
    return not any(isinstance(each, Write | Create | Remove | Call | Loop | Each) for each in operations(step))
