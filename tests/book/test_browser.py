"""The built pages, opened in a browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from rulewright.book.site.publish import build_site
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.breadth import some
from tests.site.kinds import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

BOOK = "fuzzy-knights-normal-1.0"
KINDS_OF_PAGE = ("index.html", f"{BOOK}/index.html", f"{BOOK}/monsters.html", f"{BOOK}/items.html")
MORE_KINDS = (f"{BOOK}/settings.html", f"{BOOK}/rulings.html", f"{BOOK}/glossary.html")
WITH_PICTURES = (f"{BOOK}/aid.html", f"{BOOK}/board_setup.html", f"{BOOK}/player_turns.html")


@pytest.fixture
def page(window: Page) -> Page:
    return window


def found_for(page: Page, words: str) -> Locator:
    """Return the links that are found for these words, and not for the first letters of them."""
    page.locator(f".md-search-result__list[data-query={json.dumps(words, ensure_ascii=False)}]").wait_for()
    return page.locator(".md-search-result__link")


@pytest.fixture(scope="module")
def site(host: Path) -> Path:
    return host / SITE


def test_the_front_page_leads_into_a_book(page: Page, site: Path, site_server: Callable[[Path], str]) -> None:
    page.goto(site_server(site))
    page.get_by_role("link", name="Fuzzy Knights").first.click()
    page.get_by_role("link", name="Mines").first.click()
    page.wait_for_url("**/mines.html")
    assert page.inner_text("h1") == "Mines"
    assert page.inner_text("h2#capture").startswith("M.1 Taking a mine")


def test_a_table_shows_its_chances(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "monsters.html").as_uri())
    table = page.locator("#table-monster_interaction table")
    row = table.locator("tr", has_text="Hard fight")
    assert re.split(r"\s*\t\s*", row.inner_text().strip())[0] == "10"
    assert "10 %" in row.inner_text()
    full = table.locator("tr", has_text="60 %").locator(".rw-bar").evaluate("e => getComputedStyle(e).backgroundSize")
    assert full.startswith("60%")


def unfold(page: Page, selector: str) -> None:
    """Open everything that folds a rule away, from the outside in, as a reader does."""
    for each in page.locator(f"details:has({selector}), details{selector}, {selector} details").all():
        each.locator("> summary").click()


def test_a_procedure_unfolds(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "mines.html").as_uri())
    first = page.locator("#procedure-visit_mine .rw-steps > li").first
    assert not first.is_visible()
    unfold(page, "#procedure-visit_mine")
    assert first.is_visible()
    assert first.inner_text().split("\n")[1].startswith("Roll on Check for guardians")
    number = first.get_by_role("link", name="M.1.1")
    assert number.get_attribute("href") == "#visit_mine.check"


def test_a_link_to_a_step_unfolds_its_procedure(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "mines.html").as_uri() + "#visit_mine.reward")
    assert page.locator("[id='visit_mine.reward']").is_visible()


def test_an_example_is_drawn_from_a_run(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "mines.html").as_uri())
    example = page.locator("#example-guardians_of_a_villa")
    unfold(page, "#example-guardians_of_a_villa")
    assert "comes to 90: Fight" in example.inner_text()
    assert "The number of guardians is 5." in example.inner_text()


def test_a_term_leads_to_the_glossary(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "mines.html").as_uri())
    page.locator("p a[href*='#term-']", has_text="Guardians").first.click()
    page.wait_for_url("**/glossary.html#term-guardian")
    entry = page.locator("section", has=page.locator("#term-guardian")).last
    assert "comes out of a" in entry.inner_text()
    # The drawing that is shown is in the page, once. It says nothing, for the word stands beside it.
    element = page.locator("#term-guardian svg")
    assert page.locator(f"symbol{element.locator('use').get_attribute('href')} > *").count() >= 1
    assert element.get_attribute("aria-hidden") == "true"


WANTED = {
    "settlement": "settlements.html",
    "city": "settlements.html",
    "zombie": "monsters.html",
    "🧟": "monsters.html",
    "vault": "glossary.html#term-armory",
    "pallisade": "settlements.html",
    "guardian": "mines.html",
}


# A name, a sign that no key has, a name of another edition, a word spelt as an author spelt it.
@pytest.mark.parametrize("word", some(list(WANTED), ["city", "🧟", "vault", "pallisade"]))
def test_a_word_of_any_edition_finds_the_page_that_tells_of_it(page: Page, site: Path, word: str) -> None:
    page.goto((site / BOOK / "index.html").as_uri())
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type(word)
    page.keyboard.press("End")  # typing a sign that no key has tells the theme nothing
    titles = found_for(page, word)
    addresses = [str(link.get_attribute("href")).split("?")[0].rpartition("/")[2] for link in titles.all()]
    expected, _, _ = WANTED[word].partition("#")
    assert any(address.startswith(expected) for address in addresses[:4]), addresses[:8]


def test_a_preview_opens_by_keyboard_and_goes_with_escape(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "mines.html").as_uri())
    link = page.locator("article p a[href*='#term-']", has_text="Guardians").first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    preview = page.locator("[role=tooltip].rw-preview")
    preview.wait_for()
    assert preview.inner_text().startswith("Guardian")
    assert link.get_attribute("aria-describedby") == preview.get_attribute("id")
    page.keyboard.press("Escape")
    assert preview.count() == 0


def test_search_works_from_disk(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "index.html").as_uri())
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("percentile")
    found_for(page, "percentile")
    assert "percentile" in page.locator(".md-search-result__list").inner_text().lower()


# How a page fits a small phone, `tests/site/test_pages.py` shows. Where there is room, only tables and maps could be
# too wide: these have the widest.
PAGES = [*KINDS_OF_PAGE, *MORE_KINDS, *WITH_PICTURES]
WIDE = [(path, width) for path in PAGES for width in (320, 1280)]


@pytest.mark.parametrize(
    ("path", "width"), some(WIDE, [(f"{BOOK}/{name}.html", 1280) for name in ("items", "aid", "player_turns")])
)
def test_no_page_scrolls_sideways(page: Page, site: Path, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((site / path).as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# The header holds the book's name, of which these are a long and a short one, and is the same on every page of a book.
NAMED = [f"{BOOK}/index.html", f"{BOOK}/player_turns.html", "pig-classic-1.0/pig.html"]
HEADERS = [(path, width) for path in NAMED for width in (320, 390, 1280)]


@pytest.mark.parametrize(
    ("path", "width"), some(HEADERS, [(NAMED[0], 320), (NAMED[0], 390), (NAMED[1], 1280), (NAMED[2], 320)])
)
def test_the_name_in_the_header_leaves_the_buttons_alone(
    page: Page, site: Path, site_server: Callable[[Path], str], path: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(site_server(site) + path)
    selector = page.locator(".md-version__current")
    selector.wait_for()
    name, button = selector.bounding_box(), page.locator("[data-md-component=palette] label:visible").bounding_box()
    assert name is not None
    assert button is not None
    assert name["x"] + name["width"] <= button["x"]
    assert page.locator(".md-header__topic > .md-ellipsis").first.is_hidden(), "the selector says the name already"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_map_is_drawn_in_the_colours_of_the_page(page: Page, site: Path, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto((site / BOOK / "player_turns.html").as_uri())
    first = page.locator("#example-four_movement .rw-map svg").first
    tiles, ink = first.locator("path").first, first.locator("use").first
    # A pattern can stand before the colour.
    colour = "getComputedStyle(e)[name].match(/rgb\\((.+?)\\)/)[1]"
    style = f"(e, name) => {colour}.split(',').reduce((sum, part) => sum + Number(part), 0)"
    assert (tiles.evaluate(style, "fill") > ink.evaluate(style, "color")) == (scheme == "light")
    assert first.get_attribute("role") == "img"
    assert "[3, 2] Hero of Player 1" in first.locator("title").first.inner_html()


def test_the_chart_leads_from_a_stage_to_its_steps(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "index.html").as_uri())
    page.locator(".rw-sequence").get_by_role("link", name="Upkeep").click()
    page.wait_for_url("**/daybreak.html#procedure-pay_upkeep")
    page.locator("#procedure-pay_upkeep").wait_for(state="visible")


def test_tables_and_search_can_be_reached_without_a_mouse(page: Page, site: Path) -> None:
    page.goto((site / BOOK / "monsters.html").as_uri())
    for region in page.locator(".rw-scroll").all():
        assert region.get_attribute("tabindex") == "0"
        assert region.get_attribute("aria-label")
    assert page.locator("[role=dialog]").get_attribute("aria-label") == "Search"


# A figure of a table, in the largest game; and one of a small game, which is built in a moment.
FIGURES = [
    (
        "fuzzy-knights/normal@1.0",
        "fuzzy-knights/core/monsters.yaml",
        ("fight: {on: 20-70, quantity: 2d6}", "fight: {on: 20-70, quantity: 3d6}"),
        ("monsters.html", "#table-monster_interaction tr", "60 %"),
        ("visit_monsters", "--given", "tokens=[{}]", "--dice", "50,9", "--until", "strength"),
    ),
    (
        "pig/classic@1.0",
        "pig/classic-1.0/pig.yaml",
        ("die: {is: 1d6,", "die: {is: 1d8,"),
        ("aid.html", ".rw-aid li", "The die everybody rolls"),
        ("game", "--choose", "roll", "--dice", "5", "--until", "grown"),
    ),
]


@pytest.mark.parametrize(("edition", "file", "figure", "shown", "asked"), some(FIGURES, FIGURES[1:]))
def test_one_figure_in_the_rules_changes_the_page_and_what_is_played(
    page: Page,
    checkout: Path,
    tmp_path: Path,
    site: Path,
    capsys: pytest.CaptureFixture[str],
    edition: str,
    file: str,
    figure: tuple[str, str],
    shown: tuple[str, str, str],
    asked: tuple[str, ...],
) -> None:
    game, (before, after) = edition.partition("/")[0], figure
    copy = tmp_path / "rules"
    shutil.copytree(checkout / "rules" / game, copy / game, ignore=shutil.ignore_patterns("normal-0*", "medium-*"))
    edited = copy / file
    old = edited.read_text(encoding="utf-8")
    edited.write_text(old.replace(before, after), encoding="utf-8")
    assert edited.read_text(encoding="utf-8") != old
    build_site(Catalogue([copy]), tmp_path / "site")
    was, becomes = ((re.findall(r"\d+d\d+", said))[0] for said in figure)

    def read_page_words(book: Path) -> str:
        path, element, words = shown
        page.goto((book / path).as_uri())
        return page.locator(element, has_text=words).inner_text()

    def played(rules: Path) -> str:
        assert main(["run", edition, *asked[:1], "--rules", str(rules), *asked[1:]]) == 0
        return capsys.readouterr().out

    name = edition.replace("@", "-")
    published, built = site / name.replace("/", "-"), tmp_path / "site" / name.partition("/")[2]  # the only game there
    assert was in read_page_words(published)
    assert becomes not in read_page_words(published)
    assert becomes in read_page_words(built)
    assert becomes in played(copy)
    assert was in played(checkout / "rules")
    assert becomes not in played(checkout / "rules")
