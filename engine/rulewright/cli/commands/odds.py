"""The `rulewright odds` command, which computes odds of rolls, tables and procedures."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from rulewright.analysis.odds.roll_odds import Numbers, compute_or_sample
from rulewright.base.number_format import format_fixed, format_interval, format_percent, number
from rulewright.cli.bar_chart import MOST_ROWS, draw_bar, draw_chart
from rulewright.cli.main import INTERRUPTED
from rulewright.cli.roll_output import add_odds_options, build_question_data, format_title, print_odds
from rulewright.cli.roll_output import format_answers as asked_answers
from rulewright.cli.shared_options import (
    add_choose_option,
    add_given_option,
    add_roll_arguments,
    add_settings_option,
    is_reference,
    list_in_help,
    read_choices,
    read_given,
    read_procedure,
    read_rolls,
    read_settings,
    seed_of,
)
from rulewright.cli.terminal import can_show, measure_width
from rulewright.source.yaml.core_schema import parse_whole_number

if TYPE_CHECKING:
    from rulewright.analysis.odds.end_expressions import AnswerOdds
    from rulewright.analysis.odds.procedure_odds import ProcedureOdds
    from rulewright.language.checked_steps import Procedure
    from rulewright.ruleset.ruleset import Ruleset


_BEYOND = (
    "at {}, `best` uses information that is hidden from the deciding player: these are the odds for a player who sees"
    " everything"
)
_UNFINISHED = "interrupted before there was any result; a smaller `--most N` starts sampling sooner"

HELP = "compute exact odds of a roll, a roll table or a whole procedure"
TASKS = "Calculate probabilities, dice statistics and expected values."
EXAMPLE = """\
rulewright odds "5d6 +15"
rulewright odds pig/classic@1.0 "2 * die"
rulewright odds "5d6 +15 > 7d6 +21" --json
rulewright odds 3d6 4d6kh3 "2d6 +6" --view least --svg odds.svg
rulewright odds "1d20 as x: 2 * 1d8 if x == 20 else 1d8" --at-least 9 --quantiles 0.5,0.95 --decimals 4
rulewright odds pig/classic@1.0 game winners --given 'players=[{score: 90}, {score: 80}]' --most 5000
rulewright odds pig/classic@1.0 game pot --until 'pot >= 20' --policy take:roll
rulewright odds pig/classic@1.0 game winners --policy 1=most --policy 2=random --most 1000 --precision 0.05"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_roll_arguments(
        parser,
        further="EXPR … | TABLE | PROCEDURE [EXPR …]",
        means=", or a procedure with expressions to evaluate when it ends. After a roll: more rolls to compare",
    )
    add_odds_options(parser)
    whole = parser.add_argument_group("odds of a procedure")
    add_given_option(whole)
    whole.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="[WHO=]NAME",
        help="how decisions are made (repeatable); WHO is a seat or a step with a decision",
    )
    add_choose_option(whole)
    whole.add_argument(
        "--until",
        default="",
        metavar="COND",
        help="evaluate when this condition first becomes true instead of at the end, such as 'round == 3'",
    )
    whole.add_argument("--players", type=int, metavar="N", help="number of players (default: the minimum)")
    add_settings_option(whole)
    whole.add_argument("--most", type=_positive, metavar="N", help="number of branches to follow before sampling")
    whole.add_argument(
        "--precision",
        type=_share,
        metavar="P",
        help="target width of the confidence intervals when sampling, such as 0.02",
    )
    whole.add_argument("--seed", metavar="N", help="random seed for sampling")
    parser.add_argument("--json", action="store_true", help="print JSON, with probabilities as reduced fractions")
    list_in_help(parser, policies="rulewright.analysis.odds.policies")


