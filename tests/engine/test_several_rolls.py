"""Several rolls side by side, and several elements drawn from a list: the results as one list."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest

from rulewright.engine import backends
from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.language.declarations import FIRST_PLAYER
from tests.engine.scripts import begin_main, carry_out

RULES = """\
tables:
  sky: {roll: 1d6, rows: {rain: 1-2, sun: 3-6}}
kinds: {player: {fields: {cup: list of int, days: list of sky, bag: {type: list of int, default: "[1, 1, 2, 3]"}}}}
procedures:
  main:
    given: {p: player}
    steps:
"""


def results(state: State, name: str, chance: Fraction = Fraction(1)) -> Counter[tuple[Any, ...]]:
    """Return every value that a field of the first player may get, with its probability: the whole tree of rolls."""
    if state.mode != CHANCE:
        return Counter({state.objects[FIRST_PLAYER][state.machine.layout.places["player", name]]: chance})
    counts: Counter[tuple[Any, ...]] = Counter()
    for outcome, share in list_outcomes(state.roll):
        after = state.clone()
        after.apply_outcome(outcome)
        counts.update(results(after, name, chance * share))
    return counts


def shares(every: list[tuple[Any, ...]]) -> dict[tuple[Any, ...], Fraction]:
    return {each: Fraction(many, len(every)) for each, many in Counter(every).items()}


def test_rolls_without_an_order_are_as_likely_as_the_sorted_faces(back_end: str) -> None:
    state = begin_main(RULES + "      - {id: throw, roll: 1d4, count: 3, into: p.cup}\n", back_end)
    assert results(state, "cup") == shares([tuple(sorted(faces)) for faces in product(range(1, 5), repeat=3)])


def test_rolls_in_order_are_as_likely_as_the_faces(back_end: str) -> None:
    state = begin_main(RULES + "      - {id: throw, roll: 1d3, count: 3, in_order: true, into: p.cup}\n", back_end)
    assert results(state, "cup") == shares(list(product(range(1, 4), repeat=3)))


def test_rolls_on_a_table_come_in_the_order_of_its_rows(back_end: str) -> None:
    state = begin_main(RULES + "      - {id: throw, roll: sky, count: 2, into: p.days}\n", back_end)
    assert results(state, "days") == {
        ("rain", "rain"): Fraction(1, 9),
        ("rain", "sun"): Fraction(4, 9),
        ("sun", "sun"): Fraction(4, 9),
    }


def test_dice_that_are_kept_are_not_rolled_again(back_end: str) -> None:
    steps = """\
      - {id: throw, roll: 1d3, count: 3}
      - {id: kept, let: list(d for d in throw if d == 3)}
      - {id: again, roll: 1d3, count: count(throw - kept)}
      - {id: lies, set: {p.cup: list(d for d in kept + again by d)}}
"""
    every = []
    for first in product(range(1, 4), repeat=3):
        for second in product(range(1, 4), repeat=3):
            rolled = [b if a != 3 else a for a, b in zip(first, second, strict=True)]
            every.append(tuple(sorted(rolled)))
    assert results(begin_main(RULES + steps, back_end), "cup") == shares(every)


@pytest.mark.parametrize("order", ["", ", in_order: true"])
def test_several_elements_of_a_list_are_drawn_without_putting_back(order: str, back_end: str) -> None:
    state = begin_main(
        RULES + f"      - {{id: lots, draw: {{one_of: p.bag}}, count: 2{order}, into: p.cup}}\n", back_end
    )
    every = list(permutations([1, 1, 2, 3], 2)) if order else list(combinations([1, 1, 2, 3], 2))
    assert results(state, "cup") == shares(every)


def test_dice_half_rolled_can_be_saved(back_end: str) -> None:
    state = begin_main(RULES + "      - {id: throw, roll: 1d6, count: 3, into: p.cup}\n", back_end)
    state.apply_outcome(5)
    again = from_json(backends.make(back_end, state.machine.ruleset), to_json(state))
    again.events = []
    for each in (state, again):
        each.apply_outcome(2)
        each.apply_outcome(6)
    assert to_json(again) == to_json(state)


@pytest.mark.parametrize(("count", "value"), [("0", ()), ("0 - 1", ()), ("n", (4, 4)), ("1", (4,))])
def test_as_many_rolls_are_made_as_the_count_says(count: str, value: tuple[int, ...]) -> None:
    steps = (
        "- {id: n, choose: {who: p, number: {from: 1, to: 3}}}\n"
        f"- {{id: throw, roll: 1d4, count: {count}}}\n- {{id: came, let: throw}}"
    )
    assert carry_out(steps, [2, *value])["came"] == value
