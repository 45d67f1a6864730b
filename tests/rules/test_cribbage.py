"""Cribbage beside OpenSpiel's own: the same deals, the same options, the same scores all along."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

RULES = load_ruleset("proofs/cribbage", rules=[Path(__file__).parent / "proof_games"])
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
CARDS = {f"{rank}_{suit}": 13 * n + place for n, suit in enumerate(SUITS) for place, rank in enumerate(RANKS)}
CARD_NAMES = {number: name for name, number in CARDS.items()}
GOAL, BONUS, JACK = 121, 1000, 10
FIRST_PAIR = 52
"""OpenSpiel's number of the first choice of two cards."""
SEEN = (
    *("deal.gifts", "play.card", "won by a jack turned up", "won in play", "won at counting"),
    *("won by both", "won by the second player"),
)
"""What some of the games must come to: decisions by step, and ends."""


def play(seed: int, decisions: Counter[str]) -> None:
    """Play a game on both sides at random, and count the decisions that agree, by step."""
    random = Random(seed)
    ours, theirs = Game(RULES, seed=seed, stop_at_chance=True), pyspiel.load_game("cribbage").new_initial_state()
    near, latest, rule = (1, 4, 12, 52)[seed % 4], 0, ""
    while ours.result is None:
        _take_forced(theirs)
        if ours.chance is not None:
            outcomes = [CARDS[value] for value, _ in ours.chance.outcomes]
            assert sorted(outcomes) == sorted(theirs.legal_actions())
            among = random.sample(outcomes, min(len(outcomes), near))
            if ours.chance.rule == "deal.up" and random.random() < 0.5:
                among = [card for card in outcomes if card % 13 == JACK] or among
            latest = _deal(among, latest)
            theirs.apply_action(latest)
            ours.resolve(CARD_NAMES[latest])
            continue
        decision = ours.decision
        assert decision is not None
        if len(decision.options) == 1:
            ours.choose(0)  # only asked because the number of options is secret
            continue
        rule = decision.rule
        assert theirs.current_player() == decision.player - 1
        assert _points(ours) == theirs.returns(), (seed, rule)
        answers = {_answer(option.id): option for option in decision.options}
        assert sorted(answers) == sorted(theirs.legal_actions()), (seed, rule)
        answer = random.choice([*answers])
        theirs.apply_action(answer)
        ours.choose(answers[answer])
        decisions[rule] += 1
    _take_forced(theirs)
    assert theirs.is_terminal()
    points, (winner,) = _points(ours), ours.result.winners
    assert theirs.returns() == [own + (BONUS if seat == winner else -BONUS) for seat, own in enumerate(points, start=1)]
    cards_left = sum(len(player["fields"]["hand"]) for player in ours.snapshot()["objects"]["player"])
    decisions["won by a jack turned up" if cards_left == 8 else "won in play" if cards_left else "won at counting"] += 1
    decisions["won by both"] += min(points) >= GOAL
    decisions["won by the second player"] += winner == 2


def _deal(among: list[int], latest: int) -> int:
    """Return the card that is nearest to the latest in rank, so that hands score."""
    return min(among, key=lambda card: (abs(card % 13 - latest % 13), card))


def _points(ours: Game) -> list[int]:
    return [player["fields"]["points"] for player in ours.snapshot()["objects"]["player"]]


def _take_forced(theirs: Any) -> None:
    """Play on as long as there is only one option, which is no decision here."""
    while not theirs.is_terminal() and not theirs.is_chance_node() and len(theirs.legal_actions()) == 1:
        theirs.apply_action(theirs.legal_actions()[0])


def _answer(option: str) -> int:
    """Return OpenSpiel's number of a card, or of two, of which the lower rank comes first."""
    cards = sorted((CARDS[card] for card in option.split("+")), key=lambda card: (card % 13, card))
    return cards[0] if len(cards) == 1 else FIRST_PAIR + 52 * cards[0] + cards[1]


def test_games_agree_with_openspiel_decision_by_decision() -> None:
    decisions: Counter[str] = Counter()
    for seed in range(times(40, 300)):
        play(seed, decisions)
    assert all(decisions[name] for name in SEEN), decisions
