"""Text of a ruleset is shown as text: nothing of it runs, whatever field it stands in and whatever page shows it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulewright.book.changes.edition_history import Comparisons, PublishedEdition
from rulewright.book.pages.change_marks import Marks
from rulewright.book.rulebook import render_site
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.book.site.publish import build_edition, build_front, build_sources
from rulewright.book.style.assets import write_assets
from rulewright.book.style.content_security import PolicyError, add_policy
from rulewright.book.style.sanitizer import clean
from rulewright.book.style.text_style import escape
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_edition
from tests.book.hostile.game import WITHOUT_TEXT, fields, write
from tests.book.hostile.payloads import PAYLOADS
from tests.breadth import some, times

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SPREAD = 7
"""Places by which the payloads move on from field to field, so that each comes first in some."""

AT_ONCE = times(30, len(PAYLOADS))
"""Payloads in one text. A field escapes what stands in it as the others of its kind do, so that not each needs all."""

SETTLED = """() => Promise.all([...document.images].map(image => image.complete || new Promise(done => {
    image.addEventListener("load", done); image.addEventListener("error", done);
}))).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"""
"""Waits until pictures have come or failed, and whatever hears of that has run."""

WATCH = """
window.ran = []
for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => window.ran.push(name)
"""

FOUND = """() => {
  const STRANGERS = "iframe object embed base template foreignobject animate set math img style".split(" ")
  const found = []
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName
    const theirs = name === "img" && element.closest(".md-logo") && element.getAttribute("src").endsWith("shield.svg")
    const place = element.closest("article, body > main, .md-header, .md-sidebar, head title")
    if (place && !theirs && STRANGERS.includes(name.toLowerCase())) found.push(`<${name}>`)
    for (const { name: attribute, value } of element.attributes) {
      if (/^on/i.test(attribute)) found.push(`<${name} ${attribute}>`)
      if (attribute === "markdown" || attribute === "formaction" || attribute === "srcdoc") found.push(attribute)
      if (/^(href|src|action|xlink:href|data|formaction)$/i.test(attribute)) {
        const scheme = /^\\s*([a-z][a-z0-9+.-]*):/i.exec(value.replace(/[\\u0000-\\u0020]/g, ""))
        if (scheme && !["http", "https"].includes(scheme[1].toLowerCase()) && value !== "data:,") found.push(value)
        if (/^\\s*[\\\\/]{2}/.test(value)) found.push(value)
      }
    }
    const runs = name === "script" && !element.src && element.type !== "application/json"
    if (runs && element.closest("article, body > main"))
      found.push("a script in the page")
    if (name === "meta" && element.httpEquiv && element.httpEquiv !== "Content-Security-Policy") found.push("a refresh")
  }
  return found
}"""


class Build:
    """Two editions with payloads in every field, built without asking whether they are sound."""

    def __init__(self, folder: Path) -> None:
        self.fields: set[str] = set()
        self.tried: Counter[str] = Counter()
        self.rules, self.site = folder / "rules", folder / "site"
        for version in ("1.0.0", "1.1.0"):
            write(self.rules, self._payloads, version=version)
        catalogue = Catalogue([self.rules])
        editions = list_publishable(catalogue)
        assert len(editions) == 2, [d.message for broken in catalogue.list_broken() for d in broken.diagnostics]
        names = name_folders(editions)
        self.published = []
        for edition in editions:
            ruleset, diagnostics = load_edition(catalogue, edition)
            assert ruleset is not None, [str(d) for d in diagnostics.errors]
            self.published.append(PublishedEdition(edition, names[edition.id], ruleset))
        self.pages: dict[str, str] = {}
        write_assets(self.site)
        comparisons = Comparisons(self.published)
        for item in self.published:
            pages = render_site(item.ruleset, Marks(item, comparisons))
            self.pages |= {f"{item.folder}/{path}": text for path, text in pages.items()}
            build_edition(item, pages, self.site)
        build_front(comparisons, self.site)
        build_sources(self.published, self.site)

    def _payloads(self, field: str, _: str) -> str:
        """Return some of the payloads, each text beginning with others; what is a line of its own in them stays one."""
        self.fields.add(field)
        first = len(self.fields) * SPREAD + self.tried.total()
        payloads = [PAYLOADS[(first + at) % len(PAYLOADS)] for at in range(AT_ONCE)]
        self.tried.update(payloads)
        return ("\n\n" if field.rpartition(".")[2] in ("text", "answer", "about") else " ").join(payloads)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("hostile"))


def test_every_field_that_takes_text_is_tried(build: Build) -> None:
    assert set(fields()) - build.fields == WITHOUT_TEXT
    assert len(PAYLOADS) >= 100
    assert min(build.tried[payload] for payload in PAYLOADS) >= 50


@pytest.mark.browser
@pytest.mark.slow
def test_nothing_of_a_hostile_text_runs(build: Build, browser: Browser, site_server: Callable[[Path], str]) -> None:
    address = site_server(build.site).rstrip("/")
    # Without the policy, so that only what became of the text can hold.
    context = browser.new_context(bypass_csp=True)
    context.add_init_script(WATCH)
    context.set_default_timeout(120_000)
    page = context.new_page()
    faults = []
    pages = sorted(path.relative_to(build.site).as_posix() for path in build.site.rglob("*.html"))
    # What one edition shows the other does: the same templates made it of the same fields, where other payloads stand.
    # Without a browser, the pages of both are read below.
    first, second = (item.folder for item in build.published)
    pages = list(some(pages, [name for name in pages if not name.startswith(f"{second}/")]))
    for name in pages:
        page.goto(f"{address}/{name}")
        page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
        page.evaluate(SETTLED)
        if name.endswith("/play.html"):
            _play(page)
        faults += [f"{name}: {fault}" for fault in page.evaluate("() => window.ran")]
        faults += [f"{name}: {fault}" for fault in page.evaluate(FOUND)]
    assert len(pages) > 15
    assert any(name.startswith("compare/") for name in pages)
    assert faults == []
    # What the theme puts into pages by its scripts: results of the search, and the list of versions.
    page.goto(f"{address}/{first}/index.html")
    for words in ("script", "img", "alert", "onerror", "javascript"):
        page.evaluate("() => document.querySelector('#__search').click()")
        page.locator("input.md-search__input").fill(words)
        page.wait_for_selector(".md-search-result__item", state="attached")
        assert page.evaluate("() => window.ran") == []
        assert page.evaluate(FOUND) == []
        assert page.locator(".md-search-result__list :is(img, script, iframe, object)").count() == 0
    page.wait_for_selector(".md-version__link", state="attached")
    assert page.locator(".md-version :is(img, script, iframe, object)").count() == 0
    context.close()


def _play(page: Page) -> None:
    """Play some decisions, pointing at each first, so that the page shows every text of it."""
    page.get_by_role("button", name="Begin").click()
    for _ in range(2):
        page.locator("[data-state=asked]").wait_for()
        option = page.locator(".rw-play__option").first
        option.hover()
        page.locator(".rw-play__leads").wait_for()
        before = page.locator("#rw-play").get_attribute("data-choices")
        option.click()
        page.locator(f"[data-choices]:not([data-choices='{before}'])").wait_for()


class _Reader(HTMLParser):
    """Another reading of built pages: elements and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name in ("srcdoc", "formaction", "markdown"):
                self.faults.append(f"<{tag} {name}>")
            if (
                value
                and not name.startswith(("data-", "aria-"))
                and re.match(r"\s*(javascript:|vbscript:|data:(?!,$)|file:|//)", value, re.IGNORECASE)
            ):
                self.faults.append(f"<{tag} {name}={value[:40]}>")


