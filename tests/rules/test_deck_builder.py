"""The deck builder of the cookbook, against the same game written independently: all options, draws and piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from rulewright import Game
from rulewright.engine import backends
from rulewright.engine.state.game_state import CHANCE, OVER, list_outcomes
from tests.breadth import times
from tests.rules.test_card_games import Table, machine

COINS = {"leaf": 1, "dust": 0, "teapot": 2, "guest": 0}
PRICES = {"leaf": 1, "dust": 0, "teapot": 3, "guest": 5}
NOTHING = None


class TeaHouse:
    """A game of its own: each player with a pile, a hand and used cards, and a supply for all."""

    def __init__(self, players: int) -> None:
        self.piles = [Counter(leaf=7, dust=3) for _ in range(players)]
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.used: list[Counter[str]] = [Counter() for _ in range(players)]
        self.supply = Counter(teapot=10, guest=8)
        self.winners: tuple[int, ...] = ()

    def draw_hand(self, player: int) -> Generator[tuple[int, Any], Any, None]:
        """Yield the chances of each of five draws. An empty pile is made of the used cards."""
        for _ in range(5):
            if not self.piles[player].total():
                self.piles[player], self.used[player] = self.used[player], Counter()
            left = self.piles[player].total()
            card = yield -1, {each: Fraction(many, left) for each, many in self.piles[player].items() if many}
            self.piles[player][card] -= 1
            self.hands[player][card] += 1

    def play(self) -> Generator[tuple[int, Any], Any, None]:
        """Yield each stop: -1 and the chances of a draw, or the player and the options."""
        players = range(len(self.piles))
        for player in players:
            yield from self.draw_hand(player)
        while self.supply["guest"]:
            for player in players:
                played, self.hands[player] = self.hands[player], Counter()
                coins = sum(COINS[card] * many for card, many in played.items())
                while options := [card for card in COINS if self.supply[card] and PRICES[card] <= coins]:
                    card = yield player, [*options, NOTHING]
                    if card is NOTHING:
                        break
                    coins -= PRICES[card]
                    self.supply[card] -= 1
                    self.used[player][card] += 1
                self.used[player] += played
                yield from self.draw_hand(player)
        guests = [(self.piles[p] + self.hands[p] + self.used[p])["guest"] for p in players]
        self.winners = tuple(p + 1 for p in players if guests[p] == max(guests))


@pytest.mark.parametrize("back_end", backends.list_names())
@pytest.mark.parametrize("seed", range(times(4, 100)))
def test_every_stop_of_a_deck_builder_is_the_same(seed: int, back_end: str) -> None:
    random = Random(seed)
    players = random.randint(2, 4)
    made = machine("tea-house", back_end)
    ours = Game(made.ruleset, players=players, seed=0, stop_at_chance=True, machine=made).state
    theirs = TeaHouse(players)
    course = theirs.play()
    stop = next(course, None)
    while stop is not None:
        seat, possible = stop
        table = Table(ours)
        for player in range(players):
            assert Counter(table.of(player, "deck.pile")) == +theirs.piles[player]
            assert Counter(table.of(player, "used")) == +theirs.used[player]
        if seat < 0:
            assert ours.mode == CHANCE
            assert dict(list_outcomes(ours.roll)) == possible
            answer = random.choice(sorted(possible))
            ours.apply_outcome(answer)
        else:
            assert ours.who == seat + 1
            assert list(ours.options) == possible
            answer = random.choice(possible)
            ours.apply(possible.index(answer))
        try:
            stop = course.send(answer)
        except StopIteration:
            stop = None
    assert ours.mode == OVER
    assert ours.winners == theirs.winners
