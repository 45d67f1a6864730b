"""Examples on a board: the pictures of where everything stood before and after."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.example_maps import HUES, build_maps_view
from rulewright.book.parts.example_runs import run_book_example
from rulewright.book.rulebook import render_site
from rulewright.book.style.sanitizer import clean
from rulewright.book.style.text_style import UnlinkedStyle
from rulewright.engine.boards.board_contents import LEAST, find_window, list_boards
from rulewright.engine.state.game_state import State
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import LAST, RULES, write_garden
from tests.book.shipped import shipped_pages

BOARD = """\
  plots:
    title: Plots
    grid: {columns: 6, rows: 5}
"""
SNAIL = """\
  snail:
    term: plant
    label: {plot: "snail of {self.owner} at {self.plot}"}
    fields: {owner: player, plot: optional plots}
"""
CRAWL = """\
  crawl:
    title: Crawling
    given: {snail: snail}
    steps:
      - id: goal
        choose: {who: snail.owner, one_of: snail.plot.neighbours, or_none: true}
        when: snail.plot
      - {id: moved, set: {snail.plot: goal}, when: goal}
  rest:
    title: Resting
    given: {snail: snail}
    steps:
      - {id: nap, set: {season: season + 1}}
"""
EXAMPLES = """\
  crawling: {title: Crawling, of: crawl, given: {snail: {owner: 2, plot: c3r2}}, choose: [c4r2]}
  resting: {title: Resting, of: rest, given: {snail: {plot: c1r1}, snails: [EVERYBODY]}}
  nowhere: {title: Nowhere, of: rest}
  far:
    title: Far
    of: crawl
    given: {snail: {owner: 2, plot: c3r2}}
    choose: [none]
    expect:
      list(p.column * p.row for p in plots if p.row == 2 and p.column != 3): [2, 4, 8, 10, 12]
      list(p.column * p.row for p in plots if p.row == 3): [3, 6, 9, 12, 15, 18]
