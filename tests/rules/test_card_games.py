"""Games of the cookbook beside engines written by hand: the same options, chances and objects at every stop."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.engine import backends
from rulewright.engine.state.game_state import CHANCE, OVER, State, list_outcomes
from rulewright.engine.state.machine import Machine
from tests.breadth import times

COOKBOOK = Path(__file__).parents[2] / "site" / "docs" / "cookbook"
GAMES = times(6, 300)


@cache
def machine(recipe: str, back_end: str) -> Machine:
    return backends.make(back_end, load_ruleset(f"cookbook/{recipe}", rules=[COOKBOOK]))


class Table:
    """Fields of a game and of its players, by name."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.places = state.machine.layout.places

    def of(self, player: int, name: str) -> Any:
        return self.state.objects[player + 1][self.places["player", name]]


class Picnic:
    """Picnic, written by hand: `play` yields each stop, as the seat that decides (-1 for chance) and what may come."""

    ORDER = ("bread", "cheese", "apple", "pie", "cake", "lemonade")
    COPIES = (12, 10, 12, 8, 10, 8)

    def __init__(self, players: int) -> None:
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.kept: list[list[str]] = [[] for _ in range(players)]
        self.points = [0] * players
        self.basket = Counter(dict(zip(self.ORDER, self.COPIES, strict=True)))

    def play(self) -> Any:
        players = range(len(self.hands))
        for _ in range(2):
            for player in players:
                for _ in range(6):
                    if not self.basket.total():
                        # Nothing is held back, so all cards go into the basket again, but those of this hand.
                        whole = Counter(dict(zip(self.ORDER, self.COPIES, strict=True)))
                        self.basket = whole - self.hands[player]
                    left = self.basket.total()
                    card = yield -1, {each: Fraction(many, left) for each, many in self.basket.items() if many}
                    self.basket[card] -= 1
                    self.hands[player][card] += 1
            for _ in range(6):
                picks = []
                for player in players:
                    # Everybody is asked, even about the last card, because what a hand holds is secret.
                    picks.append((yield player, list(self.hands[player].elements())))
                for player, pick in enumerate(picks):
                    self.hands[player][pick] -= 1
                    self.kept[player].append(pick)
                self.hands = [self.hands[-1], *self.hands[:-1]]
            cakes = [kept.count("cake") for kept in self.kept]
            for player, kept in enumerate(self.kept):
                count = Counter(kept)
                self.points[player] += 2 * count["apple"] + 3 * count["pie"] + count["lemonade"] ** 2
                self.points[player] += 5 * min(count["bread"], count["cheese"])
                if cakes[player] and cakes[player] == max(cakes):
                    self.points[player] += 6
            self.kept = [[] for _ in players]


def play_picnic(back_end: str, seed: int) -> tuple[int, ...]:
    """Play one game on both, and return the winners."""
    random = Random(seed)
    players = random.randint(2, 5)
    ours, theirs = machine("drafting", back_end).new_game(players), Picnic(players)
    ours.events = []
    course = theirs.play()
    stop = next(course, None)
    while stop is not None:
        seat, possible = stop
        table = Table(ours)
        if seat < 0:
            assert ours.mode == CHANCE
            assert dict(list_outcomes(ours.roll)) == possible
        else:
            assert ours.who == seat + 1
            assert Counter(ours.options) == Counter(possible)
            for player in range(players):
                assert Counter(table.of(player, "hand")) == +theirs.hands[player]
                assert list(table.of(player, "kept")) == theirs.kept[player]
                assert table.of(player, "points") == theirs.points[player]
        answer = random.choice(sorted(possible))
        if seat < 0:
            ours.apply_outcome(answer)
        else:
            ours.apply(ours.options.index(answer))
        try:
            stop = course.send(answer)
        except StopIteration:
            stop = None
    assert ours.mode == OVER
    points = [Table(ours).of(player, "points") for player in range(players)]
    assert points == theirs.points
    winners = tuple(player + 1 for player in range(players) if points[player] == max(points))
    assert tuple(ours.winners or ()) == winners
    return winners


@pytest.mark.parametrize("back_end", backends.list_names())
def test_passing_hands_is_the_same_game(back_end: str) -> None:
    assert len({play_picnic(back_end, seed) for seed in range(GAMES)}) > 1


SEA = 5
LENGTHS = {"cruiser": 3, "frigate": 2, "cutter": 2}


class Fleets:
    """Hidden Fleets, written by hand: a sea for each player, and the squares of their ships."""

    def __init__(self) -> None:
        self.ships: list[list[frozenset[tuple[int, int]]]] = [[], []]
        self.shots: list[list[tuple[int, int]]] = [[], []]

    def find_places(self, player: int, ship: str, length: int) -> dict[str, frozenset[tuple[int, int]]]:
        """Return where a ship may lie, by the name of the placement."""
        used = frozenset().union(*self.ships[player])
        places = {}
        for x in range(1, SEA + 1):
            for y in range(1, SEA + 1):
                for way, (right, down) in {"": (1, 0), "_turned1": (0, 1)}.items():
                    squares = frozenset((x + right * step, y + down * step) for step in range(length))
                    if all(max(square) <= SEA for square in squares) and not squares & used:
                        places[f"{ship}_c{x}r{y}{way}"] = squares
        return places

    def play(self) -> Any:
        """Yield each decision: the seat, and what may be chosen. Return the winner."""
        for ship, length in LENGTHS.items():
            chosen = []
            for player in (0, 1):
                places = self.find_places(player, ship, length)
                chosen.append(places[(yield player, set(places))])
            for player, squares in enumerate(chosen):
                self.ships[player].append(squares)
        player = 0
        sea = {f"c{x}r{y}": (x, y) for x in range(1, SEA + 1) for y in range(1, SEA + 1)}
        while True:
            left = {name for name, square in sea.items() if square not in self.shots[player]}
            target = (yield player, left) if len(left) > 1 else next(iter(left))
            self.shots[player].append(sea[target])
            if all(ship <= set(self.shots[player]) for ship in self.ships[1 - player]):
                return player
            player = 1 - player


def play_fleets(back_end: str, seed: int) -> int:
    """Play one game on both, and return the winner."""
    random = Random(seed)
    ours, theirs = machine("fleets", back_end).new_game(2), Fleets()
    ours.events = []
    course = theirs.play()
    seat, possible = next(course)
    while True:
        assert ours.who == seat + 1
        assert set(ours.options) == possible
        assert len(ours.options) == len(possible)
        table = Table(ours)
        for player in (0, 1):
            shots = [f"c{x}r{y}" for x, y in theirs.shots[player]]
            enemy = frozenset().union(*theirs.ships[1 - player])
            assert list(table.of(player, "shots")) == shots
            hits = [shot for shot, square in zip(shots, theirs.shots[player], strict=True) if square in enemy]
            assert list(table.of(player, "hits")) == hits
        answer = random.choice(sorted(possible))
        ours.apply(ours.options.index(answer))
        try:
            seat, possible = course.send(answer)
        except StopIteration as end:
            winner = int(end.value)
            break
    assert ours.mode == OVER
    assert tuple(ours.winners or ()) == (winner + 1,)
    return winner


@pytest.mark.parametrize("back_end", backends.list_names())
def test_hidden_fleets_is_the_same_game(back_end: str) -> None:
    assert {play_fleets(back_end, seed) for seed in range(GAMES)} == {0, 1}