def run(args: argparse.Namespace) -> int:
    """Print the odds of rolls, of a table, or of a procedure, and return the exit code.

    The code is 0, or 130 if an interrupt ended the sampling. Exits with a usage error for options that do not fit.
    """
    if args.further and is_reference(args.what):
        procedure = read_procedure(args)
        if procedure is not None:
            return _procedure(args, *procedure)
    for name in ("given", "policy", "choose", "until", "players", "option", "most", "precision", "seed"):
        if getattr(args, name):
            args.parser.error(f"--{name} is for the odds of a procedure: name one after the ruleset")
    return _roll(args)


def _refuse_unheeded(args: argparse.Namespace) -> None:
    """Exit with a usage error if the output format would ignore one of the options."""
    if args.json and args.csv:
        args.parser.error("--json and --csv are different formats: use only one of them")
    form = "--csv" if args.csv else "--svg" if args.svg is not None and not args.json else ""
    for name in ("at_least", "at_most", "quantiles"):
        if form and getattr(args, name):
            option = name.replace("_", "-")
            args.parser.error(
                f"{form} shows every outcome, so it does not take --{option}: leave it out, or use --json"
            )


def _roll(args: argparse.Namespace) -> int:
    """Print the odds of rolls or, for a single table, of its rows, and return 0.

    Raises `RulewrightError` for an invalid roll. Exits with a usage error for options that cannot be combined.
    """
    _refuse_unheeded(args)
    rolls = read_rolls(args)
    results = [compute_or_sample(roll, name) for name, roll, _, _ in rolls]
    _, roll, table, text = rolls[0]
    if table is None or len(rolls) > 1:
        print_odds(results, args)
        return 0
    odds = results[0].odds
    rows = {
        row: sum((odds.get_probability(face) for face in results.faces), Fraction(0))
        for row, results in table.rows.items()
    }
    if args.json or args.csv or args.svg is not None:
        print_odds(results, args, {row: str(chance) for row, chance in rows.items()})
    else:
        print("\n".join(_rows(format_title(roll), rows, text, args.decimals)))
    return 0


def _procedure(args: argparse.Namespace, ruleset: Ruleset, procedure: Procedure) -> int:
    """Print the odds of a procedure, and return 0, or 130 if an interrupt ended the sampling.

    Raises `KeyboardInterrupt` if it ended the exact computation.
    """
    from rulewright.analysis.odds.procedure_odds import (
        MOST_BRANCHES,
        PRECISION,
        ProcedureSetting,
        compute_procedure_odds,
    )

    _refuse_unheeded(args)
    setting = ProcedureSetting(
        read_given(args), args.policy, read_choices(args), args.players, read_settings(args), args.until
    )
    try:
        odds = compute_procedure_odds(
            ruleset,
            procedure.id,
            args.further[1:],
            setting=setting,
            most=args.most or MOST_BRANCHES,
            precision=args.precision or PRECISION,
            seed=seed_of(args.seed) if args.seed is not None else 0,
        )
    except KeyboardInterrupt:
        print(_UNFINISHED, file=sys.stderr)
        raise
    if odds.beyond:
        print(_BEYOND.format(", ".join(f"`{rule}`" for rule in odds.beyond)), file=sys.stderr)
    _print_procedure(odds, args, ruleset, procedure)
    return INTERRUPTED if odds.interrupted else 0


def _print_procedure(odds: ProcedureOdds, args: argparse.Namespace, ruleset: Ruleset, procedure: Procedure) -> None:
    """Print the odds of a procedure in the requested format. With `--svg`, write a chart in place of text.

    Exits with a usage error if an option is for numbers and none of the answers is a number.
    """
    from rulewright.engine.narration.plain_names import Names

    numbers = [each for each in map(_numbers, odds.answers) if each is not None]
    for name in ("svg", "at_least", "at_most", "quantiles"):
        if getattr(args, name) and not numbers:
            question = odds.answers[0].question.written
            args.parser.error(f"--{name.replace('_', '-')} needs a number, but `{question}` is not one")
    if args.transposed:
        args.parser.error("--transposed needs several rolls")
    if args.svg is not None:
        from rulewright.cli.odds_svg import draw_odds
        from rulewright.source.files.atomic_write import write_text

        write_text(args.svg, draw_odds(numbers, args.view))
    if args.json:
        head = {"ruleset": ruleset.reference, "procedure": procedure.id}
        print(json.dumps(head | _procedure_data(odds, args), ensure_ascii=False))
    elif args.csv:
        _write_answers(odds.answers, args)
    elif args.svg is None:
        title = f"{ruleset.reference} {procedure.id}: {Names(ruleset).name_procedure(procedure.id)}"
        print("\n".join(_format(odds, title, args)))


