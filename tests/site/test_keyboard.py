"""Whoever has only a keyboard gets everywhere, and always sees where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.breadth import THOROUGH, some, spread
from tests.site.conftest import SHORTEN
from tests.site.kinds import BOOK, KINDS, Kind, every_make, label

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (390, 1280)
MOST_STEPS = 1_500

# A sheet of a script's own, as the pages let nobody write styles into them.
STILL = """() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { transition: none !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}"""

# Numbers everything that a mouse could press, among them labels of boxes that cannot be seen. A part that opens only
# when the focus comes near (the other editions, in the header) counts as well.
MARK = """() => {
  const seen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && e.getClientRects().length
  const pressed = 'a[href], button, input, select, textarea, summary, [tabindex="0"], label[for]:not([tabindex=""])'
  const all = [...document.querySelectorAll(pressed)]
  const wanted = all.filter(e => seen(e) && e.getBoundingClientRect().right > 0)
    // Escape does what a mouse does beside the menu and the search; the field of the search is its own door.
    .filter(e => !e.matches('.md-overlay, .md-search__overlay, .md-search__form :is(label, button)'))
    .filter(e => !e.matches('.md-header__button[for=__search]'))
    .filter(e => !e.closest('[hidden]') && !e.matches('label.md-nav__title'))  // titles, where nothing folds
    .filter(e => getComputedStyle(e).pointerEvents !== 'none')           // nor does a group that is always open
    .filter(e => !e.matches('label') || !document.getElementById(e.htmlFor)?.matches('[type=radio]'))  // the box counts
    .filter(e => !(e.matches('input[type=radio]') && !e.checked))        // the arrow keys go on to these
  wanted.forEach((e, number) => e.dataset.wanted = number)
  return wanted.length
}"""

# Where the keyboard is: what it is, whether it is one of the wanted, and whether a ring is drawn around it in sight.
# The switch of the palette is a box without size: the ring is around its label.
WHERE = """() => {
  const e = document.activeElement
  if (!e || e === document.body) return null
  const drawn = e.matches('.md-option') ? e.nextElementSibling : e
  const style = getComputedStyle(drawn)
  const boxes = [...drawn.getClientRects()].filter(r => r.width > 2 && r.height > 2)
  const inside = boxes.some(r => {
    const x = Math.min(Math.max(r.x + r.width / 2, 1), innerWidth - 1)
    const y = Math.min(Math.max(r.y + r.height / 2, 1), innerHeight - 1)
    const top = document.elementFromPoint(x, y)
    return r.right > 0 && r.left < innerWidth && r.bottom > 0 && r.top < innerHeight
      && top && (drawn.contains(top) || top.contains(drawn))
  })
  return {
    name: `${e.localName}.${e.getAttribute('class')} ${(e.innerText || e.ariaLabel || '').trim().slice(0, 30)}`,
    wanted: e.dataset.wanted,
    ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    inside,
  }
}"""


# Notes where the tab key has led whenever it is felt again, for it is held down. The page does not always hear of the
# one that leaves it: where the first place comes again, the way is at its end as well. What is not in sight is kept,
# with how far the page was scrolled.
WATCH = f"""() => {{
  const where = {WHERE}
  let first, felt = false, ended = false
  window.places = []
  window.unseen = []
  addEventListener('keydown', event => {{
    if (event.key !== 'Tab') return
    if (felt) {{
      const place = document.activeElement === first ? null : where()
      window.places.push(place)
      ended ||= !place
      if (!ended && !place.inside) window.unseen.push({{ element: document.activeElement, x: scrollX, y: scrollY }})
      first ??= document.activeElement
    }}
    felt = true
  }}, true)
}}"""

# What was not in sight once more, with the page scrolled as it was, when it has been drawn: a keyboard this fast may be
# ahead of what follows the scrolling, such as a menu that makes room for the foot of the page.
LOOK_AGAIN = f"""async () => {{
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const where = {WHERE}
  const found = []
  for (const {{ element, x, y }} of window.unseen) {{
    element.focus({{ preventScroll: true, focusVisible: true }})
    scrollTo({{ left: x, top: y, behavior: 'instant' }})
    await drawn()
    const place = where()
    if (!place?.inside) found.push(place?.name ?? element.outerHTML.slice(0, 120))
  }}
  return found
}}"""


def walk(page: Page) -> list[dict[str, Any]]:
    """Return every place the tab key goes to, from the start of the page to its end."""
    page.evaluate(WATCH)
    places: list[dict[str, Any] | None] = []
    while None not in places and len(places) < MOST_STEPS:
        for _ in range(20):
            page.keyboard.down("Tab")
        places += page.evaluate("window.places.splice(0)")
    page.keyboard.up("Tab")
    assert None in places, f"the tab key goes round for ever, last at {places[-1]}"
    return [place for place in places[: places.index(None)] if place is not None]


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent.trim() || document.activeElement.ariaLabel"))


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"the tab key does not lead to {selector}")


@pytest.fixture
def page(window: Page) -> Page:
    return window


@pytest.fixture
def phone(page: Page, address: str) -> Page:
    """Return a page of rules on a phone."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{address}{BOOK}/mines.html")
    return page


