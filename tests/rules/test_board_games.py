"""Games on boards beside engines written by hand: the same options, the same positions, and the same winners.

Each engine below knows nothing of the rules in YAML. Both play the same random games, move for move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from rulewright import load_ruleset
from rulewright.engine.backends import list_names, make
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.machine import Machine
from rulewright.ruleset.ruleset import Ruleset
from tests.breadth import some, times

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "rules", ROOT / "site" / "docs" / "cookbook", Path(__file__).parent / "proof_games"]
GAMES = times(6, 300)
MACHINES = some(list_names(), ["python", "wasm"])
"""The plain interpreter is compared with these for random rules; it would take most of the time here."""


class Engine(ABC):
    """A game by hand, for the players 0 and 1. `player` decides, and `winners` is None until the game is over."""

    def __init__(self) -> None:
        self.player = 0
        self.winners: list[int] | None = None

    def deal(self, drawn: str) -> None:
        """Take what was drawn at random."""
        raise AssertionError("nothing is drawn in this game")

    @abstractmethod
    def options(self) -> list[Any]:
        """Return what may be chosen now, none if the game is over."""

    @abstractmethod
    def choose(self, option: Any) -> None:
        """Go on with an option."""

    def read_option(self, option: Any, ruleset: Ruleset) -> Any:
        """Return an option of the rules in the terms of this engine."""
        return tuple(option) if isinstance(option, list) else option

    @abstractmethod
    def position(self) -> dict[str, Any]:
        """Return the values of the game that are compared, as the rules name them."""


class Reversi(Engine):
    """A board of numbers, 0 for a free square, 1 and -1 for the players, with an edge of its own around it."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = [0] * 100
        for at, who in ((44, -1), (55, -1), (45, 1), (54, 1)):
            self.cells[at] = who

    def flips(self, at: int, who: int) -> set[int]:
        members: set[int] = set()
        for step in (-11, -10, -9, -1, 1, 9, 10, 11):
            here = at + step
            while self.inside(here) and self.cells[here] == -who:
                here += step
            if self.inside(here) and self.cells[here] == who:
                members |= set(range(at + step, here, step))
        return members

    @staticmethod
    def inside(at: int) -> bool:
        return 1 <= at // 10 <= 8 and 1 <= at % 10 <= 8

    def moves(self, who: int) -> list[int]:
        return [at for at in range(100) if self.inside(at) and not self.cells[at] and self.flips(at, who)]

    def options(self) -> list[Any]:
        if self.winners is not None:
            return []
        return [f"c{at % 10}r{at // 10}" for at in self.moves(1 - 2 * self.player)]

    def choose(self, option: Any) -> None:
        who, at = 1 - 2 * self.player, int(option[3]) * 10 + int(option[1])
        for each in (at, *self.flips(at, who)):
            self.cells[each] = who
        if self.moves(-who):
            self.player = 1 - self.player
        elif not self.moves(who):
            total = sum(self.cells)
            self.winners = [] if total == 0 else [0] if total > 0 else [1]

    def position(self) -> dict[str, Any]:
        seats = {0: None, 1: 1, -1: 2}
        return {"discs": tuple(seats[self.cells[row * 10 + column]] for row in range(1, 9) for column in range(1, 9))}


class Morris(Engine):
    """Points as columns and rows of a board of seven by seven; lines are found by their geometry."""

    def __init__(self) -> None:
        super().__init__()
        self.points = [
            (x, y) for y in range(-3, 4) for x in range(-3, 4) if (x or y) and (abs(x) == abs(y) or not x or not y)
        ]
        self.held: dict[tuple[int, int], int] = {}
        self.hands = [9, 9]
        self.quiet = 0
        self.stage: str = "to"
        self.origin: tuple[int, int] | None = None

    def rows_of(self, at: tuple[int, int]) -> list[list[tuple[int, int]]]:
        """Return the two lines through a point. A line ends at the middle of the board."""
        x, y = at
        across = [each for each in self.points if each[1] == y and (y or each[0] * x > 0)]
        down = [each for each in self.points if each[0] == x and (x or each[1] * y > 0)]
        return [across, down]

    def beside(self, at: tuple[int, int]) -> list[tuple[int, int]]:
        moves = []
        for line in self.rows_of(at):
            place = line.index(at)
            moves += line[max(0, place - 1) : place] + line[place + 1 : place + 2]
        return moves

    def mill(self, at: tuple[int, int]) -> bool:
        return any(all(self.held.get(each) == self.held[at] for each in line) for line in self.rows_of(at))

    def targets(self, origin: tuple[int, int] | None, who: int) -> list[tuple[int, int]]:
        flies = origin is None or list(self.held.values()).count(who) == 3
        return [at for at in (self.points if flies else self.beside(origin)) if at not in self.held]

    def movable(self, who: int) -> list[tuple[int, int]]:
        return [at for at, held in self.held.items() if held == who and self.targets(at, who)]

    def options(self) -> list[Any]:
        if self.winners is not None:
            return []
        if self.stage == "from":
            movable = self.movable(self.player)
        elif self.stage == "to":
            movable = self.targets(self.origin, self.player)
        else:
            theirs = [at for at, held in self.held.items() if held != self.player]
            movable = [at for at in theirs if not self.mill(at)] or theirs
        return [f"x{x + 4}y{y + 4}" for x, y in movable]

    def choose(self, option: Any) -> None:
        at = int(option[1]) - 4, int(option[3]) - 4
        if self.stage == "from":
            self.origin, self.stage = at, "to"
            return
        if self.stage == "to":
            if self.origin is None:
                self.hands[self.player] -= 1
            else:
                del self.held[self.origin]
            self.held[at] = self.player
            self.quiet += 1
            if self.mill(at):
                self.stage = "take"
                return
        else:
            del self.held[at]
            self.quiet = 0
            other = 1 - self.player
            if self.hands[other] + list(self.held.values()).count(other) < 3:
                self.winners = [self.player]
                return
        self.player = 1 - self.player
        self.origin, self.stage = None, "to" if self.hands[self.player] else "from"
        if self.quiet >= 60:
            self.winners = []
        elif self.stage == "from" and not self.movable(self.player):
            self.winners = [1 - self.player]

    def position(self) -> dict[str, Any]:
        return {"men": {f"x{x + 4}y{y + 4}": who + 1 for (x, y), who in self.held.items()}, "quiet": self.quiet}


