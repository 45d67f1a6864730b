"""The `rulewright roll` command, which rolls dice and shows each of them."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from rulewright.cli.shared_options import add_roll_arguments, read_roll
from rulewright.source.yaml.core_schema import parse_whole_number

if TYPE_CHECKING:
    from rulewright.dice.sampling.roll_dice import Result

HELP = "roll dice, or roll on a table of a ruleset, and show every die"
TASKS = "Roll dice, or roll on a table."
EXAMPLE = """\
rulewright roll "2d6 +6"
rulewright roll pig/classic@1.0 die
rulewright roll 4d6kh3 --times 6 --seed 7"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_roll_arguments(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="random seed (same seed, same dice)")
    parser.add_argument("--times", type=_times, default=1, metavar="N", help="number of rolls (default: 1)")
    parser.add_argument("--json", action="store_true", help="print JSON: an object, or a list with --times")


def run(args: argparse.Namespace) -> int:
    """Roll one expression one or more times, print each result, and return 0.

    Raises `RulewrightError` for an invalid roll or an unknown ruleset.
    """
    from secrets import randbits

    from rulewright.dice.format_notation import format_roll
    from rulewright.dice.sampling.random_generator import Generator
    from rulewright.dice.sampling.roll_dice import list_faces, roll

    tree, table, text = read_roll(args)
    expression = format_roll(tree)
    generator = Generator(randbits(64) if args.seed is None else args.seed)
    # Print each roll at once, so that a million of them need no memory.
    for number in range(args.times):
        result = roll(tree, generator)
        if args.json:
            plain: dict[str, Any] = {"expression": expression, "total": result.total, "rolls": list_faces(result)}
            if result.apart:
                plain["apart"] = list(result.apart)
            if table is not None:
                plain["row"] = table.by_face[result.total]
            data = json.dumps(plain)
            opening = "" if args.times == 1 else "[" if number == 0 else " "
            closing = "" if args.times == 1 else "]" if number == args.times - 1 else ","
            print(f"{opening}{data}{closing}")
        else:
            print(_line(result) + ("" if table is None else f"  {text[table.by_face[result.total]]}"))
    return 0


def _times(text: str) -> int:
    times = parse_whole_number(text) or 0
    if times < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return times


def _line(result: Result) -> str:
    """Return the roll, the dice of each pool, and the total. Dropped dice are in parentheses."""
    from rulewright.cli.terminal import can_show
    from rulewright.dice.format_notation import SYMBOL, format_roll

    pools = [
        "["
        + " ".join(str(face) if saved else f"({face})" for face, saved in zip(pool.faces, pool.kept, strict=True))
        + "]"
        for pool in result.trace
    ]
    apart = f"{', '.join(map(str, result.apart))}, together " if result.apart else ""
    return f"{format_roll(result.roll, symbol=can_show(SYMBOL))}  {' '.join(pools)}  =  {apart}{result.total}"
