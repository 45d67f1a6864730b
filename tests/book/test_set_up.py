"""Tables set up: the call-outs on a board and the list beside it, compared with the game that the engine set up."""

from __future__ import annotations

import re
from html import unescape

import pytest

from rulewright.book.parts.setup_pictures import SetupView, setup_view
from rulewright.book.style.text_style import HtmlStyle
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.samples import Sample
from rulewright.ruleset.sections.setups import Setup
from rulewright.testing.board_setups import set_up_boards
from tests.book.shipped import shipped_pages
from tests.breadth import some

EDITIONS = ["normal@1.0", "normal@0.2", "normal@0.1", "medium@0.1"]


def make_view(ruleset: Ruleset, setup: Setup) -> SetupView:
    view = setup_view(setup, HtmlStyle(ruleset, lambda path: None))
    assert view is not None
    return view


@pytest.mark.parametrize("edition", some(EDITIONS, ["normal@1.0", "medium@0.1"]))
def test_a_table_has_what_the_rules_lay_on_it_for_so_many_players(edition: str) -> None:
    ruleset = load_ruleset(f"fuzzy-knights/{edition}")
    view = make_view(ruleset, ruleset.setups["opening"])
    each = [row.cells["each"] for row in ruleset.declarations.tables["token_sorts"].rows.values()]
    assert [table.players for table in view.tables] == [2, 3, 4]
    for table in view.tables:
        on_board = [entity for entity in table.entities if entity.flag]
        assert sorted(entity.many for entity in on_board) == sorted(table.players * many for many in (*each, 1))
        assert all(entity.each is not None and entity.each * table.players == entity.many for entity in table.entities)
        (coins,) = (entity for entity in table.entities if not entity.flag)
        assert coins.many == table.players * ruleset.declarations.numbers["starting_coins"].value


def test_every_call_out_is_on_the_board_once_and_the_board_shows_all_that_stands_there() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    setup = ruleset.setups["opening"]
    view, states = make_view(ruleset, setup), set_up_boards(ruleset, setup)
    for table, state in zip(view.tables, states, strict=True):
        (drawing,) = table.drawings
        flags = [entity.flag for entity in table.entities if entity.flag]
        assert flags == [str(number) for number in range(1, len(flags) + 1)]
        matches = re.findall(r'font-size="14" font-weight="bold"[^>]*>(\d+)<', drawing)
        assert sorted(matches) == flags
        standing = sum(entity.many for entity in table.entities if entity.flag)
        layout = state.machine.layout
        players = len(state.live[layout.kinds["player"]])
        assert standing == sum(map(len, state.live)) - players - len(state.live[layout.kinds["game"]])
        assert len(re.findall(r"<rect[^>]*><title>\[", drawing)) == standing


def test_a_track_is_set_up_too_and_what_is_so_by_chance_is_not_promised() -> None:
    ruleset = load_ruleset("classics/backgammon@1.0")
    example = next(iter(ruleset.examples.values()))
    game = Sample("b", "", "", None, 0, "random", {}, "game.begin", example.node, example.span)
    view = make_view(ruleset, Setup("b", "The men", "", (game,), example.node, example.span))
    (table,) = view.tables
    (men,) = table.entities
    assert (men.flag, men.many, men.each) == ("1", 30, None)
    assert table.owned


def test_the_page_has_a_figure_for_each_number_of_players() -> None:
    page = shipped_pages("fuzzy-knights/normal@1.0")["board_setup.md"]
    shown_ = page.split('id="setup-opening"')[1].split("\n</div>")[0]
    assert re.findall(r"<summary>(.*?)</summary>", shown_) == [f"For {players} players" for players in (2, 3, 4)]
    assert shown_.count("<figure") == shown_.count("<figcaption>") == 3
    first = unescape(re.sub(r"<[^>]*>", "", shown_.split("<figcaption>")[1].split("</figcaption>")[0]))
    assert "6 item tokens, 3 for each player." in first
    assert "10 coins, 5 for each player." in first
    assert 'class="rw-term"' in shown_