def test_no_handler_nor_dangerous_link_is_written(build: Build) -> None:
    for path in build.site.rglob("*.html"):
        reader = _Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        assert reader.faults == [], path


def test_markdown_finds_nothing_to_read_in_text(build: Build) -> None:
    """Before the sanitizer: the pages that any generator may take over hold no element that text has written."""
    from markdown import markdown

    seen = False
    for name, text in build.pages.items():
        if not name.endswith(".md"):
            continue
        front, body = text.removeprefix("---\n").split("\n---\n", 1)
        for line in front.splitlines():
            message = line.partition(": ")[2]
            assert not re.search(r"""[<>]|(?<!\\)"(?=[^,\]]*[<>])""", message), line
        reader = _Reader()
        reader.feed(markdown(body, extensions=["attr_list", "toc", "tables", "fenced_code"]))
        assert reader.faults == [], name
        seen = True
    assert seen


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_no_line_of_a_text_opens_a_fence(fence: str) -> None:
    from markdown import markdown

    page = f"<p>{escape(f'How.{chr(10)}{fence}')}</p>\n\n## Next {{ #next }}\n\n{fence}\ncode\n{fence}\n"
    assert '<h2 id="next">Next</h2>' in markdown(page, extensions=["attr_list", "fenced_code"])


def test_the_sanitizer_alone_drops_what_could_run() -> None:
    for payload in PAYLOADS:
        reader = _Reader()
        reader.feed(clean(payload.replace("{{", "{").replace("}}", "}")))
        assert reader.faults == [], payload


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_policy_alone_keeps_scripts_from_running(
    build: Build, tmp_path: Path, browser: Browser, site_server: Callable[[Path], str], scheme: str
) -> None:
    """Pages with a script and a handler written into them afterwards, on a host and opened from disk."""
    from shutil import copytree

    broken = tmp_path / "broken"
    copytree(build.site, broken)
    book = next(item.folder for item in build.published)
    tried = ("index.html", *(f"{book}/{page}.html" for page in ("index", "whole", "short", "cards", "404")))
    for name in tried:
        path = broken / name
        inside = "<script>alert(1)</script><img src=x onerror=alert(1)><p style='color: red'>after</p>"
        path.write_text(path.read_text(encoding="utf-8").replace("</body>", inside + "</body>"), encoding="utf-8")
    address = site_server(broken).rstrip("/") if scheme == "http" else broken.as_uri()
    context = browser.new_context()
    context.add_init_script(WATCH)
    page = context.new_page()
    for name in tried:
        page.goto(f"{address}/{name}")
        page.evaluate(SETTLED)
        assert page.evaluate("() => window.ran") == [], name
    context.close()