# The way through a page is that of its template and of the kinds of thing on it: a few of each show it.
FEW = ("chooser", "rules with tables and examples", "player aid", "questions and answers")
WALKED = some(
    [kind for kind in KINDS if kind in every_make() or kind.name in FEW], [kind for kind in KINDS if kind.name in FEW]
)
# What differs by the width is the header and the menu, with a book and without.
WIDE = [
    kind for kind in WALKED if kind.main and (THOROUGH or kind.name in ("chooser", "rules with tables and examples"))
]
WALKS = [(kind, width) for kind in WALKED for width in WIDTHS[: None if kind in WIDE else 1]]


@pytest.mark.parametrize(("kind", "width"), WALKS, ids=[f"{label(kind)}-{width}" for kind, width in WALKS])
def test_the_tab_key_leads_everywhere_in_sight(window: Page, address: str, kind: Kind, width: int) -> None:
    window.emulate_media(reduced_motion="reduce")
    window.set_viewport_size({"width": width, "height": 800})
    window.goto(address + kind.path)
    if kind.path.startswith(BOOK) and not kind.paper and "/index.html" not in kind.path.removeprefix(BOOK):
        # The theme adds the other editions when it has read their list.
        window.locator(".md-version").first.wait_for(state="attached")
    if kind.paper or not (kind.main and THOROUGH):
        window.evaluate(SHORTEN)  # the way leads to the others as it leads to these
    window.evaluate(STILL)  # this keyboard is faster than any movement
    expected = window.evaluate(MARK)
    places = walk(window)
    assert [place["name"] for place in places if not place["ring"]] == [], "focused without a ring"
    assert window.evaluate(LOOK_AGAIN) == [], "focused out of sight"
    reached = {place["wanted"] for place in places}
    missed = [
        window.evaluate("n => document.querySelector(`[data-wanted='${n}']`)?.outerHTML.slice(0, 120)", str(number))
        for number in range(expected)
        if str(number) not in reached
    ]
    assert [found for found in missed if found] == [], "never reached"


def test_what_is_covered_is_seen(window: Page, address: str) -> None:
    window.goto(f"{address}{BOOK}/mines.html")
    window.evaluate(STILL)
    window.evaluate("""() => {
      const cover = document.createElement('div')
      cover.style = 'position: fixed; inset: auto 0 0; height: 90px; background: red; z-index: 99'
      document.body.append(cover)
    }""")
    walk(window)
    assert any(name.endswith("All rulebooks") for name in window.evaluate(LOOK_AGAIN))


def test_the_skip_link_passes_the_header_by(phone: Page) -> None:
    phone.keyboard.press("Tab")
    assert focused(phone) == "Skip to content"
    phone.keyboard.press("Enter")
    phone.keyboard.press("Tab")
    assert phone.evaluate("document.activeElement.closest('.md-content') !== null")


