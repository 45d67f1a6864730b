"""Decisions with a single option, which take it without a question, and scripted choices that were meant for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.engine.game.option_ids import may_be_option
from rulewright.engine.narration.plain_names import build_option_id
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Declarations
from rulewright.language.lowering import find_option_type
from rulewright.language.operations import Ask


@dataclass(frozen=True, slots=True)
class ForcedDecision:
    """A decision that took its only option, given by its id."""

    step: Step
    who: int
    option: str


def list_forced(state: State, since: int, *, after_choice: bool) -> list[ForcedDecision]:
    """Return the forced decisions among the events from number `since`. Empty if the state records no events.

    If `after_choice` is true, the first decision among them was not forced and is left out.
    """
    events = [each for each in (state.events or ())[since:] if each[1] == Ask.event_kind]
    results = []
    for number, _, who, value, *_ in events[1:] if after_choice else events:
        step = state.machine.ruleset.steps[number]
        results.append(ForcedDecision(step, who, build_option_id(value, find_option_type(step))))
    return results


def find_forced(entry: str, forced: Sequence[ForcedDecision], declarations: Declarations) -> ForcedDecision | None:
    """Return the first forced decision that took the option `entry`, or else whose options could have this id."""
    results = [each for each in forced if each.option == entry]
    results += [each for each in forced if may_answer(entry, each.step, declarations)]
    return results[0] if results else None


def may_answer(entry: str, step: Step, declarations: Declarations) -> bool:
    """Return whether a scripted choice, which is an id or `#n`, could be an answer to the question of a step."""
    return entry.startswith("#") or may_be_option(entry, find_option_type(step), declarations)
