"""`after`: every machine sees what a procedure would lead to, and the game stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.engine.state.game_state import DECISION, State, evaluate_expression
from rulewright.engine.state.machine import Machine
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from tests.engine.machines import Table
from tests.language.inline import checked, sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2, start: game}"

STONES = """
tables: {board: {grid: {columns: 4, rows: 3}}}
kinds:
  player: {}
  pawn: {plural: pawns, fields: {owner: player, at: {type: board, default: c1r1}, moved: bool}}
state:
  player: player
  placed: count
  stones: map of board to optional player
  stood: list of map of board to optional player
formulas:
  alone:
    given: {who: player}
    is: none(stones[c] == who and any(stones[n] == who for n in c.neighbours) for c in board)
  few: {given: {most: int}, is: count(pawns) <= most and placed < 99}
  free:
    is: >-
      list(c for c in board if not stones[c] and few(20)
      and after(put(c), alone(player) and stones not in stood and few(9) and any(p.at == c for p in pawns))
      and after(clear, placed == 0 and none(pawns) and not after(put(c), none(pawns) or placed != 1)))
procedures:
  put:
    given: {cell: board}
    gives: {earlier: was}
    steps:
      - {id: was, let: placed}
      - {id: stone, set: {"stones[cell]": player}}
      - {id: counted, do: count_up}
      - {id: made, create: pawn, with: {owner: player, at: cell}}
      - id: others
        for_each: each
        in: pawns
        steps:
          - {id: follows, when: not each.moved and each.owner == player, set: {each.at: cell, each.moved: true}}
  count_up:
    gives: {now: placed}
    steps: [{id: up, set: {placed: placed + 1}}]
  clear:
    steps:
      - {id: away, remove: pawns}
      - {id: none_placed, set: {placed: 0}}
  game:
    gives: {any_left: any(free), placed: placed}
    steps:
      - id: turns
        repeat:
          while: any(free)
          at_most: 50
          steps:
            - {id: cell, choose: {who: player, one_of: free}}
            - {id: put, do: put, with: {cell: cell}}
            - {id: noted, set: {stood: "stood + [stones]", player: next(player)}}
"""


def _start(machine: Machine) -> tuple[State, str, tuple[Any, ...]]:
    return machine.empty(2), "game", ()


@pytest.mark.parametrize("seed", range(3))
def test_machines_look_ahead_alike(seed: int) -> None:
    table = Table(sound(STONES, manifest=MANIFEST))
    assert table.play(_start, seed) in ("over", "long")
    assert table.sample(_start, seed) in ("over", "long")


def _neighbours(cell: tuple[int, int]) -> list[tuple[int, int]]:
    column, row = cell
    return [(column + x, row + y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def test_options_are_those_that_a_plain_search_finds() -> None:
    table = Table(sound(STONES, manifest=MANIFEST))
    every = [(column, row) for row in (1, 2, 3) for column in (1, 2, 3, 4)]
    for machine in (table.interpreter, table.plain, *table.others):
        state = machine.empty(2)
        machine.begin(state, "game", ())
        while state.mode == DECISION:
            owners = dict(zip(every, state.objects[0][machine.layout.places["game", "stones"]], strict=True))
            count = sum(owner is not None for owner in owners.values())
            expected = [
                f"c{cell[0]}r{cell[1]}"
                for cell, owner in owners.items()
                if owner is None and count < 9 and state.who not in map(owners.get, _neighbours(cell))
            ]
            assert list(state.options) == expected
            state.apply(count % len(expected))
        assert state.given[0] is False
        assert state.given[1] > 5


def test_looking_from_outside_changes_nothing() -> None:
    ruleset = sound(STONES, manifest=MANIFEST)
    table = Table(ruleset)
    for machine in (table.interpreter, table.plain, *table.others):
        state = machine.empty(2)
        machine.begin(state, "game", ())
        before = [entity and list(entity) for entity in state.objects], state.live, state.work, state.mode
        free = evaluate_expression(state, ruleset.declarations.formulas["free"].body)
        assert free == state.options
        assert ([entity and list(entity) for entity in state.objects], state.live, state.work, state.mode) == before


LOOPING = """
state: {total: int}
procedures:
  add: {given: {times: int}, steps: [{id: l, repeat: {while: total < times, at_most: 5000, steps: [{id: b, do: up}]}}]}
  up: {steps: [{id: up, set: {total: total + 1}}]}
  deep: {steps: [{id: far, repeat: {while: true, ends_within: 3, steps: [{id: up, do: up}]}}]}
  game:
    steps:
      - {id: many, let: "count(n for n in [1, 2, 3] if after(add(1000 * n), total == 1000 * n))"}
      - {id: bad, when: many == 3 and total == 0, set: {total: "1 if after(deep, true) else 2"}}
      - {id: last, set: {total: many}}
