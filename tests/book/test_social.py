"""What is shown where somebody shares a link to a page: a title, a sentence and a picture."""

from __future__ import annotations

import struct
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from rulewright.book.site.publish import build_site
from rulewright.book.site.raster_images import draw_icon, draw_social_card, render_png
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.book.garden import MANIFEST, write_garden

URL = "https://gardens.example/books/"
TITLE = 'A "Small" <b>Garden</b> & more'
SVG = "{http://www.w3.org/2000/svg}"


class Head(HTMLParser):
    """What a page says of itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.elements: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        attribute = dict(attributes)
        key = attribute.get("property") or attribute.get("name")
        if tag == "meta" and key:
            assert key not in self.said, f"{key} is said twice"
            self.said[key] = attribute.get("content") or ""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("rules")
    older = write_garden(folder, manifest=MANIFEST.replace("A Small Garden", f"'{TITLE}'"))
    return Catalogue([older, write_garden(folder / "newer", manifest=MANIFEST.replace("1.0.0", "1.0.1"))])


@pytest.fixture(scope="module")
def site(rules: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("social") / "site"
    build_site(rules, folder, url=URL)
    return folder


def pages(site: Path) -> list[Path]:
    """Return those that readers share: not the one that shows what came in a link."""
    others = ("404.html", "shared.html")
    return [path for path in site.rglob("*.html") if path.name not in others and path.parent.name != "source"]


def size(picture: bytes) -> tuple[int, int]:
    """Return width and height of a PNG, as its first chunk has them (PNG, 11.2.1)."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    width, height = struct.unpack(">II", picture[16:24])
    return int(width), int(height)


def test_every_page_says_how_a_link_to_it_is_shown(site: Path) -> None:
    titles = set()
    for path in pages(site):
        tags = Head(path.read_text("utf-8")).said
        name = path.relative_to(site).as_posix()
        here = urljoin(URL, name)
        assert tags["og:url"] in (here, here.removesuffix("index.html")), name
        assert tags["og:title"], name
        assert tags["og:description"], name
        assert tags["twitter:card"] == "summary_large_image"
        assert tags["og:image"].startswith(URL)
        picture = (site / urlsplit(tags["og:image"]).path.removeprefix("/books/")).read_bytes()
        assert size(picture) == (1200, 630)
        assert len(picture) < 80_000
        titles.add((tags["og:site_name"], tags["og:title"]))
    assert (f"{TITLE} 1.0.0", TITLE) in titles
    assert (f"{TITLE} 1.0.0", "Glossary") in titles
    assert (f"{TITLE} 1.0.0", "The whole book") in titles


def test_without_an_address_nothing_is_said(rules: Catalogue, tmp_path: Path) -> None:
    build_site(rules, tmp_path / "site")
    for path in pages(tmp_path / "site"):
        assert not [key for key in Head(path.read_text("utf-8")).said if key.startswith(("og:", "twitter:"))]
    assert not list(tmp_path.rglob("social.png"))


def words(card: str) -> list[str]:
    """Return the lines of a card, which is well-formed."""
    return [text.text or "" for text in ElementTree.fromstring(card).iter(f"{SVG}text")]


def test_a_card_shows_text_as_text() -> None:
    assert " ".join(words(draw_social_card(TITLE, "5 < 6", "now"))) == f"{TITLE} 5 < 6 now"


def test_a_card_says_when_there_is_more_to_say() -> None:
    *title, about, last, facts = words(draw_social_card("word " * 40, "other " * 80, "facts"))
    assert len(title) == 2
    assert title[1].endswith("…")
    assert not about.endswith("…")
    assert last.endswith("…")
    assert facts == "facts"


def test_signs_without_a_letter_of_ours_are_left_out() -> None:
    assert words(draw_social_card("Swords ⚔ and \x07bells", "", ""))[0] == "Swords and bells"


def test_a_card_draws_the_terms_it_is_given() -> None:
    symbol = '<symbol id="i-x" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></symbol>'
    without, given = (render_png(draw_social_card("Title", "", "", symbols), width=600) for symbols in ((), (symbol,)))
    assert size(given) == (600, 315)
    assert given != without


def test_the_icon_of_an_app_may_be_cut_to_any_shape() -> None:
    """Whatever is further from the middle than two fifths of the width may be gone (W3C, Web Application Manifest)."""
    drawing = ElementTree.fromstring(draw_icon(padded=True))
    ground, group = list(drawing)
    assert (ground.tag, ground.get("width")) == (f"{SVG}rect", "48")
    assert group.get("transform") == "translate(12 12)"
    assert size(render_png(draw_icon(padded=True), width=512)) == (512, 512)