def test_a_script_within_a_page_gets_no_leave() -> None:
    page = '<head><meta charset="utf-8"></head><body><script src="book.js"></script>{}</body>'
    assert "; script-src 'self'; " in add_policy(page.format('<script type="application/json">{}</script>'))
    with pytest.raises(PolicyError, match="inline script"):
        add_policy(page.format("<script>alert(1)</script>"))


@pytest.mark.browser
def test_an_innocent_quotation_mark_is_one_everywhere(
    tmp_path: Path, page: Page, site_server: Callable[[Path], str]
) -> None:
    source = 'One "good" die & <two> more'

    def change(field: str, text: str) -> Any:
        return source if field in ("about", "title", "pages.*.title", "pages.*.about") else text

    write(tmp_path / "rules", change)
    catalogue = Catalogue([tmp_path / "rules"])
    (edition,) = list_publishable(catalogue)
    ruleset, _ = load_edition(catalogue, edition)
    assert ruleset is not None
    item = PublishedEdition(edition, "small", ruleset)
    write_assets(tmp_path / "site")
    build_edition(item, render_site(ruleset), tmp_path / "site")
    build_front(Comparisons([item]), tmp_path / "site")
    address = site_server(tmp_path / "site").rstrip("/")
    for name in ("index", "growing"):
        page.goto(f"{address}/small/{name}.html")
        assert page.locator("meta[name=description]").get_attribute("content") in (
            source,
            "One “good” die & <two> more",
        )
        assert page.title().startswith(source)
        assert source in page.locator("article h1").inner_text()
    versions = json.loads((tmp_path / "site" / "versions.json").read_text(encoding="utf-8"))
    assert versions[0]["title"] == "One &quot;good&quot; die &amp; &lt;two&gt; more 1.0.0"