@pytest.mark.parametrize("kind", spread([kind for kind in every_make() if "/" in kind.path], 2), ids=label)
def test_there_is_a_skip_link_on(window: Page, address: str, kind: Kind) -> None:
    window.goto(address + kind.path)
    window.keyboard.press("Tab")
    assert focused(window) == "Skip to content"
    window.keyboard.press("Enter")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.closest('.md-header, .md-sidebar') === null")


def test_the_menu_opens_and_closes(phone: Page) -> None:
    menu = phone.locator(".md-sidebar--primary")
    link = menu.get_by_role("link", name="Monsters")
    assert not link.is_visible()
    tab_to(phone, "[for=__drawer]")
    opener = phone.get_by_role("button", name="Menu")
    assert opener.get_attribute("aria-expanded") == "false"
    phone.keyboard.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    link.wait_for()
    assert phone.evaluate("document.activeElement.closest('.md-sidebar--primary') !== null")
    phone.keyboard.press("Escape")
    link.wait_for(state="hidden")
    assert opener.evaluate("e => e === document.activeElement")
    phone.keyboard.press("Space")
    link.wait_for()


def test_the_menu_leads_to_a_page(phone: Page) -> None:
    tab_to(phone, "[for=__drawer]")
    phone.keyboard.press("Enter")
    tab_to(phone, ".md-sidebar--primary a[href='monsters.html']")
    assert phone.evaluate(WHERE)["inside"]
    phone.keyboard.press("Enter")
    phone.wait_for_url("**/monsters.html")


def test_the_menu_holds_the_contents_of_the_page(phone: Page) -> None:
    tab_to(phone, "[for=__drawer]")
    phone.keyboard.press("Enter")
    tab_to(phone, ".md-nav__link[for=__toc]")
    phone.keyboard.press("Enter")
    assert focused(phone) == "Table of contents"
    phone.keyboard.press("Tab")
    assert focused(phone).startswith("M.1")
    assert phone.evaluate(WHERE)["inside"]
    phone.keyboard.press("Shift+Tab")
    phone.keyboard.press("Enter")
    assert phone.evaluate("document.activeElement.matches('.md-nav__link[for=__toc]')")


def test_the_menu_traps_nobody(phone: Page) -> None:
    tab_to(phone, "[for=__drawer]")
    phone.keyboard.press("Enter")
    for _ in range(60):
        phone.keyboard.press("Tab")
        if phone.evaluate("document.activeElement.closest('.md-content') !== null"):
            break
    assert phone.evaluate("document.activeElement.closest('.md-content') !== null")
    phone.locator(".md-sidebar--primary").wait_for(state="hidden")


@pytest.mark.parametrize("width", WIDTHS)
def test_search_opens_finds_and_closes(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{address}{BOOK}/mines.html")
    page.keyboard.press("/")
    page.locator(".md-search-result__meta", has_text="Type").wait_for()
    page.keyboard.type("percentile")
    page.locator(".md-search-result__link").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".md-search__output").wait_for(state="hidden")
    page.keyboard.press("/")
    page.locator(".md-search__output").wait_for()
    page.keyboard.insert_text("guardian")
    page.locator(".md-search-result__link[href*='guardian']").first.wait_for()  # not what was found before
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.md-search-result__link')")
    page.keyboard.press("Enter")
    page.wait_for_url("**guardian*", timeout=10_000)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_palette_turns(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}{BOOK}/mines.html")
    tab_to(page, ".md-option")
    page.keyboard.press("ArrowRight")
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    assert page.evaluate(WHERE)["ring"]
    page.keyboard.press("ArrowRight")
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"


@pytest.mark.parametrize("width", WIDTHS)
def test_another_edition_can_be_chosen(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{address}{BOOK}/mines.html")
    page.locator(".md-version__current").wait_for()
    tab_to(page, ".md-version__link[href*='normal-0.2']")
    assert page.evaluate(WHERE)["inside"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/fuzzy-knights-normal-0.2/mines.html", timeout=10_000)
