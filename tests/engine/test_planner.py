"""The planner finds what pays only later in its turn: what each way through the turn comes to, by brute force."""

from __future__ import annotations

import pytest

from rulewright import Game, Ruleset
from rulewright.ai.bots import make
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, OVER, State
from rulewright.engine.state.machine import adopt_state
from tests.language.inline import sound

MANIFEST = """
ruleset: test/inline
version: 1.0.0
title: Inline
rounding: truncate
players: 2..3
start: game
evaluate: standing
"""

SHOVEL = """
kinds:
  player: {fields: {score: int}}
formulas:
  standing: {given: {who: player}, is: who.score}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 2
          steps:
            - {id: moves, for_each: one, in: players, steps: [{id: go, do: move, with: {who: one}}]}
      - {id: end, finish: {winners: "list(p for p in players if p.score == max(q.score for q in players))"}}
  move:
    given: {who: player}
    steps:
      - {id: bought, choose: {who: who, from: [nothing, shovel, spade]}}
      - {id: paid, set: {who.score: who.score - 1}, when: bought == spade}
      - {id: paid_more, set: {who.score: who.score - PRICE}, when: bought == shovel}
      - {id: place, choose: {who: who, from: [home, field]}}
      - id: digging
        when: place == field
        steps:
          - {id: depth, roll: 1d6}
          - {id: found, set: {who.score: who.score + depth - 3 + (GAIN if bought == shovel and depth > 2 else 0)}}
"""
"""A shovel costs something at once, and pays later, if it is used; a spade never does."""


def shovel(price: int, gain: int) -> Ruleset:
    return sound(SHOVEL.replace("PRICE", str(price)).replace("GAIN", str(gain)), manifest=MANIFEST)


def best_of_turn(state: State, player: int) -> float:
    """Return what the turn of a player comes to if every decision in it is the best.

    The lead over the best of the others.
    """
    if state.mode == CHANCE:
        total = 0.0
        for outcome, chance in zip(*state.chance_outcomes(), strict=True):
            after = state.clone()
            after.apply_outcome(outcome)
            total += chance * best_of_turn(after, player)
        return total
    if state.mode == OVER or state.who != player:
        score = {number: state.objects[number][1] for number in state.live[1]}
        return float(score.pop(player) - max(score.values()))
    return max(best_by_option(state))


def best_by_option(state: State) -> list[float]:
    """Return the same, by the option that is taken first."""
    choices = []
    for index in state.legal_actions():
        after = state.clone()
        after.apply(index)
        choices.append(best_of_turn(after, state.who))
    return choices


@pytest.mark.parametrize(("price", "gain"), [(3, 9), (2, 6), (5, 3), (4, 2)])
@pytest.mark.parametrize("players", [2, 3])
def test_it_takes_what_is_best_at_the_end_of_its_turn(price: int, gain: int, players: int) -> None:
    rules = shovel(price, gain)
    game = Game(rules, players=players, seed=price)
    planners = [make("planner:400", rules, seed=1, seat=seat) for seat in range(1, players + 1)]
    for _ in range(2 * players):  # the first round: what the last move of a game is worth is another matter
        state = game.state
        exact = best_by_option(adopt_state(state, compile_ruleset(rules)))
        chosen = planners[state.who - 1](state)
        assert exact[chosen] == max(exact)
        game.choose(game.decision.options[chosen])


def test_greedy_misses_it() -> None:
    rules = shovel(3, 9)
    state = Game(rules, players=2, seed=1).state
    exact = best_by_option(adopt_state(state, compile_ruleset(rules)))
    assert exact.index(max(exact)) == 1
    assert make("greedy", rules, seed=1, seat=1)(state) == 0
    assert make("planner", rules, seed=1, seat=1)(state) == 1


def test_it_leaves_the_game_alone() -> None:
    rules = shovel(3, 9)
    game = Game(rules, players=2, seed=1)
    before = game.to_json()
    make("planner:20", rules, seed=1, seat=1)(game.state)
    assert game.to_json() == before
