"""axe-core finds nothing to mend on any kind of page, however it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.breadth import THOROUGH, some
from tests.site.conftest import SHORTEN, search, tool
from tests.site.kinds import BOOK, KINDS, Kind, every_make, label

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (320, 1280)
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that look at colours."""
# What lies behind the text: the page's colour, or the window's where the page lets it through.
IS_DARK = """[document.body, document.documentElement].map(e => getComputedStyle(e).backgroundColor)
  .find(colour => colour !== 'rgba(0, 0, 0, 0)').match(/\\d+/g).every(part => part < 128)"""
# A window that showed the other scheme is told of this one a moment after the page is there.
ASKED_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
COMES_DARK = f"""async dark => {{
  for (let times = 0; times < 250 && ({IS_DARK}) !== dark; times++) await new Promise(done => setTimeout(done, 20))
  return {IS_DARK}
}}"""

# What axe finds comes back in short: what it knows of all that is in order would take longer to send than to find.
RUN = """async only => {
  const { passes, violations } = await axe.run({ resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) })
  return {
    passed: passes.length,
    faults: violations.map(({ id, nodes }) =>
      `${id} at ${nodes.length} places, first ${nodes[0].target}: ${nodes[0].failureSummary}`),
  }
}"""

schemes = pytest.mark.parametrize("scheme", ["light", "dark"])


def violations(page: Page, *, only: list[str] | None = None) -> list[str]:
    """Return what axe finds on the page as it now is, each with the first place; `only` are the rules to look by."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(tool("axe-core/axe.min.js").read_text(encoding="utf-8"))
    data: dict[str, Any] = page.evaluate(RUN, only)
    assert data["passed"], "axe has looked at nothing"
    return list(data["faults"])


def visit(page: Page, url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(url)
    dark = scheme == "dark"
    page.wait_for_function(f"dark => {ASKED_DARK} === dark", arg=dark)
    if page.evaluate(COMES_DARK, dark) != dark:  # the theme asked once, before the window was told
        page.evaluate("localStorage.clear()")
        page.reload()


# Paper is light in either scheme: it is looked at once.
# All kinds take their colours from one palette, so that one of each make shows them in the dark.
# What a kind has that its make has not: maps, letters by columns, a form, questions to unfold, cards.
OWN = ("rules with maps", "player aid", "settings", "questions and answers", "cards to cut out")
LOOKS = [
    (kind, scheme)
    for kind in some(KINDS, [kind for kind in KINDS if kind in every_make() or kind.name in OWN])
    for scheme in ("light", "dark")
    if scheme == "light" or (kind in every_make() and not kind.paper)
]


WIDE = ("rules with tables and examples",)


@pytest.mark.parametrize(("kind", "scheme"), LOOKS, ids=[f"{scheme}-{label(kind)}" for kind, scheme in LOOKS])
def test_no_violation_on(window: Page, address: str, kind: Kind, scheme: Literal["light", "dark"]) -> None:
    visit(window, address + kind.path, scheme, WIDTHS[0])
    window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert window.evaluate(COMES_DARK, scheme == "dark") == (scheme == "dark")
    if not THOROUGH:
        window.evaluate(SHORTEN)  # axe says the same of each, and tells no more than the first
    # What differs by the width is the theme's, which has more on it with a book than without one.
    for width in WIDTHS if THOROUGH or kind.name in WIDE else WIDTHS[:1]:
        window.set_viewport_size({"width": width, "height": 900})
        # The dark changes nothing but colours. How it looks to all rules, the menu and the results show below.
        assert violations(window, only=COLOURS if scheme == "dark" else None) == [], f"at {width} pixels"


@schemes
def test_no_violation_in_the_open_menu(window: Page, address: str, scheme: Literal["light", "dark"]) -> None:
    visit(window, f"{address}{BOOK}/mines.html", scheme, 390)
    window.get_by_role("button", name="Menu").click()
    window.locator(".md-sidebar--primary").get_by_role("link", name="Monsters").wait_for()
    assert violations(window) == []


@schemes
def test_no_violation_among_results(window: Page, address: str, scheme: Literal["light", "dark"]) -> None:
    visit(window, f"{address}{BOOK}/mines.html", scheme, 1280)
    search(window, "mine")
    window.locator(".md-search-result__link").first.wait_for()
    assert violations(window) == []


def test_axe_sees_what_is_wrong(page: Page) -> None:
    page.set_content("<html lang=en><title>Proof</title><main><h1>Proof</h1><img src='data:,'></main>")
    assert any(fault.startswith("image-alt") for fault in violations(page))
