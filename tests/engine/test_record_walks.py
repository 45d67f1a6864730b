"""Walks over records, such as a space with a direction, are the same on every machine."""

from __future__ import annotations

import pytest

from rulewright.engine import backends
from rulewright.engine.state.game_state import OVER
from rulewright.language.declarations import FIRST_PLAYER
from tests.language.inline import checked, sound

RULES = """\
tables:
  board: {grid: {columns: 4, rows: 4, directions: ways}}
  ways:
    columns: {right: ways}
    rows: {north: {right: east}, east: {right: south}, south: {right: west}, west: {right: north}}
records:
  pose: {parts: {at: board, facing: ways}}
kinds: {player: {fields: {score: int, wet: {type: list of board, default: [c2r1]}}}}
formulas:
  moves:
    given: {p: pose}
    is: list(pose(s, p.facing) for s in [p.at.toward[p.facing]] if s) + [pose(p.at, p.facing.right)]
  poses: {is: "[pose(c1r1, north), pose(c1r1, east), pose(c3r1, east)]"}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: counted, set: {p.score: EXPRESSION}}
"""


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        # Down the first column, along the second row, up the third column, and around to the west.
        ("distance(moves(q) for q in [pose(c1r1, north)] if q.at not in p.wet to pose(c3r1, west)) or 99", 15),
        ("distance(moves(q) for q in [pose(c1r1, west)] if q.at == c1r1 to pose(c2r1, east)) or 99", 99),
        ("count(reach(moves(q) for q in [pose(c1r1, north)] within 3))", 8),
        ("count(path(moves(q) for q in [pose(c1r1, north)] to pose(c2r2, south)))", 5),
        # All poses except the start, and the one at c1r3 that faces east, which is never entered.
        ("count(ray(moves(q) for q in [pose(c1r1, south)] until q.at == c1r3))", 62),
        ("count(groups(list(o for o in poses if o.at == q.at) for q in poses))", 2),
        ("max(count(g) for g in groups(list(o for o in poses if o.facing == q.facing) for q in poses))", 2),
    ],
)
def test_a_record_may_be_a_place(expression: str, wanted: int) -> None:
    ruleset = sound(RULES.replace("EXPRESSION", f'"{expression}"'))
    results = set()
    for name in backends.list_names():
        machine = backends.make(name, ruleset)
        state = machine.empty(1)
        state.events = []
        machine.begin(state, "main", (FIRST_PLAYER,))
        assert state.mode == OVER
        player = state.objects[FIRST_PLAYER]
        assert player is not None
        results.add(player[machine.layout.places["player", "score"]])
    assert results == {wanted}


def test_a_walk_over_records_goes_on_to_records() -> None:
    _, found = checked(RULES.replace("EXPRESSION", '"count(reach(q.at.neighbours for q in poses))"'))
    (error,) = found.errors
    assert error.message.startswith("`reach` must go on from a record `pose` to values of the same type")
