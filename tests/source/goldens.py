"""Golden files: what a test's output must be, to the letter. `UPDATE_GOLDENS=1 pytest` writes them anew."""

from __future__ import annotations

from pathlib import Path

from tests.snippets import updates_goldens

FOLDER = Path(__file__).parent / "goldens"


def assert_golden(name: str, actual: str, *, folder: Path = FOLDER) -> None:
    path = folder / name
    if updates_goldens():
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual, encoding="utf-8", newline="\n")
    assert path.exists(), f"no golden {name}: look at the output, then run with UPDATE_GOLDENS=1"
    assert actual == path.read_text(encoding="utf-8")
