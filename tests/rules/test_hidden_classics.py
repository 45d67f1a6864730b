"""Classics in which something is hidden, beside OpenSpiel's own: the same random games, and the same told to whom.

Two positions are told apart by a player here exactly if they are told apart there. They are compared at decisions, at
which a game is at the same point on both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")
gambit = pytest.importorskip("open_spiel.python.algorithms.gambit")
from rulewright.integrations import openspiel  # noqa: E402

GAMES = times(40, 300)


@cache
def ours_of(reference: str) -> Any:
    return openspiel.load_game(reference, players=2)


@dataclass
class Classic:
    """A game on both sides. `answer` and `outcome` are OpenSpiel's numbers of what is called so on ours."""

    reference: str
    theirs: str
    answer: Callable[[str], int]
    outcome: Callable[[str], int]
    ours: dict[tuple[int, str], str] = field(default_factory=dict)
    known: dict[tuple[int, str], str] = field(default_factory=dict)

    def play(self, seed: int) -> list[float]:
        """Return one random game on both; what it was worth."""
        random = Random(seed)
        ours, theirs = ours_of(self.reference).new_initial_state(), pyspiel.load_game(self.theirs).new_initial_state()
        while not ours.is_terminal():
            if ours.is_chance_node():
                self._chance(ours, theirs, random)
            else:
                self._decision(ours, theirs, random)
        while not theirs.is_terminal():
            (only,) = theirs.legal_actions()
            theirs.apply_action(only)
        assert ours.returns() == theirs.returns()
        return list(ours.returns())

    def _chance(self, ours: Any, theirs: Any, random: Random) -> None:
        if len(ours.chance_outcomes()) == 1 and theirs.is_terminal():
            # What is left when all cards but one are gone, OpenSpiel settles by itself.
            ours.apply_action(ours.chance_outcomes()[0][0])
            return
        assert theirs.is_chance_node()
        numbers = {number: self.outcome(ours.action_to_string(number)) for number, _ in ours.chance_outcomes()}
        chances = {numbers[number]: chance for number, chance in ours.chance_outcomes()}
        assert chances == pytest.approx(dict(theirs.chance_outcomes()))
        number = random.choice(list(numbers))
        ours.apply_action(number)
        theirs.apply_action(numbers[number])

    def _decision(self, ours: Any, theirs: Any, random: Random) -> None:
        while len(theirs.legal_actions()) == 1:
            theirs.apply_action(theirs.legal_actions()[0])
        assert ours.current_player() == theirs.current_player()
        numbers = {number: self.answer(ours.action_to_string(number)) for number in ours.legal_actions()}
        assert sorted(numbers.values()) == theirs.legal_actions()
        for player in (0, 1):
            self._told(player, ours.information_state_string(player), theirs.information_state_string(player))
        number = random.choice(list(numbers))
        self._chose(ours.action_to_string(number))
        ours.apply_action(number)
        theirs.apply_action(numbers[number])

    def _chose(self, label: str) -> None:
        """Take note of what is chosen on both sides."""

    def _told(self, player: int, here: str, there: str) -> None:
        """Whatever is the same here is the same there, and the other way round."""
        assert self.ours.setdefault((player, here), there) == there
        assert self.known.setdefault((player, there), here) == here


RANKS = {"jack": 0, "queen": 1, "king": 2}

KUHN = Classic(
    "classics/kuhn-poker@1.0",
    "kuhn_poker",
    answer=lambda label: {"pass": 0, "bet": 1}[label.split(": ")[1]],
    outcome=RANKS.__getitem__,
)
LEDUC = Classic(
    "classics/leduc-poker@1.0",
    "leduc_poker(suit_isomorphism=true)",
    answer=lambda label: {"fold": 0, "call": 1, "raise": 2}[label.split(": ")[1]],
    outcome=RANKS.__getitem__,
)


BIDS = {f"n{count}f{face}": 6 * (count - 1) + face - 1 for count in (1, 2) for face in range(1, 7)}
LIARS_DICE = Classic(
    "classics/liars-dice@1.0",
    "liars_dice",
    answer=lambda label: {**BIDS, "none": 12}[label.split(": ")[1]],
    outcome=lambda face: int(face) - 1,
)

CARDS = {card: place for place, card in enumerate(("ace", *(f"c{n}" for n in range(2, 11)), "jack", "queen", "king"))}


@dataclass
class Goofspiel(Classic):
    """OpenSpiel's players forget which card they bid for which prize; ours remember what was laid open."""

    bids: tuple[str, ...] = ()

    def play(self, seed: int) -> list[float]:
        self.bids = ()
        return super().play(seed)

    def _chose(self, label: str) -> None:
        self.bids += (label,)

    def _told(self, player: int, here: str, there: str) -> None:
        laid_open = self.bids[: len(self.bids) // 2 * 2]
        super()._told(player, here, f"{there} {laid_open}")


GOOFSPIEL = Goofspiel(
    "classics/goofspiel@1.0",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=13,points_order=random,imp_info=False))",
    answer=lambda label: CARDS[label.split(": ")[1]],
    outcome=CARDS.__getitem__,
)


NAMES = ["kuhn-poker", "leduc-poker", "liars-dice", "goofspiel"]


@pytest.mark.parametrize(("classic", "ends"), [(KUHN, 4), (LEDUC, 10), (LIARS_DICE, 2), (GOOFSPIEL, 2)], ids=NAMES)
def test_it_is_the_same_game_and_tells_the_same_to_each(classic: Classic, ends: int) -> None:
    ended = {tuple(classic.play(seed)) for seed in range(2 * GAMES)}
    assert len(ended) >= ends
    assert len(classic.known) > 12


def solved(reference: str, rounds: int) -> tuple[float, list[float]]:
    """Return what players could still gain, and what the game is worth.

    After so many rounds of OpenSpiel's own learning.
    """
    game = pyspiel.load_efg_game(gambit.export_gambit(ours_of(reference)))
    solver = pyspiel.CFRPlusSolver(game)  # the policy is a part of it
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    return pyspiel.nash_conv(game, policy), pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)


def test_kuhn_poker_is_worth_an_eighteenth_to_whoever_comes_second() -> None:
    gain, values = solved("classics/kuhn-poker@1.0", 1_000)
    assert gain < 0.001
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-4)


def test_leduc_poker_can_be_played_so_that_nobody_does_better() -> None:
    rounds = times(200, 1_000)
    gain, values = solved("classics/leduc-poker@1.0", rounds)
    assert gain < (0.01 if rounds == 1_000 else 0.02)
    assert values == pytest.approx([-0.0856, 0.0856], abs=0.001)
