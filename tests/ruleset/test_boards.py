"""Boards of every shape: their places, the ways between them, and what is reached by them."""

from __future__ import annotations

import math
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from rulewright import load_ruleset
from rulewright.engine.backends import list_names, make
from rulewright.language.declarations import Table
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats import text
from tests.breadth import times
from tests.language.inline import checked

RULES = """\
tables:
  places: {title: Board, BOARD}
kinds:
  stone: {fields: {at: places}}
procedures:
  ask:
    given: {a: places, b: places, n: int}
    gives:
      all: reach(p.neighbours for p in [a])
      near: reach(p.neighbours for p in [a] within n)
      free: reach(p.neighbours for p in [a] if none(s for s in stones if s.at == p))
      far: distance(p.neighbours for p in [a] if none(s for s in stones if s.at == p) to b) or 0 - 1
      cost: distance(p.neighbours for p in [a] by (p.column * p.row) % 4 to b) or 0 - 1
      way: path(p.neighbours for p in [a] by (p.column * p.row) % 4 to b)
      stones: count(reach(s for s in stones))
      stopped: reach(p.neighbours for p in [a, b] until any(s for s in stones if s.at == p))
      onward: ray(p.neighbours for p in [a, b] until any(s for s in stones if s.at == p) within n)
      groups: groups(p.neighbours for p in places if none(s for s in stones if s.at == p))
    steps:
      - {id: chance, roll: 1d2}
"""


def board(folder: Path, text: str) -> Ruleset:
    (folder / "ruleset.yaml").write_text(
        "ruleset: walk/plain\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 1\n"
    )
    (folder / "rules.yaml").write_text(RULES.replace("BOARD", text))
    return load_ruleset("walk/plain", rules=[folder])


def places(folder: Path, text: str) -> Table:
    return board(folder, text).declarations.tables["places"]


def centre(column: int, row: int, indent: float) -> tuple[float, float]:
    """Return where the middle of a hexagon lies, one wide."""
    return column + indent, row * math.sqrt(3) / 2


TOWARDS = {"northeast": 60, "east": 0, "southeast": -60, "southwest": -120, "west": 180, "northwest": 120}


@pytest.mark.parametrize(
    ("layout", "number"),
    [
        ("hexagons: {columns: 5, rows: 4}", 20),
        ("hexagons: {columns: 5, rows: 4, slanted: true}", 20),
        ("hexagons: {radius: 3}", 37),
        ("hexagons: {radius: 1}", 7),
    ],
)
def test_neighbours_of_a_hexagon_touch_it(tmp_path: Path, layout: str, number: int) -> None:
    rows = places(tmp_path, layout).rows
    assert len(rows) == number
    every_other = "columns" in layout and "slanted" not in layout

    def middle(identity: str) -> tuple[float, float]:
        column, row = rows[identity].cells["column"], rows[identity].cells["row"]
        return centre(column, row, (row + 1) % 2 / 2 if every_other else row / 2)

    for one, other in product(rows, rows):
        (x, y), (u, v) = middle(one), middle(other)
        touching = math.isclose(math.hypot(u - x, v - y), 1)
        assert (other in rows[one].cells["neighbours"]) == touching
        if touching:
            angle = round(math.degrees(math.atan2(y - v, u - x)))
            assert [way for way in TOWARDS if rows[one].cells[way] == other] == [
                way for way, at in TOWARDS.items() if (at - angle) % 360 == 0
            ]


def test_ways_of_squares_have_names(tmp_path: Path) -> None:
    rows = places(tmp_path, "grid: {columns: 3, rows: 3, diagonal: true}").rows
    middle = rows["c2r2"].cells
    assert [middle[way] for way in ("north", "east", "south", "west")] == ["c2r1", "c3r2", "c2r3", "c1r2"]
    assert [middle[way] for way in ("northeast", "southeast", "southwest", "northwest")] == [
        *("c3r1", "c3r3", "c1r3", "c1r1")
    ]
    assert rows["c1r1"].cells["north"] is None


RINGS = """\
tables:
  places: {track: {places: SIZE, ring: true}}
state: {stones: map of places to bool}
formulas:
  open: {given: {here: places}, is: "reach(p.back for p in [here] if not stones[p])"}
procedures:
  ask:
    given: {here: places}
    gives:
      all: reach(p.ahead for p in [here])
      last: last(ray(p.back for p in [here] until stones[p]))
      held: count(q for q in ray(p.ahead for p in [here] if p.column > 0) if stones[q])
      far: here in ray(p.ahead for p in [here] if not stones[p])
      both: list(ray(p.back for p in [q] until p == here or stones[p]) for q in open(here))
    steps:
      - {id: chance, roll: 1d2}
"""


