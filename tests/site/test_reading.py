"""What readers meet on every page: light or dark as they chose, no workshop, the book's own letters, room to press."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulewright.book.site.menu import LOOK_UP, PRINT, RULES
from tests.breadth import some
from tests.site.kinds import BOOK, KINDS, SITE, Kind, label

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

OTHER = f"{SITE}/fuzzy-knights-medium-0.1"
LETTERS = 150_000
"""Bytes of all fonts together."""

BROKEN = """() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent.checkVisibility({ visibilityProperty: true }) || parent.closest("svg, pre, code, .md-sidebar")) continue
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}’]+/gu)) {
      const range = document.createRange()
      range.setStart(node, word.index)
      range.setEnd(node, word.index + word[0].length)
      const lines = new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top / 6)))
      if (lines.size > 1) found.push(word[0])
    }
  }
  return found
}"""

DRAWN = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.fonts.ready).then(() => true)"""

PRESSED = "article :is(a[href], button, summary), :is(.md-sidebar, .md-version) a"
SMALL = """() => [...document.querySelectorAll("PRESSED")]
  .filter(each => {
    if (!each.checkVisibility({ visibilityProperty: true })) return false
    const around = each.parentElement.matches("var") ? each.parentElement.parentElement : each.parentElement
    const words = [...around.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    if (getComputedStyle(each).display === "inline" && words) return false  // a link within a sentence
    const { width, height } = each.getBoundingClientRect()
    return width && (width < 24 || height < 24)
  })
  .map(each => `${each.className} ${each.innerText} in ${each.parentElement.outerHTML.slice(0, 60)}`)""".replace(
    "PRESSED", PRESSED
)

CUT = """() => [...document.querySelectorAll(".rw-stage")].filter(each => {
  const style = getComputedStyle(each)
  const within = each.parentElement.closest(".rw-stage")
  const right = each.getBoundingClientRect().right
  return parseFloat(style.borderRightWidth) === 0 || (within && right >= within.getBoundingClientRect().right)
}).length"""


# All that is to be printed looks and speaks alike; of the three the cards come soonest.
PAPERS = some(["whole.html", "short.html", "cards.html"], ["cards.html"])


def dark(window: Page) -> bool:
    return bool(
        window.evaluate("""() => {
          const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor === "rgba(0, 0, 0, 0)"
            ? getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)
            : getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g).map(Number)
          return r + g + b < 300
        }""")
    )


@pytest.mark.parametrize("origin", ["disk", "a host"])
def test_what_a_reader_chose_holds_for_every_book(window: Page, published: Path, address: str, origin: str) -> None:
    at = {"disk": f"{published.as_uri()}/", "a host": address}[origin]
    window.emulate_media(color_scheme="light")
    window.goto(f"{at}{BOOK}/mines.html")
    assert not dark(window)
    window.locator("label[for=__palette_1]").click()
    source = f"{SITE}/source/fuzzy-knights-normal-1.0.1.html"
    for page in (f"{BOOK}/battle.html", f"{OTHER}/mines.html", f"{SITE}/index.html", source):
        window.goto(at + page)
        assert dark(window), page
    for page in PAPERS:
        window.goto(f"{at}{BOOK}/{page}")
        assert dark(window), page
    window.emulate_media(color_scheme="light", media="print")
    assert not dark(window), "paper is white"


@pytest.mark.parametrize("page", PAPERS)
def test_what_is_to_be_printed_follows_the_device_where_nothing_was_chosen(
    window: Page, published: Path, page: str
) -> None:
    for scheme in ("light", "dark"):
        window.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        window.goto((published / BOOK / page).as_uri())
        assert dark(window) == (scheme == "dark")


def test_the_workshop_is_shown_to_those_who_ask_and_remembered(window: Page, published: Path) -> None:
    workshop = ".rw-origin, .rw-history, .rw-workshop"
    window.goto((published / BOOK / "board_setup.html").as_uri())
    assert window.locator(workshop).count() > 10
    assert not [each for each in window.locator(workshop).all() if each.is_visible()]
    switch = window.get_by_role("button", name="Designers’ view")
    switch.focus()
    window.keyboard.press("Enter")
    assert switch.get_attribute("aria-pressed") == "true"
    assert window.locator(".rw-origin:visible").count()
    window.goto((published / OTHER / "settlements.html").as_uri())
    assert window.locator(".rw-origin:visible").count()
    assert window.get_by_role("button", name="Designers’ view").get_attribute("aria-pressed") == "true"


