"""The notebooks run from top to bottom, print what they show, and find what is known."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.breadth import THOROUGH

NOTEBOOKS = Path(__file__).resolve().parents[2] / "site" / "docs" / "tutorials"

FIRST_PLAYER_WINS = 0.5306
"""T. Neller and C. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)."""

SHORT_RACE = 25
SHORTER = "ruleset: house/race\nversion: 1.0.0\ntitle: A short race\nextends: pig/classic@1.0\nstatus: draft\n"


def cells(path: Path) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells: list[dict[str, Any]] = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    return cells


def code(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in cells(path) if cell["cell_type"] == "code"]


def carried_out(path: Path) -> dict[str, Any]:
    """Return the names a notebook leaves behind, each of its cells having printed what is kept with it."""
    names: dict[str, Any] = {}
    for cell in code(path):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
        assert printed.getvalue() == "".join(line for output in cell["outputs"] for line in output["text"])
    return names


def test_every_notebook_has_a_page_that_shows_it() -> None:
    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        page = path.with_suffix(".md").read_text(encoding="utf-8")
        assert "<!-- notebook -->" in page
        assert f"({path.name})" in page


@pytest.mark.slow
def test_value_iteration_finds_the_value_of_a_shorter_race(tmp_path: Path) -> None:
    """The same cells, for a race that is short enough to be walked in seconds."""
    pytest.importorskip("pyspiel")
    (tmp_path / "ruleset.yaml").write_text(SHORTER, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(f"numbers: {{goal: {SHORT_RACE}}}\n", encoding="utf-8")
    names: dict[str, Any] = {}
    for cell in code(NOTEBOOKS / "optimal-pig.ipynb"):
        source = "".join(cell["source"]).replace('("pig/classic@1.0",', f'("house/race", rules=[{str(tmp_path)!r}],')
        if "hold = next(" not in source:  # the last cell speaks of scores that this race has none of
            with contextlib.redirect_stdout(io.StringIO()):
                exec(source, names)
    assert "house/race" in str(names["game"])
    assert names["value"] == pytest.approx(solved(SHORT_RACE), abs=5e-5)


@pytest.mark.slow
@pytest.mark.skipif(not THOROUGH, reason="takes two minutes of a processor")
def test_value_iteration_finds_the_known_value_of_pig() -> None:
    pytest.importorskip("pyspiel")
    names = carried_out(NOTEBOOKS / "optimal-pig.ipynb")
    assert names["value"] == pytest.approx(FIRST_PLAYER_WINS, abs=5e-5)


def solved(goal: int) -> float:
    """Return what Pig to `goal` is worth to whoever begins.

    Neller and Presser's equations, one pair of scores after another.

    The chance to win of whoever moves, by own score, other score and pot. Two pairs of scores depend on each other
    alone, by who banks nothing or throws a 1, so each is iterated until it stands still.
    """
    won: dict[tuple[int, int], list[float]] = {}

    def best(own: int, other: int) -> list[float]:
        """For each pot: roll or hold, whichever is better. What a 1 leads to is as it was worth before."""
        worth = [0.0] * (goal - own)
        lost = 1 - won[other, own][0]
        for pot in reversed(range(goal - own)):
            after = [1.0 if own + pot + face >= goal else worth[pot + face] for face in range(2, 7)]
            held = lost if pot == 0 else 1 - won[other, own + pot][0]
            worth[pot] = max((lost + sum(after)) / 6, held)
        return worth

    for total in reversed(range(2 * goal - 1)):
        for own in range(max(0, total - goal + 1), min(goal - 1, total) + 1):
            other = total - own
            if own > other:
                continue
            won[own, other] = won[other, own] = [0.0]
            for _ in range(200):
                won[own, other], won[other, own] = best(own, other), best(other, own)
    return won[0, 0][0]
