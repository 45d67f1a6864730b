"""Rules may be long and deep: the code they become stays within what Python can hold."""

from __future__ import annotations

import pytest

from tests.engine.scripts import SMALL_TREE, carry_out
from tests.language.bench import Bench

MANY = 700


def test_many_choices_that_settle_themselves_do_not_pile_up() -> None:
    steps = "\n".join(f"- {{id: c{n}, choose: {{who: p, from: {{a: true, b: storm}}}}}}" for n in range(MANY))
    assert carry_out(steps)[f"c{MANY - 1}"] == "a"


def test_many_procedures_one_after_the_other_do_not_pile_up() -> None:
    part = "  part: {given: {p: player}, steps: [{id: c, choose: {who: p, from: {a: true, b: storm}}}]}\n"
    steps = "\n".join(f"- {{id: c{n}, do: part, with: {{p: p}}}}" for n in range(MANY))
    assert carry_out(steps + "\n- {id: after, set: {turn: 5}}", before=part)["turn"] == 5


def test_many_rounds_that_settle_themselves_do_not_pile_up() -> None:
    steps = (
        "- {id: n, let: 0}\n- id: loop\n  repeat:\n    at_most: 5000\n    steps:\n"
        "      - {id: c, choose: {who: p, from: {a: true, b: storm}}}\n      - {id: on, set: {n: n + 1}}"
    )
    assert carry_out(steps)["n"] == 5_000


def test_procedures_in_procedures_may_be_as_deep_as_is_allowed() -> None:
    grow = "{id: x, set: {turn: turn + 1}}"
    before = f"  p0: {{given: {{p: player}}, steps: [{{id: c, choose: {{who: p, from: [a, b]}}}}, {grow}]}}\n"
    for n in range(1, 49):
        before += f"  p{n}: {{given: {{p: player}}, steps: [{{id: d, do: p{n - 1}, with: {{p: p}}}}, {grow}]}}\n"
    ended = carry_out("- {id: d, do: p48, with: {p: p}}", ["a"], before=before)
    assert ended["turn"] == 49


@pytest.mark.parametrize("stops", [False, True])
def test_blocks_may_lie_in_one_another_as_deep_as_is_allowed(stops: bool) -> None:
    inner = "{id: c, choose: {who: p, from: [a, b]}}" if stops else "{id: x, set: {turn: turn + 1}}"
    for n in range(15):
        inner = f"{{id: l{n}, for_each: e{n}, in: '[1]', steps: [{inner}]}}"
    ended = carry_out(f"- {inner}\n- {{id: y, set: {{turn: turn + 1}}}}", ["a"] if stops else [])
    assert ended["turn"] == (1 if stops else 2)


DEEP = [
    ("(" * 29 + "n" + ")" * 29, 7),
    ("-" * 28 + "n", 7),
    ("n" + " + n" * 28, 7 * 29),
    ("not " * 28 + "sure", True),
    ("1 if storm else " * 14 + "n", 7),
    ("sum([" * 14 + "n" + "])" * 14, 7),
    ("max(1, " * 28 + "n" + ")" * 28, 7),
    ("twice(" * 20 + "1" + ")" * 20, 2**20),
    ("(nobody or " * 14 + "t" + ")" * 14, SMALL_TREE),
    ("any(any(" * 4 + "sure" + " for x in trees if x.height > 1) for y in ones if y > 0)" * 4, True),
]


@pytest.mark.parametrize(("written", "value"), DEEP)
def test_an_expression_may_be_as_deep_as_is_allowed(written: str, value: object) -> None:
    assert Bench().value(written) == value


def test_lists_in_order_in_lists_in_order_compile() -> None:
    written = "trees"
    for _ in range(13):
        written = f"list(x for x in {written} if x.height > 0 by x.height)"
    assert Bench().value(f"count({written})") == 2
