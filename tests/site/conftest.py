"""The site that is audited, built once for all tests, and the tools that audit it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOOLS = Path(__file__).parent / "node_modules"


# Of many things that are alike, side by side, leaves a few; and of a book on one page the first chapters.
SHORTEN = """() => {
  const further = [...document.querySelectorAll('main > section:nth-of-type(n + 4)')]
  for (const e of document.querySelectorAll('main :is(li, tr, details, dl > *, section)')) {
    const alike = other => other.localName === e.localName && other.className === e.className
    if ([...e.parentElement.children].filter(alike).indexOf(e) >= 5) further.push(e)
  }
  for (const e of further) e.remove()
}"""


@pytest.fixture(scope="session")
def published(host: Path) -> Path:
    """Return what a host serves: the site of every shipped edition below a path, and a page of faults beside it."""
    return host


@pytest.fixture(scope="session")
def address(published: Path) -> Iterator[str]:
    """Yield where the published site is served; ends in a slash."""
    with serving(published) as address:
        yield address


def tool(path: str) -> Path:
    """Return a file of a tool that npm has installed."""
    tool = TOOLS / path
    if not tool.exists():
        pytest.fail("the tools of the audits are not installed: `make audits` installs them", pytrace=False)
    return tool


def search(page: Page, words: str) -> None:
    """Type into the search field as people do, key by key. The index is read when the field is first entered."""
    field = page.locator("[data-md-component=search-query]")
    field.focus()
    page.locator(".md-search-result__meta", has_text="Type").wait_for()
    field.press_sequentially(words)


def program(name: str) -> str:
    """Return the path of a program that the tools run on."""
    program = shutil.which(name)
    if program is None:
        pytest.fail(f"{name} is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    return program
