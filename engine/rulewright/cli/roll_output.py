"""The output of odds for one or several rolls, as text, JSON, CSV or SVG."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.analysis.odds.roll_odds import Numbers, RollOdds, compute_or_sample
from rulewright.base.number_format import format_fixed, format_percent, format_rounded, number
from rulewright.cli.bar_chart import MOST_ROWS, draw_chart
from rulewright.cli.terminal import can_show, measure_width
from rulewright.source.yaml.core_schema import parse_whole_number

if TYPE_CHECKING:
    from rulewright.dice.ast import Roll
    from rulewright.dice.exact.compute_distribution import Distribution

VIEWS = ("chance", "least", "most")
"""The views of odds: the probability of each outcome, of at least it, or of at most it."""

_MOST_DECIMALS = 100
_LONGEST_SHARE = 40
_MOST_PLACES = 8


def add_odds_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the contents and format of odds."""
    output = parser.add_argument_group("output of odds")
    output.add_argument(
        "--view",
        choices=VIEWS,
        default="chance",
        help="which chance to show for each outcome: of exactly that outcome (chance), of that or more (least), or of "
        "that or less (most)",
    )
    output.add_argument(
        "--at-least", type=int, action="append", default=[], metavar="N", help="show the chance of N or more"
    )
    output.add_argument(
        "--at-most", type=int, action="append", default=[], metavar="N", help="show the chance of N or less"
    )
    output.add_argument(
        "--quantiles",
        type=_shares,
        default=(),
        metavar="P,…",
        help="show quantiles of the distribution, such as 0.05,0.5,0.95",
    )
    output.add_argument(
        "--decimals", type=_decimals, default=None, metavar="N", help="number of decimals in percentages (default: 2)"
    )
    output.add_argument(
        "--transposed", action="store_true", help="with several rolls, print a row for each roll instead of a column"
    )
    output.add_argument("--csv", action="store_true", help="print CSV for spreadsheets, with chances as decimals")
    output.add_argument("--svg", type=Path, metavar="FILE", help="write a chart to this file")


def _decimals(text: str) -> int:
    whole_number = parse_whole_number(text)
    if whole_number is None or whole_number > _MOST_DECIMALS:
        raise argparse.ArgumentTypeError(f"must be a number of decimals up to {_MOST_DECIMALS}, not {text!r}")
    return whole_number


def _shares(text: str) -> tuple[Fraction, ...]:
    """Return the probabilities in a list with commas. Raises `ArgumentTypeError` for an invalid one."""
    results = []
    for part in text.split(","):
        number = part.strip().rstrip("%").strip()
        if not number or len(number) > _LONGEST_SHARE or set(number) - set("0123456789.") or number.count(".") > 1:
            raise argparse.ArgumentTypeError(f"must be probabilities such as 0.05,0.5 or 5%, not {part!r}")
        share = Fraction(f"0{number}0" if "." in number else number) / (100 if "%" in part else 1)
        if share > 1:
            raise argparse.ArgumentTypeError(f"a probability is at most 1, not {part.strip()}")
        results.append(share)
    return tuple(results)


def print_odds(rolls: Sequence[RollOdds], args: argparse.Namespace, rows: dict[str, str] | None = None) -> None:
    """Print the odds in the requested format. With `--svg`, write a chart in place of text.

    `rows` are the probabilities of the table rows of a single roll, for JSON.
    """
    if args.svg is not None:
        from rulewright.cli.odds_svg import draw_odds
        from rulewright.source.files.atomic_write import write_text

        write_text(args.svg, draw_odds(rolls, args.view))
    if args.json:
        several = [_data(each, args) for each in rolls]
        print(json.dumps(several[0] | ({"rows": rows} if rows is not None else {}) if len(rolls) == 1 else several))
    elif args.csv:
        write_csv(rolls, args)
    elif args.svg is None:
        print("\n".join(_one(rolls[0], args) if len(rolls) == 1 else _side_by_side(rolls, args)))


# -- JSON and CSV ------------------------------------------------------------------------------


