"""`sample_swap`: two places exchange what they hold."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import expression, required
from rulewright.language.statement import (
    Changes,
    Check,
    CheckedStep,
    Lower,
    Run,
    Statement,
    find_last_word,
    read_target,
)
from rulewright.language.types import is_assignable
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The two places, and what each holds as an expression."""

    places: tuple[Target, ...]
    held: tuple[Typed, ...]


class Swap(Statement):
    """Both are read before either is changed."""

    name = "sample_swap"
    summary = "Exchanges what two fields hold."
    example = "{id: turned, sample_swap: bed.owner, with: nest.owner}"
    keys = {
        "sample_swap": required(expression("One field.")),
        "with": required(expression("The other field.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        written = _places(node)
        targets = [target for place in written if (target := check.check_target(place)) is not None]
        if len(targets) == 2:
            first, second = targets
            if not (is_assignable(first.type, second.type) and is_assignable(second.type, first.type)):
                message = f"{first.type} and {second.type} cannot change places"
                check.report(language_diagnostics.WRONG_TYPE, message, node.find_key_span("sample_swap"))
            if first.slot is not None or second.slot is not None:
                check.report(
                    language_diagnostics.WRONG_TYPE, "only fields can be swapped", node.find_key_span("sample_swap")
                )
        for target in targets:
            check.forget_target(target)
        return CheckedStep(Action(tuple(targets), tuple(read_target(target) for target in targets)))

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        values = [run.compute(held) for held in action.held]
        entities = [run.compute(target.base) for target in action.places if target.base is not None]
        for target, entity, value in zip(action.places, entities, reversed(values), strict=True):
            run.store(target, entity, value, step)

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        values = [lower.keep(held) for held in action.held]
        entities = [lower.keep(target.base) for target in action.places if target.base is not None]
        for target, entity, value in zip(action.places, entities, reversed(values), strict=True):
            lower.store(target, entity, value)

    def find_changes(self, node: Mapping) -> Changes:
        return Changes(frozenset(find_last_word(place.text) for place in _places(node)))


def _places(node: Mapping) -> list[Scalar]:
    return [place for key in ("sample_swap", "with") if isinstance(place := node.get(key), Scalar)]
