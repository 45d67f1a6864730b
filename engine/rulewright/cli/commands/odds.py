"""`rulewright odds`: the exact odds of a roll, as a chart or as JSON."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dice.distribution import Distribution
    from rulewright.dice.tree import Roll

HELP = "show the exact odds of a roll"
EXAMPLE = """\
rulewright odds "5d6 +15"
rulewright odds "5d6 +15 > 7d6 +21" --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("what", metavar="EXPR", help="a roll: 2d6 +6, 4d6kh3, (5 * 1d6) +3, 2d6 > 1d12")
    parser.add_argument("further", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print data: probabilities as reduced fractions")


def run(args: argparse.Namespace) -> int:
    """Print the odds of one expression."""
    if args.further:
        args.parser.error(f'one roll at a time; quote a roll with blanks: "{" ".join([args.what, *args.further])}"')
    from rulewright.dice.distribution import distribution
    from rulewright.dice.parse import parse

    roll = parse(args.what)
    odds = distribution(roll)
    print(json.dumps(_data(roll, odds)) if args.json else "\n".join(_report(roll, odds)))
    return 0


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
