"""Measure the strength of bots against OpenSpiel's MCTS with as many visits, and against solved games.

Connect Four and backgammon are played on both sides at once. Our bot sees our game, OpenSpiel's bot sees its own, and
each move is made in both: a slot is a column, and a turn of backgammon is identified by its resulting position.
`tests/rules` tests that these are the same games. OpenSpiel's bot has the exploration constant of its examples (2), one
random playout per visit, and no solver. Ours is that of `--players mcts:N`. Each side begins half of the games. Draws
count as half a win.

Pig is solved here, by value iteration (T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal
25, 2004). Against a perfect player, a bot wins a half, less the cost of each of its decisions. This cost is known, so a
few games say more than thousands of results.

Kuhn and Leduc poker: the probability of a bet at each decision is counted, or known for a solved game. OpenSpiel
computes the exploitability and the value of the games.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from statistics import mean
from typing import Any

from _environments import ROOT, ensure
from _report import Ratio, report

ensure("numpy", "pyspiel", "rulewright", "pytest")

import sys  # noqa: E402

sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.ai import bots  # noqa: E402
from rulewright.ai.solving.solver import get_solver  # noqa: E402
from rulewright.engine.python_backend.compiler import compile_ruleset  # noqa: E402
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State  # noqa: E402
from rulewright.language.declarations import FIRST_PLAYER  # noqa: E402
from rulewright.ruleset.ruleset import Ruleset  # noqa: E402

EXPLORATION = 2.0


def beginning(ruleset: Ruleset) -> State:
    """Return the initial state of a game for two."""
    assert ruleset.start is not None
    machine = compile_ruleset(ruleset)
    state = machine.empty(2)
    machine.begin(state, ruleset.start, ())
    return state


def opponent(game: Any, visits: int, seed: int) -> Any:
    """Return OpenSpiel's MCTS bot."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, visits, 100, False, seed, False, pyspiel.ChildSelectionPolicy.UCT
    )


# -- Connect Four ----------------------------------------------------------------------------


def points(seed: int, visits: int, seat: int) -> float:
    """Return the points of our bot in a seat (0 begins): 1 for a win, 0.5 for a draw."""
    ruleset = load_ruleset("classics/connect-four@1.0")
    ours = bots.make(f"mcts:{visits}", ruleset, seed=seed, seat=seat + 1)
    game = pyspiel.load_game("connect_four")
    theirs = opponent(game, visits, seed)
    state, other = beginning(ruleset), game.new_initial_state()
    columns = {option: place for place, option in enumerate(sorted(state.options))}
    while not other.is_terminal():
        if other.current_player() == seat:
            index = ours(state)
            column = columns[state.options[index]]
        else:
            column = theirs.step(other)
            index = next(place for place, option in enumerate(state.options) if columns[option] == column)
        # A last option of all is taken without a question.
        assert state.who - FIRST_PLAYER == other.current_player()
        state.apply(index)
        other.apply_action(column)
        while not other.is_terminal() and len(other.legal_actions()) == 1:
            other.apply_action(other.legal_actions()[0])
    return (other.returns()[seat] + 1) / 2


# -- backgammon ------------------------------------------------------------------------------


def backgammon(seed: int, visits: int, seat: int) -> bool:
    """Return whether our bot in a seat wins a game."""
    from tests.rules import test_backgammon as beside

    random = Random(seed)
    ours, theirs = beside.machine().new_game(2), pyspiel.load_game("backgammon").new_initial_state()
    bot = bots.make(f"mcts:{visits}", load_ruleset("classics/backgammon@1.0"), seed=seed, seat=seat + 1)
    other = opponent(theirs.get_game(), visits, seed)
    one, two = random.sample(range(1, 7), 2)
    beside.settle(ours, one)
    beside.settle(ours, two)
    outcome = dict(beside.dice(theirs))[0 if one > two else 1, min(one, two), max(one, two)]
    while True:
        theirs.apply_action(outcome)
        player = theirs.current_player()
        here, there = beside.endings(ours), beside.their_endings(theirs)
        if player == seat:
            while ours.mode == DECISION:
                ours.apply(bot(ours))
            theirs = there[beside.position(ours)]
        else:
            while not theirs.is_terminal() and not theirs.is_chance_node() and theirs.current_player() == player:
                theirs.apply_action(other.step(theirs))
            ours = here[beside.their_position(theirs)]
        if ours.mode == OVER:
            assert ours.winners is not None
            return seat + 1 in ours.winners
        one, two = random.randint(1, 6), random.randint(1, 6)
        beside.settle(ours, one)
        beside.settle(ours, two)
        outcome = beside.throws()[min(one, two), max(one, two)]


