"""Measure the processor time of a complete check after an edit of house rules that extend the largest edition.

Each edit is made and undone in a workspace like that of the language server: a word of a text, a number, a row, a
step, a misspelt condition, a rename, an example. No edit is made twice. The clock counts processor time until the
diagnostics of the whole edition are known, including examples. For comparison, the same edit is made in a newly opened
workspace, which has nothing to reuse.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from _report import Ratio, report

from rulewright.lsp.features.workspace import Workspace

HOUSE = Path(__file__).resolve().parents[1] / "site" / "docs" / "cookbook" / "shrine"
STEP = "      - {id: spent, remove: shrine}"
ROW = "      miracle: {on: 6, gift: 8}"
WORDS = ("holy", "quiet", "old", "hidden", "bright", "lonely", "mossy", "ruined", "lost", "sacred", "small", "proud")
EDITS: dict[str, tuple[str, Callable[[int], str]]] = {
    "a word of a text": ("A holy place.", lambda i: f"A {WORDS[i % 12]} and {WORDS[i // 12 % 12]} place."),
    "a number": ("gift: 2", lambda i: f"gift: {3 + i}"),
    "a row": (ROW, lambda i: f"{ROW}\n      extra: {{gift: {i}}}"),
    "a step": (STEP, lambda i: f"      - {{id: twice, gain: {{who: hero.owner, coin: {i}}}}}\n{STEP}"),
    "a misspelt condition": ("when: sort == shrine", lambda i: f"when: sort == shrin{chr(97 + i % 26)}"),
    "a rename": ("answer", lambda i: f"reply_{WORDS[i % 12]}"),
    "an example": ("coin: 8, count", lambda i: f"coin: {9 + i}, count"),
    "a title": ("Praying at a", lambda i: f"Prayers, {WORDS[i % 12]} or {WORDS[i // 12 % 12]}, at a"),
}
"""The changed texts, each with a function that returns the i-th replacement. Every replacement differs."""

TARGET = 0.12
"""The maximum cost of an edit, as a fraction of a check from nothing."""

TABLE = """\
tables:
  cards:
    title: Cards
    columns: {cost: int, worth: int}
    rows:
"""
ROWS = 500


def settle(workspace: Workspace, path: Path, text: str) -> float:
    """Return the processor time of a complete check of a text, in seconds."""
    start = process_time()
    workspace.texts.put(path, text)
    workspace.settle()
    return process_time() - start


def edit_cells(folder: Path, rounds: int) -> list[float]:
    """Return the processor time of each edit of one cell of a table with many rows, in a game of its own."""
    folder.mkdir()
    manifest = "ruleset: made-up/cards\nversion: 1.0.0\ntitle: Cards\nabout: Many.\nplayers: 2\n"
    (folder / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    rows = [f"      card_{row}: {{title: Card {row}, cost: {row % 9}, worth: {row % 7}}}" for row in range(ROWS)]
    path, last = folder / "rules.yaml", rows[-1]
    path.write_text(TABLE + "\n".join(rows), encoding="utf-8")
    workspace = Workspace([folder])
    settle(workspace, path, path.read_text(encoding="utf-8") + "\n")
    return [
        settle(workspace, path, TABLE + "\n".join([*rows[:-1], last.replace("cost: 4", f"cost: {10 + number}")]))
        for number in range(rounds)
    ]


def main() -> int:
    """Make all edits in turn, and compare their medians with those of a newly opened workspace."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=19, help="rounds of all edits (default: %(default)s)")
    rounds = parser.parse_args().rounds
    gc.set_threshold(200_000, 20, 100)  # as in the language server
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "house"
        shutil.copytree(HOUSE, home)
        path = home / "rules.yaml"
        text = path.read_text(encoding="utf-8")
        workspace = Workspace([home.parent])
        print(f"{'opening':<24} {1_000 * settle(workspace, path, text):7.0f} ms")
        edits: dict[str, list[float]] = {name: [] for name in EDITS}
        fresh: list[float] = []
        for number in range(rounds):
            for name, (old, change) in EDITS.items():
                edited = text.replace(old, change(number))
                edits[name] += [settle(workspace, path, edited), settle(workspace, path, text)]
            fresh.append(settle(Workspace([home.parent]), path, text + "\n"))
        cells = edit_cells(Path(folder) / "cards", rounds)
    for name, durations in edits.items():
        print(f"{name:<24} {1_000 * median(durations):7.0f} ms")
    every = [each for durations in edits.values() for each in durations]
    print(f"{'all, median':<24} {1_000 * median(every):7.0f} ms")
    print(f"{'all, 95 of 100 within':<24} {1_000 * quantiles(every, n=20)[-1]:7.0f} ms")
    print(f"{f'a cell of {ROWS} rows':<24} {1_000 * median(cells):7.0f} ms")
    ratio = median(every) / median(fresh)
    return report([Ratio("an edit of house rules, compared with a check of everything", ratio, at_most=TARGET)])


if __name__ == "__main__":
    raise SystemExit(main())
