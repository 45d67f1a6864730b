"""Boards of every shape as they are drawn: in the terminal, as a picture, and for those who draw them themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from math import hypot, sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright import load_ruleset
from rulewright.cli.board_display import draw
from rulewright.engine.boards.board_contents import Board, Piece, list_boards, list_visible_boards
from rulewright.engine.boards.board_svg import SEATS
from rulewright.engine.boards.nongrid_svg import draw_nongrid_board
from rulewright.engine.boards.space_marks import list_space_marks, take_letters
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.boards.geometry import TILE

RULES = """\
tables:
  places: {title: Board, BOARD}
kinds:
  walker: {fields: {at: places, owner: player}}
  player: {fields: {seen: list of places}}
procedures:
  walk:
    given: {who: walker}
    steps:
      - {id: way, draw: {one_of: who.at.neighbours}}
      - {id: went, set: {who.at: way}}
"""

SVG = "{http://www.w3.org/2000/svg}"
AREAS = "areas: {}, rows: {hill: {neighbours: [wood, old_town]}, wood: {}, old_town: {}, isle: {}}"


def standing(folder: Path, text: str, *walkers: str, seen: tuple[str, ...] = ()) -> State:
    """Return a board with walkers of the first player, and places that the second has seen."""
    (folder / "ruleset.yaml").write_text(
        "ruleset: walk/plain\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 2\n"
    )
    (folder / "rules.yaml").write_text(RULES.replace("BOARD", text))
    machine = Interpreter(load_ruleset("walk/plain", rules=[folder]))
    state = machine.empty(2)
    for place in walkers:
        state.create(machine.layout.kinds["walker"], [machine.layout.kinds["walker"], place, 1])
    state.objects[2][machine.layout.places["player", "seen"]] = seen
    return state


TERMINAL = {
    "grid: {columns: 3, rows: 2, lettered: true}": """\
     a    b    c  \n\
   +----+----+----+
 2 |W1  |    |    |
   +----+----+----+
 1 |    |    |    |
   +----+----+----+""",
    "hexagons: {columns: 3, rows: 3}": """\
     1   2   3
  1 (W1)(  )(  )
    2 (  )(2 )(  )
  3 (  )(  )(  )""",
    "hexagons: {columns: 3, rows: 3, slanted: true}": """\
     1   2   3
  1 (W1)(  )(  )
    2 (  )(2 )(  )
      3 (  )(  )(  )""",
    "hexagons: {radius: 1}": """\
       2   3
    1 (  )(  )
  2 (  )(2 )(  )
    3 (  )(  )
       1   2""",
    "track: {places: 5, width: 3}": """\
    [1 W1  ][2     ][3     ]
            [5     ][4     ]""",
    "track: {places: 8, ring: true}": """\
    [1 W1  ][2     ][3     ]
    [8     ]        [4     ]
    [7     ][6     ][5     ]""",
    AREAS: """\
    Hill     |W1  | Old town, Wood
    Wood     |2   | Hill
    Old town |    | Hill
    Isle     |    |""",
}
FIRST = {"track": "p1", "areas": "hill"}
OTHER = {"hexagons": "c2r2", "areas": "wood"}


@pytest.mark.parametrize("layout", TERMINAL)
def test_a_board_in_the_terminal(tmp_path: Path, layout: str) -> None:
    kind = layout.partition(":")[0]
    walkers = () if "radius" in layout else (FIRST.get(kind, "c1r1"),)
    state = standing(tmp_path, layout, *walkers, seen=(OTHER[kind],) if kind in OTHER else ())
    lines = draw(list_boards(state)[0])
    assert "\n".join(lines[: TERMINAL[layout].count("\n") + 1]) == TERMINAL[layout]


@pytest.mark.parametrize(
    ("layout", "shape", "tag", "number"),
    [
        ("hexagons: {columns: 4, rows: 3}", "hexagons", "polygon", 12),
        ("hexagons: {radius: 2}", "slanted", "polygon", 19),
        ("track: {places: 7}", "track", "rect", 7),
        (AREAS, "areas", "circle", 4),
    ],
)
def test_a_board_as_a_picture(tmp_path: Path, layout: str, shape: str, tag: str, number: int) -> None:
    state = standing(tmp_path, layout)
    board = list_boards(state)[0]
    picture = ElementTree.fromstring(draw_nongrid_board(board, title="Board"))
    name = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f".//{name}{tag}")) == number
    assert len(picture.findall(f".//{name}path")) == len(board.links) == (2 if shape == "areas" else 0)
    assert board.shape.name == shape
    width, height = (float(picture.attrib[side]) for side in ("width", "height"))
    for each in picture.iter():
        for side, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            assert 0 <= float(each.attrib.get(side, 0)) <= most
        for corner in each.attrib.get("points", "").split():
            x, y = map(float, corner.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height


def test_what_stands_on_a_place_is_said_by_its_title(tmp_path: Path) -> None:
    state = standing(tmp_path, "hexagons: {radius: 1}", "c2r2", seen=("c1r2",))
    picture = draw_nongrid_board(list_boards(state)[0], title="Board")
    assert re.findall(r"<title>([^<]*)</title>", picture) == [
        *("Board", "[1, 2]: Player 2", "[2, 2]: the Walker"),
    ]


@pytest.mark.parametrize("walkers", [2, 4, 6])
def test_several_of_a_track_leave_the_number_of_their_place_to_be_read(tmp_path: Path, walkers: int) -> None:
    squares: list[tuple[float, float, float]] = []

    def picture(piece: Piece, x: float, y: float, size: float) -> str:
        squares.append((x, y, size))
        return ""

    [board] = list_boards(standing(tmp_path, "track: {places: 3}", *["p1"] * walkers))
    image = ElementTree.fromstring(draw_nongrid_board(board, picture=picture))
    number = next(each for each in image.iter(f"{SVG}text") if each.text == "1")
    place = next(image.iter(f"{SVG}rect"))
    bottom = float(place.get("y", "")) + float(place.get("height", ""))
    assert len(squares) == min(walkers, 4 if walkers <= 4 else 3)
    assert all(float(number.get("y", "")) < top and top + size <= bottom for _, top, size in squares)


VARIETIES = """\
terms:
  knight: {name: Knight, icon: ♞, means: It jumps.}
  piece: {name: Piece, plural: Pieces, icon: ♟, means: It moves.}
  stone: {name: Stone, plural: Stones, icon: ♟, means: It lies.}
