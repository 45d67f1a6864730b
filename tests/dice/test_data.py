"""Rolls as plain data: nothing of a tree is lost on the way through JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from rulewright.dice.data import data
from rulewright.dice.parse import parse
from rulewright.dice.tree import (
    Comparison,
    Constant,
    Die,
    Keep,
    Maximum,
    Minimum,
    Negation,
    Pool,
    Product,
    Roll,
    Sum,
)
from tests.dice.strategies import rolls


def rebuilt(plain: Any) -> Roll:
    """The tree, straight from the table that describes the data."""
    if not isinstance(plain, list):
        return Constant(int(plain))
    name, *parts = plain
    if name == "pool":
        count, die, first, *rest = parts
        faces = tuple(map(int, first)) if isinstance(first, list) else range(int(first), int(rest[0]) + 1, int(rest[1]))
        return Pool(count, Die(faces, die))
    if name == "keep":
        pool, number, which = parts
        return Keep(rebuilt(pool), number, {"highest": True, "lowest": False}[which])  # type: ignore[arg-type]
    if name == "product":
        return Product(int(parts[0]), rebuilt(parts[1]))
    if name == "negation":
        return Negation(rebuilt(parts[0]))
    if name == "comparison":
        return Comparison(parts[0], rebuilt(parts[1]), rebuilt(parts[2]))
    return {"sum": Sum, "maximum": Maximum, "minimum": Minimum}[name](tuple(map(rebuilt, parts)))


@given(rolls())
def test_the_tree_comes_back_from_its_data(roll: Roll) -> None:
    assert rebuilt(json.loads(json.dumps(data(roll)))) == roll


@pytest.mark.parametrize("value", [2**53 - 1, 1 - 2**53])
def test_numbers_that_every_language_holds_are_numbers(value: int) -> None:
    assert data(Constant(value)) == value


@pytest.mark.parametrize("value", [2**53, -(2**53), 10**30])
def test_larger_numbers_are_text(value: int) -> None:
    assert data(Constant(value)) == str(value)
    assert data(Product(value, Pool(1, Die(range(1, 3), "d2"))))[1] == str(value)  # type: ignore[index]


def test_a_die_of_many_sides_stays_short() -> None:
    assert data(parse("3d100000")) == ["pool", 3, "d100000", 1, 100000, 1]
