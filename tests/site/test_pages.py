"""Every page of every edition is there, renders, fits a small phone, and asks no other host for anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.breadth import THOROUGH, some, spread
from tests.published import FEW, editions, rules_of
from tests.site.conftest import search
from tests.site.kinds import APPENDICES, BOOK, FAULTS, SITE, Kind, every_make, label

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request

pytestmark = pytest.mark.browser

EDITIONS = editions()
SMALLEST = 320
# All folded parts open: how many titles there are, which sections can be seen, and how wide it all is.
LOOKS = """() => {
  document.querySelectorAll('details').forEach(d => d.open = true)
  return {
    titles: document.querySelectorAll('h1').length,
    sections: [...document.querySelectorAll('h2[id]')].filter(h => h.checkVisibility()).map(h => h.id),
    width: document.documentElement.scrollWidth,
  }
}"""


BLOCKED = "Service Worker registration blocked by Playwright"
"""What the browser says where a page would be kept offline: the window of these tests forbids it (`open_page`)."""


class Complaints(list[str]):
    """What goes wrong on a page while it is open: errors in the console, failed requests, uncaught exceptions."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("response", lambda r: self.append(f"{r.url}: {r.status}") if r.status >= 400 else None)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            self.append(message.text)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the test has gone on to the next page
            self.append(f"{request.url}: {request.failure}")


@pytest.fixture(scope="module")
def all_complaints(one_window: Page) -> Complaints:
    return Complaints(one_window)


@pytest.fixture
def complaints(all_complaints: Complaints, window: Page) -> Complaints:
    """Return what goes wrong in the window during one test."""
    all_complaints.clear()
    return all_complaints


@pytest.mark.parametrize("edition", some(list(EDITIONS), FEW))
def test_an_edition_has_every_page_its_rules_have(published: Path, edition: str) -> None:
    rules = rules_of(edition)
    built = {path.stem for path in (published / SITE / EDITIONS[edition]).glob("*.html")}
    assert built - APPENDICES == set(rules["pages"])
    assert ("settings" in built, "rulings" in built, "glossary" in built) == tuple(
        bool(rules.get(key)) for key in ("options", "rulings", "terms")
    )
    assert "index" in built


@pytest.mark.slow
@pytest.mark.parametrize("edition", some(list(EDITIONS), FEW))
def test_every_page_renders_and_fits_a_small_phone(
    window: Page, complaints: Complaints, published: Path, address: str, edition: str
) -> None:
    """The numbers of pages and sections are the ruleset's, not ours.

    All books are made by the same templates, which the newest shows by its generated pages and a few of its rules. Of
    each edition the front page and the largest are seen: there its own names and tables are.
    """
    pages = rules_of(edition)["pages"]
    folder = published / SITE / EDITIONS[edition]
    window.set_viewport_size({"width": SMALLEST, "height": 800})
    paths = sorted(folder.rglob("*.html"))
    if not THOROUGH:
        rules = [path for path in paths if path.stem in pages]
        paths = [path for path in paths if path not in rules] if folder == published / BOOK else [folder / "index.html"]
        paths += {max(rules, key=lambda path: (path.stat().st_size, path)), *spread(rules, 3)}
    for path in paths:
        window.goto(address + path.relative_to(published).as_posix())
        looks = window.evaluate(LOOKS)
        assert looks["titles"] == 1, path
        assert looks["width"] <= SMALLEST, f"{path} scrolls sideways"
        assert set(pages.get(path.stem, {}).get("sections", {})) <= set(looks["sections"]), path
        assert complaints == [], path


def test_every_other_page_renders_and_fits_a_small_phone(
    window: Page, complaints: Complaints, published: Path, address: str
) -> None:
    window.set_viewport_size({"width": SMALLEST, "height": 800})
    books = set(EDITIONS.values())
    others = [p for p in sorted(published.rglob("*.html")) if not books & set(p.relative_to(published).parts)]
    assert {FAULTS, f"{SITE}/index.html"} <= {path.relative_to(published).as_posix() for path in others}
    # Comparisons are made alike, and so are the sources: the largest page of either is the widest, and shows it.
    for folder in () if THOROUGH else ("compare", "source"):
        alike = [path for path in others if folder in path.relative_to(published).parts]
        largest = max(alike, key=lambda path: (path.stat().st_size, path))
        others = [path for path in others if path not in alike or path == largest]
    for path in others:
        window.goto(address + path.relative_to(published).as_posix())
        looks = window.evaluate(LOOKS)
        assert looks["titles"] == 1, path
        assert looks["width"] <= SMALLEST, f"{path} scrolls sideways"
        assert complaints == [], path


VISITS = [
    (kind, origin)
    for kind in every_make()
    for origin in ("disk", *(("a host",) if kind.main else ()))
    if not kind.path.endswith("404.html")  # whose links hold on a host alone
]


@pytest.mark.parametrize(("kind", "origin"), VISITS, ids=[f"{label(kind)}-{origin}" for kind, origin in VISITS])
def test_search_works_and_no_other_host_is_asked(
    window: Page, complaints: Complaints, published: Path, address: str, kind: Kind, origin: str
) -> None:
    """What is asked of another host fails, which is a complaint; and the window remembers it."""
    window.goto(address + kind.path if origin == "a host" else (published / kind.path).as_uri())
    if window.locator("[data-md-component=search-query]").count():
        word = window.locator("h1").inner_text().split()[-1].strip("?")
        search(window, word)
        window.locator(".md-search-result__meta", has_text="matching").wait_for()
    assert complaints == []


def test_from_disk_the_settings_of_the_theme_may_come_in_pieces(page: Page, published: Path) -> None:
    page.goto((published / BOOK / "mines.html").as_uri())
    settings = page.evaluate("""async () => {
      const wait = () => new Promise(resolve => setTimeout(resolve, 50))
      const script = document.querySelector("script[src*='from-disk']").src
      document.open()
      document.write(`<!doctype html><script src="${script}"></script>`)
      await wait()
      const tag = "<body><script id=__config type=application/json>"
      for (const piece of [tag, '{"version": {', '"provider": "mike"}', "}", "<\\/script><p>"]) {
        document.write(piece)
        await wait()
      }
      document.close()
      return JSON.parse(document.getElementById("__config").textContent)
    }""")
    assert settings == {"version": None}


def test_what_is_not_found_looks_like_the_site_below_any_path(page: Page, address: str) -> None:
    page.goto(f"{address}{BOOK}/no/such/page.html")
    assert page.inner_text("h1") == "There is no such page"
    assert page.locator(".md-header").evaluate("e => getComputedStyle(e).position") == "sticky"
    page.get_by_role("link", name="Start from the front page").click()
    page.wait_for_url(f"{address}{SITE}/index.html")
