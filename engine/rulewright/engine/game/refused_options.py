"""Reasons why a decision does not offer an option, for the messages of scripts."""

from __future__ import annotations

from typing import Any

from rulewright.engine.narration.plain_names import build_option_id
from rulewright.engine.state.game_state import State, View
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.typed_ast import Aggregate, Typed, Variable
from rulewright.language.lowering import list_asks, list_offers, list_operations
from rulewright.language.operations import Keep, OrNone, Subsets, Temporary
from rulewright.language.types import ListOf


def explain_refusal(entry: str, state: State, step: Step) -> str:
    """Return which condition excludes an option from the pending decision, as a clause, or empty if none does."""
    ask = next(iter(list_asks(step)))
    options = ask.options.source if isinstance(ask.options, OrNone) else ask.options
    if any(offer.id == entry for offer in list_offers(ask)):
        return "the condition of this option is false"
    if not isinstance(options, Aggregate) or options.condition is None or not isinstance(options.element, Variable):
        return ""
    if not isinstance(options.source, Subsets):
        return "the condition of the list is false for it" if entry in _list_ids(options.source, state, step) else ""
    chosen = entry.split("+")
    low, high = options.source.low, options.source.high
    ids = [each for each in _list_ids(options.source.source, state, step) if each in chosen]
    if ids != chosen or (low and len(ids) < _compute(low, state)) or (high and len(ids) > _compute(high, state)):
        return ""
    return "`such_that` is false for this selection"


def _list_ids(source: Typed, state: State, step: Step) -> list[str]:
    """Return the ids of the elements of a list, or nothing if the state does not determine it."""
    if isinstance(source, Temporary):
        saved = (each for each in list_operations(step) if isinstance(each, Keep) and each.into == source.number)
        source = next(saved).value
    if not isinstance(source.type, ListOf) or any(isinstance(part, Temporary) for part in source.walk()):
        return []
    return [build_option_id(each, source.type.inner) for each in _compute(source, state)]


def _compute(value: Typed, state: State) -> Any:
    """Return the value of an expression at the pending decision."""
    return Evaluate(state.machine.ruleset.declarations, View(state)).value(value, state.frame)
