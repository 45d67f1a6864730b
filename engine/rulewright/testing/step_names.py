"""The names by which scripts and samples refer to steps."""

from __future__ import annotations

from rulewright.ruleset.ruleset import Ruleset


class StepNames:
    """The steps of a ruleset by full name, `procedure.step`, and the full names by the id of the step."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.numbers = {step.rule: number for number, step in ruleset.steps.items()}
        self.written = {step.rule for step in ruleset.steps.values() if step.rule.endswith(f".{step.id}")}
        self.rules: dict[str, list[str]] = {}
        for step in ruleset.steps.values():
            self.rules.setdefault(step.id, []).append(step.rule)

    @property
    def content(self) -> object:
        """Everything but the numbers, which change when steps are added elsewhere."""
        return tuple(self.numbers), self.written, self.rules


def find_step_names(ruleset: Ruleset) -> StepNames:
    """Return the step names of a ruleset. Cached in the ruleset."""
    return ruleset.get_or_make(StepNames)