def _data(each: RollOdds, args: argparse.Namespace) -> dict[str, Any]:
    """Return the odds of a roll as JSON data, with the limits and intervals of a sample and notes on the roll."""
    from rulewright.dice.format_notation import format_roll

    odds = each.odds
    results: dict[str, Any] = {
        "expression": format_roll(each.roll),
        "min": odds.outcomes[0],
        "max": odds.outcomes[-1],
        "mean": str(odds.mean),
        "variance": str(odds.variance),
        "outcomes": {str(outcome): str(chance) for outcome, chance in odds.iterate_items()},
    }
    results |= build_question_data(odds, args)
    if each.samples is not None:
        from rulewright.dice.sampling.extremes import find_extremes

        results |= {"samples": each.samples, "too_large": each.too_large, "mean_within": each.mean_within}
        results["reach"] = find_extremes(each.roll, odds.outcomes)[0]
        results["intervals"] = {str(outcome): each.get_interval(chance) for outcome, chance in odds.iterate_items()}
    notes = list(_notes(each.roll))
    return results | ({"notes": notes} if notes else {})


def build_question_data(odds: Distribution, args: argparse.Namespace) -> dict[str, Any]:
    """Return the answers to `--at-least`, `--at-most` and `--quantiles` as JSON data."""
    question_data: dict[str, Any] = {}
    if args.at_least:
        question_data["at_least"] = {str(value): str(odds.compute_at_least(value)) for value in args.at_least}
    if args.at_most:
        question_data["at_most"] = {str(value): str(1 - odds.compute_at_least(value + 1)) for value in args.at_most}
    if args.quantiles:
        question_data["quantiles"] = {str(share): odds.find_quantile(share) for share in args.quantiles}
    return question_data