"""


def page(folder: Path, *, others: int = 0) -> str:
    """Return the page of a garden with a board, on which snails crawl."""
    rules = RULES.replace("STEPS\n", f"      {LAST}\n")
    rules = rules.replace("tables:\n", f"tables:\n{BOARD}").replace("  plant:\n    term: plant\n", SNAIL + "  plant:\n")
    rules = rules.replace("procedures:\n", f"procedures:\n{CRAWL}")
    rules = rules.replace(
        "examples:\n", "examples:\n" + EXAMPLES.replace("EVERYBODY", ", ".join(["{plot: c1r1}"] * others))
    )
    rules = rules.replace(
        "examples.fair]", "examples.fair, examples.crawling, examples.resting, examples.nowhere, examples.far]"
    )
    icons = write_garden(folder, rules) / "garden" / "icons"
    icons.mkdir(exist_ok=True)
    (icons / "plant.svg").write_text('<svg viewBox="0 0 8 8"><path d="M0 0h8"/></svg>', encoding="utf-8")
    return render_site(load_ruleset("garden/small", rules=[folder]))["growing.md"]


def example(text: str, identity: str) -> str:
    return text.split(f'id="example-{identity}"')[1].split('<p class="rw-result"')[0].split('class="rw-example"')[0]


def test_what_moved_is_drawn_before_and_after(tmp_path: Path) -> None:
    drawn = example(page(tmp_path), "crawling")
    assert re.findall(r"<figcaption>(\w+)</figcaption>", drawn) == ["Before", "After"]
    titles = re.findall(r'role="img"[^>]*><title>([^<]*)</title>', drawn)
    assert titles == ["Before: [3, 2] snail of Player 2 at [3, 2]", "After: [4, 2] snail of Player 2 at [4, 2]"]


def captions(text: str, identity: str) -> list[str]:
    return re.findall(r"<figcaption>([^<]*)</figcaption>", example(text, identity))


def test_the_last_picture_names_the_rolls_that_led_to_it() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    assert captions(site["resources.md"], "large_cache") == [
        "Before",
        "After. Size of the cache: Large (80). Number of coins found: 9",
    ]
    nothing_moves = captions(site["mines.md"], "guardians_of_a_villa")
    assert nothing_moves == ["Check: Fight (90). Number of guardians: 5"]
    with_a_long_battle = captions(site["mines.md"], "guardians_beaten")
    assert with_a_long_battle == ["Before", "After. Check: Fight (90). Number of guardians: 5"]


def test_a_piece_has_one_entry_in_the_legend_whether_or_not_it_has_an_owner() -> None:
    drawn = example(shipped_pages("fuzzy-knights/normal@1.0")["mines.md"], "unguarded_mine")
    assert drawn.split('class="rw-legend"')[1].count("Mine<") == 1


def test_tiles_have_titles_of_their_own_if_there_are_many() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    assert "<rect" not in example(site["mines.md"], "unguarded_mine")
    assert re.search(r"<rect[^>]*><title>\[3, 1\]: Monster token at \[3, 1\]</title>", site["learn.md"])


def test_only_the_part_in_use_and_a_tile_around_it_is_drawn(tmp_path: Path) -> None:
    first = example(page(tmp_path), "crawling").split("</svg>")[0]
    assert re.findall(r">(\d)</text>", first.partition("<path")[0]) == ["2", "3", "4", "5", "1", "2", "3"]


def test_pieces_wear_the_drawings_of_the_site_and_the_seat_of_their_player(tmp_path: Path) -> None:
    text = page(tmp_path)
    drawn = example(text, "crawling")
    assert '<use href="#i-plant" x=' in drawn
    assert '<symbol id="i-plant"' in text
    assert re.search(r'font-weight="bold"[^>]*>2</text>', drawn)
    assert "Small number: the player it belongs to" in drawn


def test_what_the_map_shows_is_not_told_again(tmp_path: Path) -> None:
    assert "c3r2" not in page(tmp_path)


def test_one_picture_is_enough_where_nothing_moved(tmp_path: Path) -> None:
    drawn = example(page(tmp_path), "resting")
    assert drawn.count("<figure") == 1
    assert "figcaption" not in drawn


def test_no_picture_without_anything_on_the_board(tmp_path: Path) -> None:
    assert "<figure" not in example(page(tmp_path), "nowhere")


def test_what_is_worked_out_tile_by_tile_is_written_on_the_map(tmp_path: Path) -> None:
    drawn = example(page(tmp_path), "far")
    noted = drawn.split("<svg")[2].split("</svg>")[0]
    assert re.findall(r"<rect [^>]*><title>\[(\d), (\d)\]: ([^<]*)</title>", noted) == [
        (str(column), str(row), str(column * row) if (column, row) != (3, 2) else "snail of Player 2 at [3, 2]")
        for row in (2, 3)
        for column in range(1, 7)
    ]
    assert "its row" in drawn.split("<figcaption>")[1]
    assert "rw-result" not in page(tmp_path).split('id="example-far"')[1].split('class="rw-example"')[0]


@pytest.mark.parametrize(("others", "pictures", "more"), [(3, 4, []), (6, 3, ["+4"])])
def test_a_crowded_tile_says_how_many_are_left(tmp_path: Path, others: int, pictures: int, more: list[str]) -> None:
    drawn = example(page(tmp_path, others=others), "resting").split("</svg>")[0]
    assert drawn.count("<use") == pictures
    assert re.findall(r">(\+\d+)</text>", drawn) == more


@pytest.mark.parametrize(
    ("file", "identity", "titles_of_map"),
    [
        ("board_setup.md", "two_settlements", ["[4, 1]", "[5, 6]"]),
        ("player_turns.md", "four_movement", ["[2, 2] Item token", "Resource token", "[3, 2] Hero of Player 1"]),
    ],
)
def test_setup_and_movement_show_a_map(file: str, identity: str, titles_of_map: list[str]) -> None:
    drawn = example(shipped_pages("fuzzy-knights/normal@1.0")[file], identity)
    titles = " ".join(re.findall(r'role="img"[^>]*><title>([^<]*)</title>', drawn))
    assert all(words in titles for words in titles_of_map)


def test_what_an_example_starts_from_is_said_in_the_words_of_its_fields(tmp_path: Path) -> None:
    examples = """\
  starting:
    title: Starting
    of: tend
    options: {shade: full}
    given:
      players: [{seed: 1}, {}, {}]
      beds: [{owner: 2, size: bush, watered: true}, {owner: 2, size: bush, watered: true}]
      plants: [{bed: beds.2}]
      season: 3
