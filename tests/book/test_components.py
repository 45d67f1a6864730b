"""The components on the front page of a book: each with its picture and how many of it a game takes."""

from __future__ import annotations

import re
from html import unescape

import pytest

from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.dice_needed import count_dice_needed
from tests.book.shipped import shipped_pages


def components(edition: str) -> dict[str, str]:
    """Return the HTML of each component on the front page, by its words."""
    front = shipped_pages(edition)["index.md"]
    items = re.findall(r"<li>(.*?)</li>", front.split('class="rw-components"')[1].split("</ul>")[0], re.DOTALL)
    return {" ".join(unescape(re.sub(r"<[^>]+>", "", item)).split()): item for item in items}


@pytest.mark.parametrize("edition", ["normal@1.0", "medium@0.1"])
def test_everything_on_the_table_is_pictured_and_counted_for_most_players(edition: str) -> None:
    ruleset = load_ruleset(f"fuzzy-knights/{edition}")
    listed = components(f"fuzzy-knights/{edition}")
    rows = ruleset.declarations.tables["token_sorts"].rows
    most = ruleset.players[1]
    for row in rows.values():
        each = row.cells["each"]
        assert any(words.startswith(f"{each * most} ") and f"{each} for each player" in words for words in listed)
    (deck,) = ruleset.declarations.decks.values()
    assert f"{len(deck.cards)} cards Item Deck" in listed
    for die, many in count_dice_needed(ruleset).items():
        assert f"{many} {die}" in listed
    assert all("<svg" in item for item in listed.values())


def test_a_game_without_a_setup_names_its_dice_and_boards() -> None:
    assert set(components("pig/classic@1.0")) == {"1 d6"}
    assert set(components("classics/hex@1.0")) == {"1 Board 11 × 11 hexagons"}