@pytest.mark.parametrize("size", [5, 70])
def test_a_line_along_a_ring_ends_where_it_began_on_every_machine(tmp_path: Path, size: int) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: walk/rings\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 1\n"
    )
    (tmp_path / "rules.yaml").write_text(RINGS.replace("SIZE", str(size)))
    rules = load_ruleset("walk/rings", rules=[tmp_path])
    machines = [make(name, rules) for name in list_names()]
    for start, held in ((2, {4}), (size, set()), (1, {1, size})):

        def until(first: int, by: int, ends: set[int]) -> list[int]:
            line = [(first - 1 + by * far) % size + 1 for far in range(1, size)]
            stop = next((at for at, place in enumerate(line, start=1) if place in ends), len(line))
            return line[:stop]

        free = [start, *(place for place in until(start, -1, held) if place not in held)]
        expected = (
            tuple(f"p{place}" for place in (start, *until(start, 1, set()))),
            f"p{until(start, -1, held)[-1]}",
            len(held - {start}),
            False,
            tuple(tuple(f"p{place}" for place in until(each, -1, held | {start})) for each in free),
        )
        works: list[int] = []
        for machine in machines:
            state = machine.empty(1)
            state.events = []
            values = state.objects[0]
            assert values is not None
            values[machine.layout.places["game", "stones"]] = tuple(place in held for place in range(1, size + 1))
            machine.begin(state, "ask", (f"p{start}",))
            state.apply_outcome(1)
            assert state.given == expected
            works.append(state.work)
        assert works == works[:1] * len(machines)


LINES = """\
tables:
  places: {BOARD}
  ways: {rows: {ROWS}}
state: {stones: map of places to bool}
procedures:
  ask:
    given: {here: places, way: ways}
    gives:
      beside: here.toward[way]
      line: ray(p.toward[way] for p in [here] until stones[p])
      open: ray(p.toward[way] for p in [here] if not stones[p])
      every: list(ray(p.toward[w] for p in [here]) for w in ways)
    steps:
      - {id: chance, roll: 1d2}
"""

STRAIGHT = {"west": (-1, 0), "north": (0, -1), "southeast": (1, 1), "east": (1, 0)}


@pytest.mark.parametrize("layout", ["grid: {columns: 5, rows: 4, diagonal: true, directions: ways}"])
def test_rays_agree_with_columns_and_rows_on_every_machine(tmp_path: Path, layout: str) -> None:
    text_of = LINES.replace("BOARD", layout).replace("ROWS", ", ".join(f"{way}: {{}}" for way in STRAIGHT))
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: walk/lines\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 1\n"
    )
    (tmp_path / "rules.yaml").write_text(text_of)
    rules = load_ruleset("walk/lines", rules=[tmp_path])
    spaces = [(column, row) for row in range(1, 5) for column in range(1, 6)]
    machines = [make(name, rules) for name in list_names()]

    def along(column: int, row: int, way: str) -> list[str]:
        by, down = STRAIGHT[way]
        line = [(column + by * far, row + down * far) for far in range(1, 6)]
        return [f"c{x}r{y}" for x, y in line if (x, y) in spaces]

    for seed in range(times(8, 80)):
        random = Random(seed)
        held = {f"c{column}r{row}" for column, row in random.sample(spaces, 6)}
        (column, row), way = random.choice(spaces), random.choice(list(STRAIGHT))
        line = along(column, row, way)
        free = next((far for far, place in enumerate(line) if place in held), len(line))
        for machine in machines:
            state = machine.empty(1)
            state.events = []
            values = state.objects[0]
            assert values is not None
            values[machine.layout.places["game", "stones"]] = tuple(f"c{x}r{y}" in held for x, y in spaces)
            machine.begin(state, "ask", (f"c{column}r{row}", way))
            state.apply_outcome(1)
            assert state.given == (
                line[0] if line else None,
                tuple(line[: free + 1]),
                tuple(line[:free]),
                tuple(tuple(along(column, row, each)) for each in STRAIGHT),
            )


