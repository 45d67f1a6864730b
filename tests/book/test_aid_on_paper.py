"""The player aid as it is printed: letters to be read, on one sheet of paper or both its sides, and full."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PageObject, PdfReader

from tests.breadth import THOROUGH, some
from tests.site.kinds import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LEAST, MOST = 8.5, 18
"""Points of the smallest letters, and of those that need not grow any more: a small game has little to say."""

EMPTY = 0.12
"""Share of its paper, within the margins, that an aid may leave at the foot of its columns."""

MARGIN = 8 / 25.4 * 72
"""At each edge of the paper, in points."""


class Letters:
    """What stands on a printed page: the sizes of its letters, and the lowest line of its left and right half."""

    def __init__(self, page: PageObject) -> None:
        self.height = float(page.mediabox.height)
        self.sizes: set[float] = set()
        self.lowest = [self.height, self.height]
        self._middle = float(page.mediabox.width) / 2
        page.extract_text(visitor_text=self._note)

    def _note(self, text: str, outer: list[float], inner: list[float], _: object, size: float) -> None:
        if text.strip():
            self.sizes.add(round(abs(size * inner[0] * outer[0]), 2))
            x = inner[4] * outer[0] + inner[5] * outer[2] + outer[4]
            y = inner[4] * outer[1] + inner[5] * outer[3] + outer[5]
            half = int(x > self._middle)
            self.lowest[half] = min(self.lowest[half], y)

    @property
    def empty(self) -> float:
        """The share of the paper below the last lines of both halves."""
        room = self.height - 2 * MARGIN
        return sum(max(0.0, lowest - MARGIN) for lowest in self.lowest) / 2 / room


def aids(site: Path) -> list[Path]:
    """Return the aid of every edition."""
    return sorted(site.glob("*/aid.html"))


def few(site: Path) -> list[Path]:
    """Return the largest, which fills its paper, and two small ones: with one table, and without any."""
    named = ("fuzzy-knights-normal-1.0", "classics-yacht-*", "pig-*")
    return sorted(aid for name in named for aid in site.glob(f"{name}/aid.html"))


def printed(page: Page, site: Path, paper: str) -> Iterator[tuple[str, list[Letters]]]:
    for aid in some(aids(site), few(site)):
        page.goto(aid.as_uri())
        page.evaluate("document.fonts.ready.then(() => 0)")  # as somebody who sees the page has them
        pdf = PdfReader(BytesIO(page.pdf(format=paper)))
        yield aid.parent.name, [Letters(sheet) for sheet in pdf.pages]


@pytest.mark.parametrize("paper", some(["A4", "Letter"], ["Letter"]))  # the shorter of the two
def test_the_aid_of_every_edition_fills_its_paper_with_letters_to_be_read(page: Page, host: Path, paper: str) -> None:
    filled = 0
    for name, sides in printed(page, host / SITE, paper):
        sizes = set().union(*(side.sizes for side in sides))
        assert min(sizes) >= LEAST, name
        assert len(sides) <= 2, name
        if min(sizes) < MOST:
            filled += 1
            assert sum(side.empty for side in sides) / len(sides) <= EMPTY, name
    assert filled >= (4 if THOROUGH else 1)


def test_nothing_of_a_table_is_cut_off(page: Page, host: Path) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(194 * 96 / 25.4), "height": 1000})
    for aid in some(aids(host / SITE), few(host / SITE)):
        page.goto(aid.as_uri())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        cut = "nodes => nodes.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"
        assert page.locator(".rw-aid .rw-scroll").evaluate_all(cut) == [], aid


def test_without_a_script_it_can_be_read_too(browser: object, host: Path) -> None:
    context = browser.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    page.goto((host / SITE / "fuzzy-knights-normal-1.0" / "aid.html").as_uri())
    pdf = PdfReader(BytesIO(page.pdf(format="A4")))
    assert min(size for sheet in pdf.pages for size in Letters(sheet).sizes) >= LEAST
    assert len(pdf.pages) <= 2
    context.close()
