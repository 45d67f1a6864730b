"""The bot `solved`, which plays perfectly if the game has few enough positions (`solved:2000000`).

The first decision solves the whole game, which takes minutes for a million positions, and stores the solution in the
cache folder. Without hidden information, the bot takes the best option against perfect play. With hidden information,
it takes each option as often as in an equilibrium, so opponents gain nothing by knowing its strategy.
"""

from __future__ import annotations

from itertools import accumulate

from rulewright.ai.bots import Policy
from rulewright.ai.solving.solution import POSITIONS
from rulewright.ai.solving.solver import Chances, Solver, get_solver
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

HELP = "plays perfectly if the game is small enough to solve; solved:N allows N positions"

MOST = 100_000_000

FINENESS = 1 << 32
"""The resolution of the random numbers that choose an option in a mixed strategy."""


CANDIDATES = ("solved",)


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`, after the game has been solved."""
    return 5.0


class PerfectPlayer:
    """A policy that draws options from the solution of a game, for one seat of one game.

    With hidden information, it keeps a history of its choices.
    """

    __slots__ = ("_generator", "_most", "_past", "_solver")

    def __init__(self, solver: Solver, generator: Generator, most: int) -> None:
        self._solver = solver
        self._generator = generator
        self._most = most
        self._past = b""

    def __call__(self, state: State, /) -> int:
        """Return the index of an option. Raises `UnsolvedError` if the game is too large or cannot be solved."""
        index = _draw_option(self._solver.list_choices(state, self._past, most=self._most), self._generator)
        self._past = self._solver.extend_past(state, self._past, index)
        return index

    @property
    def position(self) -> int | str:
        """How many words of the stream have been used, followed by the history after a colon if there is one."""
        return f"{self._generator.index}:{self._past.hex()}" if self._past else self._generator.index

    @position.setter
    def position(self, position: int | str) -> None:
        used, _, past = str(position).partition(":")
        history = bytes.fromhex(past)
        self._generator.index = int(used)
        self._past = history


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """Return the bot. Raises `RulewrightError` for an invalid setting."""
    most = POSITIONS if not setting else parse_whole_number(setting) or 0
    if not 1 <= most <= MOST:
        raise RulewrightError(
            f"`solved:{setting}` is not a valid limit: write solved:2000000 for two million positions"
        )
    return PerfectPlayer(get_solver(ruleset), generator, most)


def _draw_option(chances: Chances, generator: Generator) -> int:
    """Return the index of a random option, drawn with these probabilities."""
    if 1.0 in chances:
        return chances.index(1.0)
    drawn = generator.draw_below(FINENESS) / FINENESS
    last = max(index for index, chance in enumerate(chances) if chance)
    return next((index for index, below in enumerate(accumulate(chances)) if drawn < below), last)
