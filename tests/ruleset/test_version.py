"""Versions and ranges mean what npm says they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.schema.edition_reference import Version, parse_range, parse_version

# https://semver.org/#spec-item-11, and a few between.
IN_ORDER = [
    *("0.0.1", "0.1.0", "0.9.0", "0.10.0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1"),
    *("1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "2.0.0"),
]

# range, versions in it, versions outside it: https://github.com/npm/node-semver#ranges
RANGES = [
    ("1", ["1.0.0", "1.2.3", "1.99.0"], ["0.9.9", "2.0.0", "1.0.0-rc.1", "2.0.0-rc.1"]),
    ("0", ["0.0.0", "0.9.0"], ["1.0.0"]),
    ("1.2", ["1.2.0", "1.2.9"], ["1.1.9", "1.3.0", "1.2.0-rc.1"]),
    ("1.2.3", ["1.2.3"], ["1.2.4", "1.2.2", "1.2.3-rc.1"]),
    ("1.2.3-rc.1", ["1.2.3-rc.1"], ["1.2.3", "1.2.3-rc.2", "1.2.3-rc.1.1"]),
    ("1.x", ["1.0.0", "1.99.0"], ["0.9.9", "2.0.0"]),
    ("1.X.x", ["1.0.0", "1.99.0"], ["0.9.9", "2.0.0"]),
    ("0.*", ["0.0.0", "0.9.0"], ["1.0.0"]),
    ("1.2.x", ["1.2.0", "1.2.9"], ["1.1.9", "1.3.0"]),
    ("^0.x", ["0.0.0", "0.9.9"], ["1.0.0"]),
    ("^0.0.x", ["0.0.0", "0.0.9"], ["0.1.0"]),
    ("~1.2.x", ["1.2.0", "1.2.9"], ["1.3.0"]),
    ("~1.x", ["1.0.0", "1.9.0"], ["2.0.0"]),
    ("1.2.3-rc.x", ["1.2.3-rc.x"], ["1.2.3-rc", "1.2.3-rc.1", "1.2.3"]),
    ("^1", ["1.0.0", "1.9.9"], ["2.0.0", "0.9.9"]),
    ("^1.2", ["1.2.0", "1.9.0"], ["1.1.0", "2.0.0"]),
    ("^1.2.3", ["1.2.3", "1.9.0"], ["1.2.2", "2.0.0", "2.0.0-rc.1"]),
    ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "0.2.2"]),
    ("^0.0.3", ["0.0.3"], ["0.0.4", "0.0.2"]),
    ("^1.2.3-beta.2", ["1.2.3-beta.2", "1.2.3-beta.4", "1.2.3", "1.9.0"], ["1.2.4-beta.2", "1.2.3-beta.1"]),
    ("^0.0.3-beta", ["0.0.3-beta", "0.0.3"], ["0.0.4"]),
    ("^0.0", ["0.0.0", "0.0.9"], ["0.1.0"]),
    ("^0", ["0.0.0", "0.9.9"], ["1.0.0"]),
    ("~1.2.3", ["1.2.3", "1.2.9"], ["1.3.0", "1.2.2"]),
    ("~1.2", ["1.2.0", "1.2.9"], ["1.3.0"]),
    ("~1", ["1.0.0", "1.9.0"], ["2.0.0"]),
    ("~0.2.3", ["0.2.3", "0.2.9"], ["0.3.0"]),
    ("~0", ["0.0.0", "0.9.9"], ["1.0.0"]),
    ("~1.2.3-beta.2", ["1.2.3-beta.2", "1.2.3-beta.4", "1.2.5"], ["1.2.4-beta.2", "1.3.0"]),
]

numbers = st.integers(0, 3)
versions = st.builds(
    Version,
    numbers,
    numbers,
    numbers,
    st.lists(st.integers(0, 11) | st.sampled_from(["a", "rc", "Rc", "0a", "x-y"]), max_size=3).map(tuple),
)


def test_versions_are_ordered() -> None:
    assert list(map(str, sorted(map(parse_version, reversed(IN_ORDER))))) == IN_ORDER


@given(versions)
def test_a_version_reads_back(version: Version) -> None:
    assert parse_version(str(version)) == version


@given(versions, versions)
def test_the_order_is_total_and_agrees_with_equality(one: Version, other: Version) -> None:
    assert (one < other) + (other < one) + (one == other) == 1


@pytest.mark.parametrize(("text", "inside", "outside"), RANGES)
def test_ranges_are_those_of_npm(text: str, inside: list[str], outside: list[str]) -> None:
    expected = parse_range(text)
    assert [v for v in inside if parse_version(v) not in expected] == []
    assert [v for v in outside if parse_version(v) in expected] == []


@given(versions, versions)
def test_an_exact_range_holds_one_version(one: Version, other: Version) -> None:
    assert (other in parse_range(str(one))) == (one == other)


@pytest.mark.parametrize("text", ["", "1", "1.0", "01.0.0", "1.0.0-", "1.0.0+build", "v1.0.0", "1.0.0\n", "1.0.0-a..b"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        parse_version(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "^",
        "latest",
        "*",
        "1.",
        "x.1",
        "1.x.2",
        "1.2.3.x",
        "1x",
        ">=1",
        "1 || 2",
        "^~1",
        "one",
        "1.0.0.0",
        "1\n",
        "٣",
    ],
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a version range"):
        parse_range(text)