def _numbers(answer: AnswerOdds) -> Numbers | None:
    """Return the distribution of an answer, or None if it is not a number or does not have a value at every end."""
    from rulewright.language.types import Boolean, present

    if answer.distribution is None or isinstance(present(answer.question.type), Boolean):
        return None
    return Numbers(name=answer.question.written, odds=answer.distribution, samples=answer.samples)


def _write_answers(answers: Sequence[AnswerOdds], args: argparse.Namespace) -> None:
    """Write one CSV line for each answer to stdout, after a header, with cumulative probabilities for numbers."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["asked", "answer", "chance", "at least", "at most"])
    decimals = 10 if args.decimals is None else args.decimals
    for each in answers:
        numbers = _numbers(each)
        for identity, chance in each.chances.items():
            views = ["", ""]
            if numbers is not None:
                views = [format_fixed(numbers.get_chance(int(identity), view), decimals) for view in ("least", "most")]
            out.writerow([each.question.written, each.words[identity], format_fixed(chance, decimals), *views])


def _positive(text: str) -> int:
    number = parse_whole_number(text)
    if not number:
        raise argparse.ArgumentTypeError(f"must be a number of branches such as 300000, not {text!r}")
    return number


def _share(text: str) -> float:
    """Return a number of an argument. Raises `ArgumentTypeError` unless it is above 0 and below 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, such as 0.02, not {text!r}")
    return value


def _rows(roll: str, rows: dict[str, Fraction], names: dict[str, str], decimals: int | None) -> list[str]:
    """Return the lines of a bar chart of the rows of a table, below the title `roll`.

    `rows` has the probability of each row and `names` its title, by id.
    """
    labels = max(len(name) for name in names.values())
    room = max(8, measure_width() - labels - 12)
    most = max(rows.values())
    lines = [roll, ""]
    for row, chance in rows.items():
        drawn = draw_bar(chance / most, room, blocks=can_show("█▏–"))
        lines.append(
            f"{names[row]:>{labels}}  {drawn:{room}}  {format_percent(chance, 2 if decimals is None else decimals):>7}"
        )
    return lines


QUANTILES = (5, 50, 95)
"""The percentages of the quantiles to print."""


