"""Solved games: what is known of them by theorems, by hand, and by OpenSpiel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pyspiel
import pytest

from rulewright import load_ruleset
from rulewright.ai import bots
from rulewright.ai.solving import solution_cache as kept_module
from rulewright.ai.solving.policy_array import PolicyArray
from rulewright.ai.solving.solution import UnsolvedError
from rulewright.ai.solving.solver import Solver, get_solver
from rulewright.analysis.simulation.tournament import play_tournament
from rulewright.base.errors import RulewrightError
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.overlay import lay_over
from tests.language.inline import sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, rounding: truncate, players: PLAYERS, start: game}"
TWO = MANIFEST.replace("PLAYERS", "2")


def beginning(solver: Solver, players: int = 2) -> State:
    return solver.machine.new_game(players)


# -- tic-tac-toe -----------------------------------------------------------------------------


def test_tic_tac_toe_is_a_draw_and_whoever_blunders_loses() -> None:
    """Every reply is tried, in both seats: a solved bot loses nowhere, and wins wherever it can by force."""
    solver = get_solver(load_ruleset("classics/tic-tac-toe"))
    solution = solver.find_solution(2)
    assert (solution.values, solution.wins, solution.draws, solution.gain) == ((0, 0), (0, 0), 1, 0)

    @cache
    def forced(board: str) -> int:
        """Return the value to whoever is to move, by going through all: independent of any rules file."""
        lines = ("012", "345", "678", "036", "147", "258", "048", "246")
        mover, other = ("x", "o") if board.count(".") % 2 else ("o", "x")
        if any(all(board[int(place)] == other for place in line) for line in lines):
            return -1
        free = [place for place in range(9) if board[place] == "."]
        return max((-forced(board[:at] + mover + board[at + 1 :]) for at in free), default=0)

    squares = {cell: place for place, cell in enumerate(beginning(solver).options)}
    for seat in (0, 1):
        waiting = [(beginning(solver), "." * 9)]
        while waiting:
            state, board = waiting.pop()
            if state.mode == OVER:
                assert not state.winners or seat + FIRST_PLAYER in state.winners
                continue
            who = state.who - FIRST_PLAYER
            options = range(len(state.options))
            if who == seat:
                options = range(taken := solver.list_choices(state).index(1.0), taken + 1)
            for index in options:
                at = squares[state.options[index]]
                next_board = board[:at] + "xo"[who] + board[at + 1 :]
                if who == seat:
                    assert -forced(next_board) == forced(board)
                after = state.clone()
                after.apply(index)
                waiting.append((after, next_board))


# -- Nim -------------------------------------------------------------------------------------

NIM = """
kinds:
  player: {}
  heap: {fields: {left: count}}
state: {whose: player}
procedures:
  game:
    steps:
HEAPS
      - id: turns
        repeat:
          until: all(h.left == 0 for h in heaps)
          ends_within: 100
          steps:
            - {id: passed, set: {whose: "next(whose, players)"}}
            - {id: heap, choose: {who: whose, one_of: list(h for h in heaps if h.left > 0)}}
            - {id: many, choose: {who: whose, number: {from: 1, to: heap.left}}}
            - {id: taken, set: {heap.left: heap.left - many}}
      - {id: last, finish: {winners: [whose]}}
