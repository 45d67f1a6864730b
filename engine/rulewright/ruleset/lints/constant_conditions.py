"""Report conditions that are always true or always false."""

from __future__ import annotations

from rulewright.base.errors import RulewrightError
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.typed_ast import Invoke, Local, Typed, Variable
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Branch, Temporary
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

FIXED_CONDITION = Code(
    "fixed-condition",
    "A condition that never changes",
    "A step that always or never runs needs no condition, and a reader would look for the other case.",
    "Remove the condition, or the step.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report `when`, `if` and loop conditions that do not depend on the state of the game.

    If a step has several conditions, only the last one is checked. Conditions that cannot be evaluated are skipped.
    """
    for step in ruleset.steps.values():
        asked = [each.condition for each in list_operations(step) if isinstance(each, Branch)]
        condition = asked[-1] if asked else None
        if condition is None or _depends(condition):
            continue
        try:
            holds = Evaluate(ruleset.declarations).value(condition)
        except (RulewrightError, OverflowError):
            continue  # the condition also fails in play, where the error is reported with its position
        text = "always" if holds else "never"
        diagnostics.add(FIXED_CONDITION, f"the condition of `{step.rule}` is {text} true", step.span)


def _depends(condition: Typed) -> bool:
    return any(node.READS_GAME or isinstance(node, (Local, Variable, Invoke, Temporary)) for node in condition.walk())
