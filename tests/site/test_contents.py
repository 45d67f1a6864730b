"""The table of contents of a chapter marks the section that the reader has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site.kinds import BOOK

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LINKS = ".md-sidebar--secondary .md-nav__link"


def test_the_chosen_section_is_marked(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 700}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}{BOOK}/player_turns.html")
    links = page.locator(LINKS)
    assert links.count() > 5
    for place in range(links.count() - 1):  # the last ones may lie at the end of the page, which cannot scroll further
        links.nth(place).click()
        page.wait_for_function(
            "([links, place]) => document.querySelectorAll(links)[place].matches('.md-nav__link--active')"
            " && !document.querySelectorAll(links)[place + 1].matches('.md-nav__link--active')",
            arg=[LINKS, place],
        )
    context.close()
