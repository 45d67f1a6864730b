"""Measure the luck in the largest rules: a bot that knows its dice, and the effect of single rolls and rules.

All bots are `greedy`, unless the script says otherwise. Where two bots differ, they play each game twice, with the same
dice and the seats swapped. The script answers three questions:

- What would a bot win that knew the dice? At each decision, it tries every option with the dice that will come up: to
  the end of its own turn, or for some further turns, in which all bots play like `greedy`. No bot without that
  knowledge can be expected to win more by searching as far ahead.
- What does one roll decide? The script forces rolls as `rulewright fair` does, in a given number of games.
- Which rule limits better play? If the dice of a rule are less extreme, with the same mean, how many pairs does one
  seat still win twice?
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial

from _environments import ensure
from _report import Ratio, report

ensure("rulewright")

from rulewright import load_ruleset  # noqa: E402
from rulewright.ai.bots.greedy import Foresight  # noqa: E402
from rulewright.ai.bots.mcts import PlayoutReward  # noqa: E402
from rulewright.analysis.simulation.game_counts import GameRow  # noqa: E402
from rulewright.analysis.simulation.roll_leverage import LeverageResult, turn_rolls  # noqa: E402
from rulewright.analysis.simulation.run_simulation import begin_run, iterate_steps  # noqa: E402
from rulewright.analysis.simulation.tournament import BETTER, SEAT, judge_deal  # noqa: E402
from rulewright.base.confidence_intervals import compute_wilson_interval  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402
from rulewright.engine.game.script import draw_outcome  # noqa: E402
from rulewright.engine.state.game_state import CHANCE, OVER, State  # noqa: E402
from rulewright.ruleset.overlay import lay_over  # noqa: E402
from rulewright.ruleset.ruleset import Ruleset  # noqa: E402

REFERENCE = "fuzzy-knights/normal@1.0"
TO_THE_END = 10_000
MOST_REPLAYS = 10_000

TAMER = {
    "battles": """
numbers:
  mercenary_base_roll: {is: 1d2 +2}
  hero_base_roll: {is: 2d2 +10}
tables:
  settlement_tiers:
    rows:
      encampment: {base_roll: 2d2 +10}
      villa: {base_roll: 3d2 +15}
      estate: {base_roll: 4d2 +20}
      castle: {base_roll: 5d2 +25}
""",
    "guardians": """
tables: {guardian_check: {rows: {capture: 10-90, fight: 100}}}
""",
}
"""House rules with less variance, by name: a d6 becomes a die with two faces and the same mean."""


class Table:
    """Games between greedy players of a ruleset, from any state."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.foresight = Foresight(ruleset, Generator(0, "ties"), "")
        self.judge = PlayoutReward(self.foresight.machine, knows=True, judge="")

    def begun(self, seed: int) -> tuple[State, Generator]:
        """Return a game before its first roll, and its random generator."""
        machine = self.foresight.machine
        state = machine.empty(2, options=dict(self.ruleset.simulations))
        assert self.ruleset.start is not None
        machine.begin(state, self.ruleset.start, ())
        return state, Generator(seed, "dice")

    def greedy(self, state: State) -> int:
        """Return the choice of a greedy player."""
        return self.foresight.choose_best(self.foresight.evaluate_options(state)) if len(state.options) > 1 else 0

    def foreseeing(self, state: State, dice: Generator, changes: int) -> int:
        """Return the choice of a player who knows the dice of the next `turns` turns."""
        if len(state.options) == 1:
            return 0
        player, values = state.who, []
        for index in range(len(state.options)):
            after, known, left, who = state.clone(), dice.copy(), changes, state.who
            after.apply(index)
            while after.mode != OVER:
                if after.mode == CHANCE:
                    roll(after, known)
                    continue
                if after.who != who:
                    left, who = left - 1, after.who
                    if left < 0:
                        break
                after.apply(self.greedy(after))
            values.append(self.judge(after)[0][player])
        return self.foresight.choose_best(values)

    def play_on(self, state: State, dice: Generator) -> tuple[int, ...]:
        """Return the winners if all players are greedy."""
        while state.mode != OVER:
            if state.mode == CHANCE:
                roll(state, dice)
            else:
                state.apply(self.greedy(state))
        return state.winners or ()