class Dominoes(Engine):
    """Hands of pairs, and the numbers at both ends."""

    def __init__(self) -> None:
        super().__init__()
        self.hands: list[list[tuple[int, int]]] = [[], []]
        self.open: list[int] = []

    def deal(self, drawn: str) -> None:
        self.hands[0 if len(self.hands[0]) < 7 else 1].append(self.stone(drawn))

    @staticmethod
    def stone(named: str) -> tuple[int, int]:
        return int(named[3]), int(named[9])

    def plays(self, who: int) -> list[Any]:
        if not self.open:
            return [((low, high), "left_end") for low, high in self.hands[who]]
        ends = zip(("left_end", "right_end"), self.open, strict=True)
        return [(stone, end) for end, number in ends for stone in self.hands[who] if number in stone]

    def options(self) -> list[Any]:
        if self.winners is not None or (not self.open and len(self.hands[1]) < 7):
            return []
        return [(f"low{low}_high{high}", end) for (low, high), end in self.plays(self.player)]

    def choose(self, option: Any) -> None:
        low, high = self.stone(option[0])
        self.hands[self.player].remove((low, high))
        if not self.open:
            self.open = [low, high]
        else:
            end = ("left_end", "right_end").index(option[1])
            self.open[end] = low + high - self.open[end]
        if not self.hands[self.player]:
            self.winners = [self.player]
        elif self.plays(1 - self.player):
            self.player = 1 - self.player
        elif not self.plays(self.player):
            left = [sum(map(sum, hand)) for hand in self.hands]
            self.winners = [] if left[0] == left[1] else [left.index(min(left))]

    def position(self) -> dict[str, Any]:
        return {"open": tuple(self.open or (0, 0))}


class Towns(Engine):
    """Tiles as sets of open directions, which are turned by complex numbers; towns are merged one by one."""

    HOUSES: ClassVar[dict[str, list[complex]]] = {
        "end": [1j],
        "corner": [1j, 1],
        "gate": [1j, -1j],
        "wide": [1j, 1, -1j],
    }
    WAYS = (1j, 1, -1j, -1)

    def __init__(self) -> None:
        super().__init__()
        self.laid: dict[complex, set[complex]] = {5 + 5j: {1j, -1j}}
        self.drawn = ""
        self.left = 20
        self.points = [0, 0]

    def deal(self, drawn: str) -> None:
        self.drawn, self.left = drawn, self.left - 1
        if not self.options():
            self.end_turn()

    def houses(self, turn: int) -> set[complex]:
        return {each * (-1j) ** turn for each in self.HOUSES[self.drawn]}

    def fits(self, at: complex, houses: set[complex]) -> bool:
        near = [way for way in self.WAYS if at + way in self.laid]
        return (
            at not in self.laid and bool(near) and all((way in houses) == (-way in self.laid[at + way]) for way in near)
        )

    def options(self) -> list[Any]:
        if self.winners is not None or not self.drawn:
            return []
        # Rows are counted from the top.
        spaces = [(column, row) for column in range(1, 10) for row in range(1, 10)]
        return [
            (f"c{column}r{row}", turn)
            for column, row in spaces
            for turn in range(4)
            if self.fits(complex(column, 10 - row), self.houses(turn))
        ]

    def choose(self, option: Any) -> None:
        at = complex(int(option[0][1]), 10 - int(option[0][3]))
        self.laid[at] = self.houses(option[1])
        town, before = {at}, 0
        while len(town) > before:
            before = len(town)
            town |= {one + way for one in town for way in self.laid[one] if one + way in self.laid}
        if all(one + way in self.laid for one in town for way in self.laid[one]):
            self.points[self.player] += len(town)
        self.end_turn()

    def end_turn(self) -> None:
        self.player, self.drawn = 1 - self.player, ""
        if not self.left:
            self.winners = [seat for seat in (0, 1) if self.points[seat] == max(self.points)]

    def position(self) -> dict[str, Any]:
        return {}