def _format(odds: ProcedureOdds, title: str, args: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the text output: the title, how the odds were computed, and each answer with its chart."""
    yield title
    if odds.exact:
        yield f"exact: {odds.branches:,} branches, {odds.positions:,} positions"
    else:
        yield f"too large for exact odds: {odds.too_large}"
        yield f"sampled: {odds.samples:,} runs; intervals are 95 % confidence intervals"
        if not odds.precise:
            ended = "interrupted" if odds.interrupted else "stopped early"
            target = (
                f"{odds.precision:g} was requested"
                if args.precision is not None
                else f"{odds.precision:g} is the goal (`--precision`)"
            )
            yield f"{ended}: an interval is {odds.width:.2g} wide, but {target}"
    for answer in odds.answers:
        yield ""
        yield from _answer(answer, args)


def _procedure_data(odds: ProcedureOdds, args: argparse.Namespace) -> dict[str, Any]:
    """Return the odds as JSON data, with probabilities as reduced fractions."""
    return {
        "exact": odds.exact,
        "branches": odds.branches,
        "positions": odds.positions,
        "samples": odds.samples,
        "too_large": odds.too_large or None,
        "precise": odds.precise,
        "beyond": list(odds.beyond),
        "answers": [_answer_data(answer, args) for answer in odds.answers],
    }


def _answer(answer: AnswerOdds, args: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of an answer: the question, its statistics if it is a number, and a chart.

    An answer with a note has only the note.
    """
    from rulewright.base.confidence_intervals import compute_wilson_interval
    from rulewright.language.types import Boolean, present

    blocks, samples = can_show("█▏–"), answer.samples
    yes_no = isinstance(present(answer.question.type), Boolean)
    decimals = 2 if args.decimals is None else args.decimals
    yield answer.question.written + (" (gained)" if answer.question.gain is not None else "")
    if answer.note:
        yield answer.note
        return
    spread = answer.distribution
    if spread is None:
        yield from _bars(answer, blocks=blocks, decimals=decimals)
        return
    if not yes_no:
        within = "" if answer.mean_within is None else f" (within {answer.mean_within:.3f})"
        least, most = spread.outcomes[0], spread.outcomes[-1]
        reach = f"always {least}" if least == most else f"{least} to {most}"
        yield f"{reach}, mean {number(spread.mean)}{within}, deviation {sqrt(spread.variance):.2f}"
        if not args.quantiles:
            yield "quantiles: " + ", ".join(f"{n} % {spread.find_quantile(n / 100)}" for n in QUANTILES)
    if (numbers := _numbers(answer)) is not None:
        yield from asked_answers(numbers, args)
    interval = None if samples is None else lambda chance: compute_wilson_interval(int(chance * samples), samples)
    yield from draw_chart(
        spread,
        width=measure_width(),
        blocks=blocks,
        yes_no=yes_no,
        interval=interval,
        decimals=decimals,
        at_most=args.view == "most",
    )


def _bars(answer: AnswerOdds, *, blocks: bool, decimals: int) -> Iterator[str]:
    """Yield a bar for each of the first `MOST_ROWS` answers, and a line about the remaining ones, if any."""
    chances = dict(list(answer.chances.items())[:MOST_ROWS])
    labels = {each: answer.words[each] for each in chances}
    room = max(map(len, labels.values()))
    space = max(8, measure_width() - room - (12 if answer.samples is None else 29))
    most = max(chances.values())
    for each, chance in chances.items():
        drawn = draw_bar(chance / most, space, blocks=blocks)
        line = f"{labels[each]:>{room}}  {drawn:{space}}  {format_percent(chance, decimals):>7}"
        interval = answer.get_interval(each)
        yield line if interval is None else f"{line}  {format_interval(interval):>15}"
    if len(chances) < len(answer.chances):
        rest = 1 - sum(chances.values(), Fraction(0))
        yield f"and {len(answer.chances) - len(chances):,} more, {format_percent(rest, decimals)} in total"


def _answer_data(answer: AnswerOdds, args: argparse.Namespace) -> dict[str, Any]:
    """Return an answer as JSON data, with its statistics if it is a number and intervals if it is sampled."""
    results: dict[str, Any] = {
        "expression": answer.question.written,
        "gained": answer.question.gain is not None,
        "outcomes": {each: str(chance) for each, chance in answer.chances.items()},
        "words": dict(answer.words),
    }
    spread = answer.distribution
    if spread is not None:
        results |= {
            "min": spread.outcomes[0],
            "max": spread.outcomes[-1],
            "mean": str(spread.mean),
            "variance": str(spread.variance),
            "quantiles": {str(n): spread.find_quantile(n / 100) for n in QUANTILES},
        }
        if _numbers(answer) is not None:
            results |= build_question_data(spread, args)
    if answer.samples is not None:
        results["intervals"] = {each: answer.get_interval(each) for each in answer.chances}
        results["mean_within"] = answer.mean_within
    return results | ({"note": answer.note} if answer.note else {})