@pytest.mark.parametrize(
    ("layout", "way"),
    [
        ("grid: {columns: 9000, rows: 3}", "north"),
        ("hexagons: {columns: 9000, rows: 3}", "northeast"),
        ("hexagons: {radius: 9000}", "west"),
        ("track: {places: 90000}", "ahead"),
        ("areas: {ways: [roads]}, rows: {" + ", ".join(f"a{at}: {{}}" for at in range(10_001)) + "}", "roads"),
    ],
)
def test_a_board_that_is_too_large_is_the_only_error(layout: str, way: str) -> None:
    rules = f"""
tables: {{places: {{title: Board, {layout}}}}}
kinds: {{stone: {{fields: {{at: places}}}}}}
procedures: {{go: {{given: {{a: stone}}, gives: {{next: a.at.{way}}}, steps: [{{id: chance, roll: 1d2}}]}}}}
"""
    _, diagnostics = checked(rules)
    assert [each.code.id for each in diagnostics.errors] == ["bad-grid"], text.render(diagnostics)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 24, 40])
@pytest.mark.parametrize("ring", [False, True])
def test_a_track_leads_from_place_to_place(tmp_path: Path, number: int, ring: bool) -> None:
    rows = places(tmp_path, f"track: {{places: {number}, ring: {str(ring).lower()}}}").rows
    assert list(rows) == [f"p{place}" for place in range(1, number + 1)]
    for place, row in enumerate(rows.values(), 1):
        ahead, back = place + 1, place - 1
        if ring and number > 1:
            ahead, back = ahead if ahead <= number else 1, back or number
        assert row.cells["ahead"] == (f"p{ahead}" if 1 <= ahead <= number else None)
        assert row.cells["back"] == (f"p{back}" if 1 <= back <= number else None)
    spots = [(row.cells["column"], row.cells["row"]) for row in rows.values()]
    assert len(set(spots)) == number
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(spots))


AREAS = """areas: {ways: [roads]}, columns: {cost: int}, rows: {
      hill: {cost: 2, neighbours: [wood], column: 3, row: 2},
      wood: {cost: 1, roads: [town]},
      town: {cost: 1, title: Old Town, neighbours: [port]},
      port: {cost: 1}, isle: {cost: 5}}"""


def test_areas_lead_both_ways(tmp_path: Path) -> None:
    table = places(tmp_path, AREAS)
    rows = table.rows
    assert {row: set(rows[row].cells["neighbours"]) for row in rows} == {
        "hill": {"wood"},
        "wood": {"hill", "town"},
        "town": {"wood", "port"},
        "port": {"town"},
        "isle": set(),
    }
    assert {row: rows[row].cells["roads"] for row in rows if rows[row].cells["roads"]} == {
        "wood": ("town",),
        "town": ("wood",),
    }
    assert (rows["hill"].cells["column"], rows["hill"].cells["row"], rows["hill"].cells["cost"]) == (3, 2, 2)
    assert (rows["town"].title, table.ways) == ("Old Town", ("roads",))


