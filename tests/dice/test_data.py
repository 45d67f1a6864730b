"""Rolls as plain data: nothing of a tree is lost on the way through JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from rulewright.dice.ast import (
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
    Negation,
    Pool,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    Variable,
)
from rulewright.dice.parser.notation import parse
from rulewright.dice.serialize import to_data
from tests.dice.strategies import rolls


def rebuilt(plain: Any) -> Any:
    """Return the tree, straight from the table that describes the data."""
    if not isinstance(plain, list):
        return Constant(int(plain))
    name, *parts = plain
    match name:
        case "pool":
            count, die, first, *rest = parts
            if not isinstance(first, list):
                return Pool(count, Die(range(int(first), int(rest[0]) + 1, int(rest[1])), die))
            return Pool(count, Die(tuple(map(int, first)), die, tuple(map(int, rest[0])) if rest else None))
        case "keep":
            pool, number, which = parts
            return Keep(rebuilt(pool), number, {"highest": True, "lowest": False}[which])
        case "product":
            return Product(int(parts[0]), rebuilt(parts[1]))
        case "comparison":
            return Comparison(parts[0], rebuilt(parts[1]), rebuilt(parts[2]))
        case "quotient":
            return Quotient(rebuilt(parts[1]), rebuilt(parts[2]), parts[0])
        case "named":
            return Named(tuple(parts[0]), rebuilt(parts[1]), rebuilt(parts[2]))
        case "variable":
            return Variable(parts[0])
        case "group":
            return Group(tuple((times, rebuilt(roll)) for times, roll in parts))
        case "trim":
            return Trim(rebuilt(parts[0]), parts[1], parts[2])
        case "count":
            return Count(rebuilt(parts[0]), parts[1], rebuilt(parts[2]))
        case "matching":
            return Matching(parts[0], rebuilt(parts[1]), parts[2])
        case "sum" | "maximum" | "minimum" | "multiplied":
            kind = {"sum": Sum, "maximum": Maximum, "minimum": Minimum, "multiplied": Multiplied}[name]
            return kind(tuple(map(rebuilt, parts)))
    kinds = {"negation": Negation, "absolute": Absolute, "either": Either, "several": Several}
    return kinds[name](*map(rebuilt, parts))


@given(rolls())
def test_the_tree_comes_back_from_its_data(roll: Roll) -> None:
    assert rebuilt(json.loads(json.dumps(to_data(roll)))) == roll


@pytest.mark.parametrize("value", [2**53 - 1, 1 - 2**53])
def test_numbers_that_every_language_holds_are_numbers(value: int) -> None:
    assert to_data(Constant(value)) == value


@pytest.mark.parametrize("value", [2**53, -(2**53), 10**30])
def test_larger_numbers_are_text(value: int) -> None:
    assert to_data(Constant(value)) == str(value)
    assert to_data(Product(value, Pool(1, Die(range(1, 3), "d2"))))[1] == str(value)  # type: ignore[index]


def test_a_die_of_many_sides_stays_short() -> None:
    assert to_data(parse("3d100000")) == ["pool", 3, "d100000", 1, 100000, 1]
