"""Compare the processor time to plan a table update from a spreadsheet with that to read the rules from nothing.

A sheet changes a cell in every row of a table, adds a row after each, and omits a third of the rows, which are removed.
The clock counts processor time from the text of the sheet to the new text of the file. For comparison, the same rules
are read and checked. With four times the rows, the update should take four times as long.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

from _report import Ratio, report

from rulewright.authoring.sheets.load_rules import load_with_errors
from rulewright.authoring.sheets.sheet_table import open_table
from rulewright.authoring.sheets.update_rows import plan_update
from rulewright.ruleset.editions.catalogue import Catalogue

ROWS = 500
MANIFEST = "ruleset: made-up/cards\nversion: 1.0.0\ntitle: Cards\nabout: Many.\nplayers: 2\n"
HEAD = "tables:\n  cards:\n    columns: {cost: int, worth: optional int, text: text}\n    rows:\n"


def measure(folder: Path, rows: int) -> tuple[float, float]:
    """Return the processor seconds to read rules with `count` rows, and to plan an update of all of them."""
    home = folder / "cards"
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    listed = [f"      card_{row}: {{title: Card {row}, cost: {row % 9}, text: Nothing.}}\n" for row in range(rows)]
    (home / "rules.yaml").write_text(HEAD + "".join(listed), encoding="utf-8")
    lines = [f"Card {row}\t{row}\t1\tSomething.\nNew {row}\t1\t\tNothing.\n" for row in range(rows) if row % 3]
    sheet = "title\tcost\tworth\ttext\n" + "".join(lines)
    start = process_time()
    catalogue = Catalogue([folder])
    ruleset, _ = load_with_errors(catalogue, catalogue.find_edition("made-up/cards"))
    read = process_time()
    update = plan_update(open_table(ruleset, "cards"), sheet, "cards.tsv", remove=True)
    planned = process_time()
    assert not update.diagnostics
    assert (len(update.added), len(update.changed), len(update.removed)) == (len(lines), len(lines), rows - len(lines))
    return read - start, planned - read


def main() -> int:
    """Measure few and many rows alternately, and compare the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of both sizes (default: %(default)s)")
    rounds = parser.parse_args().rounds
    gc.set_threshold(200_000, 20, 100)
    few, many = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            few.append(measure(Path(folder) / f"few-{number}", ROWS))
            many.append(measure(Path(folder) / f"many-{number}", 4 * ROWS))
    # The first round also loads modules.
    reading, planning = (median(each[part] for each in few[1:]) for part in (0, 1))
    longer = median(each[1] for each in many[1:])
    print(f"{ROWS} rows: read in {1_000 * reading:.0f} ms, updated in {1_000 * planning:.0f} ms")
    return report(
        [
            Ratio(f"the update of {ROWS} rows, compared with reading the rules", planning / reading, at_most=1),
            Ratio("four times the rows", longer / planning, at_most=5),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
