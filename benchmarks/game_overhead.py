"""Compare random games through `Game`, as an integrator plays them, with the rules alone on the same back end.

Method: one process. Both sides play the same games: the same seeds, the same dice, and the same choices, drawn by the
same call. The rules alone are a state of the back end that `Game` uses (generated Python that records events and can
undo a move), driven by `apply`. Through `Game`, a decision is read twice for each move, once by the loop and once for
its options, and an option is passed to `choose`. Sides take turns of a few games, so that what slows the machine slows
both; figures are medians of the ratios of the turns, by processor time. Before anything is timed, both sides play the
games of a turn, and must end with the same state and the same events.

What else is shown: the same games on the back end that neither records nor undoes, as `simulate` plays them, and what
it costs if the loop reads each decision once more, or reads all of its labels.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from _environments import ensure
from _report import Ratio, report

ensure("rulewright")

from rulewright import Game, Ruleset, load_ruleset  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402
from rulewright.engine import backends  # noqa: E402
from rulewright.engine.game.script import draw_value  # noqa: E402
from rulewright.engine.python_backend.compiler import compile_ruleset  # noqa: E402
from rulewright.engine.state.game_state import CHANCE, OVER, State  # noqa: E402
from rulewright.engine.state.machine import Machine  # noqa: E402
from rulewright.engine.state.state_json import to_json  # noqa: E402

TARGET = 1.3
REREAD_TARGET = 1.05

GAMES = {"pig/classic@1.0": ({}, 60), "fuzzy-knights/normal@1.0": ({"max_days": "hundred"}, 3)}
"""The rulesets, each with its settings and the number of games per measurement."""


def play_rules(machine: Machine, options: dict[str, str], seed: int, *, recording: bool = True) -> State:
    """Play a random game without `Game`."""
    state = machine.empty(2, options=options)
    dice, random = Generator(seed, "dice"), Random(seed)
    state.events = [] if recording else None
    machine.begin(state, machine.ruleset.start or "", ())
    while state.mode != OVER:
        if state.mode == CHANCE:
            state.apply_outcome(draw_value(state.roll, dice))
        else:
            state.apply(random.choice(state.legal_actions()))
    return state


def play_game(rules: Ruleset, options: dict[str, str], seed: int) -> Game:
    """Play the same game through `Game`."""
    game, random = Game(rules, players=2, seed=seed, options=options), Random(seed)
    while game.decision:
        game.choose(random.choice(game.decision.options))
    return game


def play_reading(
    rules: Ruleset, options: dict[str, str], seed: int, *, again: bool = False, labels: bool = False
) -> None:
    """Play the same game and read each decision once. Optionally read it twice, or with all labels."""
    game, random = Game(rules, players=2, seed=seed, options=options), Random(seed)
    while decision := game.decision:
        if again:
            decision = game.decision
        if labels:
            for option in decision.options:
                _ = option.label
        game.choose(random.choice(decision.options))


def agree(rules: Ruleset, machine: Machine, options: dict[str, str], games: int) -> None:
    """Raise `AssertionError` unless both sides play the same games."""
    for seed in range(games):
        state, game = play_rules(machine, options, seed), play_game(rules, options, seed)
        assert to_json(state) == game.to_json(), seed
        assert state.events == game.state.events, seed


def compare(reference: str, turns: int) -> list[Ratio]:
    """Return the ratios of one ruleset."""
    rules = load_ruleset(reference)
    options, games = GAMES[reference]
    machine, plain = backends.make(backends.STANDARD, rules), compile_ruleset(rules)
    agree(rules, machine, options, games)
    sides: dict[str, Callable[[int], object]] = {
        "the rules alone": lambda seed: play_rules(machine, options, seed),
        "without recording": lambda seed: play_rules(plain, options, seed, recording=False),
        "Game": lambda seed: play_game(rules, options, seed),
        "one read": lambda seed: play_reading(rules, options, seed),
        "two reads": lambda seed: play_reading(rules, options, seed, again=True),
        "all labels": lambda seed: play_reading(rules, options, seed, labels=True),
    }
    times: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(turns):
        for name, call in sides.items():
            started = process_time()
            for seed in range(turn * games, (turn + 1) * games):
                call(seed)
            times[name].append((process_time() - started) / games)
    print(f"{reference:<28}{'ms a game':>10}{'× alone':>10}")
    for name, durations in times.items():
        print(f"{name:<28}{median(durations) * 1000:>10.2f}{_divide(durations, times['the rules alone']):>10.2f}")
    print()
    name = rules.title
    return [
        Ratio(
            f"random games of {name} through `Game`, compared with the rules alone",
            _divide(times["Game"], times["the rules alone"]),
            at_most=TARGET,
            held=False,
        ),
        Ratio(
            f"the same games of {name}, compared with the rules without recording",
            _divide(times["Game"], times["without recording"]),
        ),
        Ratio(
            f"each decision of {name} read twice, compared with once",
            _divide(times["two reads"], times["one read"]),
            at_most=REREAD_TARGET,
        ),
        Ratio(
            f"all labels of {name} read, compared with none",
            _divide(times["all labels"], times["one read"]),
        ),
    ]


def _divide(ones: list[float], others: list[float]) -> float:
    return median(one / other for one, other in zip(ones, others, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=15)
    args = parser.parse_args()
    return report([ratio for reference in GAMES for ratio in compare(reference, args.turns)])


if __name__ == "__main__":
    sys.exit(main())
