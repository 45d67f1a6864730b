"""Overviews in the book: headings, chances, dice with their odds, and shades by the mean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.book.style.assets import list_looks
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden

OVERVIEWS = """\
overviews:
  prices:
    title: Prices
    rows: {size: sizes}
    columns: {other: optional sizes}
    cell: size.price - (other.price if other else 0)
    when: not other or size > other
    without: Nothing else
  sky: {title: The sky, rows: {day: weather}, values: {rain: {title: How much, is: day.rain}}}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("garden")
    rules = steps().replace("examples.fair]", "examples.fair, overviews.prices, overviews.sky]") + OVERVIEWS
    return render_site(load_ruleset("garden/small", rules=[write_garden(folder, rules)]))["growing.md"]


def table(page: str, identity: str) -> list[list[str]]:
    body = page.split(f'id="overview-{identity}"')[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def test_every_row_meets_every_column(page: str) -> None:
    assert table(page, "prices") == [
        ["", "Nothing else", "Sprout", "Bush", "Tree"],
        ["Sprout", "1", "–", "–", "–"],
        ["Bush", "2", "1", "–", "–"],
        ["Tree", "5", "4", "3", "–"],
    ]


def test_rows_that_are_rolled_say_how_likely_they_are(page: str) -> None:
    assert [row[:2] for row in table(page, "sky")[1:]] == [["Dry", "75 %"], ["Pouring rain", "25 %"]]
    assert 'href="odds.md#roll-2d6+1"' in page.split('id="overview-sky"')[1].split("</table>")[0]


def test_the_higher_the_darker(page: str) -> None:
    body = page.split('id="overview-prices"')[1].split("</table>")[0]
    shades = {int(cell): int(shade) for shade, cell in re.findall(r"rw-shade-(\d)\">(\d+)<", body)}
    assert shades == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
    for style in (list_looks()[name].decode() for name in ("whole.css", "pictures.css")):  # on paper and on a screen
        assert all(re.search(rf"rw-shade-{shade} {{ background: [^}}]*[1-9]", style) for shade in shades.values())
