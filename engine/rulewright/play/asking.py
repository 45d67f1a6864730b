"""The question at a stop, with a label for each option; and which option an answer means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.step import Step
from rulewright.play.costs import cost_of
from rulewright.play.decision import Decision, Option
from rulewright.play.names import Names, identity
from rulewright.play.save_file import GameError
from rulewright.play.script import find_option
from rulewright.play.state import State


def seat_of(player: int) -> int:
    """The seat of a player, from 1."""
    return player - FIRST_PLAYER + 1


def decision_at(state: State) -> Decision:
    """The question that a state stands at."""
    step = state.program.step(state)
    assert step is not None
    assert step.binds is not None
    names = Names.at(state)
    offers = getattr(step.action, "offers", ())
    labels = {offer.id: names.words(offer.label) for offer in offers if offer.label}
    options = []
    for index, value in enumerate(state.options):
        label = labels.get(value) or names.value(value, step.binds)
        cost = cost_of(state, step, value, names)
        said = f"{label} ({cost})" if cost else label
        options.append(Option(identity(value, step.binds), said, value, index))
    ask = names.words(step.words.get("ask", "")) or names.words(step.words.get("title", "")) or step.id
    return Decision(seat_of(state.who), ask, step.rule, tuple(options))


def place_of(option: Any, ids: Sequence[str], step: Step, who: str) -> int:
    """The place of the option that an answer means: itself, its id or its index. Raises `GameError`."""
    if isinstance(option, Option):
        return find_option(option.id, ids, step, who)
    if isinstance(option, str):
        return find_option(option, ids, step, who)
    if isinstance(option, bool) or not isinstance(option, int):
        raise GameError(f"an option is chosen by itself, its id or its index, not by {option!r}")
    if 0 <= option < len(ids):
        return option
    last = len(ids) - 1
    message = f"{who} cannot choose option number {option} at `{step.rule}`: a number is an index, from 0 to {last}"
    hint = f'; the option whose id is {option} is chosen by the text "{option}"' if str(option) in ids else ""
    raise GameError(message + hint)
