"""Every operator and function, against values known beforehand and against Python's own arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Die
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse
from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.expressions.evaluator import LARGEST, divide
from tests.language.bench import Bench

SMALL, LARGE, PLAYER_ONE = 3, 4, 1

VALUES: list[tuple[str, Any]] = [
    # leaves
    ("7", 7),
    ("true", True),
    ("none", None),
    ("goal", 100),
    ("turn", 0),
    ("options.mode", "calm"),
    ("sizes", ("small", "large")),
    ("sizes.large", "large"),
    ("sizes[size]", "small"),
    ("[small] + sizes + [large, small]", ("small", "small", "large", "large", "small")),
    ("trees", (SMALL, LARGE)),
    ("players", (1, 2)),
    ("owned", 1),
    # paths
    ("t.height", 5),
    ("t.owner", PLAYER_ONE),
    ("t.size.price", 1),
    ("t.worth", 5),
    ("size.rank", 1),
    ("sizes.large.rank", 2),
    ("sizes.large.grows", None),
    ("size.grows", "large"),
    # arithmetic
    ("n + m", 4),
    ("n - m", 10),
    ("n * m", -21),
    ("-n", -7),
    ("--n", 7),
    ("-7 + 2 * 3", -1),
    ("(-7 + 2) * 3", -15),
    ("2 - 3 - 4", -5),
    ("n % 4", 3),
    ("m % 4", 1),
    ("12 / 4 / 3", 1),
    ("[1, 2] + ones", (1, 2, 1, 1, 2)),
    ("[] + some", (LARGE, SMALL)),
    # comparison, membership
    ("n == 7", True),
    ("n != 7", False),
    ("m < 0", True),
    ("n <= 6", False),
    ("t == maybe", False),
    ("t != maybe", True),
    ("nobody == none", True),
    ("maybe != none", True),
    ("size == small", True),
    ("small == size", True),
    ("size < large", True),
    ("sizes.large >= size", True),
    ("options.mode == calm", True),
    ("n in [1, 7]", True),
    ("n not in [1, 7]", False),
    ("t in some", True),
    ("nobody in some", False),
    ("large in [size, sizes.large]", True),
    ("mean(2d6) > mean(1d6 + 3)", True),
    ("mean(2d6) == 7", True),
    ("mean(1d6) <= 3", False),
    # logic
    ("sure and not storm", True),
    ("not sure or storm", False),
    ("not (sure and storm)", True),
    ("maybe or storm", True),
    ("nobody or storm", False),
    ("maybe and maybe.height > 8", True),
    ("nobody and nobody.height > 8", False),
    ("t.owner and t.owner.score == 0", True),
    # values that may be missing
    ("maybe or t", LARGE),
    ("nobody or t", SMALL),
    ("nobody or maybe", LARGE),
    ("nobody or none", None),
    ("nobody or nobody or t", SMALL),
    ("first(x for x in trees if x.height > 100) or t", SMALL),
    ("(nobody or t).height", 5),
    # choices
    ("1 if sure else 2", 1),
    ("1 if storm else 2 if sure else 3", 2),
    ("maybe.height if maybe else 0", 9),
    ("0 if not maybe else maybe.height", 9),
    ("none if sure else t", None),
    # functions of a list
    ("sum(ones)", 4),
    ("sum([])", 0),
    ("sum(x.height for x in trees)", 14),
    ("sum(x.height for x in trees if x.owner)", 5),
    ("count(trees)", 2),
    ("count(x for x in trees if x.height > 5)", 1),
    ("max(ones)", 2),
    ("min(x.height for x in trees)", 5),
    ("max(x.height for x in trees if x.height > 50)", 0),
    ("min(x.height for x in trees if x.height > 50)", 0),
    ("max(x.size for x in trees)", "large"),
    ("min(x.size for x in trees)", "small"),
    ("max(x.size for x in trees if x.height > 50)", "small"),
    ("any(trees)", True),
    ("any(x for x in trees if x.height > 50)", False),
    ("any(x.height > 8 for x in trees)", True),
    ("any(x.owner for x in trees)", True),
    ("none(trees)", False),
    ("none(x.height > 50 for x in trees)", True),
    ("all(x.height > 4 for x in trees)", True),
    ("all(x.owner for x in trees)", False),
    ("all(x.height > 4 for x in trees if x.height > 50)", True),
    ("first(trees)", SMALL),
    ("last(trees)", LARGE),
    ("first(x for x in trees by -x.height)", LARGE),
    ("last(x for x in trees by x.size)", LARGE),
    ("first(x for x in trees by mean(x.size.roll))", SMALL),
    ("first(x for x in trees if x.height > 50)", None),
    ("list(x.height for x in some)", (9, 5)),
    ("list(x for x in some by x.height)", (SMALL, LARGE)),
    ("list(x.price for x in sizes)", (1, 7)),
    ("sum(x.price for x in sizes if x > small)", 7),
    ("list(x for x in sizes by -x)", ("large", "small")),
    ("list(x for x in trees by -x.size)", (LARGE, SMALL)),
    ("last(x for x in trees by -x.size)", SMALL),
    ("list(x for x in [1, 3, 2] by -x)", (3, 2, 1)),
    ("distinct([3, 1, 3, n, 1, 7])", (3, 1, 7)),
    ("distinct(x.owner for x in trees + some by -x.height)", (None, 1)),
    ("distinct(ones)", (1, 2)),
    ("ones - [1]", (1, 2)),
    ("ones - 1", (1, 2)),
    ("ones + 1", (1, 1, 2, 1)),
    ("ones - [2, 1, 2, n]", (1,)),
    ("ones - ones", ()),
    ("ones - 1 - 1 + [n] + 1", (2, 7, 1)),
    ("some - t", (LARGE,)),
    ("sizes - small", ("large",)),
    ("[small, large, small] - sizes", ("small",)),
    ("list(x.owner for x in trees + trees) - p", (None, PLAYER_ONE, None)),
    ("list(x.owner for x in trees + trees) - t.owner - [none]", (PLAYER_ONE, None)),
    ("count([ones, [2]] - ones)", 1),
    ("list(1 / max(1, x) for x in ones - 1)", (1, 0)),
    ("flatten([ones, [], [n], ones])", (1, 1, 2, 7, 1, 1, 2)),
    ("flatten([x.height] for x in some)", (9, 5)),
    ("first(2, ones)", (1, 1)),
    ("last(2, ones)", (1, 2)),
    ("first(n, ones)", (1, 1, 2)),
    ("last(n, ones)", (1, 1, 2)),
    ("first(m, ones)", ()),
    ("last(m, ones)", ()),
    ("last(0, ones)", ()),
    ("first(1, list(x for x in trees by -x.height))", (LARGE,)),
    ("rotate(1, [1, 2, 3])", (2, 3, 1)),
    ("rotate(-1, [1, 2, 3])", (3, 1, 2)),
    ("rotate(n, [1, 2, 3])", (2, 3, 1)),
    ("rotate(m, [1, 2, 3, 4])", (2, 3, 4, 1)),
    ("count(rotate(n, list(x for x in ones if x > 9)))", 0),
    # several lists
    ("sum(x * y for x in [1, 2] for y in [10, n])", 51),
    ("sum(x * y for x in [1, 2] for y in [10, n] if x < y)", 51),
    ("count(x for x in ones for y in ones if x == y)", 5),
    ("any(x == y for x in [5, 6] for y in [n, 6])", True),
    ("any(x for x in trees for y in some if x.height > y.height + 9)", False),
    ("all(x != y for x in [5, 6] for y in [n, 6])", False),
    ("none(x == y for x in [5, 6] for y in [n, 8])", True),
    ("list(x + y for x in [10, 20] for y in [x, n] if y != 10)", (17, 40, 27)),
    ("list(x + y + z for x in [100, 200] for y in [10] for z in [1, 2])", (111, 112, 211, 212)),
    ("max(x - y for x in [-9, -8] for y in [n, 1])", -9),
    ("max(x - y for x in [-9, -8] for y in [] + ones if y > 2)", 0),
    ("first(y for x in trees for y in [x] if y.height > 6)", LARGE),
    ("distinct(x + y for x in ones for y in ones)", (2, 3, 4)),
    ("flatten([x, y] for x in [1] for y in ones)", (1, 1, 1, 1, 1, 2)),
    ("list(x for x in list(y for z in [ones, [n]] for y in z) by -x)", (7, 2, 1, 1)),
    # from place to place
    ("reach(x.grows for x in [size])", ("small", "large")),
    ("reach(x.grows for x in [size] if x.price > 7)", ("small",)),
    ("reach(x.grows for x in [size] by x.price within 6)", ("small",)),
    ("reach(x.grows for x in [size] by 0 - 3 within 0)", ("small", "large")),
    ("reach(list(y for y in trees if y != x) for x in some within 0)", (LARGE, SMALL)),
    ("reach(q.friend for q in players)", (1, 2)),
    ("count(reach(x.grows for x in list(y for y in sizes if y.price > 7)))", 0),
    ("reach(x.grows for x in [size] until x.price > 7)", ("small", "large")),
    ("reach(list(y for y in trees if y != x) for x in some until true)", (LARGE, SMALL)),
    ("ray(x.grows for x in [size])", ("large",)),
    ("ray(x.grows for x in [size] if x.price > 7)", ()),
    ("ray(next(x, trees) for x in [t, t])", (LARGE,)),
    ("ray(q.friend for q in players by 0 within 0)", ()),
    ("groups(x.grows for x in sizes)", (("small", "large"),)),
    ("groups(x.grows for x in list(y for y in sizes by -y.price) + sizes)", (("large",), ("small",))),
    ("groups(x.grows for x in sizes if x.price < 7)", (("small",),)),
    ("groups(q.friend for q in players if q.score > 999)", ()),
    ("list(count(g) for g in groups([] + trees for x in trees if x != t))", (1,)),
    ("distance(x.grows for x in [size] to large)", 1),
    ("distance(x.grows for x in [size] by x.price to large) or 0", 7),
    ("distance(x.grows for x in [sizes.large] to small)", None),
    ("path(x.grows for x in [size] to large)", ("small", "large")),
    ("path(x.grows for x in [size] to small)", ("small",)),
    ("path(x.grows for x in [size] within 0 to large)", ()),
    ("list(count(reach(x.grows for x in [y])) for y in sizes)", (2, 1)),
    # quantifiers within quantifiers; an inner name hides an outer one
    ("sum(sum(x.height for x in trees) for x in trees)", 28),
    ("list(sum(y * x for y in ones) for x in [1, 2])", (4, 8)),
    ("list(sum(x for x in ones if x > 1) + x for x in [10, 20])", (12, 22)),
    ("list(count(x for x in list(y for y in ones if y >= x)) for x in [1, 2])", (3, 1)),
    ("any(any(x > y for x in ones) for y in [1, 5])", True),
    ("sum(sum(x.height for x in trees) + x.price for x in sizes)", 36),
    ("sum(sum(x + n for x in [1, 2]) + x.price for x in sizes)", 42),
    ("list((x.grows or t.size) for x in sizes)", ("large", "small")),
    ("any((x.grows or t.size) == small for x in sizes)", True),
    ("sizes.large.grows or t.size", "small"),
    ("all(x.grows or sure for x in sizes)", True),
    # functions of values
    ("max(n, m)", 7),
    ("min(n, m, 2)", -3),
    ("max(size, large)", "large"),
    ("min(sizes.large, t.size)", "small"),
    ("next(size)", "large"),
    ("next(sizes.large)", None),
    ("next(p, players)", 2),
    ("next(next(p, players), players)", 1),
    ("next(t, [])", SMALL),
    ("next(maybe or t, some)", SMALL),
    ("next(p)", 2),
    ("next(next(p))", 1),
    ("previous(size)", None),
    ("previous(sizes.large)", "small"),
    ("previous(p)", 2),
    ("previous(p, players)", 2),
    ("previous(previous(p))", 1),
    ("previous(t, [])", SMALL),
    ("previous(maybe or t, some)", SMALL),
    ("previous(t, [maybe or t])", LARGE),
    ("previous(2, [1, 2, 3, 2])", 1),
    ("first(players) or p", 1),
    ("first(players).score + last(sizes).price", 7),
    ("twice(n)", 14),
    ("twice(twice(1)) + 1", 5),
    ("tallest(trees)", 9),
    ("tallest([])", 0),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_an_expression_comes_to_its_value(written: str, value: Any) -> None:
    came = Bench().value(written)
    assert came == value
    assert isinstance(came, bool) == isinstance(value, bool)


def test_every_function_is_among_them() -> None:
    written = " ".join(text for text, _ in VALUES) + " each("
    functions = {**list_functions_of_values(), **list_functions(), **list_walks()}
    # What looks ahead runs procedures, which the bench does not have: see `tests/engine/test_look_ahead.py`.
    assert [name for name, each in functions.items() if not each.looks_ahead and f"{name}(" not in written] == []


DICE = [
    ("bonus", "1d6"),
    ("2d6 +6", "2d6 +6"),
    ("1d6 + 1d6", "1d6 + 1d6"),
    ("2d6 - 1d4 - 1", "2d6 - 1d4 - 1"),
    ("-1d6", "-1d6"),
    ("3 * 1d6", "3 * 1d6"),
    ("1d6 * 3", "3 * 1d6"),
    ("(n - 4) * (2d6 +3)", "3 * (2d6 +3)"),
    ("each(3, 1d6)", "3d6"),
    ("each(3, 1d6 +1)", "1d6 +1 + 1d6 +1 + 1d6 +1"),
    ("each(0, 1d6)", "0"),
    ("each(m, 1d6)", "0"),
    ("each(2, 5)", "10"),
    ("sizes.large.roll + t.size.roll", "2d6 + 1d6"),
    ("sum(x.roll for x in sizes)", "1d6 + 2d6"),
    ("sum(x.size.roll for x in trees) + n", "1d6 + 2d6 + 7"),
    ("1d6 if sure else 3", "1d6"),
    ("max(1d6, 1d4)", "max(1d6, 1d4)"),
    ("min(2d6, 5, 1d8)", "min(2d6, 5, 1d8)"),
    ("4d6kh3 + 1dP", "4d6kh3 + 1dP"),
    ("🎲 2d6", "2d6"),
]


@pytest.mark.parametrize(("written", "notation"), DICE)
def test_dice_are_the_roll_that_the_notation_says(written: str, notation: str) -> None:
    value = Bench().value(written)
    named = {"dP": Die(range(10, 101, 10), "dP")}
    assert compute_distribution(value) == compute_distribution(parse(notation, dice=named))


@pytest.mark.parametrize(("written", "value"), [("2 if sure else 1d6", 2), ("(2 if sure else 1d6) + 3", 5)])
def test_dice_may_be_a_number_in_disguise(written: str, value: int) -> None:
    assert Bench().value(written) == value


@pytest.mark.parametrize("written", ["(2 if sure else 1d6) * n", "max(2 if sure else 1d6, 9)", "sum([2, 1d6]) - 1d6"])
def test_numbers_in_disguise_are_reckoned_with_alike(written: str) -> None:
    Bench().value(written)


# -- fractions -----------------------------------------------------------------------------

ROUNDED = {
    "truncate": math.trunc,
    "down": math.floor,
    "up": math.ceil,
    "nearest": lambda fraction: math.floor(abs(fraction) + Fraction(1, 2)) * (1 if fraction >= 0 else -1),
}


@pytest.mark.parametrize("rounding", ROUNDED)
@given(
    st.integers(-(10**20), 10**20) | st.integers(-20, 20), st.integers(-20, 20).filter(bool) | st.integers(1, 10**20)
)
def test_division_rounds_as_the_ruleset_says(rounding: str, left: int, right: int) -> None:
    assert divide(left, right, rounding) == ROUNDED[rounding](Fraction(left, right))


@pytest.mark.parametrize("rounding", ROUNDED)
@pytest.mark.parametrize(
    ("left", "right"), [(7, 2), (-7, 2), (5, -2), (-5, -2), (1, 3), (-1, 3), (2, 3), (-2, 3), (6, 3)]
)
def test_the_rule_reaches_the_expression(rounding: str, left: int, right: int) -> None:
    bench = Bench(rounding)
    assert bench.value(f"n / {right}", n=left) == ROUNDED[rounding](Fraction(left, right))
    assert bench.value(f"{left} / {right}") == ROUNDED[rounding](Fraction(left, right))
    assert bench.value("n / max(1, m)", n=left, m=right) == ROUNDED[rounding](Fraction(left, max(1, right)))


@given(st.integers(-50, 50), st.integers(-9, 9).filter(bool))
def test_a_remainder_has_the_sign_of_the_divisor(left: int, right: int) -> None:
    rest = Bench().value(f"n % {right}", n=left)
    assert rest == left - right * math.floor(Fraction(left, right))


# -- arithmetic against Python's ----------------------------------------------------------------


def grown(depth: int) -> st.SearchStrategy[tuple[str, Any]]:
    """Return an expression over `n`, `m` and numbers, with the function that works it out in Python."""
    leaf = st.sampled_from([("n", lambda n, m: n), ("m", lambda n, m: m)]) | st.integers(-9, 9).map(
        lambda k: (f"({k})" if k < 0 else str(k), lambda n, m: k)
    )
    if depth == 0:
        return leaf
    inner = grown(depth - 1)

    def joined(parts: tuple[str, tuple[str, Any], tuple[str, Any]]) -> tuple[str, Any]:
        operator, (left, left_value), (right, right_value) = parts
        work_out = {
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
        }[operator]
        return f"({left} {operator} {right})", lambda n, m: work_out(left_value(n, m), right_value(n, m))

    def chosen(parts: tuple[tuple[str, Any], tuple[str, Any], tuple[str, Any]]) -> tuple[str, Any]:
        (a, a_value), (b, b_value), (c, c_value) = parts
        return (
            f"({a} if {b} < {c} else {c})",
            lambda n, m: a_value(n, m) if b_value(n, m) < c_value(n, m) else c_value(n, m),
        )

    return (
        leaf
        | st.tuples(st.sampled_from("+-*"), inner, inner).map(joined)
        | st.tuples(inner, inner, inner).map(chosen)
        | inner.map(lambda part: (f"-{part[0]}", lambda n, m: -part[1](n, m)))
    )


@given(grown(4), st.integers(-30, 30), st.integers(-30, 30))
def test_arithmetic_is_pythons(expression: tuple[str, Any], n: int, m: int) -> None:
    written, work_out = expression
    assert Bench().value(written, n=n, m=m) == work_out(n, m)


def test_precedence_is_that_of_the_grammar() -> None:
    bench = Bench()
    for written, same in [
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("not sure and storm", "(not sure) and storm"),
        ("sure or storm and storm", "sure or (storm and storm)"),
        ("not n == 7", "not (n == 7)"),
        ("n - 1 == 6 and sure", "((n - 1) == 6) and sure"),
        ("1 if sure else 2 + 5", "1 if sure else (2 + 5)"),
        ("-n % 4", "(-n) % 4"),
        ("2 * -n", "2 * (-n)"),
        ("not t.owner in players", "not (t.owner in players)"),
    ]:
        assert bench.value(written) == bench.value(same), written


# -- beyond the limits ----------------------------------------------------------------------------


def test_a_product_beyond_all_bounds_is_told() -> None:
    bench = Bench()
    assert bench.value("n * n * m", n=10**6, m=-(10**6)) == -LARGEST
    with pytest.raises(OverflowError, match="more than 18 digits"):
        bench.value("n * n * m", n=10**6, m=10**7)


def test_dice_beyond_the_limits_are_told() -> None:
    with pytest.raises(RulewrightError):
        Bench().value("each(n, 2d6)", n=10**9)


def test_an_object_that_has_left_is_told_by_whoever_reads_it() -> None:
    bench = Bench()
    assert bench.value("maybe or gone") == LARGE
    assert bench.value("[gone]") == (5,)
    assert bench.value("gone == t") is False
    assert bench.value("(maybe or gone).height") == 9
    assert bench.value("maybe.height if maybe else gone.height") == 9
    for written in ("gone.height", "gone.worth", "sum(x.height for x in [t, gone])", "(nobody or gone).height"):
        typed = bench.typed(written)
        with pytest.raises(TypeError):
            bench.run(typed, bench.values)
        with pytest.raises(RulewrightError, match="has left the game"):
            bench.value(written)