tables:
  places:
    title: Board
    grid: {columns: 3, rows: 2}
    columns: {safe: bool, ground: "one of [grass, sand]"}
    names: {safe: rosette}
    rows: {c1r1: {safe: true, ground: grass}, c2r1: {safe: false, ground: grass}, c3r1: {safe: true, ground: sand},
      c1r2: {safe: false, ground: grass}, c2r2: {safe: false, ground: sand}, c3r2: {safe: false, ground: grass}}
  sorts: {title: Sorts, rows: {knight: {}, bishop: {}, rook: {}}}
kinds:
  piece: {term: piece, fields: {at: optional places, sort: sorts, owner: player}}
  stone: {term: stone, fields: {at: places}}
state:
  held: {type: map of places to optional player}
  crowned: {type: map of places to bool, wording: crown}
"""


def varied_board(folder: Path, ascii_only: bool, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a board with pieces of several sorts, a stone, and marks of spaces, as the terminal shows it."""
    (folder / "ruleset.yaml").write_text(
        "ruleset: walk/sorts\nversion: 1.0.0\ntitle: Sorts\nstatus: draft\nplayers: 2\n"
    )
    (folder / "rules.yaml").write_text(VARIETIES)
    state = Interpreter(load_ruleset("walk/sorts", rules=[folder])).empty(2)
    layout = state.machine.layout
    pieces, stones = layout.kinds["piece"], layout.kinds["stone"]
    for space, sort, player in (("c1r1", "knight", 1), ("c2r1", "bishop", 2), ("c2r2", "rook", 1), (None, "rook", 1)):
        item = list(layout.defaults["piece"])
        for name, value in (("at", space), ("sort", sort), ("owner", player)):
            item[layout.places["piece", name]] = value
        state.create(pieces, item)
    state.create(stones, [stones, "c3r2"])
    game = state.objects[0]
    game[layout.places["game", "held"]] = (None, None, None, 2, None, None)
    game[layout.places["game", "crowned"]] = (False, False, False, True, False, False)
    if ascii_only:
        monkeypatch.setattr("rulewright.cli.board_display.can_show", str.isascii)
    [board] = list_boards(state)
    return draw(board)