"""


@pytest.mark.parametrize("heaps", [(1,), (1, 1), (1, 2, 3), (3, 4), (2, 4, 5), (3, 3, 2)])
def test_nim_is_won_as_bouton_proved(heaps: tuple[int, ...]) -> None:
    """Who begins wins unless the heaps add up to nothing without carrying (Bouton, Annals of Mathematics 3, 1901)."""
    text = "\n".join(f"      - {{id: h{n}, create: heap, with: {{left: {size}}}}}" for n, size in enumerate(heaps))
    together = 0
    for size in heaps:
        together ^= size
    solution = Solver(sound(NIM.replace("HEAPS", text), manifest=TWO)).find_solution(2)
    # Whoever took the last wins; the second seat begins.
    assert solution.wins == ((0, 1) if together else (1, 0))


# -- chance ----------------------------------------------------------------------------------


def pig(goal: int) -> float:
    """Return what Pig up to a goal is worth to whoever begins, as a chance to win.

    By value iteration over scores and pots.
    """
    worth = {(own, other, pot): 0.5 for own in range(goal) for other in range(goal) for pot in range(goal - own)}

    def of(own: int, other: int, pot: int) -> float:
        return 1.0 if own + pot >= goal else worth[own, other, pot]

    moved = 1.0
    while moved > 1e-12:
        moved = 0.0
        for own, other, pot in reversed(worth):
            hold = 1 - of(other, own + pot, 0)
            roll = (1 - of(other, own, 0) + sum(of(own, other, pot + face) for face in range(2, 7))) / 6
            moved = max(moved, abs(max(hold, roll) - worth[own, other, pot]))
            worth[own, other, pot] = max(hold, roll)
    return worth[0, 0, 0]


def test_pig_is_worth_what_value_iteration_says() -> None:
    goal = 12
    rules = lay_over(load_ruleset("pig/classic"), f"numbers: {{goal: {{is: {goal}}}}}")
    solution = get_solver(rules).find_solution(2)
    assert solution.wins[0] == pytest.approx(pig(goal), abs=1e-9)
    assert sum(solution.wins) == pytest.approx(1)
    [pair] = play_tournament(rules, ["solved", "random"], games=40)
    assert pair.wins > pair.losses


ROLLING = """
kinds: {player: {}}
state: {whose: player, face: int}
procedures:
  game:
    steps:
      - id: turns
        repeat:
          until: face == 6
          ends_within: 1000
          steps:
            - {id: passed, set: {whose: "next(whose, players)"}}
            - {id: rolled, roll: 1d6}
            - {id: seen, set: {face: rolled}}
      - {id: six, finish: {winners: [whose]}}
"""


@pytest.mark.parametrize("players", [2, 3])
def test_dice_that_are_rolled_until_they_come_to_something(players: int) -> None:
    """By the geometric series: whoever rolls n-th wins (5/6)^(n-1) sixths of 1 / (1 - (5/6)^players); seat 2 begins."""
    solution = Solver(sound(ROLLING, manifest=MANIFEST.replace("PLAYERS", str(players)))).find_solution(players)
    whole = 1 - (5 / 6) ** players
    assert solution.wins == pytest.approx(
        [(5 / 6) ** ((seat - 1) % players) / 6 / whole for seat in range(players)], abs=1e-6
    )


# -- going round in circles ------------------------------------------------------------------

WALK = """
kinds: {player: {fields: {at: count}}}
state: {whose: player, moves: {type: int, default: 0}}
procedures:
  game:
    steps:
      - id: turns
        repeat:
          steps:
            - {id: way, choose: {who: whose, from: [back, on]}}
            - id: forth
              if: way == on
              then: [{id: step, set: {whose.at: whose.at + 1}}]
              else: [{id: stays, set: {whose.at: "max(0, whose.at - 1)"}}]
            - {id: there, finish: {winners: [whose]}, when: whose.at == 4}
            - {id: passed, set: {whose: "next(whose, players)"}}
"""


def test_who_can_win_does_not_walk_in_circles() -> None:
    """Who begins is first at the end of the way, whatever the other does; to go back only puts it off."""
    solver = Solver(sound(WALK, manifest=TWO))
    assert solver.find_solution(2).wins == (1, 0)
    state = beginning(solver)
    for _ in range(20):
        if state.mode == OVER:
            break
        state.apply(solver.list_choices(state).index(1.0))
    assert state.winners == (FIRST_PLAYER,)


def test_what_no_solved_game_comes_to_is_solved_from_there() -> None:
    """Who has one step to go takes it, so that nothing beyond is gone through; and who did not is answered, too."""
    solver = Solver(sound(WALK, manifest=TWO))
    state = beginning(solver)
    for option in (1, 1, 1, 1, 1, 1, 0):  # three steps each, and back
        state.apply(option)
    assert state.who == FIRST_PLAYER + 1
    assert solver.list_choices(state) == (0, 1)


def test_a_game_without_an_end_is_worth_nothing() -> None:
    """On a ring of six, nobody is ever there."""
    ring = WALK.replace("whose.at + 1", "(whose.at + 1) % 6").replace("whose.at == 4", "whose.at == 7")
    solution = Solver(sound(ring, manifest=TWO)).find_solution(2)
    assert (solution.values, solution.wins) == ((0, 0), (0, 0))


# -- several players -------------------------------------------------------------------------

SPOIL = """
kinds: {player: {}}
state: {first: player}
procedures:
  game:
    steps:
      - {id: one, choose: {who: first, from: [left, right]}}
      - {id: two, choose: {who: "next(first, players)", from: [left, right]}}
      - {id: a, finish: {winners: [first]}, when: one == left and two == left}
      - {id: b, finish: {winners: "[next(first, players)]"}, when: one == right and two == left}
      - {id: c, finish: {winners: players}}
