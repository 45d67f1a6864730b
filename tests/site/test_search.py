"""Searching as readers do: by a rule's number, by a word, by a word spelt wrong; in one book, and in all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.breadth import some, spread
from tests.site.conftest import search
from tests.site.crawl import searched
from tests.site.kinds import BOOK, SITE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def find_addresses(window: Page, words: str) -> list[str]:
    """Return the addresses that `words` find, from the root of the site."""
    search(window, words)
    window.locator(f".md-search-result__list[data-query={json.dumps(words)}]").wait_for()
    links = window.locator(".md-search-result__link").all()
    return [str(link.evaluate("a => a.href")).partition(f"{SITE}/")[2] for link in links]


def numbers(published: Path) -> dict[str, str]:
    index = searched(published / BOOK / "search" / "index.js")
    cited = {number: at for at, number, *_ in index["entries"] if number}
    return {number: at for number, at, *_ in index["numbers"]} | cited


NUMBERS = ["T.9", "B.2", "Q.11", "R.8", "T.9.1"]
WAYS = [str, str.lower, lambda number: number.replace(".", "", 1), lambda n: n.replace(".", " ", 1)]
# How a number is typed and which it is have nothing to do with each other: each way is tried once, with another number.
TYPED = [(number, typed) for number in NUMBERS for typed in WAYS]


@pytest.mark.parametrize(("number", "typed"), spread(TYPED, 4))
def test_the_number_of_a_rule_finds_it_first(window: Page, published: Path, number: str, typed: object) -> None:
    window.goto((published / BOOK / "index.html").as_uri())
    assert callable(typed)
    first = find_addresses(window, typed(number))[0]
    assert first == f"{Path(BOOK).name}/{numbers(published)[number]}"


SPELT = [
    ("settlment", "settl"),
    ("gaurdian", "guardian"),
    ("mercenarys", "mercenar"),
    ("allianse", "alliance"),
    ("dayberak", "daybreak"),
    ("PERCENTILE", "percentile"),
]


# A letter too few, two that have changed places, an ending of the reader's own.
@pytest.mark.parametrize(("typed", "meant"), some(SPELT, SPELT[:3]))
def test_a_word_spelt_wrong_finds_what_was_meant(window: Page, published: Path, typed: str, meant: str) -> None:
    window.goto((published / BOOK / "index.html").as_uri())
    assert meant in find_addresses(window, typed)[0]


def test_the_very_word_comes_before_longer_ones(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "index.html").as_uri())
    assert find_addresses(window, "tie")
    texts = [item.inner_text() for item in window.locator(".md-search-result__link").all()]
    with_word = ["tie" in text.lower().replace("?", " ").replace(".", " ").split() for text in texts]
    assert with_word[0]
    assert not any("tier" in text.lower() for text in texts[: with_word.index(False) if False in with_word else None])


def test_the_front_page_finds_rules_of_every_book(window: Page, published: Path) -> None:
    window.goto((published / SITE / "index.html").as_uri())
    books = {address.partition("/")[0] for address in find_addresses(window, "battle")}
    assert {name for name in books if name.startswith("fuzzy-knights")} >= {
        f"fuzzy-knights-{edition}" for edition in ("normal-1.0", "normal-0.2", "normal-0.1", "medium-0.1")
    }
    assert window.locator(".rw-search__where", has_text="first draft").count()


def test_what_other_editions_say_is_not_searched(published: Path) -> None:
    index = searched(published / BOOK / "search" / "index.js")
    texts = [text for _, _, _, text, *_ in index["entries"]]
    assert not any("In other editions" in text or "Written in" in text for text in texts)
    assert not any(text for at, _, _, text, *_ in index["entries"] if at.startswith("new.html"))
    assert any("·" in text for text in texts), "cells stand apart"


def test_text_of_a_rule_is_shown_as_text(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "index.html").as_uri())
    search(window, "<img src=x onerror=alert(1)> battle")
    window.locator(".md-search-result__meta", has_text="matching").wait_for()
    assert window.locator(".md-search-result__list img").count() == 0


def test_an_address_can_ask(window: Page, published: Path) -> None:
    window.goto((published / BOOK / "index.html").as_uri() + "?q=percentile")
    window.locator(".md-search-result__link").first.wait_for()


def test_a_ruling_is_found_by_its_title(window: Page, published: Path) -> None:
    index = searched(published / BOOK / "search" / "index.js")
    titles = {entry[2]: entry[0] for entry in index["entries"] if entry[1].startswith("R.")}
    for title in sorted(titles)[:3]:
        window.goto((published / BOOK / "index.html").as_uri())
        assert find_addresses(window, title)[0] == f"{Path(BOOK).name}/{titles[title]}"


def test_a_match_inside_a_fold_is_unfolded_on_arrival(window: Page, published: Path) -> None:
    example = "Twelve mercenaries in three squads"
    window.goto((published / BOOK / "index.html").as_uri())
    assert find_addresses(window, "twelve")[0].endswith("battle.html#squads")
    window.locator(".md-search-result__link").first.click()
    window.get_by_text(example).locator("visible=true").wait_for()
