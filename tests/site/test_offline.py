"""A served site opens without a network: what was opened, and a whole book on request; and never half of two builds."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error

from rulewright.book.dev_server.incremental_build import LiveSite
from rulewright.book.site.publish import build_site
from rulewright.book.site.web_app import write_worker
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.book.garden import steps, write_garden

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Response

pytestmark = pytest.mark.browser

BOOK = "garden-small-1.0"
OTHER = "pig-classic-1.0"
KEPT = "Saved on this device. Every page opens without a network"
LARGE = b"const figures = [" + b"1," * 200_000 + b"]\n"
"""A file of an edition that no template made, as large as programs are."""


class Host:
    """Serves a folder until it is cut off, and counts what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                super().do_GET()

            def end_headers(self) -> None:
                # As many hosts have it: a browser need not ask again within ten minutes.
                self.send_header("Cache-Control", "max-age=600")
                super().end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Keep the test's output for the test."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def end(self) -> None:
        """Be gone; once more is no harm."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/site/"


def build(folder: Path, rules: Path, checkout: Path) -> Path:
    """Return a site of two games, with a large file in one edition, as if the builder had made it."""
    catalogue = Catalogue([rules, checkout / "rules"])
    only = [each for each in catalogue.list_editions() if each.id.partition("@")[0] in ("garden/small", "pig/classic")]
    published = build_site(catalogue, folder, only=only)
    (folder / BOOK / "large.js").write_bytes(LARGE)
    write_worker(published, folder)
    return folder


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> tuple[Path, Path]:
    """Return two builds of a site, the second after a change of one game's rules; nobody changes either."""
    folder = tmp_path_factory.mktemp("builds")
    rules = write_garden(folder / "rules")
    one = build(folder / "one", rules, checkout)
    write_garden(folder / "rules", steps().replace("What you grow.", "What you grow and tend."))
    return one, build(folder / "two", rules, checkout)


