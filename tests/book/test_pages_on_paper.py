"""The ordinary pages of a book as they are printed."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from tests.book.test_aid_on_paper import Letters
from tests.site.kinds import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_long_page_leaves_little_of_its_paper_empty(page: Page, host: Path) -> None:
    page.goto((host / SITE / "fuzzy-knights-normal-1.0" / "player_turns.html").as_uri())
    sheets = [Letters(sheet) for sheet in PdfReader(BytesIO(page.pdf(format="A4"))).pages[:-1]]
    left = [min(1.0, (min(sheet.lowest) / sheet.height)) for sheet in sheets]
    assert sum(left) / len(left) < 0.2


def test_nothing_on_paper_asks_to_be_unfolded(page: Page, host: Path) -> None:
    page.goto((host / SITE / "fuzzy-knights-normal-1.0" / "player_turns.html").as_uri())
    page.emulate_media(media="print")
    assert page.locator(".rw-why > summary").first.is_hidden()
    arrow = "node => getComputedStyle(node, '::after').display"
    assert page.locator(".rw-procedure > summary").first.evaluate(arrow) == "none"
