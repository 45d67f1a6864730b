"""Tables of placements: every way to lay a piece of several spaces, counted again without turning any form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.language.declarations import Table
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = "ruleset: test/lay\nversion: 1.0.0\nlanguage: 1\ntitle: Lay\nabout: Lay.\nplayers: 2\nstart: game\n"
RULES = "procedures: {game: {steps: [{id: end, finish: {winners: []}}]}}\n"
SQUARE = "{grid: {columns: 3, rows: 2}}"
BOTH = "turned: true, flipped: true"

Cell = tuple[int, int]


def load(folder: Path, placements: str, *, board: str = SQUARE, pieces: str = "", more: str = "") -> Ruleset:
    """Return rules with a `board`, a table of `pieces` and the table `ways`, whose rows are placements."""
    edition = folder / "lay"
    edition.mkdir(exist_ok=True)
    (edition / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    text = f"tables:\n  ways: {{placements: {{{placements}}}{more}}}\n  board: {board}\n"
    text += f"  pieces: {{columns: {{form: list of text}}, rows: {{{pieces}}}}}\n  names: {{rows: {{a: {{}}}}}}\n"
    (edition / "rules.yaml").write_text(text + RULES, encoding="utf-8")
    return load_ruleset("test/lay", rules=[folder])


def read_pentominoes() -> str:
    """Return the pieces of the recipe, as rows of a table."""
    table = load_ruleset("cookbook/pentominoes", rules=ROOT / "site/docs/cookbook").declarations.tables["shapes"]
    return ", ".join(f"{row.id}: {{form: [{', '.join(row.cells['form'])}]}}" for row in table.rows.values())


def list_covers(rules: Ruleset) -> dict[str, list[frozenset[str]]]:
    """Return the spaces of every placement, by piece."""
    results: dict[str, list[frozenset[str]]] = {}
    for row in rules.declarations.tables["ways"].rows.values():
        results.setdefault(row.cells["piece"], []).append(frozenset(row.cells["covers"]))
    return results


def grow_sets(board: Table, size: int) -> set[frozenset[str]]:
    """Return every set of so many spaces of a board that is connected, space by space."""
    shapes = {frozenset([space]) for space in board.rows}
    for _ in range(size - 1):
        shapes = {
            whole | {space}
            for whole in shapes
            for one in whole
            for space in board.rows[one].cells["neighbours"]
            if space not in whole
        }
    return shapes


def find_outline(board: Table, spaces: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    """Return what sets of spaces of the same form have in common: the distances between all of their squares."""
    cells = [(board.rows[each].cells["column"], board.rows[each].cells["row"]) for each in spaces]
    return tuple(sorted(tuple(sorted((a - c) ** 2 + (b - d) ** 2 for c, d in cells)) for a, b in cells))


@pytest.mark.parametrize(("columns", "rows"), [(6, 6), (5, 4), (7, 3)])
def test_pentominoes_cover_every_connected_set_of_five_squares_once(tmp_path: Path, columns: int, rows: int) -> None:
    board = f"{{grid: {{columns: {columns}, rows: {rows}}}}}"
    rules = load(tmp_path, f"of: pieces, form: form, on: board, {BOTH}", board=board, pieces=read_pentominoes())
    table = rules.declarations.tables["board"]
    covers = list_covers(rules)
    every = [spaces for found in covers.values() for spaces in found]
    assert len(every) == len(set(every))
    assert set(every) == grow_sets(table, 5)
    outlines = {piece: {find_outline(table, spaces) for spaces in found} for piece, found in covers.items()}
    assert all(len(each) == 1 for each in outlines.values()), "a piece has one form"
    assert len({next(iter(each)) for each in outlines.values()}) == 12


@pytest.mark.parametrize(("flags", "forms"), [("", 12), ("turned: true", 41), (BOTH, 63)])
def test_a_piece_is_turned_and_turned_over_only_where_it_may_be(tmp_path: Path, flags: str, forms: int) -> None:
    board = "{grid: {columns: 9, rows: 9}}"
    rules = load(tmp_path, f"of: pieces, form: form, on: board, {flags}", board=board, pieces=read_pentominoes())
    seen: set[tuple[Cell, ...]] = set()
    for row in rules.declarations.tables["ways"].rows.values():
        cells = [rules.declarations.tables["board"].rows[space].cells for space in row.cells["covers"]]
        left, top = (min(each[name] for each in cells) for name in ("column", "row"))
        seen.add(tuple(sorted((each["column"] - left, each["row"] - top) for each in cells)))
    # Five pentominoes have eight forms, of which turns alone give four, and one has four, of which they give two.
    assert len(seen) == forms


def cover_exactly(left: dict[str, set[str]], sets: dict[str, list[str]], chosen: int = 0) -> Iterator[int]:
    """Yield the size of each choice of sets that cover everything once (Knuth's Algorithm X)."""
    if not left:
        yield chosen
        return
    rarest = min(left, key=lambda each: len(left[each]))
    for one in sorted(left[rarest]):
        gone = {each: left[each] for each in sets[one]}
        clash = set().union(*gone.values())
        rest = {each: those - clash for each, those in left.items() if each not in gone}
        yield from cover_exactly(rest, sets, chosen + 1)


def test_the_twelve_pentominoes_fill_a_strip_in_as_many_ways_as_is_known(tmp_path: Path) -> None:
    board = "{grid: {columns: 20, rows: 3}}"
    rules = load(tmp_path, f"of: pieces, form: form, on: board, {BOTH}", board=board, pieces=read_pentominoes())
    ways = rules.declarations.tables["ways"].rows
    sets = {row.id: [row.cells["piece"], *row.cells["covers"]] for row in ways.values()}
    left: dict[str, set[str]] = {}
    for way, expected in sets.items():
        for each in expected:
            left.setdefault(each, set()).add(way)
    # Two ways, each of them in four symmetries (Haselgrove 1960).
    assert list(cover_exactly(left, sets)) == [12] * 8


@pytest.mark.parametrize(
    "board",
    [
        "{hexagons: {columns: 4, rows: 4}}",
        "{hexagons: {columns: 4, rows: 4, slanted: true}}",
        "{hexagons: {radius: 2}}",
        "{grid: {columns: 4, rows: 4}}",
    ],
)
def test_pieces_of_three_cover_every_connected_set_of_three(tmp_path: Path, board: str) -> None:
    pieces = "line: {form: [xxx]}, bend: {form: [xx, .x]}"
    if "hexagons" in board:
        pieces += ", heap: {form: [xx, x]}"
    rules = load(tmp_path, f"of: pieces, form: form, on: board, {BOTH}", board=board, pieces=pieces)
    every = [spaces for found in list_covers(rules).values() for spaces in found]
    assert len(every) == len(set(every))
    assert set(every) == grow_sets(rules.declarations.tables["board"], 3)


def test_the_letters_of_a_form_tell_its_spaces_apart(tmp_path: Path) -> None:
    placements = "of: pieces, form: form, on: board, turned: true"
    rules = load(tmp_path, placements, pieces="stone: {form: [ab]}, beam: {form: [xx]}")
    rows = rules.declarations.tables["ways"].rows.values()
    board = rules.declarations.tables["board"].rows
    pairs = {(one, other) for one in board for other in board[one].cells["neighbours"]}
    covers = [row.cells["covers"] for row in rows if row.cells["piece"] == "stone"]
    assert len(covers) == len(pairs)
    assert set(covers) == pairs
    assert len([row for row in rows if row.cells["piece"] == "beam"]) * 2 == len(pairs)


def test_rows_say_where_a_piece_begins_and_how_it_is_turned(tmp_path: Path) -> None:
    rules = load(tmp_path, f"of: pieces, form: form, on: board, {BOTH}", pieces="hook: {form: [x., xx], title: A hook}")
    row = rules.declarations.tables["ways"].rows["hook_c2r1_turned1"]
    cells = {name: row.cells[name] for name in ("piece", "at", "turns", "flipped", "covers")}
    assert cells == {"piece": "hook", "at": "c2r1", "turns": 1, "flipped": False, "covers": ("c2r1", "c1r1", "c1r2")}
    assert row.title == "A hook ([2, 1], [1, 1], [1, 2])"
    titled = load(
        tmp_path,
        "of: pieces, form: form, on: board, turned: true",
        pieces="hook: {form: [x., xx]}",
        more=', row_title: "{piece} at {at}, {turns}", columns: {cost: optional int}, rows: {hook_c1r1: {cost: 3}}',
    ).declarations.tables["ways"]
    assert [titled.rows["hook_c1r1"].title, titled.rows["hook_c1r1"].cells["cost"]] == ["Hook at [1, 1], 0", 3]


@pytest.mark.parametrize(
    ("placements", "pieces", "more", "message"),
    [
        ("of: piece, form: form, on: board", "", "", "unknown-reference: there is no other table called `piece`"),
        ("of: ways, form: form, on: board", "", "", "unknown-reference: there is no other table called `ways`"),
        ("of: pieces, form: from, on: board", "", "", "unknown-column: pieces has no column `from` with the forms"),
        ("of: pieces, form: form, on: names", "", "", "bad-combination: ways places pieces on `names`, which is not a"),
        ("of: pieces, form: form, on: ring", "", "", "bad-combination: ways places pieces on `ring`, which is not a"),
        ("of: pieces, form: form, on: board", "a: {form: [..]}", "", "bad-combination: the form of `a` must have"),
        ("of: pieces, form: form, on: board", 'a: {form: ["x!"]}', "", "bad-combination: the form of `a` must have"),
        ("of: pieces, form: form, on: board", "", ", every: {a: names}", "bad-combination: the rows of ways are"),
        ("of: pieces, form: form, on: board", "", ", columns: {at: int}", "name-clash: `at` is a part of every row"),
        ("of: pieces, form: form, on: board", "", ', row_title: "{on}"', "unknown-reference: `{on}` is not a part"),
        (
            "of: pieces, form: form, on: board",
            "a: {form: [x]}",
            ", rows: {b_c1r1: {}}",
            "unknown-row: the rows of ways combine its parts, and `b_c1r1` is not",
        ),
        ("of: pieces, form: form, on: board", "a: {form: [xxxx]}", "", "no-rows: ways has no rows"),
        (
            "of: pieces, form: form, on: large",
            "a: {form: [x]}, b: {form: [x]}, c: {form: [x]}, d: {form: [x]}, e: {form: [x]}",
            "",
            "bad-combination: ways would have more than 10,000 placements",
        ),
    ],
)
def test_what_cannot_be_placed_is_refused(
    tmp_path: Path, placements: str, pieces: str, more: str, message: str
) -> None:
    board = f"{SQUARE}\n  ring: {{track: {{places: 9}}}}\n  large: {{grid: {{columns: 50, rows: 50}}}}"
    with pytest.raises(DiagnosticError) as raised:
        load(tmp_path, placements, board=board, pieces=pieces or "a: {form: [x]}", more=more)
    errors = [each for each in raised.value.diagnostics if each.severity == "error"]
    assert [f"{each.code.id}: {each.message}"[: len(message)] for each in errors] == [message]
