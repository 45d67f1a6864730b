"""The names by which scripts and samples refer to steps."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name


class StepNames:
    """The steps of a ruleset by full name, `procedure.step`, and the full names by the id of the step."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.numbers = {step.rule: number for number, step in ruleset.steps.items()}
        self.written = {step.rule for step in ruleset.steps.values() if step.rule.endswith(f".{step.id}")}
        self.rules: dict[str, list[str]] = {}
        for step in ruleset.steps.values():
            self.rules.setdefault(step.id, []).append(step.rule)

    @property
    def parts(self) -> Mapping[str, object]:
        """What each name refers to, without the numbers, which change when steps are added elsewhere."""
        full = {name: (name, name in self.written) for name in self.numbers}
        return {name: (full.get(name), self.rules.get(name)) for name in (*full, *self.rules)}


def find_step_names(ruleset: Ruleset, *names: str) -> StepNames:
    """Return the step names of a ruleset for a caller that looks for `names`. Cached in the ruleset."""
    *_, result = (ruleset.get_part(StepNames, name) for name in names)
    return result


def suggest_step(word: str, names: Mapping[str, str]) -> str | None:
    """Return a suggestion for an unknown step, or None. `names` has each name to suggest with the id of its step.

    The id of a step wins, because `group.step` names a step by the group that contains it.
    """
    last = word.rpartition(".")[2]
    exact = [name for name, identity in names.items() if identity == last and name != word]
    return Suggestion(f"did you mean `{exact[0]}`?", word, exact) if len(exact) == 1 else suggest_name(word, names)