"""


def test_trials_are_charged_and_their_faults_are_those_of_the_rules() -> None:
    ruleset = sound(LOOPING, manifest=MANIFEST)
    table = Table(ruleset)
    assert table.play(_start, 1) == "fault"
    cheap = sound(LOOPING.replace("many == 3 and", "many == 2 and"), manifest=MANIFEST)
    table, left = Table(cheap), []
    for machine in (table.interpreter, table.plain, *table.others):
        state = machine.empty(2)
        machine.begin(state, "game", ())
        assert state.objects[0][1] == 3
        left.append(MOST_IN_A_MOVE - state.work)
    assert len(set(left)) == 1
    assert left[0] > 6000


@pytest.mark.parametrize(
    ("steps", "code", "words"),
    [
        ("{id: a, choose: {who: player, from: [x, y]}}", "pausing-look-ahead", "`try_it.a` asks a player"),
        ("{id: a, roll: 1d6}", "pausing-look-ahead", "`try_it.a` rolls"),
        ("{id: a, draw: {one_of: '[1, 2]'}}", "pausing-look-ahead", "`try_it.a` draws"),
        ("{id: a, finish: {winners: []}}", "pausing-look-ahead", "`try_it.a` finishes the game"),
        ("{id: a, do: other}", "pausing-look-ahead", "`other.b` rolls"),
        ("{id: a, when: good, set: {total: 1}}", "recursion", "`try_it` depends on itself"),
    ],
)
def test_procedures_that_cannot_be_tried(steps: str, code: str, words: str) -> None:
    source = f"""
state: {{player: player, total: int}}
formulas: {{good: {{is: "after(try_it, total > 0)"}}}}
procedures:
  try_it: {{steps: [{steps}]}}
  other: {{steps: [{{id: b, roll: 1d6}}]}}
  game: {{steps: [{{id: c, when: good, set: {{total: 1}}}}]}}
"""
    _, diagnostics = checked(source, manifest=MANIFEST)
    assert [each.code.id for each in diagnostics.errors] == [code]
    assert words in diagnostics.errors[0].message


def test_measures_use_formulas_to_look_ahead() -> None:
    source = """
state: {total: int}
formulas: {good: {is: "after(add, total > 0)"}}
procedures:
  add: {steps: [{id: a, set: {total: 1}}]}
  game: {steps: [{id: g, do: add}]}
measures: {ready: {is: "1 if GOOD else 0", title: Ready}}
"""
    assert not checked(source.replace("GOOD", "good"), manifest=MANIFEST)[1].errors
    _, diagnostics = checked(source.replace("GOOD", "after(add, total > 0)"), manifest=MANIFEST)
    assert [each.code.id for each in diagnostics.errors] == ["wrong-type"]
    assert "in formulas and steps, but not here" in diagnostics.errors[0].message


def test_viewers_do_not_look_ahead() -> None:
    source = """
state: {total: {type: int, seen_by: "list(p for p in players if good)"}}
formulas: {good: {is: "after(add, true)"}}
procedures: {add: {steps: [{id: a, set: {total: 1}}]}}
"""
    _, diagnostics = checked(source, manifest=MANIFEST.replace(", start: game", ""))
    assert [each.code.id for each in diagnostics.errors] == ["wrong-type"]
    assert "`seen_by` looks ahead" in diagnostics.errors[0].message


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        ("after(add(1))", "wrong-type", "takes a procedure with its values, and a condition"),
        ("after(3, true)", "wrong-type", "takes a procedure with its values, and a condition"),
        ("after(ad(1), true)", "unknown-procedure", "there is no procedure `ad`"),
        ("after(size, true)", "unknown-procedure", "there is no procedure `size`"),
        ("after(add, true)", "arguments", "`add` takes amount; it is given 0 values"),
        ("after(add(1, 2), true)", "arguments", "`add` takes amount; it is given 2 values"),
        ("after(add(true), true)", "wrong-type", "a number is needed here"),
        ("after(add(1), total)", "wrong-type", "yes or no is needed here"),
        ("best and after(add(1), best.price > 1)", "may-be-none", "this may be none"),
    ],
)
def test_wrong_calls(expression: str, code: str, words: str) -> None:
    source = f"""
tables: {{fruit: {{columns: {{price: int}}, rows: {{plum: {{price: 1}}}}}}}}
state: {{total: int, best: optional fruit}}
formulas: {{size: {{is: total + 1}}, good: {{is: "{expression}"}}}}
procedures:
  add: {{given: {{amount: int}}, steps: [{{id: a, set: {{total: total + amount, best: none}}}}]}}
"""
    _, diagnostics = checked(source, manifest=MANIFEST.replace(", start: game", ""))
    assert [each.code.id for each in diagnostics.errors] == [code]
    assert words in diagnostics.errors[0].message
