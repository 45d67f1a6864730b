"""The selector of editions: the page and the place on it are kept, wherever the other edition has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from rulewright.book.site.publish import build_site
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.book.test_compare import write_editions

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    """A host that keeps its log to itself."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("versions")
    # As on many hosts, the site lies below a path; it was not told where it would be.
    build_site(Catalogue([write_editions(folder / "rules")]), folder / "root" / "books")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder / "root"))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/books"
        server.shutdown()


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("growing.html#tending", "growing.html#tending"),
        ("growing.html", "growing.html"),
        ("index.html", "index.html"),
        ("", ""),
        ("new.html", ""),  # the first edition has nothing new
    ],
)
def test_choosing_an_edition_keeps_the_page_and_the_place(start: str, end: str, page: Page, address: str) -> None:
    page.goto(f"{address}/small-1.1/{start}")
    page.locator(".md-version").hover()
    page.locator(".md-version__link").filter(has_text="1.0.0").first.click()
    page.wait_for_url(f"{address}/small-1.0/{end}")
