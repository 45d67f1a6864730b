"""`rulewright odds`: the exact odds of a roll, as a chart or as JSON."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from rulewright.cli.rolls import add_roll_arguments, asked_roll

if TYPE_CHECKING:
    from rulewright.dice.distribution import Distribution
    from rulewright.dice.tree import Roll

HELP = "show the exact odds of a roll, or of a table of a ruleset"
EXAMPLE = """\
rulewright odds "5d6 +15"
rulewright odds pig/classic@1.0 "2 * die"
rulewright odds "5d6 +15 > 7d6 +21" --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_roll_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print data: probabilities as reduced fractions")


def run(args: argparse.Namespace) -> int:
    """Print the odds of one roll, or of one table."""
    from rulewright.dice.distribution import distribution

    roll, table, said = asked_roll(args)
    odds = distribution(roll)
    data = _data(roll, odds)
    report = _report(roll, odds)
    if table is not None:
        rows = {
            row: sum((odds.probability(face) for face in found.faces), Fraction(0)) for row, found in table.rows.items()
        }
        data["rows"] = {row: str(chance) for row, chance in rows.items()}
        report = _rows(report[0], rows, said)
    print(json.dumps(data) if args.json else "\n".join(report))
    return 0


def _rows(roll: str, rows: dict[str, Fraction], said: dict[str, str]) -> list[str]:
    """The rows of a table with their chances."""
    from rulewright.cli.chart import bar, percent
    from rulewright.cli.terminal import can_show, width

    labels = max(len(name) for name in said.values())
    room = max(8, width() - labels - 12)
    most = max(rows.values())
    lines = [roll, ""]
    for row, chance in rows.items():
        drawn = bar(chance / most, room, blocks=can_show("█▏–"))
        lines.append(f"{said[row]:>{labels}}  {drawn:{room}}  {percent(chance):>7}")
    return lines


def _data(roll: Roll, odds: Distribution) -> dict[str, object]:
    from rulewright.dice.text import text

    return {
        "expression": text(roll),
        "min": odds.outcomes[0],
        "max": odds.outcomes[-1],
        "mean": str(odds.mean),
        "variance": str(odds.variance),
        "outcomes": {str(outcome): str(chance) for outcome, chance in odds.items()},
    }


def _report(roll: Roll, odds: Distribution) -> list[str]:
    from rulewright.cli.chart import chart
    from rulewright.cli.terminal import can_show, width
    from rulewright.dice.condense import condense
    from rulewright.dice.text import SYMBOL, text
    from rulewright.dice.tree import Comparison

    written, condensed = text(roll, symbol=can_show(SYMBOL)), text(condense(roll))
    title = written if written.endswith(condensed) else f"{written}  =  {condensed}"
    yes_no = isinstance(roll, Comparison)
    lines = [title]
    if not yes_no:
        spread = f"{odds.outcomes[0]} to {odds.outcomes[-1]}" if len(odds) > 1 else f"always {odds.outcomes[0]}"
        lines.append(f"{spread}, mean {_number(odds.mean)}, deviation {sqrt(odds.variance):.2f}")
    lines.append("")
    lines += chart(odds, width=width(), blocks=can_show("█▏–"), yes_no=yes_no)
    return lines


def _number(value: Fraction) -> str:
    """`value` in decimals: exact where four are enough, else marked as rounded."""
    shown = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return shown if Fraction(shown) == value else f"about {shown}"