@pytest.fixture
def site(builds: tuple[Path, Path], tmp_path: Path) -> Path:
    shutil.copytree(builds[0], tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    host = Host(site.parent)
    with ExitStack() as stack:
        stack.callback(host.end)
        yield host


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def pages_of(site: Path, book: str) -> list[str]:
    return sorted(
        path.relative_to(site).as_posix() for path in (site / book).rglob("*.html") if path.name != "404.html"
    )


def visit(page: Page, address: str) -> Response | None:
    """Open an address, once the page has done what a worker told it to: to read itself again."""
    for _ in range(5):
        try:
            return page.goto(address)
        except Error as error:
            # Whichever of the two came later has ended the other.
            if not any(said in str(error) for said in ("interrupted by another navigation", "ERR_ABORTED")):
                raise
    pytest.fail("the page never comes to rest")


def evaluated(page: Page, code: str) -> Any:
    """Return what code comes to on the page, which may reload meanwhile."""
    for _ in range(5):
        try:
            return page.evaluate(code)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
    return pytest.fail("the page never comes to rest")


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds on the page, which may reload meanwhile."""
    code = f"""async () => {{
      for (let times = 0; !(await ({holds})); times++) {{
        if (times === 500) throw new Error("it never held")
        await new Promise(done => setTimeout(done, 20))
      }}
    }}"""
    evaluated(page, code)


def opened(page: Page, address: str) -> Page:
    """Return a page whose worker answers for it."""
    visit(page, address)
    evaluated(page, "navigator.serviceWorker.ready.then(() => true)")
    until(page, "navigator.serviceWorker.controller !== null")
    return page


def keep(page: Page, host: Host, book: str = BOOK) -> None:
    opened(page, f"{host.address}{book}/index.html")
    page.get_by_role("button", name="Keep this book offline").click()
    page.locator(".rw-keep__said", has_text=KEPT).wait_for()


def files_kept(page: Page, folder: str) -> int:
    return int(
        page.evaluate(
            f"""async () => {{
              const kept = await Promise.all((await caches.keys()).map(name => caches.open(name)))
              const keys = await Promise.all(kept.map(cache => cache.keys()))
              return keys.flat().filter(({{ url }}) => url.includes("/site/{folder}/")).length
            }}"""
        )
    )


def replace(site: Path, build: Path) -> None:
    newest = max(path.stat().st_mtime for path in site.rglob("*"))
    shutil.rmtree(site)
    shutil.copytree(build, site)
    # This host tells builds apart by the second of a file, and two are made here within one.
    for path in site.rglob("*"):
        os.utime(path, (newest + 10, newest + 10))


def renewed(page: Page) -> None:
    """Look for a newer build, as browsers do by themselves, and wait until its worker is ready.

    A browser that is looking already, at what was there before, does not look again at once.
    """
    until(page, "navigator.serviceWorker.ready.then(found => found.waiting || found.update().then(() => false))")


def taken_over(page: Page, address: str) -> None:
    """Open an address until the new build has taken the place of the old one.

    For a moment a browser may still count a page that was closed just now, and then keeps to the old build.
    """
    for _ in range(50):
        visit(page, address)
        waits = "navigator.serviceWorker.ready.then(found => found.waiting !== null)"
        if not evaluated(page, waits):
            until(page, "caches.keys().then(names => names.length === 1)")
            return
    pytest.fail("the new build never begins")


def test_a_kept_book_opens_whole_when_the_host_is_gone(context: BrowserContext, host: Host, site: Path) -> None:
    page = context.new_page()
    opened(page, f"{host.address}{BOOK}/index.html")
    element = page.locator(".rw-keep__said")
    element.wait_for()
    files = json.loads(re.search(r"^const FILES = (.*)$", (site / "offline.js").read_text(), re.M)[1])  # type: ignore[index]
    mine = [p for p in files if p.startswith(f"{BOOK}/") or not p.startswith((OTHER, "source/", "compare/"))]
    assert element.inner_text().startswith(f"{sum(files[p][0] for p in mine) / 1e6:.1f} MB")
    keep(page, host)
    host.end()
    for path in pages_of(site, BOOK):
        answer = visit(page, host.address + path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.locator("h1").first.inner_text()
        looks = "[...document.styleSheets].every(sheet => sheet.href === null || sheet.cssRules.length > 0)"
        assert page.evaluate(looks), path
    visit(page, f"{host.address}{BOOK}/index.html")
    assert page.evaluate(f"fetch('{host.address}{BOOK}/rules.json').then(answer => answer.json())")["ruleset"]
    assert page.evaluate(f"fetch('{host.address}{BOOK}/large.js').then(answer => answer.text())") == LARGE.decode()
    visit(page, f"{host.address}{BOOK}/")
    page.locator(".rw-keep__said", has_text=KEPT).wait_for()
    # Nothing is made of what was not kept.
    answer = visit(page, f"{host.address}{OTHER}/pig.html")
    assert answer is not None
    assert answer.status == 503
    assert "not kept here" in page.locator("h1").inner_text()


def test_what_was_opened_opens_again(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    opened(page, f"{host.address}{OTHER}/pig.html")
    # The first page came before its worker, and is asked for by it.
    until(page, "caches.keys().then(([name]) => caches.open(name)).then(c => c.keys()).then(k => k.length > 4)")
    visit(page, f"{host.address}{OTHER}/glossary.html")
    host.end()
    for name in ("pig", "glossary"):
        answer = visit(page, f"{host.address}{OTHER}/{name}.html?from=elsewhere#top")
        assert answer is not None
        assert answer.status == 200


def test_a_new_build_takes_the_place_of_the_old_as_a_whole(
    context: BrowserContext, host: Host, site: Path, builds: tuple[Path, Path]
) -> None:
    page = context.new_page()
    keep(page, host)
    glossary = f"{host.address}{BOOK}/glossary.html"
    visit(page, glossary)
    assert "grow and tend" not in page.locator("article").inner_text()
    replace(site, builds[1])
    renewed(page)
    assert "grow and tend" not in page.locator("article").inner_text()
    taken_over(page, f"{host.address}{BOOK}/index.html")
    host.end()
    visit(page, glossary)
    assert "grow and tend" in page.locator("article").inner_text()
    for path in pages_of(site, BOOK):
        text = page.evaluate(f"fetch('{host.address}{path}').then(answer => answer.text())")
        assert text == (site / path).read_text("utf-8"), path


def test_only_what_changed_is_fetched_anew(
    context: BrowserContext, host: Host, site: Path, builds: tuple[Path, Path]
) -> None:
    page = context.new_page()
    keep(page, host)
    replace(site, builds[1])
    host.asked.clear()
    renewed(page)
    one, two = ({p.relative_to(b).as_posix(): p.read_bytes() for p in b.rglob("*") if p.is_file()} for b in builds)
    same = {path for path in one if one[path] == two.get(path)}
    texts = {path.removeprefix("/site/") for path in host.asked}
    assert f"{BOOK}/glossary.html" in texts
    assert "assets/book.css" in same
    assert not texts & same


def test_pages_of_the_old_build_stay_whole_while_others_are_open(
    context: BrowserContext, host: Host, site: Path, builds: tuple[Path, Path]
) -> None:
    """Until the last of them is left, every page is of the old build, though the host has another already."""
    page, other = context.new_page(), context.new_page()
    keep(page, host)
    opened(other, f"{host.address}{BOOK}/index.html")
    replace(site, builds[1])
    renewed(page)
    visit(page, f"{host.address}{BOOK}/glossary.html")
    assert "grow and tend" not in page.locator("article").inner_text()
    other.close()
    taken_over(page, f"{host.address}{BOOK}/index.html")
    visit(page, f"{host.address}{BOOK}/glossary.html")
    assert "grow and tend" in page.locator("article").inner_text()


def test_a_new_page_and_an_old_one_beside_it_are_each_of_one_build(
    context: BrowserContext, host: Host, site: Path, builds: tuple[Path, Path]
) -> None:
    """The host alone has the one, and what it asks for is changed too; the other cannot get that any more."""
    page, other = context.new_page(), context.new_page()
    opened(page, f"{host.address}{BOOK}/index.html")
    opened(other, f"{host.address}{BOOK}/index.html")
    replace(site, builds[1])
    visit(page, f"{host.address}{BOOK}/glossary.html")
    page.locator("article", has_text="grow and tend").wait_for()
    asks = f"fetch('{host.address}{BOOK}/rules.json').then(answer => answer.text(), () => '')"
    for _ in range(2):
        assert evaluated(page, asks) == (builds[1] / BOOK / "rules.json").read_text("utf-8")
        assert evaluated(other, asks) in ("", (builds[0] / BOOK / "rules.json").read_text("utf-8"))
    other.close()
    taken_over(page, f"{host.address}{BOOK}/index.html")
    assert evaluated(page, asks) == (builds[1] / BOOK / "rules.json").read_text("utf-8")


def test_a_page_never_opened_is_of_the_new_build_with_all_it_asks_for(
    context: BrowserContext, host: Host, site: Path, builds: tuple[Path, Path]
) -> None:
    """The browser has not looked for a newer build yet, and what it has for itself is of the old one."""
    page = context.new_page()
    opened(page, f"{host.address}{BOOK}/index.html")
    replace(site, builds[1])
    visit(page, f"{host.address}{BOOK}/glossary.html")
    page.locator("article", has_text="grow and tend").wait_for()


def test_a_host_that_changes_what_it_sends_is_read_as_it_is(context: BrowserContext, host: Host, site: Path) -> None:
    page = context.new_page()
    opened(page, f"{host.address}{BOOK}/index.html")
    glossary = site / BOOK / "glossary.html"
    glossary.write_text(glossary.read_text("utf-8").replace("</article>", "<p>Hosted by us</p></article>"), "utf-8")
    visit(page, f"{host.address}{BOOK}/glossary.html")
    assert "Hosted by us" in page.locator("article").inner_text()


def test_a_book_can_be_let_go(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    keep(page, host)
    page.get_by_role("button", name="Remove the book from this device").click()
    page.get_by_role("button", name="Keep this book offline").wait_for()
    assert files_kept(page, BOOK) == 0
    assert files_kept(page, "assets") > 0


def test_what_cannot_be_kept_is_said(context: BrowserContext, host: Host) -> None:
    page = context.new_page()
    opened(page, f"{host.address}{BOOK}/index.html")
    page.locator(".rw-keep__said").wait_for()
    host.end()
    page.get_by_role("button", name="Keep this book offline").click()
    page.locator(".rw-keep__said", has_text="could not be saved").wait_for()
    assert page.get_by_role("button", name="Keep this book offline").is_enabled()


def test_from_disk_nothing_is_registered_or_offered(context: BrowserContext, site: Path) -> None:
    page = context.new_page()
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text) if message.type in ("error", "warning") else None)
    page.goto((site / BOOK / "index.html").as_uri(), wait_until="networkidle")
    assert lines == []
    assert not page.locator(".rw-keep").is_visible()
    assert page.locator("link[rel=manifest]").count() == 0


def test_a_site_that_follows_edits_lets_go_of_what_was_kept(
    context: BrowserContext, host: Host, site: Path, tmp_path: Path
) -> None:
    """Both are read at `localhost`, one after the other."""
    page = context.new_page()
    keep(page, host)
    shutil.rmtree(site)
    site.mkdir()
    live = LiveSite([write_garden(tmp_path / "live", steps().replace("What you grow.", "What you grow now."))], site)
    live.refresh()
    look = "navigator.serviceWorker.getRegistration().then(found => found?.update()).catch(() => {})"
    registered = "navigator.serviceWorker.getRegistrations().then(found => found.length)"
    until(page, f"{look}.then(() => caches.keys()).then(async names => names.length + (await {registered}) === 0)")
    visit(page, f"{host.address}small-1.0/glossary.html")
    assert "What you grow now." in page.locator("article").inner_text()
    assert page.evaluate(registered) == 0


def test_the_manifest_is_one_that_browsers_take(context: BrowserContext, host: Host, site: Path) -> None:
    page = context.new_page()
    opened(page, f"{host.address}index.html")
    session = context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{host.address}manifest.webmanifest"
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )
    manifest = json.loads((site / "manifest.webmanifest").read_text("utf-8"))
    for icon in manifest["icons"]:
        assert (site / icon["src"]).is_file()
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
