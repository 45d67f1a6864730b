"""Decks as cards to print."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from rulewright.book.print.pdf import embed_styles
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden
from tests.book.shipped import shipped_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORTH = """\
  worth_of: {given: {size: sizes, weather: weather}, is: "weather.rain + size.price", means: What it brings.}
  shade_of: {given: {size: sizes}, is: size.price * 3, means: How much shade it gives.}
"""
MILLIMETRE = 96 / 25.4
MEASURED = """cards => cards.map(card => {
  const box = card.getBoundingClientRect()
  return [box.width, box.height, card.scrollHeight > card.clientHeight]
})"""


def cards(folder: Path, rules: str) -> str:
    return render_site(load_ruleset("garden/small", rules=[write_garden(folder, rules)]))["cards.html"]


def words(card: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", card)).strip()


def faces(page: str) -> list[str]:
    return [words(card) for card in re.findall(r"<article.*?</article>", page, re.DOTALL)]


def test_a_card_says_what_its_row_says(tmp_path: Path) -> None:
    sprout, bush, tree, *others = faces(cards(tmp_path, steps()))
    assert sprout == "Sprout Price 1 Catalogue · 1.0.0"
    assert bush == "Bush Price 2 Needs Sprout Catalogue · 1.0.0"
    assert tree == "Tree Price 5 Needs Bush Catalogue · 1.0.0"
    same = [re.sub("Shelf|Satchel", "Catalogue", face) for face in others]
    assert same == [sprout, bush, tree] * 2, "the other decks"


def test_a_card_says_what_formulas_make_of_it(tmp_path: Path) -> None:
    rules = steps().replace("formulas:\n", f"formulas:\n{WORTH}", 1).replace("ordered: true}", "marker_spots: weather}")
    catalogue, shelf, _ = (each for each in faces(cards(tmp_path, rules)) if each.startswith("Sprout"))
    assert "How much shade it gives. 3" in catalogue
    assert "What it brings." not in catalogue, "no marker lies at the weather"
    assert "What it brings. Dry 1d6 +1 Pouring rain 2d6 +2" in shelf
    assert "How much shade it gives. 3" in shelf


def test_a_card_has_its_line_and_columns_with_names(tmp_path: Path) -> None:
    rules = steps().replace("columns: {price: int, needs", "columns: {line: text, price: int, needs")
    for row, line in (("sprout", "Small."), ("bush", "Thorny."), ("tree", "Tall.")):
        rules = rules.replace(f"      {row}: {{price", f"      {row}: {{line: {line}, price")
    page = cards(tmp_path, rules)
    assert '<p class="rw-card__line">Thorny.</p>' in page
    assert "Line" not in words(page)
    amulet = next(face for face in faces(shipped_pages("fuzzy-knights/normal@1.0")["cards.html"]) if "Acorn" in face)
    assert "Roll Movement Common 1d6 +2 –" in amulet.replace("\N{NO-BREAK SPACE}", " ")


def test_the_sorts_of_cards_differ_in_colour() -> None:
    page = shipped_pages("fuzzy-knights/normal@1.0")["cards.html"]
    assert set(re.findall(r'<article class="rw-card rw-hue-(\d)"', page)) == {"0", "1", "2"}


def test_there_are_as_many_of_a_card_as_its_row_says(tmp_path: Path) -> None:
    rules = steps().replace("columns: {price: int,", "columns: {many: int, price: int,")
    rules = rules.replace("Catalogue, of: sizes", "Catalogue, of: sizes, copies: many")
    rules = rules.replace("Shelf, of: sizes", "Shelf, of: sizes, copies: many")
    rules = rules.replace("{price: 1}", "{price: 1, many: 9}").replace("{price: 2,", "{price: 2, many: 1,")
    rules = rules.replace("Satchel, of: sizes", "Satchel, of: sizes, copies: many")
    page = cards(tmp_path, rules.replace("{price: 5,", "{price: 5, many: 1,"))
    assert [face.split()[0] for face in faces(page)] == (["Sprout"] * 9 + ["Bush", "Tree"]) * 3
    assert page.count('class="rw-sheet"') == 2 * 3, "nine cards a sheet, and sheets of its own for each deck"
    assert "Many" not in page


def test_a_game_without_decks_has_no_cards() -> None:
    site = shipped_pages("pig/classic@1.0")
    assert "cards.html" not in site
    assert "cards.html" not in site["index.md"]


def test_the_book_leads_to_the_cards_where_it_shows_them() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    href = 'href="cards.html#deck-item_deck"'
    assert href in site["items.md"]
    assert 'id="deck-item_deck"' in site["cards.html"]
    assert "cards.html" in site["index.md"]


@pytest.mark.browser
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("backs", [False, True])
def test_nine_cards_of_poker_size_fit_a_sheet(page: Page, tmp_path: Path, paper: str, backs: bool) -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    (tmp_path / "cards.html").write_text(embed_styles(site["cards.html"]), encoding="utf-8")
    page.goto((tmp_path / "cards.html").as_uri())
    if backs:
        page.get_by_label("A sheet of backs").check()
    measures = page.locator("article").evaluate_all(MEASURED)
    assert measures
    for width, height, cut in measures:
        assert (width / MILLIMETRE, height / MILLIMETRE) == pytest.approx((63, 88), abs=0.1)
        assert not cut, "nothing is cut off"
    printed = PdfReader(BytesIO(page.pdf(format=paper)))
    sheets = -(-page.locator("article").count() // 9)
    assert len(printed.pages) == sheets * (2 if backs else 1)


@pytest.mark.browser
@pytest.mark.parametrize("backs", [False, True])
def test_a_print_shop_gets_a_page_for_each_card_with_its_bleed(page: Page, tmp_path: Path, backs: bool) -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    (tmp_path / "cards.html").write_text(embed_styles(site["cards.html"]), encoding="utf-8")
    page.goto((tmp_path / "cards.html").as_uri())
    page.get_by_label("3 millimetres of bleed").check()
    if backs:
        page.get_by_label("A sheet of backs").check()
    for width, height, _ in page.locator("article").evaluate_all(MEASURED):
        assert (width / MILLIMETRE, height / MILLIMETRE) == pytest.approx((63, 88), abs=0.1)
    bleeds = page.locator("article").evaluate_all("found => found.map(each => getComputedStyle(each, '::before').top)")
    assert [float(bleed.removesuffix("px")) / MILLIMETRE for bleed in bleeds] == [pytest.approx(-3, abs=0.05)] * 20
    printed = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    assert len(printed.pages) == page.locator("article").count() * (2 if backs else 1)
    points = 72 / 25.4
    for each in printed.pages:
        size = (float(each.mediabox.width) / points, float(each.mediabox.height) / points)
        assert size == pytest.approx((75, 100), abs=0.5), "the card, its bleed, and 3 mm of marks"


# How much of a card lies between two things on it, at most: as a share of its height.
GAPS = """cards => cards.map(card => {
  const box = card.getBoundingClientRect()
  const parts = [...card.querySelectorAll('.rw-card__head, .rw-card__art, h3, dl, p, tr, caption')]
    .map(part => part.getBoundingClientRect()).sort((a, b) => a.top - b.top)
  let end = box.top, most = 0
  for (const part of parts) { most = Math.max(most, part.top - end); end = Math.max(end, part.bottom) }
  return Math.max(most, box.bottom - end) / box.height
})"""


@pytest.mark.browser
@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "classics/goofspiel@1.0"])
def test_no_part_of_a_card_is_left_blank(page: Page, tmp_path: Path, reference: str) -> None:
    (tmp_path / "cards.html").write_text(embed_styles(shipped_pages(reference)["cards.html"]), encoding="utf-8")
    page.goto((tmp_path / "cards.html").as_uri())
    gaps = page.locator("article").evaluate_all(GAPS)
    assert len(gaps) >= 13
    assert max(gaps) < 0.1
    art = page.locator(".rw-card__art svg").evaluate_all(
        "found => found.map(each => each.getBoundingClientRect().height)"
    )
    assert len(art) == len(gaps), "every card has a picture"
    assert min(art) / MILLIMETRE > 14, "which is large"


def test_rarity_places_are_told_apart_by_their_shapes() -> None:
    page = shipped_pages("fuzzy-knights/normal@1.0")["cards.html"]
    card = page[page.index("<article") : page.index("</article>")]
    named = re.findall(r'rw-card__place"></span><svg class="rw-icon"[^>]*><use href="#i-([^"]+)"', card)
    assert named == [f"rarities.{name}" for name in ("common", "uncommon", "rare", "epic", "legendary")]