def test_sorts_of_a_piece_and_marks_of_spaces_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = varied_board(tmp_path, True, monkeypatch)
    assert [line for line in lines if "|" in line] == [
        " 1 |K1rg|B2g |rs  |",
        " 2 |g2c |R1s |Sg  |",
    ]
    legend = " ".join(" ".join(lines[6:]).split())
    assert legend == (
        "B Bishop · K Knight · R Rook · S Stone · c crown · g grass · r rosette · s sand · "
        "a number is the owner's seat · +1 means one more piece"
    )


def test_an_icon_that_several_share_has_a_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = varied_board(tmp_path, False, monkeypatch)
    assert [line for line in lines if "|" in line] == [
        " 1 |♞1rg|♟B2g|rs  |",
        " 2 |g2c |♟R1s|♟Sg |",
    ]


def test_the_only_mark_is_a_star_and_one_sort_needs_no_letter(tmp_path: Path) -> None:
    state = standing(
        tmp_path,
        "grid: {columns: 2, rows: 1}, columns: {safe: bool}, rows: {c1r1: {safe: true}, c2r1: {safe: false}}",
        "c1r1",
    )
    lines = draw(list_boards(state)[0])
    assert lines[2] == " 1 |W1* |    |"
    assert lines[4].strip().startswith("W Walker · * safe ·")


def test_titles_of_spaces_have_their_placeholders_filled_in(tmp_path: Path) -> None:
    rows = """rows: {p1: {title: "{'-10'}"}, p2: {title: "-4"}, p3: {title: 2-1}, p4: {title: "{walker}"}}"""
    board = f"track: {{places: 4}}, {rows}}}\nterms: {{walker: {{name: Rover, means: Walks."
    state = standing(tmp_path, board.replace("Walks.", "Walks.}"), "p2")
    drawn = list_boards(state)[0]
    assert draw(drawn)[0] == "    [  -10     ][   -4 R1  ][  2-1     ][Rover     ]"
    words = ["".join(text.itertext()) for text in ElementTree.fromstring(draw_nongrid_board(drawn)).iter(f"{SVG}text")]
    assert {"-10", "-4", "2-1", "Rover"} <= set(words)


def test_a_value_that_is_one_space_marks_it(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: walk/last\nversion: 1.0.0\ntitle: Last\nstatus: draft\nplayers: 2\n"
    )
    (tmp_path / "rules.yaml").write_text(
        "tables: {places: {grid: {columns: 3, rows: 1}}}\n"
        "state:\n  last: {type: optional places, wording: last move}\n  robber: {type: places, default: c1r1}\n"
        "  free: {type: list of places, default: [c1r1, c2r1, c3r1]}\n"
    )
    state = Interpreter(load_ruleset("walk/last", rules=[tmp_path])).empty(2)
    assert {space: [mark.text for mark in marks] for space, marks in list_space_marks(state, "places").items()} == {
        "c1r1": ["robber"]
    }
    state.objects[0][state.machine.layout.places["game", "last"]] = "c3r1"
    lines = draw(list_boards(state)[0])
    assert lines[2] == " 1 |r   |    |l   |"
    assert "l last move" in lines[4]