"""
    rules = RULES.replace("STEPS\n", f"      {LAST}\n").replace("examples:\n", f"examples:\n{examples}")
    rules = rules.replace("examples.fair]", "examples.starting]")
    text = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))["growing.md"]
    given = re.search(r'<p class="rw-given">(.*?)</p>', text)
    assert given is not None
    assert re.sub(r"<[^>]+>", "", given[1]).replace("🌱", "") == (
        "Shade: Full shade · Players: one with 1 Seed; two others · Beds: two of Player 2, Bush, watered · "
        "Plants: one of the second Bed · Season: 3"
    )


def test_an_answer_stands_with_its_question() -> None:
    drawn = example(shipped_pages("fuzzy-knights/normal@1.0")["player_turns.md"], "four_movement")
    assert '<span class="rw-asked">What do you pick up here?</span> Player 1 chooses' in drawn


def test_why_a_ruling_holds_is_folded_away_but_where_all_rulings_are() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    assert '<details class="rw-why">' in site["board_setup.md"]
    assert '<details class="rw-why">' not in site["rulings.md"]


def test_a_board_is_shown_as_a_picture_and_not_as_a_table_of_its_tiles() -> None:
    shown = shipped_pages("fuzzy-knights/normal@1.0")["board_setup.md"].split('id="table-tiles">')[1]
    drawn = shown.split("</figure>")[0]
    assert drawn.startswith("<svg")
    grid = re.search(r'<path d="M24 24h480v480h-480z([^"]*)"/>', drawn)
    assert grid
    assert grid[1].count("M") == 9 + 9, "the lines between ten columns and ten rows"
    assert "<title>Map: 10 columns, 10 rows</title>" in drawn


def test_the_sanitizer_keeps_shapes_short_and_titles_whole() -> None:
    drawn = '<svg><g><rect x="1"><title>Bed</title></rect><path d="M0 0"></path><use href="#i-bed"></use></g></svg>'
    short = '<svg><g><rect x="1"><title>Bed</title></rect><path d="M0 0"/><use href="#i-bed"/></g></svg>'
    assert clean(drawn) == short


ISLE = """\
terms: {gold: {name: Gold, means: What is dug.}}
tables:
  isle:
    title: Isle
    hexagons: {radius: 3}
    columns: {gold: optional int, wet: optional bool}
    rows: {c4r4: {title: The Crater, gold: 5}, c1r4: {wet: true}, c4r2: {title: The Pier}}
pages:
  isle:
    title: The isle
    letter: I
    sections: {all: {title: All, text: Go to the crater., show: [tables.isle]}}
"""


def test_what_places_of_a_board_are_called_and_hold_is_listed_below_its_picture(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/isle\nversion: 1.0.0\ntitle: Isle\nplayers: 2\n", encoding="utf-8"
    )
    (tmp_path / "rules.yaml").write_text(ISLE, encoding="utf-8")
    site = render_site(load_ruleset("test/isle", rules=tmp_path))
    for page in ("isle.md", "short.html"):
        listed = site[page].split('id="table-isle">')[1].split("<tbody>")[1].split("</tbody>")[0]
        rows = [re.sub(r"<[^>]+>", " ", row).split() for row in listed.strip().splitlines()]
        assert rows == [
            ["The", "Pier", "[4,", "2]", "–", "–"],
            ["[1,", "4]", "–", "yes"],
            ["The", "Crater", "[4,", "4]", "5", "–"],
        ]


def test_a_map_shows_no_more_tiles_than_its_pieces_need() -> None:
    board = next(board for board in list_boards(_moved()) if board.pieces)
    part = find_window(board)
    assert part is not None
    columns = [column for row in board.tiles for column, tile in enumerate(row) if board.pieces.get(tile)]
    rows = [at for at, row in enumerate(board.tiles) for tile in row if board.pieces.get(tile)]
    for shown, used in ((part.columns, columns), (part.rows, rows)):
        assert LEAST <= len(shown) <= max(LEAST + 1, max(used) - min(used) + 1)
        assert set(used) <= set(shown)


def test_pieces_have_the_colours_of_play_and_tiles_two() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    turns = shipped_pages("fuzzy-knights/normal@1.0")["player_turns.md"]
    for kind in ("item_token", "monster", "mine"):
        hue = list(ruleset.declarations.kinds).index(kind) % HUES
        term = ruleset.declarations.kinds[kind].term
        assert f'href="#i-{term}"' in turns
        assert re.search(rf'<use href="#i-{term}"[^>]* class="rw-hue-{hue}"/>', turns)
    assert re.findall(r'<pattern id="(rw-checker-\d)"', turns) == ["rw-checker-0", "rw-checker-1"]


def _moved() -> State:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    ran = run_book_example(ruleset.examples["a_turn_well_spent"], ruleset)
    assert ran.finished is not None
    return ran.finished.state


MARKS = """\
terms:
  disc: {name: Disc, means: What lies on a square.}
