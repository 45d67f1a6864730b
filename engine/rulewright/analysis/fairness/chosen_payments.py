"""Which payments players choose. Fines and taxes also follow decisions, but no choice leads to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, State

JUDGED = 30
"""The number of payments at a step that are examined. The verdict on these applies to later ones."""

MOST_OPTIONS = 500
"""The maximum number of options to try. Players with more of them are taken to choose what they pay."""

Payment = tuple[int, str]
"""A kind of payment: the number of the step that takes it, and the player's field that pays it."""


class PaymentJudge:
    """A judge of payments, which plays the other options of a decision with new dice.

    A payment is chosen if the options lead to different amounts at its step. With some dice, no option may lead to it.
    Then dice decide, so that it is chosen at no time.
    """

    def __init__(self) -> None:
        self._valued: Counter[Payment] = Counter()
        self._chosen: set[Payment] = set()
        self._by_chance: set[Payment] = set()

    def is_chosen(self, payment: Payment, before: State) -> bool:
        """Return whether a payment after the decision `before` was chosen, as far as the payments so far show."""
        if payment in self._by_chance:
            return False
        if len(before.options) > MOST_OPTIONS:
            return True
        if self._valued[payment] == JUDGED:
            return payment in self._chosen
        self._valued[payment] += 1
        amounts = set[int]()
        for option in before.legal_actions():
            amounts.add(_pay(before.clone(), option, payment, self._valued[payment]))
            if len(amounts) > 1:
                self._chosen.add(payment)
                return True
        if amounts == {0}:
            self._by_chance.add(payment)
        return False

    def is_left_to_chance(self, payment: Payment) -> bool:
        """Return whether dice decide about a payment, as far as the payments so far show."""
        return payment in self._by_chance


def iterate_payments(state: State, who: int) -> Iterator[tuple[Payment, int]]:
    """Yield each decrease of the player's integer fields since the last decision, with its amount."""
    for number, event_kind, *details in state.events or ():
        if event_kind == "written" and details[0] == who:
            _, name, before, after, *_row = details
            if type(before) is int and type(after) is int and after < before:
                yield (number, name), before - after


def _pay(state: State, option: int, payment: Payment, seed: int) -> int:
    """Take an option with new dice, and return what its player then pays at a step. Changes the state.

    An option that the rules make impossible costs nothing.
    """
    who, state.events = state.who, []
    dice = Generator(seed)
    if state.generator is not None:
        state.generator = dice
    try:
        state.apply(option)
        while state.mode == CHANCE:
            state.apply_outcome(draw_outcome(state.roll, dice).value)
    except RulesFault:
        return 0
    return sum(amount for each, amount in iterate_payments(state, who) if each == payment)
