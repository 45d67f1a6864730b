"""Every sign that a page shows is in the fonts that come with it: on no device is it an empty box."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from tests.site.kinds import FAULTS, SITE

UNSEEN = {"script", "style", "template", "title"}
BLANKS = frozenset("\n\r\t\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{NO-BREAK SPACE}")


class Shown(HTMLParser):
    """The signs that can be seen on a page: what is hidden is there for the search."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.signs: set[str] = set()
        self._unseen: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unseen or tag in UNSEEN or (tag == "span" and "hidden" in dict(attrs)):
            self._unseen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and tag == self._unseen[-1]:
            self._unseen.pop()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.signs |= set(data)


@pytest.fixture(scope="module")
def drawn(published: Path) -> frozenset[str]:
    """Return the signs that the shipped fonts can draw."""
    fonts = sorted((published / SITE / "assets" / "fonts").glob("*.woff2"))
    assert fonts
    return frozenset(chr(code) for font in fonts for code in TTFont(font).getBestCmap())


def test_no_page_shows_a_sign_that_the_shipped_fonts_lack(published: Path, drawn: frozenset[str]) -> None:
    pages = sorted((published / SITE).rglob("*.html"))
    assert len(pages) > 100
    # Rules as they are written are shown sign by sign, whatever their authors wrote.
    written = published / SITE / "source"
    by_sign: dict[str, str] = {}
    for page in pages:
        if written not in page.parents and page.name != FAULTS:
            text = page.read_text(encoding="utf-8")
            # What a page does not hold it does not show, so that few need to be read as a browser reads them.
            if not set(unescape(text)) - drawn - BLANKS:
                continue
            for sign in Shown(text).signs - drawn - BLANKS:
                by_sign[sign] = page.relative_to(published).as_posix()
    assert by_sign == {}
