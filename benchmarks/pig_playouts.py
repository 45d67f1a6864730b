"""Compare random games of Pig, and clones, with OpenSpiel's C++ `pig`, driven from Python by the same loop.

Method: one process. A game is played by listing the legal options, picking one at random and applying it. At a chance
event, the outcomes are listed with their probabilities, and one is sampled and applied. Both sides use the same kind of
random generator with the same two calls, `choice` and `choices`. The libraries alternate after fifty games, so that
other load slows both. The results are medians of processor time. (In our game, players with enough points may roll on,
so its random games are a little longer.) A clone is taken at a random decision in mid-game. Before the measurement,
both play 300 games from one list of actions and faces: decisions and winners must be the same.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from statistics import median
from time import process_time
from timeit import timeit

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

import pyspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.engine.python_backend.compiler import compile_ruleset  # noqa: E402
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER  # noqa: E402
from rulewright.engine.state.machine import Machine  # noqa: E402
from rulewright.engine.state.tree_interpreter import Interpreter  # noqa: E402

PLAYOUTS_TARGET = 1.2
CLONE_TARGET = 3.0
TURN = 50


def play_ours(machine: Machine, random: Random) -> None:
    state = machine.new_game(machine.ruleset.players[0])
    while state.mode != OVER:
        if state.mode == CHANCE:
            outcomes, chances = state.chance_outcomes()
            state.apply_outcome(random.choices(outcomes, chances)[0])
        else:
            state.apply(random.choice(state.legal_actions()))


def play_open_spiel(game: pyspiel.Game, random: Random) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))


def agree(machine: Machine, game: pyspiel.Game, games: int) -> None:
    """Raise `AssertionError` unless both play the same games."""
    for seed in range(games):
        random = Random(seed)
        ours, theirs = machine.new_game(2), game.new_initial_state()
        while ours.mode == CHANCE or ours.mode == DECISION:
            assert not theirs.is_terminal(), seed
            if ours.mode == CHANCE:
                assert theirs.is_chance_node(), seed
                face = random.randint(1, 6)
                ours.apply_outcome(face)
                theirs.apply_action(face - 1)
            else:
                assert ours.who - 1 == theirs.current_player(), seed
                # In OpenSpiel, players with enough points must hold. In our game, they may roll on.
                assert set(theirs.legal_actions()) <= set(ours.legal_actions()), seed
                action = random.choice(theirs.legal_actions())
                ours.apply(action)
                theirs.apply_action(action)
        assert theirs.is_terminal(), seed
        winner = theirs.returns().index(max(theirs.returns()))
        assert ours.winners == (winner + 1,), seed


def rate(turns: int, others) -> dict[str, float]:
    """Return the games per second of each side, measured alternately."""
    figures: dict[str, list[float]] = {name: [] for name in others}
    for turn in range(turns):
        for name, call in others.items():
            random = Random(turn)
            start = process_time()
            for _ in range(TURN):
                call(random)
            figures[name].append(TURN / (process_time() - start))
    return {name: median(rates) for name, rates in figures.items()}


def middle(machine: Machine, game: pyspiel.Game) -> tuple:
    """Return a state of each library at a decision in mid-game."""
    ours, theirs = machine.new_game(2), game.new_initial_state()
    for action in (0, 4, 0, 3, 1, 0, 5):
        if ours.mode == CHANCE:
            ours.apply_outcome(action + 1)
        else:
            ours.apply(action)
        theirs.apply_action(action)
    return ours, theirs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=40, help=f"turns of {TURN} games for each side")
    args = parser.parse_args()
    rules = load_ruleset("pig/classic@1.0")
    machine, plain = compile_ruleset(rules), Interpreter(rules)
    # OpenSpiel ends a game after `horizon` moves; ours has no such rule, so it is put out of reach.
    game = pyspiel.load_game("pig", {"horizon": 1_000_000})
    agree(machine, game, 300)
    players = {
        "rulewright, compiled": lambda random: play_ours(machine, random),
        "OpenSpiel, C++": lambda random: play_open_spiel(game, random),
        "rulewright, plain interpreter": lambda random: play_ours(plain, random),
    }
    figures = rate(args.turns, players)
    theirs = figures["OpenSpiel, C++"]
    print(f"{'random games of Pig':<32}{'games/s':>10}{'× OpenSpiel':>14}")
    for name, value in figures.items():
        print(f"{name:<32}{value:>10,.0f}{value / theirs:>14.2f}")
    ours_state, their_state = middle(machine, game)
    copies = {"rulewright": ours_state.clone, "OpenSpiel": their_state.clone}
    best = dict.fromkeys(copies, float("inf"))
    # In short turns, so that other load affects all sides alike.
    for _ in range(200):
        for name, copy in copies.items():
            best[name] = min(best[name], timeit(copy, number=500) / 500)
    clones = best
    ratio = clones["rulewright"] / clones["OpenSpiel"]
    print(
        f"\nclone: rulewright {clones['rulewright'] * 1e9:.0f} ns, "
        f"OpenSpiel {clones['OpenSpiel'] * 1e9:.0f} ns: {ratio:.2f} ×"
    )
    return report(
        [
            Ratio(
                "random games of pig in the same loop, compared with OpenSpiel",
                figures["rulewright, compiled"] / theirs,
                at_least=PLAYOUTS_TARGET,
            ),
            Ratio("the time to clone a state, compared with OpenSpiel", ratio, at_most=CLONE_TARGET),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
