"""How well bots play where the truth is known."""

from __future__ import annotations

import pytest

from rulewright import load_ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.tournament import play_tournament
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import OVER, State
from rulewright.ruleset.ruleset import Ruleset
from tests.language.inline import sound

MANIFEST = """
ruleset: test/inline
version: 1.0.0
title: Inline
rounding: truncate
players: 2
start: game
"""


TIC_TAC_TOE = load_ruleset("classics/tic-tac-toe")
NEVER_LOSES = "mcts:1000"
"""The fewest visits, in round numbers, with which no game was lost of many thousands, against itself neither."""


def beginning(ruleset: Ruleset) -> State:
    """Return the first decision of a game for two without chance."""
    machine = compile_ruleset(ruleset)
    assert ruleset.start is not None
    state = machine.empty(2)
    machine.begin(state, ruleset.start, ())
    return state


def after(state: State, option: int) -> State:
    """Return what an option leads to."""
    copy = state.clone()
    copy.apply(option)
    return copy


def won(state: State, player: int) -> int:
    """Return what a game that is over is to a player: 1 a victory, -1 a defeat, 0 neither."""
    return 0 if not state.winners else 1 if player in state.winners else -1


@pytest.mark.parametrize("seat", [1, 2])
def test_whatever_the_other_does_a_searching_bot_loses_no_game_of_tic_tac_toe(seat: int) -> None:
    """Whoever plays without an error does not: three in a row can be forced by nobody. Every reply is tried."""
    choose = bots.make(NEVER_LOSES, TIC_TAC_TOE, seed=1, seat=seat)
    open_lines, ended = [beginning(TIC_TAC_TOE)], 0
    while open_lines:
        state = open_lines.pop()
        if state.mode == OVER:
            assert won(state, seat) >= 0
            ended += 1
        elif state.who == seat:
            open_lines.append(after(state, choose(state)))
        else:
            open_lines += [after(state, option) for option in state.legal_actions()]
    assert ended > 40


@pytest.mark.parametrize("other", ["random", "greedy", "planner:64"])
def test_a_searching_bot_loses_no_game_of_tic_tac_toe_to(other: str) -> None:
    [pair] = play_tournament(TIC_TAC_TOE, [NEVER_LOSES, other], games=300)
    assert pair.losses == 0
    assert pair.wins + pair.draws == 300


def test_two_searching_bots_draw_tic_tac_toe() -> None:
    [pair] = play_tournament(TIC_TAC_TOE, [NEVER_LOSES, "mcts:1001"], games=200)
    assert pair.draws == 200


def solved(state: State, player: int) -> int:
    """Return what a position is to a player if both play as well as they can: by trying everything."""
    if state.mode == OVER:
        return won(state, player)
    values = [solved(after(state, option), player) for option in state.legal_actions()]
    return max(values) if state.who == player else min(values)


def test_what_an_end_proves_is_true() -> None:
    """With visits enough to prove all that is left, no option is taken that is worse than another."""
    generator = Generator(7, "positions")
    seen = set()
    for _ in range(40):
        state = beginning(TIC_TAC_TOE)
        while state.mode != OVER and len(state.options) > 6:
            state.apply(generator.draw_below(len(state.options)))
        if state.mode == OVER:
            continue
        choose = bots.make("mcts:3000", TIC_TAC_TOE, seed=generator.draw_below(1000), seat=state.who)
        value = solved(state, state.who)
        assert solved(after(state, choose(state)), state.who) == value
        seen.add(value)
    assert seen == {-1, 0, 1}


GAMBLE = """
kinds: {player: {}}
state: {one: player}
procedures:
  game:
    steps:
      - {id: dared, choose: {who: one, one_of: [1, 2]}}
      - {id: face, roll: 1d6}
      - {id: lucky, finish: {winners: [one]}, when: dared == 2 and face == 6}
      - {id: late, choose: {who: "next(one, players)", one_of: [1, 2]}}
      - {id: unlucky, finish: {winners: "[next(one, players)]"}, when: dared == 2}
      - {id: nobody, finish: {winners: []}}
"""


