"""Examples of odds in the book: what is shown is what the odds say."""

from __future__ import annotations

import re
from html import unescape

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.authoring.example_odds import compute_book_odds
from rulewright.book.rulebook import render_site
from rulewright.ruleset.sections.examples import Example
from tests.book.shipped import shipped_pages


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return load_ruleset("fuzzy-knights/normal@1.0")


@pytest.fixture(scope="module")
def site(ruleset: Ruleset) -> dict[str, str]:
    return render_site(ruleset, weigh=compute_book_odds)


def read_example(page: str, example: str) -> str:
    """Return what readers see of an example."""
    block = page[page.index(f'id="example-{example}"') :]
    block = re.split(r"\n</div>\n(?!</details>)", block)[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", block)).split())


def test_every_answer_has_its_chance(site: dict[str, str]) -> None:
    text = read_example(site["items.md"], "rarity_odds")
    assert (
        "Odds: The rarity so far Result Chance Common 70 % Uncommon 21 % Rare 6.3 % Epic 1.9 % Legendary 0.8 %" in text
    )


def test_numbers_have_their_mean(site: dict[str, str]) -> None:
    text = read_example(site["resources.md"], "cache_odds")
    assert "Odds: The number of coins found, 4.55 on average Result Chance 1 11.7 %" in text
    assert "12 0.8 %" in text


def test_what_is_true_or_not_is_a_sentence(site: dict[str, str]) -> None:
    assert read_example(site["battle.md"], "lone_hero").endswith("Chance that the attacker has won: 48.3 %")
    assert read_example(site["battle.md"], "hero_with_two").endswith("Chance that the attacker has won: 98.2 %")


def test_a_changed_rule_shows_in_the_book(ruleset: Ruleset) -> None:
    """Nothing shown is what the example expects: it is what the function says that the book was handed."""

    def weigh(of: Ruleset, example: Example) -> list[object]:
        lines.append(example.id)
        return []

    lines: list[str] = []
    render_site(ruleset, weigh=weigh)  # type: ignore[arg-type]
    assert set(lines) >= {"rarity_odds", "lone_hero", "mine_of_castles", "cache_odds"}


def test_without_anybody_to_work_them_out_they_are_left_out() -> None:
    assert "rw-chances" not in "".join(shipped_pages("fuzzy-knights/normal@1.0").values())
