"""`say`: the log gets a sentence."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Leaf, expressions, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import ListOf, Nothing, Unknown
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The sentence, and the values for its placeholders by name."""

    text: str
    given: MappingOf[str, Typed]


class SaySentence(Statement):
    """Only the log changes."""

    name = "say"
    also = ("announce", "report", "print", "message", "comment")
    summary = "Adds a sentence to the log, without changing any value."
    example = '{id: unsold, say: "Nobody bids.", when: not any(bids)}'
    keys = {
        "say": required(
            Leaf("The sentence, with `{given.name}` for a value under `with`.", format="label", cosmetic=True)
        ),
        "with": optional(expressions("The values that the sentence mentions, by name.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the values. Reports one that is always none, or a list that is always empty."""
        text, given = node.get("say"), node.get("with")
        values = {}
        for name, entry in given.entries.items() if isinstance(given, Mapping) else ():
            value = check.check_value(entry.value)
            inner = value.type.inner if isinstance(value.type, ListOf) else value.type
            if isinstance(inner, Nothing) or (isinstance(inner, Unknown) and inner is not value.type):
                message = f"`{name}` would be the same each time, so the sentence can say it itself"
                check.report(language_diagnostics.WRONG_TYPE, message, entry.value.span, "leave it out")
                continue
            values[name] = value
        return CheckedStep(Action(text.text if isinstance(text, Scalar) else "", values))

    def run(self, step: Step, run: Run) -> None:
        run.record_event(step, "announced", *(run.compute(value) for value in step.action.given.values()))

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.announce(step.action.text, step.action.given)
