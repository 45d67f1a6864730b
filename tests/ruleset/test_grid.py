"""Boards: tables with a row for each tile."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.source.diagnostics.collector import DiagnosticError

WALK = """\
kinds:
  walker: {fields: {at: tiles}}
tables:
  tiles: {title: Board, grid: GRID}
procedures:
  wander:
    given: {who: walker}
    gives: {column: who.at.column, ways: count(who.at.neighbours)}
    steps:
      - {id: way, draw: {one_of: who.at.neighbours}}
      - {id: moved, set: {who.at: way}}
"""


def board(folder: Path, grid: str) -> object:
    (folder / "ruleset.yaml").write_text(
        "ruleset: walk/plain\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 1\n"
    )
    (folder / "rules.yaml").write_text(WALK.replace("GRID", grid))
    return load_ruleset("walk/plain", rules=[folder])


@pytest.mark.parametrize(
    ("grid", "diagonal"), [("{columns: 4, rows: 3}", False), ("{columns: 4, rows: 3, diagonal: true}", True)]
)
def test_neighbours_are_the_tiles_one_step_away(tmp_path: Path, grid: str, diagonal: bool) -> None:
    rows = board(tmp_path, grid).declarations.tables["tiles"].rows  # type: ignore[attr-defined]
    assert [row.title for row in rows.values()] == [f"[{c}, {r}]" for r in (1, 2, 3) for c in (1, 2, 3, 4)]
    for one in rows.values():
        near = set()
        for other in rows.values():
            across = abs(one.cells["column"] - other.cells["column"])
            down = abs(one.cells["row"] - other.cells["row"])
            if max(across, down) == 1 and (diagonal or across + down == 1):
                near.add(other.id)
        assert set(one.cells["neighbours"]) == near
    assert rows["c2r2"].cells["neighbours"][:4] == ("c2r1", "c3r2", "c2r3", "c1r2")


def test_one_of_a_list_is_drawn_alike_on_both_back_ends(tmp_path: Path) -> None:
    rules = board(tmp_path, "{columns: 3, rows: 3}")
    for machine in (Interpreter(rules), compile_ruleset(rules)):  # type: ignore[arg-type]
        state = machine.empty(1)
        walker = state.create(machine.layout.kinds["walker"], [machine.layout.kinds["walker"], "c1r1"])
        machine.begin(state, "wander", (walker,))
        assert state.chance_outcomes() == (("c2r1", "c1r2"), (0.5, 0.5))
        state.apply_outcome("c2r1")
        assert state.given == (2, 3)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("{columns: 0, rows: 3}", "at least one column and one row"),
        ("{columns: 101, rows: 100}", "101 × 100 tiles exceed the limit of 10,000"),
        ("{columns: 2, rows: 2}, rows: {a: {}}", "are the spaces of its board"),
    ],
)
def test_a_board_that_cannot_be_laid_out(tmp_path: Path, grid: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        board(tmp_path, grid)


def test_a_table_without_rows(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: walk/plain\nversion: 1.0.0\ntitle: Walk\nstatus: draft\n")
    (tmp_path / "rules.yaml").write_text("tables: {tiles: {title: Board}}\n")
    with pytest.raises(DiagnosticError, match="tiles has no rows"):
        load_ruleset("walk/plain", rules=[tmp_path])


@pytest.mark.parametrize(
    ("house", "blamed", "code"),
    [
        ("tables: {tiles: {grid: {columns: 30000}}}", "30000", "bad-grid"),
        ("tables: {tiles: {grid: {rows: 0}}}", "0", "bad-grid"),
        ("tables: {tiles: {rows: {one: {a: 1}}}}", "one", "unknown-row"),
        ("tables: {names: {grid: {columns: 3, rows: 3}}}", "grid", "unknown-row"),
    ],
)
def test_what_an_upper_layer_says_wrong_of_a_board_is_told_there(
    tmp_path: Path, house: str, blamed: str, code: str
) -> None:
    base = WALK.replace("GRID", "{columns: 3, rows: 3}").replace(
        "tables:\n", "tables:\n  names: {title: Names, columns: {a: int}, rows: {one: {a: 1}}}\n"
    )
    manifest = "ruleset: walk/{}\nversion: 1.0.0\ntitle: Walk\nstatus: draft\nplayers: 1\n"
    for name, text, more in (("plain", base, ""), ("house", house, "extends: walk/plain@1.0\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(manifest.format(name) + more)
        (tmp_path / name / "rules.yaml").write_text(text)
    with pytest.raises(DiagnosticError) as caught:
        load_ruleset("walk/house", rules=[tmp_path])
    (fault,) = caught.value.diagnostics
    assert (fault.code.id, Path(fault.span.file).parent.name) == (code, "house")
    assert house[fault.span.column - 1 : fault.span.end_column - 1] == blamed
