"""The whole book on one page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import garden, steps, write_garden
from tests.book.shipped import shipped_pages

SECOND_PAGE = """\
  shed:
    title: The shed
    letter: S
    sections:
      tending: {title: Tending tools, text: "See {pages.growing.tending}.", show: [procedures.tend]}
"""


class Seen(HTMLParser):
    """The ids, the links and the headings of a page, by a parser that knows nothing of how it was made."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[tuple[str, str]] = []
        self.folded = 0
        self._heading = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        self.folded += tag == "details" and "open" not in given
        if re.fullmatch("h[1-6]", tag):
            self._heading = tag
            self.headings.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == self._heading:
            self._heading = ""

    def handle_data(self, data: str) -> None:
        if self._heading:
            tag, words = self.headings[-1]
            self.headings[-1] = (tag, words + data)


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_every_link_stays_inside_the_page(reference: str) -> None:
    seen = Seen(shipped_pages(reference)["whole.html"])
    assert len(set(seen.ids)) == len(seen.ids)
    inside = {link.removeprefix("#") for link in seen.links if link.startswith("#")}
    assert inside <= set(seen.ids)
    # What is no part of it lies beside it: the book in pages, the aid, the cards, the odds.
    outside = {link.partition("#")[0] for link in seen.links if not link.startswith("#")}
    # `data:,` keeps browsers from asking the host for an icon.
    assert outside <= {
        "index.html",
        "aid.html",
        "cards.html",
        "odds.html",
        "data:,",
        "assets/view.js",
        "assets/fonts.css",
        "assets/drawings.css",
        "assets/whole.css",
    }


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_it_has_every_section_in_the_order_of_the_book_and_hides_nothing(reference: str) -> None:
    ruleset = load_ruleset(reference)
    seen = Seen(shipped_pages(reference)["whole.html"])
    numbers = [section.number for page in ruleset.pages.values() for section in page.sections]
    section_numbers = [words.split()[0] for tag, words in seen.headings if tag == "h3"]
    assert [words for words in section_numbers if words in numbers] == numbers
    assert [tag for tag, _ in seen.headings].count("h1") == 1
    assert seen.folded == 0


def test_pages_with_sections_of_one_name_do_not_mix(tmp_path: Path) -> None:
    rules = steps().replace("examples:\n", f"{SECOND_PAGE}examples:\n", 1)
    whole = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))["whole.html"]
    assert '<h3 id="growing.tending"' in whole
    assert '<h3 id="shed.tending"' in whole
    assert re.search(r'See <a class="rw-rule" href="#growing.tending">', whole)


def test_it_needs_no_other_file_but_for_its_letters_and_what_a_reader_chose(tmp_path: Path) -> None:
    whole = render_site(garden(tmp_path))["whole.html"]
    styles = [f'<link rel="stylesheet" href="assets/{name}.css">' for name in ("fonts", "drawings", "whole")]
    for lent in ('<script src="assets/view.js"></script>', *styles):
        assert lent in whole
        whole = whole.replace(lent, "")
    assert not re.search(r"<(link(?! rel=\"icon\" href=\"data:,\")|script|img)\b|@import|url\(", whole)
    assert '@bottom-left { content: "A Small Garden · version 1.0.0"; }' in whole


def test_a_title_cannot_leave_the_line_at_the_foot_of_the_page(tmp_path: Path) -> None:
    manifest = (
        "ruleset: garden/small\nversion: 1.0.0\nstatus: draft\nabout: Grow.\nrounding: truncate\nplayers: 2..4\n"
        "title: 'A \"</style>\\ garden'\n"
    )
    folder = write_garden(tmp_path, steps(), manifest)
    whole = render_site(load_ruleset("garden/small", rules=[folder]))["whole.html"]
    assert whole.count("</style>") == 1
    assert re.search(r'content: "[^"\\<]* · version 1\.0\.0"', whole)


def test_a_term_is_a_link_once_in_a_section(tmp_path: Path) -> None:
    text = "Mind your {bed}."
    rules = steps().replace(text, f"{text} A {{bed}} is a {{bed}}.", 1)
    whole = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))["whole.html"]
    section = whole.split('<h3 id="growing.tending"')[1].split("<h3", 1)[0]
    assert section.count('href="#glossary.term-bed"') == 1
    assert "is a Bed." in section