tables:
  ground: {columns: {}, rows: {sand: {}, swamp: {}}}
  squares:
    title: Squares
    SHAPE
    columns: {ground: optional ground, safe: optional bool}
    rows: {SPACE: {ground: swamp, safe: true}, OTHER: {ground: sand, safe: false}}
kinds:
  player: {}
  disc: {term: disc, fields: {square: optional squares}}
state:
  owners: {type: map of squares to optional player, wording: owner, means: Whose it is.}
  last: {type: optional squares, wording: last move, means: Where somebody went.}
procedures:
  play:
    title: Play
    given: {at: squares}
    steps: [{id: taken, set: {"owners[at]": last(players), last: at}}]
examples:
  took: {title: Took, of: play, given: {at: SPACE}, expect: {last: SPACE}}
pages:
  all: {title: All, letter: A, sections: {play: {title: Play, show: [procedures.play, tables.squares, examples.took]}}}
"""


@pytest.mark.parametrize(
    ("shape", "space", "other"),
    [
        ("grid: {columns: 4, rows: 4}", "c1r1", "c4r4"),
        ("hexagons: {columns: 3, rows: 3}", "c1r1", "c2r2"),
        ("track: {places: 5}", "p1", "p2"),
    ],
)
def test_marks_of_spaces_are_drawn_with_a_legend(tmp_path: Path, shape: str, space: str, other: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/marks\nversion: 1.0.0\ntitle: Marks\nplayers: 2\n", encoding="utf-8"
    )
    rules = MARKS.replace("SHAPE", shape).replace("SPACE", space).replace("OTHER", other)
    (tmp_path / "rules.yaml").write_text(rules, encoding="utf-8")
    site = render_site(load_ruleset("test/marks", rules=tmp_path))
    told = example(site["all.md"], "took")
    [drawing] = re.findall(r'<figure class="rw-map">(.*?)</figure>', told, re.S)
    assert "After" in drawing
    assert "swamp, safe, owner, Player 2, last move" in drawing.replace("Swamp", "swamp")
    signs = re.findall(r'font-weight="bold"[^>]*>(.)</text>', drawing)
    assert signs == ["2", "l", "a", "w", *(["s"] if "Sand" in drawing else [])]
    assert legend(told) == [
        "● owner",
        "s Sand",
        "w Swamp",
        "l last move",
        "a safe",
        "Small number: the player it belongs to",
    ]
    # Before the game begins, only the columns of the board mark spaces.
    for page, marks in (("all.md", site["all.md"].split('id="table-squares"')[1]), ("short.html", site["short.html"])):
        assert legend(marks) == ["s Sand", "w Swamp", "a safe"], page
    paper = re.search(r"<figcaption>.*?</figcaption>", site["board.html"], re.S)
    assert paper is not None
    assert re.findall(r"<small><b>(.)</b> (\w+)</small>", paper[0]) == [("s", "Sand"), ("w", "Swamp"), ("a", "safe")]


def legend(page: str) -> list[str]:
    """Return the entries of the first legend on a page, as text."""
    match = re.search(r'<p class="rw-legend">(.*?)</p>', page, re.S)
    assert match is not None
    return [re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<span>(.*?)</span>", match[1])]


def test_pieces_of_several_spaces_are_drawn_and_their_placements_counted() -> None:
    rules = load_ruleset("cookbook/pentominoes", rules=Path(__file__).parents[2] / "site" / "docs" / "cookbook")
    site = render_site(rules)
    for page in ("reference.md", "short.html"):
        tables = {name: site[page].split(f'id="table-{name}"')[1].split("</table>")[0] for name in ("shapes", "ways")}
        forms = [re.findall(r"<svg[^>]*><title>([^<]*)</title>", table) for table in tables.values()]
        expected = [" / ".join(row.cells["form"]) for row in rules.declarations.tables["shapes"].rows.values()]
        assert forms == [expected, expected], page
        counts = [int(each) for each in re.findall(r'class="rw-num">(\d+)</td>', tables["ways"])]
        assert [len(counts), sum(counts)] == [12, len(rules.declarations.tables["ways"].rows)], page
    # An example draws the piece that lies on the board as one.
    ran = run_book_example(rules.examples["a_corner"], rules).finished
    assert ran is not None
    maps_view = build_maps_view(ran, UnlinkedStyle(rules))
    assert maps_view is not None
    assert len(re.findall(r'<path d="[^"]+" fill="none" stroke="#b3322e"', maps_view.maps[-1].drawing)) == 1
