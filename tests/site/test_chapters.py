"""What a reader meets in a chapter before opening anything: how long it is, what it shows, and in which letters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.published import rules_of
from tests.site.kinds import BOOK, SITE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

EDITION = "fuzzy-knights/normal@1.0"
CHAPTERS = sorted(rules_of(EDITION)["pages"])
PHONE = {"width": 390, "height": 844}
SCREENS = 6
"""The number of phone screens that no chapter may exceed before a reader opens something."""

SEEN = "document.body.innerText"
WORKSHOP = re.compile(r"\.yaml|\bevaluate:|For designers|\bline \d+|\b(?:procedures|formulas|numbers|kinds)\.[a-z_]+")
"""Words of those who make the rules. Readers only look at the book."""

STEP = re.compile(r"\b[A-Z]+\.\d+[a-z]?\.\d+\.\d+")
"""The number of a step below another one, such as T.1b.2.1."""


@pytest.fixture
def phone(window: Page) -> Page:
    """Return the window in the size of a phone."""
    window.set_viewport_size(PHONE)  # type: ignore[arg-type]
    return window


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_a_few_screens_of_rules_until_something_is_opened(
    phone: Page, published: Path, chapter: str
) -> None:
    phone.goto((published / BOOK / f"{chapter}.html").as_uri())
    phone.evaluate("document.fonts.ready")
    height = phone.evaluate("document.documentElement.scrollHeight")
    assert height <= SCREENS * PHONE["height"], f"{height / PHONE['height']:.1f} screens"
    said = phone.evaluate(SEEN)
    assert WORKSHOP.findall(said) == []
    assert STEP.findall(said) == []
    examples = phone.locator(".rw-example:visible:not(.rw-setup, .rw-sample)")
    assert examples.count() <= 1


def test_what_is_folded_opens_with_one_touch_and_by_its_address(phone: Page, published: Path) -> None:
    page = (published / BOOK / "player_turns.html").as_uri()
    phone.goto(page)
    section = phone.locator("details.rw-more").nth(1)
    inside = section.locator(".rw-example, .rw-ruling, .rw-procedure")
    assert not inside.first.is_visible()
    section.locator("> summary").click()
    assert all(each.is_visible() for each in inside.all())
    phone.goto("about:blank")
    phone.goto(f"{page}#ruling-mines_come_last")
    phone.locator("#ruling-mines_come_last").wait_for()


@pytest.mark.parametrize("page", ["index.html", "fuzzy-knights-normal-1.0/mines.html"])
def test_the_first_page_of_a_visitor_is_in_the_letters_of_the_book(window: Page, address: str, page: str) -> None:
    """They are asked for before the styles name them, and no other letters are painted while they are on their way."""
    window.goto(f"{address}{SITE}/{page}")
    window.evaluate("document.fonts.ready")
    asked = window.evaluate("""performance.getEntriesByType("resource")
      .filter(each => each.initiatorType === "link" && each.name.endsWith(".woff2"))
      .map(each => each.name.split("/").pop())""")
    assert sorted(asked) == ["sans.woff2", "serif.woff2"]
    assert set(window.evaluate("[...document.fonts].map(each => each.display)")) == {"block"}
