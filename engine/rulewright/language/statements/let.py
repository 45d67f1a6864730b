"""`let`: a value gets a name."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import BROKEN, Typed
from rulewright.language.schema_shapes import Leaf, held, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import UNKNOWN, Integer, ListOf, Nothing, Unknown
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The value."""

    value: Typed


class Let(Statement):
    """Binds a local that `set` may change."""

    name = "let"
    also = ("define", "calculate", "compute")
    summary = "Computes a value and gives it the step's name; later steps may change it with `set`."
    example = "{id: at_risk, let: 0}"
    keys = {
        "let": required(held("The value.")),
        "type": optional(Leaf("The type, if the value does not determine it (an empty list, none).", format="type")),
    }
    action = Action
    role = "name"

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the value, of the type that is given.

        Reports a value that does not determine its type. Written maps and records never do. Their result is then
        unknown.
        """
        written = node.get("type")
        # Types are only parsed for rules from source, because cached rules are already checked.
        from rulewright.language.expressions.operators import is_certainly_nonzero
        from rulewright.language.expressions.type_checker import read_type

        kind = read_type(written, check.declarations, check.diagnostics) if written is not None else None
        if kind is None and isinstance(node.get("let"), Mapping):
            message = "the type of this map or record is not known"
            records = check.declarations.records
            hint = f"add `type:`, such as `type: {next(iter(records), 'map of goods to int')}`"
            check.report(language_diagnostics.WRONG_TYPE, message, node.find_key_span("let"), hint)
            return CheckedStep(Action(BROKEN), binds=UNKNOWN)
        value = check.check_value(node.get("let"), kind)
        bound = kind or value.type
        undecided = isinstance(bound, Nothing) or (isinstance(bound, ListOf) and isinstance(bound.inner, Unknown))
        if undecided:
            message = "the value does not determine the type"
            check.report(
                language_diagnostics.WRONG_TYPE,
                message,
                node.find_key_span("let"),
                "add `type:`, such as `type: list of player`",
            )
        not_zero = isinstance(value.type, Integer) and is_certainly_nonzero(value, check.scope)
        return CheckedStep(Action(value), binds=bound, changeable=True, not_zero=not_zero)

    def run(self, step: Step, run: Run) -> None:
        value = run.compute(step.action.value)
        run.refuse_large(value, step.action.value.type)
        run.bind(step.slot or 0, value)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.bind(step.action.value, bounded=True)
