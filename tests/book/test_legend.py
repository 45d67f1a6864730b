"""The legend of the pictures: all that are of no word, with what they stand for, below the glossary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.book.style.assets import build_drawings
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import garden
from tests.book.shipped import shipped_pages

PICTURE = r'<svg class="rw-icon" aria-hidden="true"><use href="#i-([^"]+)"/></svg>'


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "classics/yacht@1.0", "pig/classic@1.0"])
def test_every_drawing_is_explained_once(reference: str) -> None:
    page = shipped_pages(reference)["glossary.md"]
    words = re.findall(rf"<h2 id=[^>]*>{PICTURE}<span>", page)
    others = re.findall(rf"<li>{PICTURE}", page)
    told = words + others
    assert len(told) == len(set(told))
    own = {name for name in told if not name.startswith("-")}
    assert own == {name for name in build_drawings(load_ruleset(reference)) if not name.startswith("-")}
    assert set(told) <= set(re.findall(r'<symbol id="i-([^"]+)"', page)), "the page carries what it shows"
    assert "glossary.md#legend" in shipped_pages(reference)["index.md"]


def test_rows_lead_to_their_table() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    assert '<h3><a href="daybreak.md#table-settlement_tiers">Settlement tiers</a></h3>' in site["glossary.md"]
    assert 'id="table-settlement_tiers"' in site["daybreak.md"]


def test_the_dice_that_the_game_needs_are_shown_by_their_sides() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    dice = re.findall(r'#i-(-d\d+)"/></svg>(\w+)</li>', site["glossary.md"])
    assert dice == [("-d2", "d2"), ("-d6", "d6"), ("-d10", "dP")]
    assert "#i--d10" in site["monsters.md"], "and beside a table that is rolled on"


def test_a_game_without_drawings_has_no_legend(tmp_path: Path) -> None:
    site = render_site(garden(tmp_path))
    assert "rw-pictures" not in site["glossary.md"]
    assert "#legend" not in site["index.md"]
