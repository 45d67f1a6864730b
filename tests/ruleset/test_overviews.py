"""Overviews: every cell is what its expression comes to, worked out by hand; and what cannot be shown is told."""

from __future__ import annotations

import pytest

from rulewright.dice.parser.notation import parse
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.language.inline import checked, sound

TABLES = """\
decks: {pack: {of: sizes}}
kinds: {player: {fields: {coin: count}}}
tables:
  sizes: {columns: {n: int}, rows: {small: {n: 1}, large: {n: 3}}}
  walls:
    columns: {extra: dice, least: sizes}
    rows: {fence: {extra: 1d4, least: small}, stone: {extra: 2d6, least: large}}
overviews:
"""


def test_a_cell_stands_for_each_row_with_each_column() -> None:
    line = "o: {title: O, rows: {s: sizes}, columns: {w: walls}, cell: s.n * w.extra}"
    overview = sound(TABLES + f"  {line}\n").overviews["o"]
    assert [row.id for row in overview.down.rows if row] == ["small", "large"]
    assert [column.row.id for column in overview.columns if column.row] == ["fence", "stone"]
    assert [column.values for column in overview.columns] == [
        (parse("1 * 1d4"), parse("3 * 1d4")),
        (parse("1 * 2d6"), parse("3 * 2d6")),
    ]


def test_the_case_without_a_row_comes_first_and_what_does_not_hold_is_left_out() -> None:
    line = (
        "o: {title: O, rows: {s: sizes}, columns: {w: optional walls}, cell: s.n + (10 if w else 0), "
        "when: not w or s >= w.least}"
    )
    overview = sound(TABLES + f"  {line}\n").overviews["o"]
    assert [column.row and column.row.id for column in overview.columns] == [None, "fence", "stone"]
    assert [column.values for column in overview.columns] == [(1, 3), (11, 13), (None, 13)]


def test_named_values_are_columns() -> None:
    line = "o: {title: O, rows: {s: sizes}, values: {twice: s.n * 2, often: {title: Often, is: s.n > 1}}}"
    overview = sound(TABLES + f"  {line}\n").overviews["o"]
    assert [(column.heading, column.values) for column in overview.columns] == [
        ("Twice", (2, 6)),
        ("Often", (False, True)),
    ]


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("rows: {s: sizes}", "bad-overview"),
        ("rows: {s: sizes}, columns: {w: walls}", "bad-overview"),
        ("rows: {s: sizes}, cell: s.n", "bad-overview"),
        ("rows: {s: sizes, t: sizes}, values: {n: s.n}", "bad-overview"),
        ("rows: {s: int}, values: {n: s}", "bad-overview"),
        ("rows: {s: sises}, values: {n: 1}", "unknown-type"),
        ("rows: {s: sizes}, values: {n: s.m}", "unknown-field"),
        ("rows: {s: sizes}, values: {n: sum(p.coin for p in players)}", "not-constant"),
        ("rows: {s: sizes}, values: {n: pack.left}", "not-constant"),
        ("rows: {s: sizes}, values: {n: s.n}, when: s.n", "wrong-type"),
    ],
)
def test_what_cannot_be_shown_is_told(rest: str, code: str) -> None:
    _, diagnostics = checked(TABLES + f"  o: {{title: O, {rest}}}\n")
    assert [problem.code.id for problem in diagnostics.errors] == [code]


def test_an_item_rolls_what_its_chart_says() -> None:
    """Facts: the charts of 1.0, row by row."""
    overview = load_ruleset("fuzzy-knights/normal@1.0").overviews["item_gallery"]
    hand = ["1d6", "1d6 +1", "2d6", "2d6 +3", "3d6 +5"]
    amulet = ["1d6 +2", "1d6 +3", "2d6 +3", "3d6 +3", "4d6 +5"]
    assert [list(column.values) for column in overview.columns] == [
        [parse(roll) for roll in chart] for chart in (hand, hand, amulet)
    ]


def test_walls_only_stand_where_the_tier_allows_them() -> None:
    overview = load_ruleset("fuzzy-knights/normal@1.0").overviews["walls_at_a_glance"]
    none, palisade, fortifications = (column.values for column in overview.columns)
    assert none == tuple(parse(roll) for roll in ("2d6 +6", "3d6 +9", "4d6 +12", "5d6 +15"))
    assert [value is None for value in palisade] == [True, False, False, False]
    assert [value is None for value in fortifications] == [True, True, True, False]
