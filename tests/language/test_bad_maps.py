"""What is wrong with a map is explained once, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.source.diagnostics.formats import text
from tests.language.inline import checked
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "maps"

MARKET = """\
tables:
  goods: {columns: {worth: int}, rows: {wood: {worth: 1}, brick: {worth: 2}}}
  lots: {rows: {north: {}, south: {}}}
kinds:
  player: {fields: {stock: map of goods to count, coin: int}}
state: {STATE}
procedures:
  main:
    given: {p: player, good: goods, maybe: optional goods, lot: lots, n: int}
    steps: [STEP]
"""

STATE = "turn: int"
STEP = "{id: turned, set: {turn: 1}}"

STATES = {
    "of_no_table": "turn: int, stock: map of good to int",
    "to_a_list": "turn: int, stock: map of goods to list of int",
    "to_a_map": "turn: int, stock: map of goods to map of lots to int",
    "to_an_unknown_type": "turn: int, stock: map of goods to number",
    "without_to": "turn: int, stock: map of goods int",
    "nothing_to_start_with": "turn: int, asked: map of lots to goods",
    "default_below_zero": "turn: int, stock: {type: map of goods to count, default: {wood: -1}}",
    "default_for_no_row": "turn: int, stock: {type: map of goods to count, default: {wod: 1}}",
    "default_of_another_type": "turn: int, stock: {type: map of goods to count, default: {wood: true}}",
    "default_lacks_a_row": "turn: int, asked: {type: map of lots to goods, default: {north: wood}}",
    "default_that_is_a_list": "turn: int, stock: {type: map of goods to count, default: [1, 2]}",
}

STEPS = {
    "unknown_row": '{id: x, let: "p.stock[wod]"}',
    "row_of_another_table": '{id: x, let: "p.stock[lot]"}',
    "number_as_a_key": '{id: x, let: "p.stock[n]"}',
    "key_may_be_none": '{id: x, let: "p.stock[maybe]"}',
    "row_behind_a_dot": "{id: x, let: p.stock.wood}",
    "no_row_behind_a_dot": "{id: x, let: p.stock.worth}",
    "number_looked_up": '{id: x, let: "p.coin[wood]"}',
    "map_as_a_number": "{id: x, set: {p.coin: p.stock}}",
    "number_as_a_map": "{id: x, set: {p.stock: 3}}",
    "maps_added": "{id: x, let: p.stock + p.stock}",
    "map_gone_through": '{id: x, let: "sum(s for s in p.stock)"}',
    "loop_over_a_map": "{id: x, for_each: s, in: p.stock, steps: []}",
    "gain_without_a_row": "{id: x, gain: {who: p, stock: 1}}",
    "gain_of_a_number_by_row": '{id: x, gain: {who: p, "coin[wood]": 1}}',
    "gain_of_no_row": '{id: x, gain: {who: p, "stock[wod]": 1}}',
    "set_of_no_row": '{id: x, set: {"p.stock[wod]": 1}}',
    "set_of_another_type": '{id: x, set: {"p.stock[wood]": good}}',
    "set_of_a_parameter": '{id: x, set: {"good[wood]": 1}}',
    "written_for_no_row": "{id: x, set: {p.stock: {wod: 1}}}",
    "mapping_for_a_number": "{id: x, set: {p.coin: {wood: 1}}}",
    "let_without_a_type": "{id: x, let: {wood: 1}}",
}


@pytest.mark.parametrize("name", [*STATES, *STEPS])
def test_a_bad_map_is_explained(name: str) -> None:
    source = MARKET.replace("STATE", STATES.get(name, STATE)).replace("STEP", STEPS.get(name, STEP))
    found = list(checked(source)[1])
    assert_golden(f"{name}.txt", text.render(found), folder=FOLDER)
    assert len(found) == 1
