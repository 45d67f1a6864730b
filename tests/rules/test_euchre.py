"""Euchre beside OpenSpiel's own: the same deals, the same options, the same results."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

RULES = load_ruleset("classics/euchre@1.0")
SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = {
    f"{suit}_{rank}": 4 * place + number
    for place, rank in enumerate(("nine", "ten", "jack", "queen", "king", "ace"))
    for number, suit in enumerate(SUITS)
}
PASS = 24
ANSWERS = {
    **CARDS,
    "pass": PASS,
    "none": PASS,
    **{suit: 25 + n for n, suit in enumerate(SUITS)},
    "alone": 29,
    "partner": 30,
}


def play(seed: int) -> int:
    """Play a random game on both sides. Return the number of decisions that agreed."""
    random, decisions = Random(seed), 0
    ours = Game(RULES, seed=seed, options={"length": "one_deal"}, stop_at_chance=True)
    theirs = pyspiel.load_game("euchre").new_initial_state()
    drawn: list[Any] = []
    while ours.result is None:
        if ours.chance is not None:
            drawn.append(random.choice([value for value, _ in ours.chance.outcomes]))
            ours.resolve(drawn[-1])
            if ours.chance is None:
                _deal(theirs, *drawn)
            continue
        decision = ours.decision
        assert decision is not None
        assert theirs.current_player() == decision.player - 1
        answers = {option: _answer(option.id, drawn[-1]) for option in decision.options}
        assert sorted(answers.values()) == sorted(theirs.legal_actions())
        option = random.choice(decision.options)
        theirs.apply_action(answers[option])
        ours.choose(option)
        decisions += 1
    assert theirs.is_terminal()
    points = [player["fields"]["point"] for player in ours.snapshot()["objects"]["player"]]
    # Ours gives a side its points, and OpenSpiel takes as many from the other side.
    gains = [own - points[seat - 1] for seat, own in enumerate(points)]
    assert gains == theirs.returns()
    assert ours.result.winners == tuple(seat for seat, gain in enumerate(gains, start=1) if gain > 0)
    return decisions


def _deal(theirs: Any, dealer: int, *cards: str) -> None:
    """Deal the same cards: ours fills hand by hand, and OpenSpiel goes round the table, from the dealer on."""
    hands = [cards[first : first + 5] for first in range(0, 20, 5)]
    around = [hands[(dealer - 1 + place) % 4][number] for number in range(5) for place in range(4)]
    for action in (dealer - 1, *(CARDS[card] for card in (*around, cards[20]))):
        assert action in theirs.legal_actions()
        theirs.apply_action(action)


def _answer(option: str, text: str) -> int:
    return 25 + CARDS[text] % 4 if option == "order_up" else ANSWERS[option]


def test_games_agree_with_openspiel_decision_by_decision() -> None:
    assert sum(play(seed) for seed in range(times(40, 300))) > 40 * 12