def roll(state: State, dice: Generator) -> None:
    """Resolve the pending rolls."""
    state.apply_outcome(draw_outcome(state.roll, dice).value)


@lru_cache(maxsize=1)
def table() -> Table:
    """Return the table of the current process."""
    return Table(load_ruleset(REFERENCE))


def won_foreseeing(changes: int, game: int) -> bool | None:
    """Return whether the player who knows the dice wins, or None without a winner. Each pair swaps the seats."""
    here, seat = table(), 1 + game % 2
    state, dice = here.begun(game // 2)
    while state.mode != OVER:
        if state.mode == CHANCE:
            roll(state, dice)
        elif state.who == seat:
            state.apply(here.foreseeing(state, dice, changes))
        else:
            state.apply(here.greedy(state))
    return seat in state.winners if state.winners else None


def by_seat(ruleset: Ruleset, deals: int) -> tuple[int, int, int]:
    """Count the pairs that `planner:16` wins twice against `greedy`, those that one seat wins twice, and its wins."""
    better, lesser = "planner:16", "greedy"
    first, second = (rows(ruleset, bots, deals) for bots in ([better, lesser], [lesser, better]))
    kinds = Counter(judge_deal(one, other, better) for one, other in zip(first, second, strict=True))
    won = sum(row.list_winning_bots() == [better] for row in first + second)
    return kinds[BETTER], kinds[SEAT], won


def rows(ruleset: Ruleset, policies: list[str], games: int) -> list[GameRow]:
    """Return the rows of games between two bots."""
    run = begin_run(ruleset, policies=policies, seed=0, rows=True)
    return [row for counts in iterate_steps(ruleset, run, games=games) for row in counts]


def main() -> int:
    """Run the three measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=40, help="deals of who knows the dice (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, help="games in which rolls are turned (default: %(default)s)")
    parser.add_argument("--tamer", type=int, default=100, help="deals under tamer rules (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    given = parser.parse_args()
    results: list[Ratio] = []
    with ProcessPoolExecutor(given.workers) as pool:
        for changes, knowledge, deals in (
            (0, "their own turn", given.deals),
            (4, "four changes of turns", max(1, given.deals // 4)),
            (TO_THE_END, "the game", max(1, given.deals // 8)),
        ):
            ends = [end for end in pool.map(partial(won_foreseeing, changes), range(2 * deals)) if end is not None]
            low, high = compute_wilson_interval(sum(ends), len(ends))
            print(
                f"who knows the dice of {knowledge} wins {sum(ends)} of {len(ends)} games ({low:.0%} to {high:.0%})",
                flush=True,
            )
            results.append(Ratio(f"Games won by who knows the dice of {knowledge}", sum(ends) / len(ends)))
    ruleset = load_ruleset(REFERENCE)
    leverage = LeverageResult()
    for each in turn_rolls(ruleset, ["greedy"] * 2, games=given.games, replays=MOST_REPLAYS, workers=given.workers):
        leverage.take(each)
    for rule in leverage.list_deciding():
        low, high = rule.swings_between
        least, most = rule.wins
        print(
            f"the first roll of {rule.rule} has an effect of {rule.swing:.0%} ({low:.0%} to {high:.0%}) in "
            f"{rule.games} games: the player wins {least:.0%} with its minimum and {most:.0%} with its maximum; other "
            f"winners: {rule.other}; {'it decides' if rule.decides else 'more is not known'}; {rule.often:.1f} a game"
        )
    for name, over in [("all its dice", ""), *TAMER.items()]:
        twice, seat, won = by_seat(lay_over(ruleset, over) if over else ruleset, given.tamer)
        knowledge = f"with {name}" if not over else f"with tamer {name}"
        print(
            f"{knowledge}: of {given.tamer} deals, planner:16 wins {twice} twice and one seat {seat}; it wins {won} of "
            f"{2 * given.tamer} games",
            flush=True,
        )
        results.append(Ratio(f"Deals that one seat wins twice, {knowledge}", seat / given.tamer))
    return report(results)


if __name__ == "__main__":
    raise SystemExit(main())
