"""The components on the front page of a book: each with its picture and how many of it a game takes."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.dice_needed import count_dice_needed
from tests.book.shipped import shipped_pages


def components(edition: str) -> dict[str, str]:
    """Return the HTML of each component on the front page of a shipped book, by its words."""
    return list_components(shipped_pages(edition)["index.md"])


def list_components(front: str) -> dict[str, str]:
    """Return the HTML of each component on a front page, by its words."""
    items = re.findall(r"<li[^>]*>(.*?)</li>", front.split('class="rw-components"')[1].split("</ul>")[0], re.DOTALL)
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
        assert any(words.split()[:2] == [str(many), die] for words in listed)
    assert all("<svg" in item for item in listed.values())


def test_what_enters_the_game_later_is_listed_and_the_first_purse_is_no_number_of_coins() -> None:
    listed = components("fuzzy-knights/normal@1.0")
    title = {words.split(" several")[0] for words in listed if "in the colour of each player" in words}
    assert title == {"Heroes"}
    assert "Coins 5 for each player at the start" in listed
    assert "1 dP The percentile die" in listed


def test_a_game_without_a_setup_names_its_dice_and_boards() -> None:
    assert set(components("pig/classic@1.0")) == {"1 d6"}
    assert set(components("classics/hex@1.0")) == {"1 Board 11 × 11 hexagons"}


TILES = """
terms: {tile: {name: Tile, means: A square of land.}}
tables:
  map: {title: Map, grid: {columns: 9, rows: 9}}
  tiles: {title: Tiles, columns: {copies: int}, rows: {road: {copies: 3}, town: {copies: 2}}}
decks: {bag: {title: the bag, of: tiles, copies: copies}}
"""


@pytest.mark.parametrize("grows", [False, True])
def test_a_board_that_grows_is_not_listed_and_a_deck_has_tiles(tmp_path: Path, grows: bool) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: test/tiles\nversion: 1.0.0\ntitle: Tiles\nplayers: 2\n")
    (tmp_path / "rules.yaml").write_text(TILES + ("board: {map: {grows: true}}\n" if grows else ""))
    site = render_site(load_ruleset("test/tiles", rules=tmp_path))
    assert set(list_components(site["index.md"])) == {"5 Tiles the bag"} | (set() if grows else {"1 Map 9 × 9 tiles"})
    assert ("board.html" in site) is not grows
    assert ("to print and glue together" in site["index.md"]) is not grows


def test_the_course_of_a_game_leads_to_headings_that_say_so() -> None:
    front = shipped_pages("fuzzy-knights/normal@1.0")["index.md"]
    links = {title: href for href, title in re.findall(r'rw-stage__title"><a href="([^"]+)">([^<]+)<', front)}
    assert links["Nightfall"] == "end_of_the_game.md#procedure-nightfall"
    assert links["Income"] == "daybreak.md#income"
    assert links["Finding the anchor"] == "board_setup.md#procedure-find_anchor"
