"""How well bots play where somebody else can tell: `mcts` beside OpenSpiel's MCTS with as many visits.

Method: Connect Four on both sides at once. Our bot sees our game, OpenSpiel's sees its own, and each move is made in
both, slot for column; that these are the same game is tested by `tests/rules/test_classics.py`. OpenSpiel's bot has the
constant of exploration that its examples have (2), one random playout a visit, and no solver of its own; ours is what
`--players mcts:N` gives. Half of the games are begun by each. Draws count as half a win.
"""

from __future__ import annotations

import argparse

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

import pyspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.language.declarations import FIRST_PLAYER  # noqa: E402
from rulewright.play import bots  # noqa: E402
from rulewright.play.compile.compiler import compiled  # noqa: E402

EXPLORATION = 2.0
REFERENCE = "classics/connect-four@1.0"
RULESET = load_ruleset(REFERENCE)
MACHINE = compiled(RULESET)


def points(seed: int, visits: int, seat: int) -> float:
    """What our bot in this seat (0 begins) makes of a game: 1 for a win, a half for a draw."""
    start = RULESET.start
    assert start is not None
    ours = bots.make(f"mcts:{visits}", RULESET, seed=seed, seat=seat + 1)
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    theirs = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, visits, 100, False, seed, False, pyspiel.ChildSelectionPolicy.UCT
    )
    state, other = MACHINE.empty(2), game.new_initial_state()
    MACHINE.begin(state, start, ())
    columns = {thing: place for place, thing in enumerate(sorted(state.options))}
    while not other.is_terminal():
        if other.current_player() == seat:
            index = ours(state)
            column = columns[state.options[index]]
        else:
            column = theirs.step(other)
            index = next(place for place, thing in enumerate(state.options) if columns[thing] == column)
        # A last option of all is taken without a question.
        assert state.who - FIRST_PLAYER == other.current_player()
        state.apply(index)
        other.apply_action(column)
        while not other.is_terminal() and len(other.legal_actions()) == 1:
            other.apply_action(other.legal_actions()[0])
    return (other.returns()[seat] + 1) / 2


def main() -> int:
    """Play, and compare what our bot got with what the other did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="games in each seat (default: %(default)s)")
    parser.add_argument("--visits", type=int, default=200, help="visits before each decision (default: %(default)s)")
    given = parser.parse_args()
    found = []
    for seat, told in enumerate(("as first player", "as second player")):
        got = sum(points(seed, given.visits, seat) for seed in range(given.games))
        print(f"{REFERENCE}, mcts:{given.visits} {told}: {got:g} of {given.games} games")
        found.append(got / max(given.games - got, 0.5))
    return report(
        [Ratio("Connect Four as first player, games won beside those of OpenSpiel's MCTS", found[0], at_least=1.0)]
    )


if __name__ == "__main__":
    raise SystemExit(main())
