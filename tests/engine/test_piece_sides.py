"""The sides of tiles on boards: turned as the tile is, in pictures, in the terminal, and in the data of the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.play_page.table_display import build_display
from rulewright.cli.board_display import draw
from rulewright.engine.boards.board_contents import Board, list_boards
from rulewright.engine.boards.board_svg import draw_board
from rulewright.engine.boards.nongrid_svg import draw_nongrid_board
from rulewright.engine.boards.piece_sides import COLOURS
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.load_ruleset import load_ruleset

RULES = """\
tables:
  map: {title: Map, SHAPE}
  lands: {title: Lands, rows: {road: {title: Road}, city: {title: City}, river: {title: River}}}
  tiles:
    title: Tiles
    columns: {sides: list of lands}
    rows: {gate: {sides: [SIDES]}, blank: {sides: []}}
kinds:
  token: {fields: {at: map, owner: player}}
  square: {fields: {at: optional map, tile: tiles, turn: int}}
board: {square: {picture: tile, sides: sides, turns: turn}, token: {}}
"""
GRID, HEXAGONS = "grid: {columns: 2, rows: 1}", "hexagons: {columns: 2, rows: 1}"


def standing(folder: Path, shape: str, sides: str, turn: Any, *, token: bool = False) -> Board:
    """Return a board with one tile on its first space, and a token on it if `token`."""
    (folder / "ruleset.yaml").write_text("ruleset: test/sides\nversion: 1.0.0\ntitle: Sides\nplayers: 2\n")
    (folder / "rules.yaml").write_text(RULES.replace("SHAPE", shape).replace("SIDES", sides))
    state = Interpreter(load_ruleset("test/sides", rules=folder)).empty(2)
    kinds = state.machine.layout.kinds
    state.create(kinds["square"], [kinds["square"], "c1r1", "gate", turn])
    if token:
        state.create(kinds["token"], [kinds["token"], "c1r1", 2])
    [board] = list_boards(state)
    return board


@pytest.mark.parametrize(
    ("turn", "letters"),
    [(0, "RCRI"), (1, "IRCR"), (2, "RIRC"), (3, "CRIR"), (4, "RCRI"), (-1, "CRIR"), (HIDDEN, "")],
)
def test_sides_turn_to_the_right(tmp_path: Path, turn: Any, letters: str) -> None:
    board = standing(tmp_path, GRID, "road, city, road, river", turn)
    (tile,) = board.pieces["c1r1"]
    assert "".join(side.letter for side in tile.sides) == letters


def test_the_terminal_shows_letters_and_the_owner_of_a_token(tmp_path: Path) -> None:
    board = standing(tmp_path, GRID, "road, city, road, river", 1, token=True)
    lines = draw(board)
    assert lines[2] == " 1 |T2+1|    |", "the kind of the token comes first"
    tile = board.pieces["c1r1"][::-1]
    lines = draw(
        Board(board.table, board.shape, board.tiles, board.titles, board.spots, board.links, {"c1r1": tile}, {})
    )
    assert lines[2] == " 1 |IRCR2|     |"
    assert " ".join(" ".join(lines[4:]).split()).startswith(
        "letters are the sides, clockwise from the top: R Road, C City, I River · a number is the owner's seat"
    )


@pytest.mark.parametrize(
    ("shape", "sides"), [(GRID, "city, road, road, road"), (HEXAGONS, "city, road, road, road, road, road")]
)
def test_pictures_have_a_part_for_each_side(tmp_path: Path, shape: str, sides: str) -> None:
    board = standing(tmp_path, shape, sides, 0, token=True)
    drawing = draw_board(board) if shape == GRID else draw_nongrid_board(board)
    parts = re.findall(r'<polygon points="([^"]+)" fill="(#[0-9a-f]{6})" stroke="#fff"', drawing)
    assert [colour for _, colour in parts] == [COLOURS[1], *[COLOURS[0]] * (sides.count(","))]
    corners = [tuple(map(float, corner.split(","))) for corner in parts[0][0].split()]
    middle = [tuple(map(float, corner.split(","))) for part, _ in parts for corner in part.split()]
    across, down = (sum(each) / len(middle) for each in zip(*middle, strict=True))
    right, up = sum(x for x, _ in corners) / 4 - across, sum(y for _, y in corners) / 4 - down
    assert up < -5
    assert (abs(right) < 1) is (shape == GRID), "six sides begin at the upper right, and four at the top"
    assert right >= -0.1
    assert ">C</text>" in drawing


def test_numbers_on_sides_are_drawn_as_digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.engine.test_piece_sides.RULES", RULES.replace("list of lands", "list of int"))
    board = standing(tmp_path, GRID, "2, 1, 0, 1", 1)
    lines = draw(board)
    assert lines[2] == " 1 |1210|    |"
    assert " ".join(lines[4:]).strip() == "the digits are the sides, clockwise from the top"
    drawing = draw_board(board)
    assert re.findall(r">(\d)</text>", drawing)[-4:] == ["1", "2", "1", "0"]
    assert build_display(load_ruleset("test/sides", rules=tmp_path))["kinds"]["square"]["sides"] == {
        "turns": "turn",
        "of": {"gate": [2, 1, 0, 1], "blank": []},
        "shown": [["0", "0", COLOURS[0]], ["1", "1", COLOURS[1]], ["2", "2", COLOURS[2]]],
    }


def test_the_page_knows_the_sides_of_every_row(tmp_path: Path) -> None:
    standing(tmp_path, GRID, "road, city, road, river", 0)
    kinds = build_display(load_ruleset("test/sides", rules=tmp_path))["kinds"]
    assert kinds["token"]["sides"] is None
    assert kinds["square"]["sides"] == {
        "turns": "turn",
        "of": {"gate": [0, 1, 0, 2], "blank": []},
        "shown": [["R", "Road", COLOURS[0]], ["C", "City", COLOURS[1]], ["I", "River", COLOURS[2]]],
    }
