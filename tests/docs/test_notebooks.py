"""The notebooks run from top to bottom, print what they show, and find what is known."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[2] / "site" / "docs" / "notebooks"

FIRST_PLAYER_WINS = 0.5306
"""T. Neller and C. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)."""


def cells(path: Path) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    found: list[dict[str, Any]] = notebook["cells"]
    assert len({cell["id"] for cell in found}) == len(found)
    return found


def carried_out(path: Path) -> dict[str, Any]:
    """The names a notebook leaves behind, each of its cells having printed what is kept with it."""
    names: dict[str, Any] = {}
    for cell in cells(path):
        if cell["cell_type"] != "code":
            continue
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
def test_value_iteration_finds_the_known_value_of_pig() -> None:
    pytest.importorskip("pyspiel")
    names = carried_out(NOTEBOOKS / "optimal-pig.ipynb")
    assert names["value"] == pytest.approx(FIRST_PLAYER_WINS, abs=5e-5)
