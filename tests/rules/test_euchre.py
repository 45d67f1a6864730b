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
    f"{rank}_{suit}": 4 * place + number
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
    turned: Any = ""
    while ours.result is None:
        if ours.chance is not None:
            outcome = random.choice([value for value, _ in ours.chance.outcomes])
            assert theirs.is_chance_node()
            # The dealer is drawn first, and then the cards, of which the last is turned up.
            theirs.apply_action(CARDS[outcome] if outcome in CARDS else outcome - 1)
            turned = outcome
            ours.resolve(outcome)
            continue
        decision = ours.decision
        assert decision is not None
        assert theirs.current_player() == decision.player - 1
        answers = {option: _answer(option.id, turned) for option in decision.options}
        assert sorted(answers.values()) == sorted(theirs.legal_actions())
        option = random.choice(decision.options)
        theirs.apply_action(answers[option])
        ours.choose(option)
        decisions += 1
    assert theirs.is_terminal()
    points = [player["fields"]["points"] for player in ours.snapshot()["objects"]["player"]]
    # Ours gives a side its points, and OpenSpiel takes as many from the other side.
    gains = [own - points[seat - 1] for seat, own in enumerate(points)]
    assert gains == theirs.returns()
    assert ours.result.winners == tuple(seat for seat, gain in enumerate(gains, start=1) if gain > 0)
    return decisions


def _answer(option: str, turned: str) -> int:
    return 25 + CARDS[turned] % 4 if option == "order_up" else ANSWERS[option]


def test_games_agree_with_openspiel_decision_by_decision() -> None:
    assert sum(play(seed) for seed in range(times(40, 300))) > 40 * 12
