"""What is wrong with a record is explained once, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.source.diagnostics.formats import text
from tests.language.inline import checked
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "records"

MARKET = """\
tables:
  goods: {columns: {worth: int}, rows: {wood: {worth: 1}, ore: {worth: 5}}}
records:
  offer: {parts: {buyer: player, good: goods, price: int, through: optional stall}}
  step: {parts: {good: goods, price: int}}
RECORDS
kinds:
  player: {fields: {coin: int}}
  stall: {fields: {number: int}}
state:
  best: optional offer
  next_step: {type: step, default: {good: ore, price: 3}}
STATE
formulas:
  better: {given: {one: offer}, is: one.price > 3}
procedures:
  main:
    given: {p: player}
    steps: [STEP]
"""

DECLARED = {
    "no_parts": ("RECORDS", "  pair: {parts: {}}"),
    "part_of_no_type": ("RECORDS", "  pair: {parts: {one: numbr}}"),
    "part_that_is_a_list": ("RECORDS", "  pair: {parts: {all: list of int}}"),
    "part_that_is_a_record": ("RECORDS", "  pair: {parts: {one: offer}}"),
    "part_that_is_a_count": ("RECORDS", "  pair: {parts: {one: count}}"),
    "part_that_is_dice": ("RECORDS", "  pair: {parts: {one: dice}}"),
    "called_like_a_function": ("RECORDS", "  sum: {parts: {one: int}}"),
    "called_like_a_formula": ("RECORDS", "  better: {parts: {one: int}}"),
    "called_like_a_kind": ("RECORDS", "  stall: {parts: {one: int}}"),
    "nothing_to_start_with": ("STATE", "  worst: offer"),
    "default_that_lacks_a_part": ("STATE", "  worst: {type: step, default: {price: 3}}"),
    "default_with_an_unknown_part": ("STATE", "  worst: {type: step, default: {good: ore, prize: 3}}"),
    "default_in_a_list_that_lacks_a_part": ("STATE", "  all: {type: list of step, default: [{price: 3}]}"),
    "map_to_records": ("STATE", "  all: map of goods to step"),
    "list_of_no_record": ("STATE", "  all: list of ofer"),
}

STEPS = {
    "too_few_parts": "{id: x, set: {best: 'offer(p, ore, 3)'}}",
    "part_of_another_type": "{id: x, set: {best: 'offer(p, p, 3, none)'}}",
    "part_that_may_be_none": "{id: x, set: {best: 'offer(first(q for q in players if q.coin > 3), ore, 3, none)'}}",
    "unknown_row": "{id: x, set: {best: 'offer(p, oer, 3, none)'}}",
    "unknown_part": "{id: x, set: {p.coin: next_step.prize}}",
    "part_of_what_may_be_none": "{id: x, set: {p.coin: best.price}}",
    "named_and_not_made": "{id: x, set: {best: offer}}",
    "misspelt": "{id: x, set: {best: 'ofer(p, ore, 3, none)'}}",
    "part_that_is_set": "{id: x, set: {next_step.price: 3}}",
    "part_that_is_gained": "{id: x, gain: {who: next_step, price: 3}}",
    "less_than_another": "{id: x, let: 'next_step < step(ore, 2)'}",
    "of_two_records": '{id: x, let: "next_step == offer(p, ore, 3, none)"}',
    "record_as_a_number": "{id: x, set: {p.coin: next_step}}",
    "another_record": "{id: x, set: {next_step: 'offer(p, ore, 3, none)'}}",
    "written_with_an_unknown_part": "{id: x, set: {next_step: {good: ore, prize: 3}}}",
    "written_without_a_part": "{id: x, set: {next_step: {price: 3}}}",
    "let_without_a_type": "{id: x, let: {good: ore}}",
    "looked_up": '{id: x, set: {p.coin: "next_step[price]"}}',
    "written_in_an_expression": '{id: x, let: "[{good: ore, price: 3}]", type: list of step}',
    "list_without_a_type": "{id: x, let: [{good: ore, price: 3}]}",
    "removed": "{id: x, remove: next_step}",
    "shown_of_a_part": "{id: x, show: {what: next_step.price, to: p}}",
}


@pytest.mark.parametrize("name", [*DECLARED, *STEPS])
def test_a_bad_record_is_explained(name: str) -> None:
    where, written = DECLARED.get(name, ("STATE", ""))
    source = MARKET.replace(where, written, 1)
    for left in ("RECORDS", "STATE"):
        source = source.replace(left, "")
    found = list(checked(source.replace("STEP", STEPS.get(name, "{id: x, set: {p.coin: 1}}"), 1))[1])
    assert_golden(f"{name}.txt", text.render(found), folder=FOLDER)
    assert len(found) == 1