def test_what_was_left_to_chance_proves_nothing() -> None:
    """A victory by a six is met sooner or later by every search; it is no reason to dare."""
    ruleset = sound(GAMBLE, manifest=MANIFEST)
    for seed in range(30):
        assert bots.make("mcts:100", ruleset, seed=seed, seat=1)(beginning(ruleset)) == 0


COIN = """
kinds: {player: {fields: {gold: {type: int, default: -9}}}}
state: {one: player}
formulas: {standing: {given: {who: player}, is: who.gold}}
procedures:
  game:
    steps:
      - {id: way, choose: {who: one, from: [sweep, toss]}}
      - {id: paid, gain: {who: one, gold: 1}, when: way == sweep}
      - {id: coin, roll: 1d4}
      - {id: lucky, finish: {winners: [one]}, when: way == toss and coin > 2}
      - {id: unlucky, finish: {winners: "[next(one, players)]"}}
"""
"""Only a toss can win. A defeat is a little worse after a toss, because the prize is higher without the gold."""


def test_one_unlucky_playout_condemns_no_option() -> None:
    ruleset = sound(COIN, manifest=MANIFEST + "evaluate: standing\n")
    chosen = [bots.make("mcts:100", ruleset, seed=seed, seat=1)(beginning(ruleset)) for seed in range(60)]
    assert chosen == [1] * 60


TEMPTING = """
kinds: {player: {fields: {gold: {type: int, default: -4}, won: count}}}
formulas: {standing: {given: {who: player}, is: who.gold}}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 4
          steps:
            - id: each
              for_each: p
              in: players
              steps:
                - {id: way, choose: {who: p, from: [win_the_game, sweep]}}
                - {id: win, set: {p.won: p.won + 1}, when: way == win_the_game}
                - {id: paid, gain: {who: p, gold: 1}, when: way == sweep}
      - {id: coin, roll: 1d4}
      - id: more
        finish: {winners: list(p for p in players if p.won == max(q.won for q in players))}
        when: first(players).won != last(players).won
      - {id: heads, finish: {winners: [first(players)]}, when: coin <= 2}
      - {id: tails, finish: {winners: [last(players)]}}
measures:
  least: {is: min(p.won for p in players), title: Least, means: The lower number of choices that count.}
"""
"""Gold, which is the evaluation, tempts players away from the choice that wins."""


def test_no_bot_resists_temptation_less_often_with_more_playouts() -> None:
    """The weaker of two equal bots wins the game in a mean of at least 3.5 rounds of 4, after a thousand playouts."""
    ruleset = sound(TEMPTING, manifest=MANIFEST + "evaluate: standing\n")
    means = []
    for playouts in (4, 64, 1000):
        counts = simulate(ruleset, games=100, policies=[f"mcts:{playouts}"] * 2).measures["least"]
        means.append(sum(value * games for value, games in counts.items()) / counts.total())
    assert means == sorted(means)
    assert means[-1] >= 3.5


@pytest.mark.parametrize("reference", ["classics/connect-four", "classics/oware", "classics/checkers"])
def test_more_visits_play_better(reference: str) -> None:
    """Of forty games between equals, thirty or more would be won by one of them once in a thousand times."""
    [pair] = play_tournament(load_ruleset(reference), ["mcts:20", "mcts:200"], games=40)
    assert pair.losses - pair.wins >= 20


def test_where_a_game_is_short_its_end_counts_for_more_than_a_formula() -> None:
    """The formula of Connect Four counts neighbours: what goes by it alone loses to what plays on to the end."""
    [pair] = play_tournament(load_ruleset("classics/connect-four"), ["greedy", "mcts:50"], games=40)
    assert pair.losses >= 30