"""


def test_of_three_each_goes_by_themselves() -> None:
    """By hand: after left, the second loses 1 by left and nothing by right; after right, left wins 2."""
    solution = Solver(sound(SPOIL, manifest=MANIFEST.replace("PLAYERS", "3"))).find_solution(3)
    assert solution.values == (0, 0, 0)
    assert solution.wins == (1, 1, 1)


# -- what is hidden --------------------------------------------------------------------------


def test_kuhn_poker_is_worth_what_kuhn_proved_and_openspiel_gains_nothing() -> None:
    """An eighteenth of a chip to the second (Kuhn, "A simplified two-person poker", 1950)."""
    ruleset = load_ruleset("classics/kuhn-poker")
    solver = get_solver(ruleset)
    solution = solver.find_solution(2)
    assert solution.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-4)
    ranks = {"jack": 0, "queen": 1, "king": 2}
    played: dict[str, list[tuple[int, float]]] = {}
    start = compile_ruleset(ruleset).new_game(2)
    waiting: list[tuple[State, tuple[str, ...], str]] = [(start, (), "")]
    while waiting:
        state, cards, said = waiting.pop()
        if state.mode == CHANCE:
            for card in state.chance_outcomes()[0]:
                after = state.clone()
                after.apply_outcome(card)
                waiting.append((after, (*cards, card), said))
        elif state.mode == DECISION:
            passes, bets = solver.list_choices(state)
            assert list(state.options) == ["pass", "bet"]
            played[f"{ranks[cards[state.who - FIRST_PLAYER]]}{said}"] = [(0, passes), (1, bets)]
            for index, answer in enumerate(state.options):
                after = state.clone()
                after.apply(index)
                waiting.append((after, cards, said + answer[0]))
    gain = pyspiel.nash_conv(pyspiel.load_game("kuhn_poker"), pyspiel.TabularPolicy(played))
    assert gain == pytest.approx(solution.gain, abs=1e-9)
    assert gain < 3e-4


# -- bounds and the cache --------------------------------------------------------------------


def test_what_is_too_large_is_said_and_may_be_allowed() -> None:
    solver = Solver(load_ruleset("classics/tic-tac-toe"))
    with pytest.raises(UnsolvedError, match="too large to solve: it has more than 4,000 positions"):
        solver.find_solution(2, most=4_000)
    assert solver.find_solution(2, most=5_000).draws == 1
    with pytest.raises(UnsolvedError, match="more than 4,000 positions"):
        solver.find_solution(2, most=4_000)


def test_bounds_that_cannot_be_read() -> None:
    ruleset = load_ruleset("classics/tic-tac-toe")
    for setting in ("0", "many", "1000000000"):
        with pytest.raises(RulewrightError, match="is not a valid limit"):
            bots.make(f"solved:{setting}", ruleset, seed=0, seat=1)


def test_what_is_kept_is_what_was_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(kept_module, "is_program_unchanged", lambda: True)
    ruleset = load_ruleset("classics/tic-tac-toe")
    first = Solver(ruleset).find_solution(2)
    assert isinstance(first.choices, PolicyArray)
    again = Solver(ruleset)
    monkeypatch.setattr(again, "_solve", lambda *_: pytest.fail("it was kept"))
    second = again.find_solution(2)
    assert second.choices == first.choices
    assert (second.values, second.wins, second.draws, second.positions) == (
        first.values,
        first.wins,
        first.draws,
        first.positions,
    )


def test_a_table_finds_what_it_holds() -> None:
    rows = {bytes([place, 7]): place % 3 for place in range(200)}
    table = PolicyArray.from_mapping(rows, 2)
    assert dict(table) == rows
    assert b"\x00\x08" not in table
    with pytest.raises(ValueError, match="whole rows"):
        PolicyArray(table.data[:-1], 2)
