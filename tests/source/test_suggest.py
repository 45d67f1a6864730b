"""Did you mean …?"""

from __future__ import annotations

import pytest

from rulewright.source.diagnostics.suggestions import find_nearest, suggest_name


@pytest.mark.parametrize(
    ("word", "candidates", "found"),
    [
        ("ownr", ["tier", "owner", "tile"], ["owner"]),
        ("onwer", ["owner"], ["owner"]),
        ("Owner", ["owner"], ["owner"]),
        ("settlment-tiers", ["settlement_tiers", "settlement"], ["settlement_tiers"]),
        ("settle", ["settlement", "tile"], ["settlement"]),
        ("xyz", ["owner", "tile"], []),
        ("a", ["b"], []),
        ("", ["a"], []),
        ("owner", ["owner"], []),
        ("teir", ["tier", "tire", "their", "tear"], ["tier", "tear", "their"]),
        ("x" * 10_000, ["x" * 9_999], []),
    ],
)
def test_nearest(word: str, candidates: list[str], found: list[str]) -> None:
    assert find_nearest(word, candidates) == found
    assert find_nearest(word, reversed(candidates)) == found


def test_a_suggestion_is_a_sentence() -> None:
    assert suggest_name("ownr", ["owner"]) == "did you mean `owner`?"
    assert suggest_name("tie", ["tier", "tile"]) == "did you mean `tier` or `tile`?"
    assert suggest_name("xyz", ["owner"]) is None