def test_a_place_may_say_more_than_its_shape(tmp_path: Path) -> None:
    text = "hexagons: {radius: 1}, columns: {gold: optional int}, rows: {c2r2: {gold: 3, title: The Middle}}"
    rows = places(tmp_path, text).rows
    assert {row: rows[row].cells["gold"] for row in rows if rows[row].cells["gold"]} == {"c2r2": 3}
    assert (rows["c2r2"].title, rows["c1r2"].title) == ("The Middle", "[1, 2]")


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ("hexagons: {columns: 3}", "`columns` and `rows`, or a `radius`"),
        ("hexagons: {radius: 2, rows: 3}", "has a `radius` and cannot have `rows`"),
        ("hexagons: {radius: 60}", "hexagons of radius 60 exceed the limit of 10,000"),
        ("track: {places: 0}", "at least one space"),
        ("track: {places: 9}, grid: {columns: 2, rows: 2}", "a board has one shape"),
        ("track: {places: 3}, columns: {ahead: int}", "already has `ahead`"),
        ("track: {places: 3}, columns: {gold: int}, rows: {p1: {gold: 2}}", "has no value for `p2` and 1 more"),
        ("track: {places: 3}, rows: {p9: {}}", "`p9` is not one of them"),
        ("track: {places: 3}, rows: {p2: {ahead: p1}}", "the shape of the board determines"),
        ("areas: {}, rows: {a: {neighbours: [b]}}", "leads to `b`, which is not a space"),
        ("areas: {}, rows: {a: {neighbours: [a]}}", "leads to `a` itself"),
        ("areas: {ways: [row]}, rows: {a: {}}", "every space already has a column `row`"),
        (
            "areas: {}, rows: {hill: {column: 2, row: 3}, bog: {}, town: {column: 2, row: 3}}",
            "`hill` and `town` both have the column 2 and the row 3",
        ),
        (
            "areas: {}, rows: {hill: {column: 1, row: 1}, bog: {column: 2, row: 10001}}",
            "the row 10,001 of `bog` is too far from those of other areas",
        ),
        ("areas: {}", "has no rows"),
    ],
)
def test_a_board_that_cannot_be_laid_out(tmp_path: Path, layout: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        board(tmp_path, layout)


def by_hand(table: Table, start: str, cost: dict[str, int | None]) -> dict[str, float]:
    """Return what it costs to come to each place, by relaxing every way again and again (Bellman and Ford)."""
    distances = dict.fromkeys(table.rows, math.inf)
    distances[start] = 0
    for _ in table.rows:
        for row in table.rows.values():
            for other in row.cells["neighbours"]:
                price = cost[other]
                if price is not None:
                    distances[other] = min(distances[other], distances[row.id] + price)
    return distances


def stopped_by_hand(table: Table, starts: set[str], held: set[str], most: float) -> set[str]:
    """Return every place that is at most so many steps away where each stone that is come to ends the way."""
    found = edge = starts
    while edge and most:
        leaving = edge - held if found is not starts else edge
        edge = {other for place in leaving for other in table.rows[place].cells["neighbours"]} - found
        found, most = found | edge, most - 1
    return found


def groups_by_hand(table: Table, free: list[str]) -> list[set[str]]:
    """Let numbers spread: each place takes the lowest number around it, until none changes."""
    number = {place: at for at, place in enumerate(free)}
    for _ in free:
        for place in free:
            number[place] = min(number[o] for o in (place, *table.rows[place].cells["neighbours"]) if o in number)
    return [{place for place in free if number[place] == one} for one in sorted(set(number.values()))]


BOARDS = [
    "grid: {columns: 4, rows: 3}",
    "hexagons: {columns: 4, rows: 3}",
    "hexagons: {radius: 2}",
    "track: {places: 9, ring: true}",
    AREAS,
]


@pytest.mark.parametrize("layout", BOARDS)
def test_walks_agree_with_a_reckoning_by_hand_on_every_machine(tmp_path: Path, layout: str) -> None:
    rules = board(tmp_path, layout)
    table = rules.declarations.tables["places"]
    names = list(rules.procedures["ask"].gives)
    machines = [make(name, rules) for name in list_names()]
    for seed in range(times(6, 60)):
        random = Random(seed)
        start, goal = random.choice(list(table.rows)), random.choice(list(table.rows))
        held = set(random.sample(list(table.rows), random.randrange(len(table.rows))))
        reach = random.randrange(4)
        given = []
        for machine in machines:
            state = machine.empty(1)
            state.events = []
            kind = machine.layout.kinds["stone"]
            for place in sorted(held):
                state.create(kind, [kind, place])
            machine.begin(state, "ask", (start, goal, reach))
            state.apply_outcome(1)
            given.append(state.given)
        assert given[1:] == given[:1] * (len(given) - 1)
        by_name = dict(zip(names, given[0], strict=True))
        ones = by_hand(table, start, dict.fromkeys(table.rows, 1))
        free = by_hand(table, start, {place: None if place in held else 1 for place in table.rows})
        prices = {row.id: (row.cells["column"] * row.cells["row"]) % 4 for row in table.rows.values()}
        dear = by_hand(table, start, dict(prices))
        assert set(by_name["all"]) == {place for place, far in ones.items() if far < math.inf}
        assert [ones[place] for place in by_name["all"]] == sorted(ones[place] for place in by_name["all"])
        assert set(by_name["near"]) == {place for place, far in ones.items() if far <= reach}
        assert set(by_name["free"]) == {place for place, far in free.items() if far < math.inf}
        assert by_name["far"] == (free[goal] if free[goal] < math.inf else -1)
        assert by_name["cost"] == (dear[goal] if dear[goal] < math.inf else -1)
        assert by_name["stones"] == len(held)
        assert set(by_name["stopped"]) == stopped_by_hand(table, {start, goal}, held, math.inf)
        assert set(by_name["onward"]) == stopped_by_hand(table, {start, goal}, held, reach) - {start, goal}
        assert list(map(set, by_name["groups"])) == groups_by_hand(table, [p for p in table.rows if p not in held])
        way = by_name["way"]
        assert bool(way) == (dear[goal] < math.inf)
        if way:
            assert (way[0], way[-1]) == (start, goal)
            assert all(other in table.rows[one].cells["neighbours"] for one, other in pairwise(way))
            assert sum(prices[place] for place in way[1:]) == dear[goal]
