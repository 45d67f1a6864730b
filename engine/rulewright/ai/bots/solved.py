"""`solved`: plays without an error, where a game has no more positions than a bound (`solved:2000000`).

All that can come of a game is gone through when the bot is first asked, which takes minutes for a million positions,
and is kept in the cache folder. Where all is seen, it takes the option that is worth most against whoever plays so too;
where something is hidden, each as often as in an equilibrium, so that nobody gains by knowing how it plays.
"""

from __future__ import annotations

from itertools import accumulate

from rulewright.ai.bots import Policy
from rulewright.ai.solving.solution import POSITIONS
from rulewright.ai.solving.solver import Chances, get_solver
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

HELP = "plays perfectly if the game is small enough to solve: solved:N allows N positions"

MOST = 100_000_000

FINENESS = 1 << 32
"""Into how many parts chance is cut where options are mixed."""


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """Return the bot.

    It raises `UnsolvedError` when it is asked, where the game is too large or of a kind beyond it.
    """
    most = POSITIONS if not setting else parse_whole_number(setting) or 0
    if not 1 <= most <= MOST:
        raise RulewrightError(
            f"`solved:{setting}` is not a valid limit: write solved:2000000 for two million positions"
        )
    solver = get_solver(ruleset)
    past = b""

    def choose(state: State, /) -> int:
        nonlocal past
        index = _draw_option(solver.list_choices(state, past, most=most), generator)
        past = solver.extend_past(state, past, index)
        return index

    return choose


def _draw_option(chances: Chances, generator: Generator) -> int:
    """Return one of the options, as often as it is to be taken."""
    if 1.0 in chances:
        return chances.index(1.0)
    drawn = generator.draw_below(FINENESS) / FINENESS
    last = max(index for index, chance in enumerate(chances) if chance)
    return next((index for index, below in enumerate(accumulate(chances)) if drawn < below), last)