# -- Pig -------------------------------------------------------------------------------------

GOAL, FACES = 100, range(2, 7)
MOST = GOAL + max(FACES)

PUBLISHED = 0.5306
"""The first player's probability of winning under perfect play."""

PIG = 1_200_000
"""The maximum number of positions for `solved`. Pig has 1,078,110."""


class Solved:
    """The value of Pig for the player to move, by both scores and the pot: `value[own, other, pot]`."""

    def __init__(self) -> None:
        self.value = np.full((GOAL, GOAL, MOST), 0.5)
        enough = np.arange(GOAL)[:, None] + np.arange(MOST)[None, :] >= GOAL
        moved = 1.0
        while moved > 1e-10:
            before = self.value[:, :, 0].copy()
            passed = 1 - before.T
            for pot in reversed(range(MOST)):
                hold = np.ones((GOAL, GOAL))
                hold[: max(0, GOAL - pot)] = 1 - self.value[:, pot:GOAL, 0].T
                rolled = [self.value[:, :, pot + face] if pot + face < MOST else 1.0 for face in FACES]
                self.value[:, :, pot] = np.maximum(hold, (passed + sum(rolled)) / 6)
                self.value[enough[:, pot], :, pot] = 1
            moved = abs(self.value[:, :, 0] - before).max()

    def answers(self, own: int, other: int, pot: int) -> dict[str, float]:
        """Return the value of each choice."""
        hold = 1.0 if own + pot >= GOAL else 1 - self.value[other, own + pot, 0]
        roll = 1 - self.value[other, own, 0] + sum(self.value[own, other, pot + face] for face in FACES)
        return {"hold": hold, "roll": roll / 6}


def lost_at_pig(solved: Solved, policy: str, seed: int, seat: int) -> float:
    """Return the win probability that a bot's decisions lose in a game against a perfect player."""
    ruleset = load_ruleset("pig/classic@1.0")
    state, random, lost = beginning(ruleset), Random(seed), 0.0
    bot = bots.make(policy, ruleset, seed=seed, seat=seat)
    places = compile_ruleset(ruleset).layout.places
    while state.mode != OVER:
        if state.mode == CHANCE:
            outcomes, chances = state.chance_outcomes()
            state.apply_outcome(random.choices(outcomes, chances)[0])
            continue
        own, other = (state.objects[player][places["player", "score"]] for player in (state.who, 3 - state.who))
        answers = solved.answers(own, other, state.objects[0][places["game", "pot"]])
        best = max(answers, key=lambda answer: answers[answer])
        if state.who == seat:
            index = bot(state)
            lost += answers[best] - answers[state.options[index]]
        else:
            index = state.options.index(best)
        state.apply(index)
    return lost


# -- poker -----------------------------------------------------------------------------------

KUHN, LEDUC = "classics/kuhn-poker@1.0", "classics/leduc-poker@1.0"

LEDUC_VALUE = -0.085606
"""The value of Leduc poker for the first seat, by OpenSpiel's sequence-form linear program."""

Bets = Callable[[State], float]
"""The probability of a bet at each decision."""


def counted(policy: str, ruleset: Ruleset, times: int) -> Bets:
    """Return the share of bets at each decision, from many runs of a bot."""

    def bets(state: State) -> float:
        makers = (bots.make(policy, ruleset, seed=seed, seat=state.who) for seed in range(times))
        return mean(state.options[bot(state)] == "bet" for bot in makers)

    return bets


def known(ruleset: Ruleset) -> Bets:
    """Return the probabilities of bets from the strategy of a solved bot."""
    return lambda state: get_solver(ruleset).list_choices(state)[state.options.index("bet")]


