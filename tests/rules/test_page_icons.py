"""What is shipped has pictures: pages, words, rows and covers, told apart by their shapes and drawn in one hand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.base.resources import find_resource
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.dice_icons import DICE
from rulewright.book.style.rule_locations import list_book_pages
from rulewright.ruleset.lints.unused_icons import lint
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.row_icons import find_row_icon
from rulewright.source.diagnostics.collector import Diagnostics
from tests.breadth import some
from tests.published import editions

SHOWN = some(sorted(editions()), [each for each in sorted(editions()) if "knights/normal@0" not in each])
"""The drafts of the largest game have the pictures of its newest edition."""


@pytest.mark.parametrize("reference", SHOWN)
def test_no_two_pages_of_a_book_share_a_picture(reference: str) -> None:
    ruleset = load_ruleset(reference)
    drawn = build_drawings(ruleset)
    named = [page.icon.text for page in list_book_pages(ruleset) if page.icon is not None]
    assert named
    assert set(named) <= set(drawn), "each has a drawing of its own, whatever fonts a reader has"
    shapes = [_shapes(drawn[name]) for name in named]
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("reference", SHOWN)
def test_every_word_and_every_row_has_a_picture(reference: str) -> None:
    ruleset = load_ruleset(reference)
    drawn = build_drawings(ruleset)
    assert set(ruleset.declarations.terms) <= set(drawn)
    rows = {
        f"{table.id}.{row.id}": find_row_icon(ruleset, table, row, drawn.__contains__)
        for table in ruleset.declarations.tables.values()
        for row in table.rows.values()
        if not table.is_board
    }
    assert [name for name, picture in rows.items() if picture is None] == [], "the places of a board are on its drawing"
    diagnostics = Diagnostics()
    lint(ruleset, diagnostics)
    assert not list(diagnostics), "and no drawing stands for nothing"


@pytest.mark.parametrize("reference", SHOWN)
def test_no_two_rows_of_a_table_look_alike(reference: str) -> None:
    ruleset = load_ruleset(reference)
    drawn = build_drawings(ruleset)
    for table in ruleset.declarations.tables.values():
        rows = [] if table.is_board else list(table.rows.values())
        names = [find_row_icon(ruleset, table, row, drawn.__contains__) for row in rows]
        assert len({_shapes(drawn[name]) for name in names if name is not None}) == len(rows), table.id


def _shapes(symbol: str) -> str:
    return re.sub(r"<title>.*?</title>| id=\"[^\"]*\"", "", symbol)


ICONS = sorted(find_resource("rules").rglob("icons/*.svg"))
COVERS = sorted(find_resource("rules").rglob("cover.svg"))
SHAPES = {"path", "circle", "ellipse", "rect", "line", "polyline", "polygon"}


def test_pictures_are_readable_without_colour() -> None:
    """They have the colour of the words beside them, and nothing of their own but how thin it lies."""
    found = [path.read_text(encoding="utf-8") for path in (*ICONS, *COVERS)] + list(DICE.values())
    assert len(found) > 150
    for text in found:
        for element in ElementTree.fromstring(text).iter():
            assert {element.get("fill"), element.get("stroke")} <= {None, "none", "currentColor"}, text
            assert element.tag.rpartition("}")[2] in {*SHAPES, "svg", "g", "symbol"}
            assert element.get("style") is None


def test_icons_are_drawn_in_one_hand() -> None:
    looks = Counter()
    for path in ICONS:
        root = ElementTree.parse(path).getroot()
        keys = ("viewBox", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin")
        looks[tuple(root.get(key) for key in keys)] += 1
    assert set(looks) == {("0 0 24 24", "none", "currentColor", "1.8", "round", "round")}


def test_every_edition_has_a_cover_of_its_own() -> None:
    published = [load_ruleset(reference) for reference in editions()]
    covers = {(Path(ruleset.resolved.layers[-1].folder) / "cover.svg").resolve() for ruleset in published}
    assert covers <= {path.resolve() for path in COVERS}
    assert len({path.read_bytes() for path in COVERS}) == len(COVERS)
    assert {ElementTree.parse(path).getroot().get("viewBox") for path in COVERS} == {"0 0 320 200"}
    assert all("-cover" in build_drawings(ruleset) for ruleset in published)