def test_an_owner_stays_in_sight_on_a_pile(tmp_path: Path) -> None:
    [board] = list_boards(standing(tmp_path, "track: {places: 3}", *["p1"] * 2, *["p2"] * 12))
    assert draw(board)[0] == "    [1 W1+1 ][2 W1+11][3      ]"


@pytest.mark.parametrize(
    ("shape", "walkers", "lines"),
    [
        (
            "grid: {columns: 30, rows: 30}",
            ("c12r9", "c13r9"),
            """\
     11   12   13   14
   +----+----+----+----+
 8 |    |    |    |    |
   +----+----+----+----+
 9 |    |W1  |W1  |    |
   +----+----+----+----+
10 |    |    |    |    |
   +----+----+----+----+""",
        ),
        (
            "grid: {columns: 30, rows: 2}",
            ("c30r2",),
            "     29   30\n   +----+----+\n 1 |    |    |\n   +----+----+\n 2 |    |W1  |",
        ),
        (
            "hexagons: {radius: 9}",
            ("c10r10",),
            "     9   10  11\n  9 (  )(  )(  )\n   10 (  )(W1)(  )\n     11 (  )(  )(  )",
        ),
    ],
)
def test_of_a_board_that_grows_players_see_what_lies_there_and_one_space_around(
    tmp_path: Path, shape: str, walkers: tuple[str, ...], lines: str
) -> None:
    state = standing(tmp_path, f"{shape}}}\nboard:\n  places: {{grows: true", *walkers)
    [board] = list_visible_boards(state)
    shown = draw(board)
    expected = lines.splitlines()
    assert [line.rstrip() for line in shown[: len(expected)]] == expected
    assert list(board.titles) == list(board.spots) == [space for row in board.tiles for space in row]


def test_a_board_that_grows_is_complete_before_anything_lies_there(tmp_path: Path) -> None:
    state = standing(tmp_path, "grid: {columns: 9, rows: 8}}\nboard:\n  places: {grows: true")
    [board] = list_visible_boards(state)
    assert len(board.spots) == 72


PIECES = """\
terms: {beam: {name: Beam, icon: B, means: What covers spaces.}}
tables:
  places: {SHAPE}
  forms: {columns: {form: list of text}, rows: {hook: {form: [x., xx]}}}
  ways: {placements: {of: forms, form: form, on: places, turned: true}}
kinds:
  beam:
    term: beam
    fields: {owner: optional player, lies: optional ways}
  snake:
    term: beam
    fields: {spaces: list of places}
procedures: {game: {steps: [{id: end, finish: {winners: []}}]}}
"""


def covering(folder: Path, shape: str, ways: tuple[str, ...], *snakes: tuple[str, ...]) -> Board:
    """Return a board on which hooks lie, the first one that of player 1, and snakes."""
    manifest = "ruleset: walk/cover\nversion: 1.0.0\ntitle: Cover\nstatus: draft\nplayers: 2\nstart: game\n"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(PIECES.replace("SHAPE", shape))
    state = Interpreter(load_ruleset("walk/cover", rules=[folder])).empty(2)
    for owner, way in enumerate(ways):
        kind = state.machine.layout.kinds["beam"]
        state.create(kind, [kind, None if owner else 1, way])
    for spaces in snakes:
        kind = state.machine.layout.kinds["snake"]
        state.create(kind, [kind, spaces])
    [board] = list_boards(state)
    return board


def test_a_piece_of_several_squares_has_no_lines_inside(tmp_path: Path) -> None:
    ways = ("hook_c1r1", "hook_c4r2_turned2")
    board = covering(tmp_path, "grid: {columns: 4, rows: 3}", ways, ("c1r3", "c2r3", "c3r3"))
    expected = """\
     1    2    3    4
   +----+----+----+----+
 1 |BB1 |    |BB   BB  |
   +    +----+----+    +
 2 |BB1  BB1 |    |BB  |
   +----+----+----+----+
 3 |BS   BS   BS  |    |
   +----+----+----+----+"""
    lines = [line.rstrip() for line in draw(board)]
    assert lines[: len(expected.splitlines())] == expected.splitlines()


