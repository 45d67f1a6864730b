"""Boards to print: sheets of paper that overlap, and together show all of a board."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from rulewright.book.print.board_sheets import OVERLAP, SMALLEST, Sheet, choose_cut, list_sheets
from rulewright.book.print.pdf import embed_styles
from rulewright.book.rulebook import render_site
from rulewright.engine.boards.board_contents import make_empty_board
from rulewright.engine.boards.nongrid_svg import draw_nongrid_board
from rulewright.ruleset.boards.geometry import TILE, BoardGeometry
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.shipped import shipped_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

A4, LETTER = (210.0, 297.0), (215.9, 279.4)
WITH_BOARDS = ("fuzzy-knights/normal@1.0", "classics/tic-tac-toe@1.0", "classics/hex@1.0", "classics/backgammon@1.0")
SHEET = re.compile(
    r'<svg class="rw-part"[^>]* width="([\d.]+)mm" height="([\d.]+)mm"[^>]*>'
    r'<svg x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)" viewBox="([\d. ]+)">'
)


@pytest.mark.parametrize("reference", WITH_BOARDS)
def test_the_sheets_show_all_of_the_board_and_neighbours_share_a_strip(reference: str) -> None:
    page = shipped_pages(reference)["board.html"]
    whole = re.search(r'<symbol id="i--board-1" viewBox="0 0 ([\d.]+) ([\d.]+)"', page)
    assert whole is not None
    sheets = [(tuple(map(float, text[:5])), tuple(map(float, text[5].split()))) for text in SHEET.findall(page)]
    assert sheets
    scale = sheets[0][0][3] / sheets[0][1][2]
    for axis in (0, 1):
        spans = sorted({(view[axis], view[axis] + view[axis + 2]) for _, view in sheets})
        assert spans[0][0] == 0
        assert spans[-1][1] == pytest.approx(float(whole[axis + 1]), abs=0.02)
        for (_, end), (start, _) in pairwise(spans):
            assert (end - start) * scale == pytest.approx(OVERLAP, abs=0.02)
    for (width, height, edge, wide, high), view in sheets:
        assert (wide / view[2], high / view[3]) == pytest.approx((scale, scale), abs=0.002), "nothing is stretched"
        assert (width, height) == pytest.approx((wide + 2 * edge, high + 2 * edge))
        assert all(width < paper[0] - 16 and height < paper[1] - 16 - 10 for paper in (A4, LETTER))


def test_a_board_takes_no_more_sheets_than_its_tiles_need() -> None:
    for width, height in ((170.0, 170.0), (506.0, 506.0), (800.0, 500.0), (3000.0, 200.0), (60.0, 4000.0)):
        cut = choose_cut(width, height)
        assert cut.scale * TILE >= SMALLEST
        fewer = [(cut.across - 1, cut.down), (cut.across, cut.down - 1)]
        for across, down in fewer:
            fits = min((across * 178 + 8) / width, (down * 236 + 8) / height) if across and down else 0
            assert fits * TILE < SMALLEST


def test_a_board_of_few_spaces_far_apart_takes_few_sheets() -> None:
    far = 400_000.0
    places = {"near": (50.0, 50.0), "mid": (far / 2, far / 2), "far": (far - 50, far - 50)}
    lies = BoardGeometry(far, far, places, (), ((far - 50, 60.0, "A label alone"),), ())
    cut = choose_cut(far, far)
    sheets = list(list_sheets(lies, cut))
    assert cut.across * cut.down > 100_000
    assert sheets[0].name == "A1"
    assert [sheet.name for sheet in sheets][1] == "AXK1"
    assert 4 <= len(sheets) <= 9
    for x, y in (*places.values(), (far - 50, 60.0)):
        assert any(left <= x <= left + wide and top <= y <= top + high for left, top, wide, high in map(view, sheets))
    names = {sheet.name for sheet in sheets}
    assert all({sheet.right, sheet.below} <= {"", *names} for sheet in sheets)
    whole = BoardGeometry(2000.0, 300.0, places, (), (), ())
    cut = choose_cut(2000, 300)
    assert len(list(list_sheets(whole, cut))) == cut.across * cut.down > len(places)


def view(sheet: Sheet) -> tuple[float, ...]:
    return tuple(map(float, sheet.view.split()))


@pytest.mark.parametrize("reference", WITH_BOARDS)
def test_every_place_lies_within_the_drawing_and_says_where_it_is(reference: str) -> None:
    ruleset = load_ruleset(reference)
    table = next(table for table in ruleset.declarations.tables.values() if table.is_board)
    board = make_empty_board(table)
    geometry = board.geometry
    width, height = geometry.width, geometry.height
    assert f'viewBox="0 0 {width:g} {height:g}"' in draw_nongrid_board(board)
    assert set(geometry.places) == set(table.rows)
    edge = TILE / 2
    assert all(edge <= x <= width - edge and edge <= y <= height - edge for x, y in geometry.places.values())
    page = shipped_pages(reference)["board.html"]
    for row in table.rows.values():
        at = f"{row.cells['column']}, {row.cells['row']}"
        assert f">{row.title if table.shape in ('track', 'areas') else at}<" in page


def test_pieces_of_several_spaces_are_printed_as_large_as_their_board() -> None:
    rules = load_ruleset("cookbook/pentominoes", rules=Path(__file__).parents[2] / "site" / "docs" / "cookbook")
    page = render_site(rules)["board.html"]
    ((_, _, _, wide, _), view), *_ = [
        (tuple(map(float, text[:5])), tuple(map(float, text[5].split()))) for text in SHEET.findall(page)
    ]
    pieces = page.split('class="rw-pieces"')[1]
    sizes = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="([\d.]+)mm" height="([\d.]+)mm"', pieces)
    assert len(sizes) == 12
    for width, height, across, down in (map(float, size) for size in sizes):
        assert (across / width, down / height) == pytest.approx((wide / view[2],) * 2, rel=0.002)
    assert 'rw-pieces"' not in shipped_pages("classics/hex@1.0")["board.html"]


def test_a_game_without_a_board_has_none_to_print() -> None:
    site = shipped_pages("pig/classic@1.0")
    assert "board.html" not in site
    assert "board.html" not in site["index.md"]
    assert "board.html" in shipped_pages("classics/hex@1.0")["index.md"]


@pytest.mark.browser
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_each_sheet_is_a_page_of_paper(page: Page, tmp_path: Path, paper: str) -> None:
    made = shipped_pages("fuzzy-knights/normal@1.0")["board.html"]
    (tmp_path / "board.html").write_text(embed_styles(made), encoding="utf-8")
    page.goto((tmp_path / "board.html").as_uri())
    printed = PdfReader(BytesIO(page.pdf(format=paper)))
    assert len(printed.pages) == len(SHEET.findall(made)) == 4
    text = [re.findall(r"sheet (..)", each.extract_text()) for each in printed.pages]
    assert text == [["A1"], ["B1"], ["A2"], ["B2"]]
    # The drawing itself is on every sheet, each of which shows its part of it.
    box = page.locator(".rw-part use").evaluate_all("found => found.filter(each => each.getBBox().width > 400).length")
    assert box == 4