class Pentominoes(Engine):
    """Shapes as complex numbers, which are turned by multiplication and mirrored by conjugation."""

    SHAPES: ClassVar[dict[str, list[complex]]] = {
        "f": [0, 1, -1j, -1 - 1j, -2j],
        "i": [0, 1, 2, 3, 4],
        "l": [0, 1, 2, 3, 3 + 1j],
        "n": [0, 1, 2, 2 + 1j, 3 + 1j],
        "p": [0, 1, 1j, 1 + 1j, 2j],
        "t": [0, 1, -1, 1j, 2j],
        "u": [0, 1, 2, 1j, 2 + 1j],
        "v": [0, 1, 2, 1j, 2j],
        "w": [0, 1, 1 + 1j, 2 + 1j, 2 + 2j],
        "x": [0, 1, -1, 1j, -1j],
        "y": [0, 1, 2, 3, 2 + 1j],
        "z": [0, 1j, -1j, 1 + 1j, -1 - 1j],
    }

    def __init__(self) -> None:
        super().__init__()
        self.free = {complex(column, -row) for column in range(1, 7) for row in range(1, 7)}
        self.left = dict(self.SHAPES)

    def options(self) -> list[Any]:
        placements = {
            (shape, self.place(cells, at, turn, mirrored))
            for shape, cells in self.left.items()
            for turn in range(4)
            for mirrored in (False, True)
            for at in self.free
        }
        return sorted((shape, self.order(cells)) for shape, cells in placements if cells <= self.free)

    @staticmethod
    def place(cells: list[complex], at: complex, turn: int, mirrored: bool) -> frozenset[complex]:
        return frozenset(at + (cell.conjugate() if mirrored else cell) * 1j**turn for cell in cells)

    @staticmethod
    def order(cells: Iterable[complex]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((round(cell.real), round(-cell.imag)) for cell in cells))

    def choose(self, option: Any) -> None:
        shape, cells = option
        del self.left[shape]
        self.free -= {complex(column, -row) for column, row in cells}
        self.player = 1 - self.player
        if not self.options():
            self.winners = [1 - self.player]

    def read_option(self, option: Any, ruleset: Ruleset) -> Any:
        row = ruleset.declarations.tables["ways"].rows[option].cells
        spaces = ruleset.declarations.tables["board"].rows
        places = [(spaces[each].cells["column"], spaces[each].cells["row"]) for each in row["covers"]]
        return row["piece"], tuple(sorted(places))

    def position(self) -> dict[str, Any]:
        return {}


@cache
def machine(reference: str, name: str) -> Machine:
    return make(name, load_ruleset(reference, rules=FOLDERS))


def values(state: State, names: Any) -> dict[str, Any]:
    game = state.objects[0]
    assert game is not None
    return {name: game[state.machine.layout.places["game", name]] for name in names}


def play(reference: str, name: str, engine: Engine, seed: int) -> tuple[int, ...]:
    """Play one random game on both, and return who won. A single option is no decision on either side."""
    random = Random(seed)
    runner = machine(reference, name)
    state = runner.empty(2)
    state.events = []
    runner.begin(state, "game", ())
    while state.mode != OVER:
        while len(engine.options()) == 1:
            engine.choose(engine.options()[0])
        if state.mode == DECISION and len(state.options) == 1:
            state.apply(0)  # asked only because the number of options is secret
            continue
        if state.mode == CHANCE:
            outcomes, _ = state.chance_outcomes()
            drawn = random.choice(outcomes)
            engine.deal(drawn)
            state.apply_outcome(drawn)
            continue
        assert state.mode == DECISION
        assert state.who == engine.player + 1
        options = [engine.read_option(each, runner.ruleset) for each in state.options]
        assert sorted(options) == sorted(engine.options())
        position = engine.position()
        ours = values(state, position)
        if isinstance(position.get("men"), dict):
            points = machine(reference, name).ruleset.declarations.tables["points"].rows
            ours["men"] = {point: who for point, who in zip(points, ours["men"], strict=True) if who is not None}
        assert ours == position
        place = random.randrange(len(options))
        engine.choose(options[place])
        state.apply(place)
    while engine.winners is None:
        (only,) = engine.options()
        engine.choose(only)
    assert state.winners == tuple(each + 1 for each in engine.winners)
    return tuple(state.winners)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize(
    ("reference", "engine"),
    [
        ("cookbook/reversi", Reversi),
        ("classics/reversi", Reversi),
        ("classics/nine-mens-morris", Morris),
        ("classics/dominoes", Dominoes),
        ("cookbook/walled-towns", Towns),
        ("cookbook/pentominoes", Pentominoes),
    ],
)
def test_it_is_the_same_game(reference: str, engine: type[Engine], name: str) -> None:
    ended = {play(reference, name, engine(), seed) for seed in range(GAMES)}
    assert len(ended) > 1