def write_csv(numbers: Sequence[Numbers], args: argparse.Namespace) -> None:
    """Write CSV to stdout, with a line for each outcome, or for each roll with `--transposed`."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    decimals = 10 if args.decimals is None else args.decimals
    outcomes = _outcomes(numbers)
    if len(numbers) == 1 and not args.transposed:
        out.writerow(["outcome", "chance", "at least", "at most"])
        for outcome in outcomes:
            out.writerow([outcome, *(format_fixed(numbers[0].get_chance(outcome, view), decimals) for view in VIEWS)])
    elif args.transposed:
        out.writerow(["roll", "mean", "deviation", *outcomes])
        for each in numbers:
            chances = [format_fixed(each.get_chance(outcome, args.view), decimals) for outcome in outcomes]
            out.writerow(
                [
                    each.name,
                    format_fixed(each.odds.mean, decimals),
                    f"{sqrt(each.odds.variance):.{decimals}f}",
                    *chances,
                ]
            )
    else:
        out.writerow(["outcome", *(each.name for each in numbers)])
        for outcome in outcomes:
            out.writerow([outcome, *(format_fixed(each.get_chance(outcome, args.view), decimals) for each in numbers)])


def _outcomes(numbers: Sequence[Numbers]) -> list[int]:
    return sorted(set().union(*(each.odds.outcomes for each in numbers)))


# -- text --------------------------------------------------------------------------------------


def _notes(roll: Roll) -> Iterator[str]:
    """Yield notes on rolls that readers may misunderstand, such as sums instead of counts, and exploding dice."""
    from rulewright.dice.ast import Comparison, Constant
    from rulewright.dice.format_notation import format_roll
    from rulewright.dice.parser.exploding_and_rerolled_dice import EXPLOSIONS, explodes_as_usual
    from rulewright.dice.sampling.roll_dice import list_pools
    from rulewright.dice.substitute import OPERATORS

    match roll:
        case Comparison(right=Constant()) if _are_dice(roll.left):
            yield f"this compares the sum of the dice; to count the dice that match, write count({format_roll(roll)})"
        case Comparison(operator=sign, left=Comparison() as inner, right=Constant(value)) if OPERATORS[sign](
            0, value
        ) == OPERATORS[sign](1, value):
            hint = ""
            if _are_dice(inner.left) and isinstance(inner.right, Constant):
                counted = f"count({format_roll(inner)})"
                hint = f"; to count the dice that match, write {counted}, as in {counted} {sign} {value}"
            yield f"{format_roll(inner)} is 1 for yes or 0 for no, and this compares it with {value}{hint}"

    yield from dict.fromkeys(_note_exploding(roll))
    for die in dict.fromkeys(pool.die for pool in list_pools(roll)):
        if explodes_as_usual(die):
            yield f"{die.name} explodes at most {EXPLOSIONS} times; for another limit, add x and a number"


def _are_dice(roll: Roll) -> bool:
    """Return whether a roll has more than one result."""
    from rulewright.dice.ast import count_results

    return (count_results(roll) or 1) > 1


def _note_exploding(roll: Roll) -> Iterator[str]:
    """Yield a note for each outermost part of a roll that counts or keeps exploding dice."""
    from rulewright.dice.ast import list_parts
    from rulewright.dice.parser.explosion_rewrites import describe_single_dice, explodes

    if explodes(roll):
        yield describe_single_dice(roll)
        return
    for part in list_parts(roll):
        yield from _note_exploding(part)


def _head(each: RollOdds) -> str:
    """Return the range, mean and standard deviation, with the precision of a sample."""
    odds = each.odds
    if each.samples is not None:
        from rulewright.dice.sampling.extremes import find_extremes

        (low, high), reached = find_extremes(each.roll, odds.outcomes)
        spread = f"{low} to {high}"
        if not reached:
            span = str(odds.outcomes[0]) if len(odds) == 1 else f"{odds.outcomes[0]} to {odds.outcomes[-1]}"
            spread = f"{span} came up (bounds: {low} to {high})"
        mean = f"mean about {format_rounded(odds.mean)} (within {each.mean_within:.3f})"
        return f"{spread}, {mean}, deviation about {sqrt(odds.variance):.2f}"
    spread = f"{odds.outcomes[0]} to {odds.outcomes[-1]}" if len(odds) > 1 else f"always {odds.outcomes[0]}"
    return f"{spread}, mean {number(odds.mean)}, deviation {sqrt(odds.variance):.2f}"


def _one(each: RollOdds, args: argparse.Namespace) -> list[str]:
    """Return the odds of one roll as lines, with a chart and, for a group of dice, the odds of each place."""
    from rulewright.dice.ast import Comparison, Group

    lines = [format_title(each.roll)]
    yes_no = isinstance(each.roll, Comparison)
    if not yes_no:
        lines.append(_head(each))
    lines += _limits(each)
    lines += [*_notes(each.roll), *format_answers(each, args), ""]
    interval = None if each.samples is None else each.get_interval
    decimals = 2 if args.decimals is None else args.decimals
    lines += draw_chart(
        each.odds,
        width=measure_width(),
        blocks=can_show("█▏–"),
        yes_no=yes_no,
        interval=interval,  # type: ignore[arg-type]
        decimals=decimals,
        at_most=args.view == "most",
    )
    if isinstance(each.roll, Group) and 1 < each.roll.count <= _MOST_PLACES and each.samples is None:
        lines += ["", *_places(each.roll, args)]
    return lines


def format_title(roll: Roll) -> str:
    """Return the notation of a roll, and its condensed form if that differs."""
    from rulewright.dice.format_notation import SYMBOL, format_roll
    from rulewright.dice.simplify import condense

    written, condensed = format_roll(roll, symbol=can_show(SYMBOL)), format_roll(condense(roll))
    return written if written.endswith(condensed) else f"{written}  =  {condensed}"


def _places(group: Any, args: argparse.Namespace) -> list[str]:
    """Return a table with the distribution of each result of a group, from the highest to the lowest."""
    from rulewright.dice.ast import Trim

    count = group.count
    names = ["highest", *(f"{place}{_ORDINALS.get(place, 'th')}" for place in range(2, count)), "lowest"]
    apart = [compute_or_sample(Trim(group, count - place - 1, place), name) for place, name in enumerate(names)]
    return ["each die separately, highest first:", "", *_side_by_side(apart, args)]


_ORDINALS = {2: "nd", 3: "rd"}


def _limits(each: RollOdds) -> Iterator[str]:
    if each.samples is not None:
        yield f"too large for exact odds: {each.too_large}"
        yield f"sampled: {each.samples:,} rolls; intervals are 95 % confidence intervals"


def format_answers(each: Numbers, args: argparse.Namespace) -> Iterator[str]:
    """Yield the answers to `--at-least`, `--at-most` and `--quantiles` as lines."""
    for words, values, view in (("at least", args.at_least, "least"), ("at most", args.at_most, "most")):
        for value in values:
            yield f"{words} {value}: {_percent(each, each.get_chance(value, view), args)}"
    if args.quantiles:
        yield "quantiles: " + ", ".join(
            f"{number(share * 100)} % {each.odds.find_quantile(share)}" for share in args.quantiles
        )


def _percent(each: Numbers, chance: Fraction, args: argparse.Namespace) -> str:
    percent = format_percent(chance, 2 if args.decimals is None else args.decimals)
    within = each.get_interval(chance)
    return percent if within is None else f"{percent} ({within[0] * 100:.1f} to {within[1] * 100:.1f}%)"


def _side_by_side(rolls: Sequence[RollOdds], args: argparse.Namespace) -> list[str]:
    """Return a table of several rolls as lines."""
    decimals = 2 if args.decimals is None else args.decimals
    lines = [line for each in rolls for line in (*_limits(each), *_notes(each.roll))]
    steps = _steps(rolls)
    table = [["", *(each.name for each in rolls)]]
    table.append(["mean", *(("about " if each.samples else "") + format_rounded(each.odds.mean) for each in rolls)])
    table.append(["deviation", *(f"{sqrt(each.odds.variance):.2f}" for each in rolls)])
    for words, values, view in (("at least", args.at_least, "least"), ("at most", args.at_most, "most")):
        table += [
            [f"{words} {value}", *(format_percent(each.get_chance(value, view), decimals) for each in rolls)]
            for value in values
        ]
    table += [
        [f"{number(share * 100)} %", *(str(each.odds.find_quantile(share)) for each in rolls)]
        for share in args.quantiles
    ]
    if not (args.at_least or args.at_most or args.quantiles):
        texts = {"chance": "", "least": "≥ " if can_show("≥") else ">= ", "most": "≤ " if can_show("≤") else "<= "}
        for least, greatest in steps:
            row = [_compute_range(each, least, greatest, args.view) for each in rolls]
            label = (
                _range(least, greatest) if args.view == "chance" else str(least if args.view == "least" else greatest)
            )
            table.append(
                [
                    texts[args.view] + label,
                    *("" if chance is None else format_percent(chance, decimals) for chance in row),
                ]
            )
    if args.transposed:
        table = [list(column) for column in zip(*table, strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines += ["  ".join(f"{cell:>{wide}}" for cell, wide in zip(row, widths, strict=True)).rstrip() for row in table]
    return lines


def _range(least: int, greatest: int) -> str:
    return str(least) if least == greatest else f"{least}{'–' if can_show('–') else '-'}{greatest}"


def _steps(rolls: Sequence[RollOdds]) -> list[tuple[int, int]]:
    """Return the outcomes to show as ranges, which have one outcome each unless there are too many."""
    outcomes = _outcomes(rolls)
    if len(outcomes) <= MOST_ROWS:
        return [(outcome, outcome) for outcome in outcomes]
    step = (outcomes[-1] - outcomes[0]) // MOST_ROWS + 1
    starts = range(outcomes[0], outcomes[-1] + 1, step)
    return [(start, min(start + step - 1, outcomes[-1])) for start in starts]


def _compute_range(each: RollOdds, least: int, greatest: int, view: str) -> Fraction | None:
    """Return the probability of a range in a view: at least `least`, at most `greatest`, or between the two.

    The probability between the two is None instead of 0.
    """
    if view == "least":
        return each.odds.compute_at_least(least)
    if view == "most":
        return 1 - each.odds.compute_at_least(greatest + 1)
    chance = each.odds.compute_at_least(least) - each.odds.compute_at_least(greatest + 1)
    return chance or None
