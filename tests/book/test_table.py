"""The table as data: boards lie as the pictures of the book have them, and every name leads somewhere."""

from __future__ import annotations

import json
import re

import pytest

from rulewright import load_ruleset
from rulewright.book.play_page.step_links import map_step_pages
from rulewright.book.play_page.table_display import build_display
from rulewright.book.rulebook import render_site
from rulewright.book.style.rule_locations import find_places, list_book_pages
from rulewright.engine.boards.board_contents import make_empty_board
from rulewright.engine.boards.nongrid_svg import draw_nongrid_board
from tests.breadth import some

EVERY = (
    *("tic-tac-toe", "connect-four", "hex", "backgammon", "oware", "checkers", "kuhn-poker", "leduc-poker"),
    *("liars-dice", "yacht", "goofspiel", "euchre"),
)
REFERENCES = (*(f"classics/{name}" for name in EVERY), "pig/classic", "fuzzy-knights/normal@1.0")


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_table_is_plain_data_and_the_same_each_time(reference: str) -> None:
    ruleset = load_ruleset(reference)
    display = build_display(ruleset)
    assert json.loads(json.dumps(display)) == display == build_display(ruleset)
    terms, tables = ruleset.declarations.terms, ruleset.declarations.tables
    assert set(display["kinds"]) == set(ruleset.declarations.kinds)
    named = {name for icons in display["rows"].values() for name in icons.values()}
    assert named <= display["pictures"].keys() <= terms.keys() | named
    cards = {deck.table for deck in ruleset.declarations.decks.values()}
    assert {(name, row) for name in cards for row in tables[name].rows} == {
        (name, row) for name in cards for row in display["rows"][name]
    }, "each card has a picture"
    for kind in display["kinds"].values():
        assert {kind["term"], *kind["signs"].values()} - {""} <= terms.keys()
    for board in display["boards"]:
        for _, x, y in board["tiles"].values():
            assert 0 < x < board["width"]
            assert 0 < y < board["height"]
        if not board.get("columns"):
            assert board["tiles"].keys() <= tables[board["id"]].rows.keys()


@pytest.mark.parametrize(
    ("reference", "table", "shape"),
    [
        ("classics/hex", "board", "polygon"),
        ("classics/backgammon", "points", "rect"),
    ],
)
def test_tiles_lie_where_the_book_draws_them(reference: str, table: str, shape: str) -> None:
    declared = load_ruleset(reference).declarations.tables[table]
    picture = draw_nongrid_board(make_empty_board(declared))
    (board,) = build_display(load_ruleset(reference))["boards"]
    if shape == "polygon":
        corners = [[float(n) for n in re.split("[, ]", points)] for points in re.findall('points="([^"]*)"', picture)]
        middles = [(sum(each[::2]) / 6, sum(each[1::2]) / 6) for each in corners]
    else:
        middles = [(float(x) + 24, float(y) + 24) for x, y in re.findall('<rect x="([^"]*)" y="([^"]*)"', picture)]
    assert len(middles) == len(board["tiles"])
    for (x, y), (_, *found) in zip(middles, board["tiles"].values(), strict=True):
        assert found == [pytest.approx(x, abs=0.1), pytest.approx(y, abs=0.1)]
    assert picture.count("<text") == len(board["words"])


@pytest.mark.parametrize("reference", some(REFERENCES, ("classics/kuhn-poker", "fuzzy-knights/normal@1.0")))
def test_every_home_is_a_page_with_that_place(reference: str) -> None:
    ruleset = load_ruleset(reference)
    pages, homes = render_site(ruleset), map_step_pages(ruleset, find_places(ruleset, list_book_pages(ruleset)))
    assert {rule for rules in homes.values() for rule in rules} >= set(ruleset.procedures)
    for name, rules in homes.items():
        for rule, (fragment, _) in rules.items():
            assert f'id="{fragment}"' in pages[f"{name}.md"], rule


def test_a_board_is_turned_by_a_quarter_where_the_rules_say_so() -> None:
    from tests.language.inline import sound

    rules = "kinds: {player: {fields: {n: int}}}\ntables: {land: {grid: {columns: 3, rows: 2}}}\n"
    (upright,) = build_display(sound(rules))["boards"]
    (display,) = build_display(sound(rules + "board: {land: {turned: true}}\n"))["boards"]
    assert (display["width"], display["height"]) == (upright["height"], upright["width"])
    for tile, (title, x, y) in upright["tiles"].items():
        assert display["tiles"][tile] == [title, upright["height"] - y, x]
