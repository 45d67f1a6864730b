"""Gin rummy beside OpenSpiel's own: the same deals, the same options, the same results."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

RULES = load_ruleset("proofs/gin-rummy", rules=[Path(__file__).parent / "proof_games"])
SUITS = ("spades", "clubs", "diamonds", "hearts")
RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
CARDS = {f"{suit}_{rank}": 13 * n + place for n, suit in enumerate(SUITS) for place, rank in enumerate(RANKS)}
CARD_NAMES = {number: name for name, number in CARDS.items()}
RUNS = {"run_of_three": (65, 11), "run_of_four": (109, 10), "run_of_five": (149, 9)}
"""OpenSpiel's number of the first run of each length, and how many of them a suit has."""
SEEN = (
    *("game.offer", "game.source", "discard.card", "last_chance.answer"),
    *("knock.away", "knock.own", "knock.layoff", "knock.theirs"),
    *("won", "gin", "undercut", "given back", "too many upcards"),
)
"""What some of the games must come to: decisions by step, and ends."""
UPCARD, STOCK, PASS, KNOCK, FIRST_MELD = range(52, 57)
ANSWERS = {**CARDS, "upcard": UPCARD, "stock": STOCK, "pass": PASS, "knock": KNOCK}
LATEST = -1
MELDS = range(FIRST_MELD, FIRST_MELD + 185)
WANTED = ((KNOCK, *MELDS), (KNOCK, STOCK, *MELDS), (STOCK, LATEST), (UPCARD,), (UPCARD, LATEST))
"""What the players of a game mostly do: knock, keep their melds until the stock ends, draw or return every upcard."""


def play(seed: int, decisions: Counter[str]) -> None:
    """Play a game on both sides, mostly at random, and count the decisions that agree, by step."""
    random = Random(seed)
    ours, theirs = Game(RULES, seed=seed, stop_at_chance=True), pyspiel.load_game("gin_rummy").new_initial_state()
    near, ranks, expected, latest = (1, 20, 40, 52)[seed % 4], random.random(), WANTED[seed % len(WANTED)], 0
    while ours.result is None:
        _take_forced(theirs)
        if ours.chance is not None:
            outcomes = [CARDS[value] for value, _ in ours.chance.outcomes]
            assert sorted(outcomes) == sorted(theirs.legal_actions())
            latest = _deal(random.sample(outcomes, min(len(outcomes), near)), latest, by_rank=random.random() < ranks)
            theirs.apply_action(latest)
            ours.resolve(CARD_NAMES[latest])
            continue
        decision = ours.decision
        assert decision is not None
        if len(decision.options) == 1:
            ours.choose(0)  # only asked because the number of options is secret
            continue
        assert theirs.current_player() == decision.player - 1
        answers = {_answer(option.id, decision.rule): option for option in decision.options}
        assert sorted(answers) == sorted(theirs.legal_actions()), (seed, decision.rule)
        liked = [each for each in answers if _is_wanted(each, expected, latest, random)]
        answer = random.choice(liked or [each for each in answers if each != PASS or random.random() < 0.3])
        theirs.apply_action(answer)
        ours.choose(answers[answer])
        decisions[decision.rule] += 1
    _take_forced(theirs)
    assert theirs.is_terminal()
    fields = [player["fields"] for player in ours.snapshot()["objects"]["player"]]
    points = [each["points"] for each in fields]
    assert points == theirs.returns(), seed
    assert ours.result.winners == tuple(seat for seat, gain in enumerate(points, start=1) if gain > 0)
    values = ours.snapshot()["values"]
    decisions["won"] += bool(ours.result.winners)
    decisions["gin"] += any(not each["hand"] and each["points"] > 0 for each in fields)
    decisions["undercut"] += points[int(values["player"].removeprefix("player-")) - 1] < 0
    decisions["given back"] += values["returned"] == 2
    decisions["too many upcards"] += values["upcards"] == 50


def _deal(among: list[int], latest: int, *, by_rank: bool) -> int:
    """Return the card that is nearest to the latest in suit or rank, so that hands have melds."""
    return min(among, key=lambda card: (abs(card % 13 - latest % 13), card) if by_rank else (abs(card - latest), card))


def _is_wanted(answer: int, expected: tuple[int, ...], latest: int, random: Random) -> bool:
    """Return whether a player wants an answer; mostly they take one of these."""
    return random.random() < 0.98 and (answer in expected or (answer == latest and LATEST in expected))


def _take_forced(theirs: Any) -> None:
    """Play on as long as there is only one option, which is no decision here."""
    while not theirs.is_terminal() and not theirs.is_chance_node() and len(theirs.legal_actions()) == 1:
        theirs.apply_action(theirs.legal_actions()[0])


def _answer(option: str, rule: str) -> int:
    """Return OpenSpiel's number of an option."""
    if option == "none":
        return KNOCK if rule == "discard.card" else PASS
    return ANSWERS[option] if option in ANSWERS else FIRST_MELD + _number_meld(option)


def _number_meld(option: str) -> int:
    """Return OpenSpiel's number of a meld: sets by rank, then runs by length, suit and rank."""
    shape, card = option.split("/")
    suit, rank = divmod(CARDS[card], 13)
    if shape.startswith("run"):
        first, runs = RUNS[shape]
        return first + suit * runs + rank
    return rank * 5 + (4 if shape == "whole_set" else suit)


def test_games_agree_with_openspiel_decision_by_decision() -> None:
    decisions: Counter[str] = Counter()
    for seed in range(times(40, 300)):
        play(seed, decisions)
    assert all(decisions[name] for name in SEEN), decisions
