"""Exact odds: against every way the dice can fall, against icepool, and against figures known from elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis.strategies import dictionaries, integers, sampled_from

from rulewright.dice.ast import Constant, Die, Keep, Pool, Product, Roll, Sum, build_die, multiply_roll, repeat
from rulewright.dice.bounds import compute_maximum, compute_mean, compute_minimum, compute_variance
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import Distribution, compute_distribution
from rulewright.dice.exact.counts import convolve, equal_dice, power
from rulewright.dice.exact.order_statistics import OF_ONE_KIND, compute_value_by_value
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DiceLimits
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.roll_dice import list_pools
from rulewright.dice.simplify import condense
from rulewright.dice.static_bounds import count_dice, reach
from tests.breadth import times
from tests.dice.oracles import brute_force, by_icepool
from tests.dice.strategies import NAMED, rolls


def odds(written: str) -> Distribution:
    return compute_distribution(parse(written, dice=NAMED))


def few_ways(roll: Roll) -> bool:
    """Return whether every way to fall can be listed in a moment."""
    largest = max([len(pool.die.faces) for pool in list_pools(roll)], default=1)
    return largest ** count_dice(roll) <= 20_000


@settings(max_examples=times(50, 300))
@given(rolls(most_dice=3))
def test_odds_are_those_of_listing_every_way_to_fall(roll: Roll) -> None:
    assume(few_ways(roll))
    assert dict(compute_distribution(roll).iterate_items()) == brute_force(roll)


@settings(max_examples=times(50, 300))
@given(rolls(most_dice=7, plain=True, depth=2))
def test_odds_are_icepools(roll: Roll) -> None:
    try:
        expected = by_icepool(roll)
    except AssertionError:
        reject()  # icepool has no word for it
    assert dict(compute_distribution(roll).iterate_items()) == expected


@given(rolls(most_dice=5))
def test_bounds_mean_and_variance_agree_with_the_odds(roll: Roll) -> None:
    distribution = compute_distribution(roll)
    assert (compute_minimum(roll), compute_maximum(roll)) == (distribution.outcomes[0], distribution.outcomes[-1])
    assert (compute_mean(roll), compute_variance(roll)) == (distribution.mean, distribution.variance)
    low, high = reach(roll)
    assert low <= distribution.outcomes[0]
    assert distribution.outcomes[-1] <= high


@given(rolls(most_dice=5))
def test_condensing_keeps_the_odds(roll: Roll) -> None:
    assert compute_distribution(condense(roll)) == compute_distribution(roll)


@given(rolls(most_dice=5))
def test_counts_add_up_and_none_is_zero(roll: Roll) -> None:
    distribution = compute_distribution(roll)
    assert sum(distribution.counts) == distribution.denominator
    assert all(count > 0 for count in distribution.counts)
    assert list(distribution.outcomes) == sorted(set(distribution.outcomes))


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 10, 100])
@pytest.mark.parametrize("number", [1, 2, 3, 5, 9, 24, 25, 40])
def test_equal_dice_by_closed_form(number: int, sides: int) -> None:
    """Inclusion and exclusion: the ways to reach a sum k above the least one."""
    expected = [
        sum((-1) ** j * comb(number, j) * comb(k - j * sides + number - 1, number - 1) for j in range(k // sides + 1))
        for k in range(number * (sides - 1) + 1)
    ]
    assert equal_dice(number, sides) == expected


@pytest.mark.parametrize("number", [1, 2, 5, 30])
@pytest.mark.parametrize("counts", [[1, 1], [3, 0, 2], [1, 2, 3, 4], [5, 0, 0, 1, 0, 7]])
def test_counts_one_by_one_are_those_of_multiplying(counts: list[int], number: int) -> None:
    assert power(counts, number) == convolve([(counts, number)], (sum(counts) ** number).bit_length())


@pytest.mark.parametrize("text", ["100d6!", "2000d6", "1000d20", "300d{0: 7, 1: 2, 5}", "60d10!{9, 10}x3"])
def test_what_takes_moments_is_answered(text: str) -> None:
    """The mean and the variance of a sum are those of one die, so many times."""
    roll = parse(text)
    assert isinstance(roll, Pool)
    distribution, one = compute_distribution(roll), compute_distribution(Pool(1, roll.die))
    assert sum(distribution.counts) == distribution.denominator
    assert (distribution.mean, distribution.variance) == (roll.count * one.mean, roll.count * one.variance)


@pytest.mark.parametrize(
    ("text", "count", "one", "kept"),
    [
        ("100d10!kh5", 100, "1d10!", 5),
        ("60d6!kh10", 60, "1d6!", 10),
        ("30d100kh20", 30, "1d100", 20),
        ("40d8!dl38", 40, "1d8!", 2),
    ],
)
def test_the_mean_of_the_highest_is_that_of_each_of_them(text: str, count: int, one: str, kept: int) -> None:
    """The n-th highest is at least a value if at least n dice are."""
    distribution, single = odds(text), odds(one)
    mean = Fraction(kept * single.outcomes[0])
    for below, value in pairwise(single.outcomes):
        chance = single.compute_at_least(value)
        for place in range(1, kept + 1):
            mean += (value - below) * sum(
                comb(count, high) * chance**high * (1 - chance) ** (count - high) for high in range(place, count + 1)
            )
    assert distribution.mean == mean
    assert sum(distribution.counts) == distribution.denominator == single.denominator**count


def test_equal_results_by_closed_forms() -> None:
    different = odds("different(100d100)")
    assert different.mean == 100 * (1 - Fraction(99, 100) ** 100)
    # Everything shows one face more often than the other, or both as often.
    tossed = {most: (2 if most > 50 else 1) * comb(100, most) for most in range(50, 101)}
    assert odds("alike(100d2)") == Distribution.from_counts(tossed)
    # A set of 60 there can be but once: a binomial for each face.
    [(_, none), (_, once)] = odds("sets(100d3, 60)").iterate_items()
    assert once == sum(Fraction(3 * comb(100, shown) * 2 ** (100 - shown), 3**100) for shown in range(60, 101))
    assert none == 1 - once


@settings(max_examples=times(30, 1000))
@given(
    times=integers(1, 9),
    counts=dictionaries(integers(-4, 12), sampled_from([1, 1, 1, 2, 3]), min_size=1, max_size=6),
    what=sampled_from(["alike", "sets", "different"]),
    number=integers(1, 4),
)
def test_equal_results_of_one_kind_are_those_of_going_through_the_values(
    times: int, counts: dict[int, int], what: str, number: int
) -> None:
    one = Distribution.from_counts(counts)
    distribution = Distribution.from_counts(OF_ONE_KIND[what](times, Counter(one.counts), number))
    assert distribution == compute_value_by_value([(times, one)], what, number)


def test_known_figures() -> None:
    assert odds("5d6+15 > 7d6+21").get_probability(1) == Fraction(2531347, 241864704)
    assert odds("2d20kh1").mean == Fraction(553, 40)
    assert list(odds("4d6kh3").counts) == [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21]
    assert (odds("5d6+15").mean, odds("5d6+15").variance) == (Fraction(65, 2), Fraction(175, 12))


def test_representative_and_individual_rolls_share_the_mean_and_not_the_spread() -> None:
    representative, individual = multiply_roll(5, Pool(1, build_die(6))), repeat(5, Pool(1, build_die(6)))
    assert compute_mean(representative) == compute_mean(individual)
    assert compute_variance(representative) == 5 * compute_variance(individual)


def test_outcomes_in_steps() -> None:
    assert list(odds("2dP").outcomes) == list(range(20, 201, 10))
    assert list(odds("(3 * 1d6) +1").outcomes) == [4, 7, 10, 13, 16, 19]
    assert odds("1000000 * 1d6 + 1d6").get_probability(3_000_004) == Fraction(1, 36)


def test_faces_that_lie_far_apart_or_come_twice() -> None:
    far = Die((0, 1, 10**9), "dFar")
    assert compute_distribution(Pool(2, far)).get_probability(10**9 + 1) == Fraction(2, 9)
    twice = Die((1, 1, 1, 7), "dTwice")
    assert compute_distribution(Keep(Pool(3, twice), 1, True)).get_probability(1) == Fraction(27, 64)


def test_a_distribution_answers() -> None:
    two = odds("2d6")
    assert two.compute_at_least(1) == 1
    assert two.compute_at_least(11) == Fraction(1, 12)
    assert two.compute_at_least(13) == 0
    assert two.get_probability(13) == 0
    assert [two.find_quantile(q) for q in (0, Fraction(1, 36), 0.5, 0.99, 1)] == [2, 2, 7, 12, 12]
    with pytest.raises(ValueError, match="between 0 and 1"):
        two.find_quantile(2)


def test_a_distribution_is_a_value() -> None:
    assert odds("1d2") == Distribution.from_counts({1: 5, 2: 5})
    assert hash(odds("1d2")) == hash(Distribution.from_counts({1: 5, 2: 5}))
    assert odds("1d2") != Distribution.from_counts({1: 5, 2: 6})
    assert odds("1d2") != odds("1d3")
    assert odds("1d2") != 3
    assert repr(odds("1d2")) == "Distribution.from_counts({1: 1, 2: 1})"
    with pytest.raises(ValueError, match="negative"):
        Distribution.from_counts({1: -1})
    with pytest.raises(ValueError, match="at least one"):
        Distribution.from_counts({1: 0})


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("10d6", DiceLimits(outcomes=50)),
        ("10d6", DiceLimits(digits=7)),
        ("10d6", DiceLimits(bits=100)),
        ("10d6kh5", DiceLimits(work=100)),
        ("10000d6", DiceLimits()),
        ("2d100000 + 3d99999", DiceLimits()),
        ("10d3000kh9", DiceLimits()),
        ("10000d6kh1", DiceLimits()),
        ("max(1d6, 1d8)", DiceLimits(outcomes=7)),
        ("1d6 > 1d8", DiceLimits(digits=1)),
        ("2dOdd", DiceLimits(outcomes=3)),
        ("1000000000 * 1d100000 + 1d100000", DiceLimits()),
        (" + ".join(f"(1d{99_999 - n} > 1d{90_000 - n})" for n in range(500)), DiceLimits()),
    ],
)
def test_limits_are_checked_before_the_work(text: str, limits: DiceLimits) -> None:
    roll = parse(text, dice=NAMED)
    with pytest.raises(DiceError) as raised:
        compute_distribution(roll, limits=limits)
    assert raised.value.code == "dice-limit"


@pytest.mark.parametrize(
    "text",
    [
        "2*d2+d1",
        "3*d1 + 2*1d4 - d1",
        "2*dSure + 3*dOdd",
        "d1 + d1",
        "1000*1d3 + 1d1 + 2*1d2",
        "100000*2d6+3d2",
        "100000*(1d6kh1) + max(1d2, 1d4) + (1d2 > 1)",
        "max(d1, 2*d1) + 5*d3",
    ],
)
def test_a_roll_that_is_certain_can_stand_beside_any_other(text: str) -> None:
    assert dict(odds(text).iterate_items()) == brute_force(parse(text, dice=NAMED))


def test_far_apart_outcomes_are_few_pairs_and_little_work() -> None:
    distribution = odds("1000000*2d6+3d6+2d8+1d20")
    near = odds("3d6+2d8+1d20")
    assert distribution.compute_at_least(12_000_000) == near.compute_at_least(0) / 36
    assert len(distribution) == 11 * len(near)
    with pytest.raises(DiceError):
        odds("1000000*2d6+3*1d1000+2d80000")


def test_what_has_a_closed_form_needs_no_odds() -> None:
    many = Sum((Pool(10_000, build_die(100_000)), Product(3, Pool(9_999, build_die(7))), Constant(1)))
    assert compute_maximum(many) == 10_000 * 100_000 + 3 * 9_999 * 7 + 1
    assert compute_mean(many) == 10_000 * Fraction(100_001, 2) + 3 * 9_999 * 4 + 1
    assert compute_variance(many) == 10_000 * Fraction(100_000**2 - 1, 12) + 9 * 9_999 * 4


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("count((1d3)d6 >= 4)", lambda faces: sum(face >= 4 for face in faces)),
        ("count((1d3)d6 == 6) * 2", lambda faces: 2 * faces.count(6)),
        ("(1d3)d6kh2", lambda faces: sum(sorted(faces)[-2:])),
        ("(1d3)d6dl1", lambda faces: sum(sorted(faces)[1:])),
        ("alike((1d3)d6)", lambda faces: max(map(faces.count, faces))),
    ],
)
def test_dice_whose_number_is_rolled_are_counted_or_told_number_by_number(
    written: str, message: Callable[[tuple[int, ...]], int]
) -> None:
    try:
        roll = parse(written)
    except DiceError as error:
        roll = parse((error.help or "").partition("`")[2].rstrip("`"))
    expected: Counter[int] = Counter()
    for number in (1, 2, 3):
        for faces in product(range(1, 7), repeat=number):
            expected[message(faces)] += 6 ** (3 - number)
    assert compute_distribution(roll) == Distribution.from_counts(expected)
    assert parse(format_roll(roll)) == roll


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("6d6 as x: 10 * count(x >= 5) + count(x == 1)", lambda x: 10 * sum(n >= 5 for n in x) + x.count(1)),
        ("4d6 as x: x + (10 if count(x == 1) else 0)", lambda x: sum(x) + (10 if 1 in x else 0)),
        ("4d6 as x: {x}kh1 - {x}kl2", lambda x: max(x) - sum(sorted(x)[:2])),
        ("4d6 as x: alike(x) * 10 + different(x)", lambda x: 10 * max(map(x.count, x)) + len(set(x))),
        ("4d6kh3 as x: count(x == 6)", lambda x: sorted(x)[1:].count(6)),
        ("4d6 as x: {x}dl1 as y: y if count(x > 3) == 2 else 0", lambda x: sum(x) - min(x) if count_above(x) else 0),
        ("1d6 as x: count(x > 3) + x", lambda x: x[0] + (x[0] > 3)),
    ],
)
def test_a_name_is_the_dice_where_dice_are_looked_at(written: str, message: Callable[[tuple[int, ...]], int]) -> None:
    dice = int(written[0])
    expected = Counter(message(faces) for faces in product(range(1, 7), repeat=dice))
    assert odds(written) == Distribution.from_counts(expected)
    assert parse(format_roll(parse(written))) == parse(written)


def count_above(faces: tuple[int, ...]) -> bool:
    return sum(face > 3 for face in faces) == 2


def test_opposed_pools() -> None:
    """How many dice of one pool beat all of the other, or minus how many of the other do."""
    written = "3d4 as a: 2d6 as b: {a}kh1 as x: {b}kh1 as y: count(a > y) if x > y else 0 - count(b > x)"
    expected: Counter[int] = Counter()
    for ours in product(range(1, 5), repeat=3):
        for theirs in product(range(1, 7), repeat=2):
            beaten = sum(face > max(theirs) for face in ours)
            expected[beaten or -sum(face > max(ours) for face in theirs)] += 1
    assert odds(written) == Distribution.from_counts(expected)


def test_dice_that_are_only_counted_are_as_many_cases_as_are_told_apart() -> None:
    """A hundred dice: a trinomial for hits, ones and others, instead of the ways in which they may lie."""
    distribution = odds("100d10 as x: 1000 * count(x >= 7) + count(x == 1)")
    for hits, ones in ((40, 10), (0, 0), (100, 0), (33, 21)):
        ways = comb(100, hits) * comb(100 - hits, ones) * 4**hits * 5 ** (100 - hits - ones)
        assert distribution.get_probability(1000 * hits + ones) == Fraction(ways, 10**100)


@pytest.mark.parametrize(
    ("written", "sides", "message"),
    [
        ("1d(1d6)", 6, lambda dice: dice(1, sum)),
        ("3d(1d4)kh2", 4, lambda dice: dice(3, lambda faces: sum(sorted(faces)[1:]))),
        ("count(3d(1d4) >= 2)", 4, lambda dice: dice(3, lambda faces: sum(face >= 2 for face in faces))),
        ("alike(3d(1d4))", 4, lambda dice: dice(3, lambda faces: max(map(faces.count, faces)))),
        ("1d4 as n: 2d(n) + n", 4, None),
    ],
)
def test_dice_of_rolled_sides(written: str, sides: int, message: Callable[..., dict[int, int]] | None) -> None:
    expected: dict[int, Fraction] = {}
    for number in range(1, sides + 1):

        def dice(count: int, told: Callable[[tuple[int, ...]], int], number: int = number) -> dict[int, int]:
            return Counter(told(faces) for faces in product(range(1, number + 1), repeat=count))

        exact = message(dice) if message else dice(2, lambda faces, number=number: sum(faces) + number)
        for outcome, ways in exact.items():
            expected[outcome] = expected.get(outcome, Fraction(0)) + Fraction(ways, sides * sum(exact.values()))
    assert dict(odds(written).iterate_items()) == expected
    assert parse(format_roll(parse(written))) == parse(written)


def test_sides_are_those_that_the_die_can_show() -> None:
    assert parse("1d(1d{4, 6, 8})") == parse("1d{4, 6, 8} as sides: 1d4 if sides == 4 else 1d6 if sides == 6 else 1d8")
    assert (parse("2d(6)"), parse("(1d4)d(6)")) == (parse("2d6"), parse("(1d4)d6"))


def test_exploding_dice_that_explode_again_are_refused_before_the_work() -> None:
    with pytest.raises(DiceError, match="steps of work"):
        odds("20d6!{>=1}!")
