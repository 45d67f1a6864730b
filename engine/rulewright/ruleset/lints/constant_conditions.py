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
    """Report `when` and `if` that do not depend on the state of the game, one for each step.

    Conditions of loops are not checked, and those that cannot be evaluated are skipped.
    """
    for step in ruleset.steps.values():
        conditions = (each.condition for each in list_operations(step) if isinstance(each, Branch))
        holds = next((holds for each in conditions if (holds := _evaluate(ruleset, each)) is not None), None)
        if holds is not None:
            text = "always" if holds else "never"
            diagnostics.add(FIXED_CONDITION, f"the condition of `{step.rule}` is {text} true", step.span)


def _evaluate(ruleset: Ruleset, condition: Typed) -> bool | None:
    """Return the value of a condition, or None if it depends on the game or cannot be evaluated."""
    if any(node.READS_GAME or isinstance(node, (Local, Variable, Invoke, Temporary)) for node in condition.walk()):
        return None
    try:
        return bool(Evaluate(ruleset.declarations).value(condition))
    except (RulewrightError, OverflowError):
        return None  # the condition also fails in play, where the error is reported with its position