def exploited(bets: Bets) -> float:
    """Return the exploitability of a strategy for Kuhn poker, in chips for both seats together."""
    ruleset = load_ruleset(KUHN)
    ranks = {"jack": 0, "queen": 1, "king": 2}
    played: dict[str, list[tuple[int, float]]] = {}
    waiting: list[tuple[State, tuple[str, ...], str]] = [(beginning(ruleset), (), "")]
    while waiting:
        state, cards, history = waiting.pop()
        if state.mode == CHANCE:
            for card in state.chance_outcomes()[0]:
                after = state.clone()
                after.apply_outcome(card)
                waiting.append((after, (*cards, card), history))
        elif state.mode == DECISION:
            known = f"{ranks[cards[state.who - FIRST_PLAYER]]}{history}"  # as OpenSpiel calls what a player knows
            if known not in played:
                often = bets(state)
                played[known] = [(0, 1 - often), (1, often)]
            for index, answer in enumerate(state.options):
                after = state.clone()
                after.apply(index)
                waiting.append((after, cards, history + answer[0]))
    return pyspiel.nash_conv(pyspiel.load_game("kuhn_poker"), pyspiel.TabularPolicy(played))


def main() -> int:
    """Play the games, and compare the points of our bots with those of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="games in each seat (default: %(default)s)")
    parser.add_argument("--visits", type=int, default=200, help="visits before each decision (default: %(default)s)")
    parser.add_argument("--backgammon", type=int, default=5, help="games of it in each seat (default: %(default)s)")
    parser.add_argument("--tries", type=int, default=20, help="visits at backgammon (default: %(default)s)")
    given = parser.parse_args()
    results = []
    for seat, seat_name in enumerate(("as first player", "as second player")):
        got = sum(points(seed, given.visits, seat) for seed in range(given.games))
        print(f"Connect Four, mcts:{given.visits} {seat_name}: {got:g} of {given.games} games")
        results.append(got / max(given.games - got, 0.5))
    solved = Solved()
    shares = {}
    for policy in ("greedy", "planner:64", f"mcts:{given.visits}", f"solved:{PIG}"):
        losses = [lost_at_pig(solved, policy, seed, 1 + seed % 2) for seed in range(2 * given.games)]
        shares[policy] = 0.5 - mean(losses)
        print(f"Pig, {policy} against a player without an error: wins {shares[policy]:.1%} (a half would be perfect)")
    first = get_solver(load_ruleset("pig/classic@1.0")).find_solution(2, most=PIG).wins[0]
    here = solved.value[0, 0, 0]
    print(f"Pig, win probability of the first player under perfect play: {first:.6f}; {here:.6f} as it is solved here")
    kuhn = load_ruleset(KUHN)
    chips = {policy: exploited(counted(policy, kuhn, given.games)) for policy in ("random", f"mcts:{given.visits}")}
    chips["solved"] = exploited(known(kuhn))
    for policy, gain in chips.items():
        print(f"Kuhn poker, exploitability of {policy}: {gain:.4f} chips")
    solution = get_solver(load_ruleset(LEDUC)).find_solution(2)
    print(
        f"Leduc poker, solved: value {solution.values[0]:.4f} for the first seat; "
        f"{solution.gain:.4f} chips could be gained"
    )
    games = [backgammon(seed, given.tries, seat) for seat in range(2) for seed in range(given.backgammon)]
    print(f"Backgammon, mcts:{given.tries}: {sum(games)} of {len(games)} games")
    best = max(shares, key=lambda policy: shares[policy])
    return report(
        [
            Ratio(
                "Connect Four as first player, games won compared with those of OpenSpiel's MCTS",
                results[0],
                at_least=1.0,
            ),
            Ratio(
                "Backgammon, games won compared with those of OpenSpiel's MCTS",
                sum(games) / max(len(games) - sum(games), 0.5),
                at_least=1.0,
            ),
            Ratio(
                f"Pig, what `{best}` wins compared with a player without an error", shares[best] / 0.5, at_least=0.98
            ),
            Ratio(
                "Pig, solved, what whoever begins wins compared with what Neller and Presser published",
                first / 0.5306,
                at_least=0.999,
                at_most=1.001,
            ),
            Ratio(
                f"Kuhn poker, what can be gained from `mcts:{given.visits}` compared with what can be from `random`",
                chips[f"mcts:{given.visits}"] / chips["random"],
            ),
            Ratio(
                "Kuhn poker, what can be gained from `solved` compared with what can be from `random`",
                chips["solved"] / chips["random"],
                at_most=0.01,
            ),
            Ratio(
                "Leduc poker, solved, compared with what it is worth",
                solution.values[0] / LEDUC_VALUE,
                at_least=0.99,
                at_most=1.01,
            ),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
