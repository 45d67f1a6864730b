"""The short edition: the rules alone, for paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from rulewright.book.print.pdf import render_pdf
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden
from tests.book.test_aid_on_paper import LEAST, Letters
from tests.breadth import THOROUGH, some
from tests.published import FEW, editions, rules_of
from tests.site.kinds import SITE
from tests.spelt_out import spelt_out

if TYPE_CHECKING:
    from playwright.sync_api import Page

REFERENCE = "fuzzy-knights/normal@1.0"
MOST = 24
"""Sheets of A4 that the rules of the first game may fill."""

SHOWN_OFF = ("samples.", "overviews.")
"""What a section may show without saying a rule."""


class Outline(HTMLParser):
    """Ids, links, headings and captions of a page, by a parser that knows nothing of how it was made."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.classes: set[str] = set()
        self.said: dict[str, list[str]] = {"h3": [], "caption": [], "li": []}
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.classes |= set((given.get("class") or "").split())
        if tag in self.said:
            self._inside.append(tag)
            self.said[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if self._inside[-1:] == [tag]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.said[self._inside[-1]][-1] += data


@pytest.fixture(scope="module", params=some(sorted(editions()), sorted(FEW)))
def edition(request: pytest.FixtureRequest, host: Path) -> tuple[str, str]:
    """Return the name of an edition, and its page as it is published."""
    return request.param, spelt_out(host / SITE / editions()[request.param] / "short.html")


def test_it_has_every_section_of_rules_in_their_order(edition: tuple[str, str]) -> None:
    reference, page = edition
    numbers = []
    for written in rules_of(reference)["pages"].values():
        for place, section in enumerate(written["sections"].values(), start=1):
            texts = [str(path) for path in section.get("show", ())]
            if not texts or section.get("explains") or not all(path.startswith(SHOWN_OFF) for path in texts):
                numbers.append(f"{written['letter']}.{place}")
    main = page.split('id="steps"')[0]
    assert [words.split()[0] for words in Outline(main).said["h3"]] == numbers


def test_it_has_every_table_setting_and_procedure(edition: tuple[str, str]) -> None:
    reference, page = edition
    rules, ids = rules_of(reference), Outline(page).ids
    assert len(set(ids)) == len(ids)
    for section, prefix in (("tables", "table-"), ("options", "setting-"), ("procedures", "procedure-")):
        assert {f"{prefix}{name}" for name in rules.get(section, {})} <= set(ids)


def test_every_link_leads_somewhere_and_nothing_of_the_workshop_is_left(edition: tuple[str, str]) -> None:
    _, page = edition
    seen = Outline(page)
    inside = {link.removeprefix("#") for link in seen.links if link.startswith("#")}
    assert inside <= set(seen.ids)
    assert {link for link in seen.links if not link.startswith("#")} == {"index.html", "whole.html"}
    unwanted = ("example", "sample", "ruling", "origin", "history", "overview", "workshop", "note--tip")
    assert not {f"rw-{name}" for name in unwanted} & seen.classes
    assert "</ul>." not in page


def test_a_tip_stays_behind_and_a_reminder_comes_along(tmp_path: Path) -> None:
    note = "thirst: {kind: tip, text"
    for kind, there in (("tip", False), ("reminder", True), ("special", True)):
        rules = steps().replace(note, note.replace("tip", kind))
        page = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))["short.html"]
        assert ("Plants drink Water." in page) == there


def test_what_steps_work_out_is_told_once(tmp_path: Path) -> None:
    rules = steps('- {id: worked, set: {season: "share(9, 2)"}}', '- {id: again, set: {season: "share(8, 2)"}}')
    page = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))["short.html"]
    assert page.count("a fair share)") == 1


@pytest.mark.browser
@pytest.mark.parametrize("paper", some(["A4", "Letter"], ["A4"]))  # Letter is wider, and holds nearly as much
def test_it_is_short_on_paper(page: Page, host: Path, site_server: Callable[[Path], str], paper: str) -> None:
    page.goto(f"{site_server(host / SITE)}{editions()['fuzzy-knights/normal@1.0.1']}/short.html")
    pdf = PdfReader(BytesIO(page.pdf(format=paper)))
    assert 6 <= len(pdf.pages) <= MOST
    words = [re.sub(r"\s+", " ", sheet.extract_text()) for sheet in pdf.pages]
    assert all(len(text.split()) > 120 for text in words[:-1]), "no page but the last is nearly empty"
    sizes = set().union(*(Letters(sheet).sizes for sheet in pdf.pages))
    assert round(min(sizes), 1) >= LEAST, "in points, in drawings and at the foot of the page too"
    said = page.locator("p, li, td, th, dd, h3").evaluate_all(
        "nodes => Math.min(...nodes.map(node => parseFloat(getComputedStyle(node).fontSize) * 0.75))"
    )
    assert round(said, 2) >= LEAST
    wide = "nodes => nodes.filter(e => e.scrollWidth > e.parentElement.clientWidth + 1).map(e => e.id)"
    assert page.locator(".rw-table").evaluate_all(wide) == []


@pytest.mark.browser
def test_it_is_bound_between_facing_pages(page: Page, host: Path) -> None:
    """An odd page lies to the right, with its wide margin at the left, where it is bound."""
    page.goto((host / SITE / editions()["fuzzy-knights/normal@1.0.1"] / "short.html").as_uri())
    for number, sheet in enumerate(PdfReader(BytesIO(page.pdf(format="A4"))).pages[:4], start=1):
        begins: list[float] = []

        def note(text: str, outer: list[float], inner: list[float], *_: object, at: list[float] = begins) -> None:
            if text.strip():
                at.append(inner[4] * outer[0] + inner[5] * outer[2] + outer[4])

        sheet.extract_text(visitor_text=note)
        assert min(begins) / 72 * 25.4 == pytest.approx(17 if number % 2 else 10, abs=2)


def test_it_is_a_pdf_too(host: Path) -> None:
    """A longer book has more of the same sheets; how many sheets are too many, Chromium shows above."""
    reference = REFERENCE if THOROUGH else "pig/classic@1.0"
    short = (host / SITE / editions()[f"{reference}.0"] / "short.html").read_text(encoding="utf-8")
    pdf = PdfReader(BytesIO(render_pdf(short)))
    assert pdf.metadata is not None
    assert pdf.metadata.title is not None
    assert pdf.metadata.title.endswith("the rules in short")
    assert len(pdf.pages) <= MOST
