"""Rolling: the trace holds every die, the total alone is the same, and dice are fair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dice.ast import Die, Pool, Roll
from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import (
    build_outcome_drawer,
    build_sampler,
    find_dice_bonus,
    find_dice_sum_bounds,
    is_reachable,
    list_faces,
    list_pools,
    roll,
    total,
    total_from_faces,
)
from rulewright.dice.static_bounds import count_dice
from tests.dice.oracles import dice_of, value
from tests.dice.strategies import NAMED, rolls


@given(rolls(most_dice=9), st.integers())
def test_trace_and_total_agree_and_lie_within_bounds(tree: Roll, seed: int) -> None:
    traced, alone = Generator(seed), Generator(seed)
    result = roll(tree, traced)
    faces = [face for pool in list_faces(result) for face in pool]
    assert total(tree, alone) == result.total == value(tree, iter(faces)) == total_from_faces(tree, faces)
    assert traced == alone
    draw = build_outcome_drawer(tree, lambda *outcome: outcome)
    for _ in range(2):  # the second time with what the first has kept
        quick = Generator(seed)
        assert draw(quick) == (result.total, tuple(map(tuple, list_faces(result))))
        assert quick == traced
    assert compute_minimum(tree) <= result.total <= compute_maximum(tree)
    assert all(face in rolled.pool.die.faces for rolled in result.trace for face in rolled.faces)
    assert len(faces) <= count_dice(tree)
    assert is_reachable(tree, result.total)


@given(rolls(most_dice=9, plain=True), st.integers())
def test_the_same_dice_are_rolled_in_the_order_they_are_written(tree: Roll, seed: int) -> None:
    result = roll(tree, Generator(seed))
    assert [rolled.pool for rolled in result.trace] == list_pools(tree)
    faces = [face for pool in list_faces(result) for face in pool]
    assert all(face in die for face, die in zip(faces, dice_of(tree), strict=True))


def test_the_trace_says_which_dice_were_kept() -> None:
    result = roll(parse("4d6kh2 + 1d6"), Generator(7))
    kept = result.trace[0]
    assert sorted(kept.faces)[-2:] == sorted(face for face, keep in zip(kept.faces, kept.kept, strict=True) if keep)
    assert kept.total == sum(sorted(kept.faces)[-2:])
    assert result.trace[1].kept == (True,)


MADE = ["4d6!", "3d6!{5, 6}x2", "2d20ro{1, 2}", "3d{0: 3, 1: 2, 5}", "4dF", "(1d4)d6", "5d6dl1dh1", "{2d6, 1d20}kh1"]
MADE += ["count(6d10 >= 7)", "alike(5d6)", "run(4d6)", "1d20 as x: x + 1d8 if x > 15 else x", "3d6 as a, b, c: a - c"]
MADE += ["7d6 / 2", "1d6 * 1d8", "abs(1d6 - 1d6)", "1d6 if 1d2 > 1 else 2d8", "3 times 4d6kh3"]


@pytest.mark.parametrize(
    "text", ["1d6", "2d6", "7d4", "4d6kh3", "1dP", "max(1d6, 1d10)", "2 * 1d8", "1d2000kh1 > 999", *MADE]
)
def test_dice_fall_as_the_odds_say(text: str) -> None:
    tree = parse(text, dice=NAMED)
    odds = compute_distribution(tree)
    sample, generator, rounds = build_sampler(tree), Generator("fair"), 20_000
    counts = Counter(sample(generator) for _ in range(rounds))
    assert set(counts) <= set(odds.outcomes)
    # Rare outcomes are counted together: the test needs a few of each.
    expected = {outcome: float(chance) * rounds for outcome, chance in odds.iterate_items()}
    rare = [outcome for outcome, count in expected.items() if count < 10]
    cells = [(counts[outcome], count) for outcome, count in expected.items() if outcome not in rare]
    if rare:
        cells.append((sum(counts[outcome] for outcome in rare), sum(expected[outcome] for outcome in rare)))
    statistic = sum((seen - count) ** 2 / count for seen, count in cells if count)
    degrees = len(cells) - 1
    # Far beyond the upper 1/1000 point for these degrees of freedom; the seed is fixed.
    assert statistic < degrees + 4.5 * (2 * degrees) ** 0.5 + 5


def test_recorded_rolls_stay_the_same() -> None:
    """How dice are drawn from words is part of every saved seed: these may never change."""
    generator = Generator(7)
    assert list_faces(roll(parse("5d6 + 2dP", dice=NAMED), generator)) == [[4, 6, 3, 2, 3], [80, 80]]
    assert generator.index == 3
    assert [total(parse("3d20kh2 + 1d100 + 1d3000"), generator) for _ in range(3)] == [1933, 164, 3037]


def test_scripted_faces() -> None:
    tree = parse("2d6 + 1dP", dice=NAMED)
    assert total_from_faces(tree, [3, 4, 90]) == 97
    for wrong, message in [
        ([3, 4], "rolls 3 dice, but 2 faces"),
        ([3, 4, 90, 1], "rolls 3 dice, but 4 faces"),
        ([3, 7, 90], "7 is not a face of d6"),
        ([True, 6, 90], "True is not a face of d6"),
        ([3, 6.0, 90], r"6\.0 is not a face of d6"),
        ([3, 6, 95], "95 is not a face of dP"),
    ]:
        with pytest.raises(DiceError, match=message) as raised:
            total_from_faces(tree, wrong)
        assert raised.value.code == "dice-scripted"


def test_what_the_dice_show_before_the_bonus() -> None:
    tree = parse("2d6 +6 + 1d8")
    assert (find_dice_bonus(tree), find_dice_sum_bounds(tree)) == (6, (3, 20))
    for text in ("4d6kh3", "2 * 1d6", "1d6 - 1d6", "1d6 > 2"):
        assert find_dice_sum_bounds(parse(text)) is None


def test_what_can_come_up() -> None:
    assert is_reachable(parse("2dP", dice=NAMED), 30)
    assert not is_reachable(parse("2dP", dice=NAMED), 35)
    assert not is_reachable(parse("2d6"), 13)
    assert is_reachable(Pool(1, Die((1, 5), "dX")), 5)