def test_the_menu_has_groups_letters_and_what_is_to_be_printed(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "battle.html").as_uri())
    menu = window.locator(".md-sidebar--primary")
    heads = [each.inner_text().strip() for each in menu.locator(".md-nav__item--section > label").all()]
    assert heads == [RULES, LOOK_UP, PRINT]
    assert len({each.text_content() for each in menu.locator(".rw-letter").all()}) == 13
    assert menu.locator("a[href$='battle.html'] .rw-letter").last.inner_text() == "B"
    for page in ("whole.html", "cards.html", "aid.html"):
        assert menu.locator(f"a[href='{page}']").count()


@pytest.mark.parametrize("edition", sorted({BOOK, OTHER}))
def test_no_two_pages_wear_the_same_drawing(window: Page, published: Path, edition: str) -> None:
    window.goto((published / edition / "index.html").as_uri())
    drawn = [str(each.get_attribute("href")) for each in window.locator(".rw-card__icon use").all()]
    assert drawn
    assert len(drawn) == len(set(drawn))


def test_a_preview_goes_when_the_pointer_is_on_a_link_that_has_none(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "mines.html").as_uri())
    window.locator("article p a[href*='#term-']", has_text="Guardians").first.hover()
    window.locator(".rw-preview").wait_for()
    window.evaluate("""() => {
      const link = document.createElement("a")
      link.href = "index.html"
      link.textContent = "without a preview"
      link.style = "position: fixed; top: 100px; left: 45%; padding: 2rem; z-index: 9"
      document.querySelector("article").append(link)
    }""")
    window.get_by_text("without a preview").hover()
    window.locator(".rw-preview").wait_for(state="detached")


def test_the_number_of_a_step_shows_what_it_says(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "mines.html").as_uri())
    window.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    window.locator("a.rw-source[href='#visit_mine.check']").first.hover()
    element = window.locator(".rw-preview")
    element.wait_for()
    assert element.locator("strong").inner_text() == "Taking a mine"
    assert element.locator("span").inner_text() == "Roll on Check for guardians for the check."


def test_letters_are_the_books_own_and_few(window: Page, published: Path) -> None:
    fonts = list((published / SITE).rglob("*.woff2"))
    assert 0 < sum(path.stat().st_size for path in fonts) <= LETTERS
    assert (fonts[0].parent / "OFL.txt").is_file()
    for page in ("battle.html", *PAPERS):
        window.goto((published / BOOK / page).as_uri())
        # Which letters are wanted is known once the page has been drawn.
        window.evaluate(DRAWN)
        loaded = window.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
        assert {name.strip('"') for name in loaded} == {"Rulewright Sans", "Rulewright Serif", "Rulewright Signs"}


SHOWN = [kind for kind in KINDS if kind.path.startswith(BOOK) and not kind.paper]
# What could be cut or too small: cells, maps, stages, forms, dice. The other kinds are made of sentences and lists.
FULL = ("front page of an edition", "rules with tables and examples", "rules with maps", "settings", "odds")


@pytest.mark.parametrize("kind", some(SHOWN, [kind for kind in SHOWN if kind.name in FULL]), ids=label)
def test_on_a_small_screen_nothing_is_cut_or_too_small(window: Page, published: Path, kind: Kind) -> None:
    window.set_viewport_size({"width": 320, "height": 800})
    window.goto((published / kind.path).as_uri())
    window.evaluate(DRAWN)
    assert window.evaluate(BROKEN) == []
    assert window.evaluate(SMALL) == []
    assert window.evaluate(CUT) == 0


def test_cards_keep_to_a_small_screen(window: Page, published: Path) -> None:
    window.set_viewport_size({"width": 390, "height": 800})
    window.goto((published / BOOK / "cards.html").as_uri())
    assert window.evaluate("[...document.querySelectorAll('main, body')].every(e => e.scrollWidth <= e.clientWidth)")