def test_a_piece_of_several_hexagons_has_no_lines_inside(tmp_path: Path) -> None:
    board = covering(tmp_path, "hexagons: {columns: 3, rows: 2}", ("hook_c1r1",))
    assert draw(board)[1:3] == ["  1 (B1)(  )(  )", "    2 (B1  B1)(  )"]


def read_paths(drawing: str, colour: str) -> tuple[float, float]:
    """Return the length of the outline and the area of the ground of a piece, in tiles."""
    ground, edge = re.findall(rf'<path d="([^"]+)" fill="{colour}"[^>]*/><path d="([^"]+)" fill="none"', drawing)[0]
    area = length = 0.0
    for polygon in ground.strip("z").split("z"):
        points = [tuple(map(float, each.split())) for each in polygon.strip("M").split("L")]
        area += sum(a * d - b * c for (a, b), (c, d) in zip(points, [*points[1:], points[0]], strict=True)) / 2
    for line in edge.strip("M").split("M"):
        (a, b), (c, d) = (tuple(map(float, each.split())) for each in line.split("L"))
        length += hypot(a - c, b - d)
    return length, area


@pytest.mark.parametrize(
    ("shape", "length", "area"),
    [
        ("grid: {columns: 4, rows: 3}", 8 * TILE, 3 * TILE**2),
        # Each of three hexagons in a row touches the next, so two sides of each pair are inside.
        ("hexagons: {columns: 4, rows: 3}", 14 * TILE / sqrt(3), 3 * TILE**2 * sqrt(3) / 2),
    ],
)
def test_a_picture_outlines_a_piece_of_several_spaces(tmp_path: Path, shape: str, length: float, area: float) -> None:
    drawing = draw_nongrid_board(covering(tmp_path, shape, ("hook_c2r1",)))
    assert read_paths(drawing, SEATS[0]) == pytest.approx((length, area), rel=0.01)
    assert drawing.count(">B</text>") == 1, "its picture is on the first space only"
    assert len(re.findall(r"<title>[^<]*Beam[^<]*</title>", drawing)) == 3, "each space says what lies there"


def test_a_row_with_a_picture_is_a_piece_of_the_owner_of_its_space() -> None:
    rules = load_ruleset("classics/chess")
    (board,) = list_boards(Interpreter(rules).new_game(2))
    assert len(board.marks) == 32
    ((piece,), (other,)) = board.list_shown("c5r8"), board.list_shown("c1r2")
    assert (piece.label, piece.picture, piece.seat, piece.is_mark) == ("king, Player 1", "king", 1, False)
    assert (other.label, other.picture, other.seat) == ("pawn, Player 2", "pawn", 2)
    assert " 1 |r1  |n1  |b1  |q1  |k1  |b1  |n1  |r1  |" in draw(board)
    assert not any(mark.is_sign for marks in board.marks.values() for mark in marks)


def test_a_token_on_a_tile_shows_its_owner(tmp_path: Path) -> None:
    [board] = list_boards(standing(tmp_path, "track: {places: 2}", "p1", "p2"))
    tile = Piece("tile", 9, "a tile", "", "Tile", None)
    pieces = {"p1": (tile, *board.pieces["p1"]), "p2": (tile,)}
    assert draw(replace(board, pieces=pieces))[0] == "    [1 T1+1][2 T   ]"


def test_signs_are_different_even_if_there_are_more_than_letters() -> None:
    names = {number: "Field" if number % 2 else "Road" for number in range(200)}
    signs = take_letters(names)
    assert len(set(signs.values())) == len(names)
    assert "?" not in signs.values()
    assert [signs[number] for number in range(4)] == ["R", "F", "O", "I"]
    assert signs[199].isalpha()
