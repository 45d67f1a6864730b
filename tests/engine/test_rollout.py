"""`rollout` finds what pays only after others had their turn: what the rest of the game comes to, by brute force."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from rulewright import Game, Ruleset, RulewrightError
from rulewright.ai.bots import make
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, OVER, State
from rulewright.engine.state.machine import adopt_state
from tests.engine.test_planner import MANIFEST
from tests.language.inline import sound

HARVEST = """
kinds:
  player: {fields: {score: int, sown: int}}
formulas:
  standing: {given: {who: player}, is: who.score}
  best: {is: max(p.score for p in players)}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: ROUNDS
          steps:
            - {id: moves, for_each: one, in: players, steps: [{id: go, do: move, with: {who: one}}]}
      - {id: end, finish: {winners: "list(p for p in players if p.score == best and WINS)"}}
  move:
    given: {who: player}
    steps:
      - {id: reaped, set: {who.score: who.score + YIELD * who.sown, who.sown: 0}}
      - {id: weather, roll: 1d3}
      - {id: done, choose: {who: who, from: [gather, sow]}}
      - {id: gathered, set: {who.score: who.score + weather}, when: done == gather}
      - {id: seed, set: {who.sown: 1}, when: done == sow}
"""
"""What is gathered counts at once; what is sown, at the next turn, if there is one."""


def harvest(*, yields: int, rounds: int = 2, won: bool = True) -> Ruleset:
    source = HARVEST.replace("YIELD", str(yields)).replace("ROUNDS", str(rounds))
    return sound(source.replace("WINS", "true" if won else "p.score > 1000"), manifest=MANIFEST)


Ends = Callable[[State], Fraction]


def averaged(state: State, ends: Ends) -> Fraction:
    """Return what comes of a state after chance had its say, by brute force."""
    if state.mode != CHANCE:
        return ends(state)
    total = Fraction(0)
    for outcome, chance in zip(*state.chance_outcomes(), strict=True):
        after = state.clone()
        after.apply_outcome(outcome)
        total += Fraction(chance).limit_denominator(1000) * averaged(after, ends)
    return total


def by_option(state: State, ends: Ends) -> list[Fraction]:
    """Return what comes of each option."""
    choices = []
    for index in state.legal_actions():
        after = state.clone()
        after.apply(index)
        choices.append(averaged(after, ends))
    return choices


def won(state: State, player: int) -> Fraction:
    return Fraction(1 if player in (state.winners or ()) else -1)


def among_greedy(state: State, player: int) -> Fraction:
    """Return what the rest of a game is worth where all take what leaves them best off at the next decision.

    Or any such.
    """
    if state.mode == OVER:
        return won(state, player)
    who = state.who
    near = by_option(state, lambda after: 1000 * won(after, who) if after.mode == OVER else Fraction(score(after, who)))
    far = by_option(state, lambda after: among_greedy(after, player))
    best = [worth for worth, first in zip(far, near, strict=True) if first == max(near)]
    return sum(best, Fraction(0)) / len(best)


def score(state: State, player: int) -> int:
    return int(state.objects[player][1])


def to_the_end(state: State) -> list[Fraction]:
    """Return what each option is worth to whoever decides, where all go on as `greedy` plays."""
    player = state.who
    return by_option(state, lambda after: among_greedy(after, player))


@pytest.mark.parametrize("yields", [1, 2, 4, 7])
def test_it_takes_what_wins_if_all_go_on_as_greedy_does(yields: int) -> None:
    """Where two options come to the same or nearly so, it may take either."""
    rules = harvest(yields=yields)
    sown = 0
    for seed in range(6):
        game = Game(rules, players=2, seed=seed)
        bots = [make("rollout:800", rules, seed=seed, seat=seat) for seat in (1, 2)]
        while (decision := game.decision) is not None:
            exact = to_the_end(adopt_state(game.state, compile_ruleset(rules)))
            chosen = bots[decision.player - 1](game.state)
            assert max(exact) - exact[chosen] < Fraction(1, 8)
            sown += chosen
            game.choose(decision.options[chosen])
    assert sown or yields == 1


def test_whoever_looks_to_the_end_of_a_turn_misses_it() -> None:
    rules = harvest(yields=7)
    state = Game(rules, players=2, seed=1).state
    exact = to_the_end(adopt_state(state, compile_ruleset(rules)))
    assert exact.index(max(exact)) == 1
    assert [make(bot, rules, seed=1, seat=1)(state) for bot in ("greedy", "planner:200", "rollout")] == [0, 0, 1]


def test_where_nobody_wins_who_is_ahead_counts() -> None:
    rules = harvest(yields=7, won=False)
    state = Game(rules, players=2, seed=1).state
    assert make("rollout", rules, seed=1, seat=1)(state) == 1
    assert make("rollout", harvest(yields=0, won=False), seed=1, seat=1)(state) == 0


def test_it_leaves_the_game_alone() -> None:
    rules = harvest(yields=4)
    game = Game(rules, players=3, seed=1)
    before = game.to_json()
    make("rollout:20", rules, seed=1, seat=1)(game.state)
    assert game.to_json() == before


@pytest.mark.parametrize("setting", ["0", "-1", "many", "1000001", "50ms"])
def test_no_such_budget(setting: str) -> None:
    with pytest.raises(RulewrightError, match="rollout:200 for two hundred games"):
        make(f"rollout:{setting}", harvest(yields=4), seed=1, seat=1)
