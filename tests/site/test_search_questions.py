"""What players type finds the section that answers it: asked of the index of the built books, without a browser."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.site.conftest import program
from tests.site.kinds import SITE
from tests.site.questions import OTHERS, QUESTIONS

pytestmark = pytest.mark.browser  # it needs the built site, as those that look at pages do

ASKED = Path(__file__).parent / "asked.mjs"
ASSETS = Path(__file__).parents[2] / "site" / "assets"
FIRST, AMONG_THREE = 50, 57
"""Of sixty: how many must find the right section first, and how many among the first three."""

MUST = ["diagonal", "truncate", "how long does a siege last", "two swords", "faint while taking a city"]
"""These found nothing once, or hundreds of sections and not the right one."""


@pytest.fixture(scope="module")
def places(published: Path) -> dict[str, int | None]:
    """At which place each question finds a right section; None where it does not."""
    asked: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for book, query, right in QUESTIONS + OTHERS:
        asked[book].append((query, right))
    by_query: dict[str, int | None] = {}
    for book, questions in asked.items():
        index = published / SITE / book / "search" / "index.js"
        command = [program("node"), ASKED, ASSETS / "vendor" / "minisearch.js", ASSETS / "search.js", index]
        queries = json.dumps([query for query, _ in questions])
        done = subprocess.run([*map(str, command)], input=queries, capture_output=True, text=True, check=True)
        for (query, right), locations in zip(questions, json.loads(done.stdout), strict=True):
            pages = [location.replace(".html", "") for location in locations]
            by_query[query] = next((place for place, page in enumerate(pages) if page in right), None)
    return by_query


def test_half_of_the_questions_are_of_the_editions_with_cities() -> None:
    assert len({query for _, query, _ in QUESTIONS}) == len(QUESTIONS) == 60
    assert sum(book.endswith(("medium-0.1", "normal-0.1")) for book, _, _ in QUESTIONS) == 30


def test_the_right_section_comes_first(places: dict[str, int | None]) -> None:
    others = [query for _, query, _ in QUESTIONS if places[query] != 0]
    assert len(QUESTIONS) - len(others) >= FIRST, others


def test_the_right_section_is_among_three(places: dict[str, int | None]) -> None:
    others = [query for _, query, _ in QUESTIONS if not _among_three(places[query])]
    assert len(QUESTIONS) - len(others) >= AMONG_THREE, others


def test_questions_of_others_find_their_sections_nearly_as_often(places: dict[str, int | None]) -> None:
    ranks = [places[query] for _, query, _ in OTHERS]
    assert sum(place == 0 for place in ranks) >= 0.78 * len(OTHERS)
    assert sum(map(_among_three, ranks)) >= 0.92 * len(OTHERS)


@pytest.mark.parametrize("query", MUST)
def test_what_once_found_nothing_finds_it_first(places: dict[str, int | None], query: str) -> None:
    assert places[query] == 0


def _among_three(place: int | None) -> bool:
    return place is not None and place < 3
