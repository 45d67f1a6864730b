"""The tools of the browser tests work: pages are served, run their scripts, and are kept from other hosts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><meta charset="utf-8"><title>Proof</title><p id="said"></p>
<script>document.querySelector("#said").textContent = [6, 7].reduce((a, b) => a * b)</script>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_a_served_page_runs_in_the_browser(page: Page, folder: Path, site_server: Callable[[Path], str]) -> None:
    page.goto(site_server(folder))
    assert page.title() == "Proof"
    assert page.inner_text("#said") == "42"


def test_a_page_opens_from_disk(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    assert page.inner_text("#said") == "42"


def test_a_page_that_asks_another_host_is_caught(browser: Browser) -> None:
    with pytest.raises(AssertionError, match=r"other hosts for .*elsewhere\.invalid"), open_page(browser) as page:
        page.set_content('<img src="https://elsewhere.invalid/icon.svg">')
