"""Rolls for property tests, canonical as the parser and the builders make them."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.dice.ast import (
    COMPARISONS,
    ROUNDINGS,
    Absolute,
    Comparison,
    Constant,
    Count,
    Die,
    Either,
    Group,
    Keep,
    Matching,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Pool,
    Quotient,
    Roll,
    Several,
    Trim,
    Variable,
    build_die,
    multiply_roll,
    negate,
    sum_of,
)
from rulewright.dice.parser.exploding_and_rerolled_dice import build_custom_die, format_faces
from rulewright.dice.parser.notation import parse

NAMED = {
    "dP": Die(range(10, 101, 10), "dP"),
    "dFate": Die((-1, 0, 1), "dFate"),
    "dOdd": Die((5, 1, 1, 2), "dOdd"),
    "dSure": Die((4, 4), "dSure"),
}

dice = st.one_of(st.sampled_from([1, 2, 3, 4, 6, 8, 10, 12, 20]).map(build_die), st.sampled_from(list(NAMED.values())))


weighted = st.dictionaries(st.integers(-3, 9), st.integers(1, 4), min_size=1, max_size=5).map(build_custom_die)


def _made(one: Die) -> st.SearchStrategy[Die]:
    """Return a die made of `one`, as the notation makes it."""
    faces = st.sets(st.sampled_from(sorted(set(one.faces))), min_size=1)
    exploding = st.builds(lambda on, most: f"!{{{format_faces(on)}}}x{most}", faces, st.integers(1, 3))
    once = st.builds(lambda on: f"ro{{{format_faces(on)}}}", faces)
    until = st.builds(lambda on: f"rr{{{format_faces(on)}}}x2", faces)
    suffix = st.one_of(exploding, once, until)
    return suffix.map(lambda written: parse(one.name + written, dice=NAMED)).map(lambda roll: roll.die)  # type: ignore[attr-defined]


few = st.one_of(st.sampled_from([2, 3, 4, 6]).map(build_die), weighted)
any_die = st.one_of(dice, dice, few, few.flatmap(_made))


def rolls(*, most_dice: int = 4, depth: int = 3, plain: bool = False) -> st.SearchStrategy[Roll]:
    """Trees up to `depth` levels, with pools of at most `most_dice` dice; `plain` ones always roll the same dice."""
    pools = st.builds(Pool, st.integers(1, most_dice), any_die)
    kept = pools.flatmap(lambda pool: st.builds(Keep, st.just(pool), st.integers(1, pool.count), st.booleans()))
    tree: st.SearchStrategy[Roll] = st.one_of(pools, pools, kept, st.builds(Constant, st.integers(-20, 20)))
    for _ in range(depth - 1):
        tree = st.one_of(tree, _above(tree, pools, plain))
    return tree


def _no_list(roll: Roll) -> bool:
    """Return whether `roll` may be compared: numbers in braces may not, since somebody may take them for a list."""
    return not isinstance(roll, Group) or any(not isinstance(one, Constant) for _, one in roll.members)


def _above(inner: st.SearchStrategy[Roll], pools: st.SearchStrategy[Pool], plain: bool) -> st.SearchStrategy[Roll]:
    several = st.lists(inner, min_size=2, max_size=3)
    small = st.builds(Pool, st.integers(1, 3), few)
    member = st.one_of(inner, small).map(
        lambda roll: (1, roll) if not isinstance(roll, Group) else (2, Pool(1, build_die(4)))
    )
    singles = st.builds(lambda times, one: (times, Pool(1, one)), st.integers(1, 3), few)
    groups = st.one_of(st.lists(member, min_size=2, max_size=3), st.lists(singles, min_size=2, max_size=3)).map(
        lambda members: Group(tuple(members))
    )
    repeated = st.builds(
        lambda times, roll: Group(((times, roll),)),
        st.integers(2, 3),
        inner.filter(lambda roll: not isinstance(roll, Constant)),
    )
    together = st.one_of(pools, small, groups, repeated)
    trims = together.filter(lambda pool: pool.count > 2).flatmap(
        lambda pool: st.builds(Trim, st.just(pool), st.integers(1, pool.count - 2), st.just(1))
    )
    dice_only = st.one_of(
        several.map(sum_of),
        several.map(sum_of),
        inner.map(negate),
        st.builds(multiply_roll, st.integers(-4, 5), inner),
        several.map(lambda parts: Maximum(tuple(parts))),
        several.map(lambda parts: Minimum(tuple(parts))),
        st.builds(Comparison, st.sampled_from(COMPARISONS), inner.filter(_no_list), inner.filter(_no_list)),
        inner.map(Absolute),
        st.builds(lambda left, right: Multiplied((left, right)), small, small),
        st.builds(Quotient, inner, st.integers(1, 5).map(Constant), st.sampled_from(ROUNDINGS)),
        groups,
        repeated,
        trims,
        st.builds(Count, st.one_of(together, trims), st.sampled_from(COMPARISONS), st.integers(-2, 7).map(Constant)),
        st.builds(Matching, st.sampled_from(["alike", "different", "run"]), together),
        st.builds(Matching, st.just("sets"), together, st.integers(1, 3)),
    )
    if plain:
        return dice_only
    names = st.sampled_from(["x", "y", "hit"])
    uses = st.builds(
        lambda name, symbol, number, then, other: (
            name,
            sum_of((Either(Comparison(symbol, Variable(name), Constant(number)), then, other), Variable(name))),
        ),
        names,
        st.sampled_from(COMPARISONS),
        st.integers(-2, 7),
        inner,
        inner,
    )
    return st.one_of(
        dice_only,
        dice_only,
        st.builds(
            Either, st.builds(Comparison, st.sampled_from(COMPARISONS), small, inner.filter(_no_list)), inner, inner
        ),
        st.builds(lambda source, use: Named((use[0],), source, use[1]), inner, uses),
        *(_looked_at(small, names) for names in (("a", "b", "c"), ("x_1", "x_2", "x_3"))),
        st.builds(Several, few.map(lambda one: Pool(1, one)), inner),
    )


def _looked_at(pools: st.SearchStrategy[Pool], names: tuple[str, str, str]) -> st.SearchStrategy[Roll]:
    """Return three dice that have names, and are looked at by them."""
    first, second, third = map(Variable, names)
    all_three = Group(tuple((1, Variable(name)) for name in names))
    looks = st.sampled_from(
        [
            Either(Comparison("==", first, second), third, sum_of((first, negate(second)))),
            sum_of((Count(all_three, ">=", Constant(3)), negate(Count(all_three, "==", Constant(1))))),
            sum_of(
                (Trim(all_three, 1, 0), Matching("alike", all_three), Count(Trim(all_three, 1, 1), "<", Constant(3)))
            ),
            Several(Count(all_three, ">", Constant(2)), Pool(2, build_die(3))),
        ]
    )
    three = pools.filter(lambda pool: pool.count == 3)
    return st.builds(lambda pool, body: Named(names, pool, body), three, looks)
