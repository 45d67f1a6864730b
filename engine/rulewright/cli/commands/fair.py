"""The `rulewright fair` command, which answers a designer's questions about the fairness of a game."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.cli.main import INTERRUPTED
from rulewright.cli.shared_options import (
    add_rules_option,
    add_settings_option,
    build_check_command,
    list_in_help,
    load,
    read_bots,
    read_settings,
    refuse_lost,
    seed_of,
)
from rulewright.engine.wasm_backend.availability import WITHOUT, is_available
from rulewright.source.diagnostics.excerpt import shorten
from rulewright.source.files.atomic_write import refuse_unwritable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulewright.analysis.fairness.ask_questions import QuestionResult
    from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
    from rulewright.ruleset.ruleset import Ruleset

WIDER = 15
"""How much wider the names of metrics are than in a simulation, whose lines have more numbers."""

MOST_DIGITS = 1e12
"""The value from which a metric is shown in scientific notation."""

GAMES, MOST_SAMPLES = 1_000, 4

POSITIONS = 10_000

HELP = "analyse a game: seat advantage, length, luck and skill, unused options and rules"
TASKS = "Playtest the balance of a game: first-player advantage, luck, skill and length."
EXAMPLE = """\
rulewright fair pig/classic
rulewright fair classics/tic-tac-toe --players mcts:20,random --games 100 --workers 2
rulewright fair pig/classic --from saves"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument(
        "--players",
        default="",
        metavar="GOOD[,WEAKER]",
        help="a strong bot and a weaker one (default: the strongest that runs fast enough, and the next one down)",
    )
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"number of games in each sample (default: {GAMES}; for advantages, up to {MOST_SAMPLES} times as many if "
        "they are short)",
    )
    parser.add_argument("--seed", default="0", metavar="N", help="random seed (default: 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="worker processes (default: 1)")
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        metavar="N",
        help=f"solve the game exactly if it has at most N positions (default: {POSITIONS})",
    )
    add_settings_option(parser, simulates=True)
    parser.add_argument(
        "--from",
        dest="saves",
        type=Path,
        metavar="FOLDER",
        help="answer from the saved games of people in FOLDER that have the default settings, or those of --option",
    )
    parser.add_argument(
        "--compare", metavar="REF", help="also play this ruleset with the same seeds, and report the differences"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the results as an HTML page")
    parser.add_argument(
        "--edition",
        type=Path,
        metavar="DIR",
        help="write the change that evens out an advantage to a new folder, as house rules",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="save the answers next to the rules, as fair.json. The rulebook then shows them on a page",
    )
    add_rules_option(parser)
    list_in_help(parser, bots="rulewright.ai.bots")


def run(args: argparse.Namespace) -> int:
    """Ask all questions, print the answers, and return the exit code.

    Also writes the page for `--report` and, if every question was answered, the file for `--keep`. Progress goes to
    stderr. The code is 1 if a question failed, and 130 after an interrupt.
    """
    from rulewright.analysis.fairness.ask_questions import QuestionFailure, ask, ask_saved, to_data, to_saved_data
    from rulewright.cli import terminal
    from rulewright.ruleset.load_ruleset import load_ruleset
    from rulewright.ruleset.queries.fairness_results import find_results_file
    from rulewright.source.files.atomic_write import write_text

    bots = read_bots(args)
    good, lesser = (*bots, "", "")[:2]
    if args.workers < 1 or (args.games is not None and args.games < 1):
        args.parser.error("--games and --workers must be at least 1")
    if args.positions < 0:
        args.parser.error("--positions must be at least 0")
    if len(bots) > 2:
        args.parser.error("--players takes at most two bots, a strong one and a weaker one")
    if args.report is not None:
        refuse_unwritable(args.report)
    if args.keep and args.compare:
        args.parser.error("--keep is for one ruleset: leave out --compare")
    if args.saves is not None:
        _refuse_for_saves(args)
    if args.edition is not None and args.edition.exists():
        args.parser.error(f"--edition must name a new folder: {args.edition} already exists")
    ruleset = load(args)
    if args.keep:
        refuse_lost(find_results_file(ruleset))
    other = load_ruleset(args.compare, rules=args.rules) if args.compare else None
    table = None if args.saves is None else _open_saves(args, ruleset)
    if table is None and not is_available():
        print(f"note: {WITHOUT}", file=sys.stderr)
    question_results: list[QuestionResult] = []
    unanswered: list[QuestionFailure] = []
    code = 0
    if not args.json:
        print(f"{ruleset.title} ({ruleset.reference})", flush=True)
    try:
        with terminal.show_progress() as progress:
            answers = (
                ask_saved(table, unanswered)
                if table is not None
                else ask(
                    ruleset,
                    good=good,
                    lesser=lesser,
                    games=args.games,
                    seed=seed_of(args.seed),
                    options=read_settings(args),
                    rules=args.rules,
                    other=other,
                    positions=args.positions,
                    workers=args.workers,
                    progress=lambda: progress,
                    unanswered=unanswered,
                )
            )
            for answered in answers:
                question_results.append(answered)
    except KeyboardInterrupt:
        code = INTERRUPTED
    report = (
        to_data(ruleset, question_results, seed=args.seed, games=args.games or GAMES)
        if table is None
        else to_saved_data(table, question_results)
    )
    if unanswered:
        report["unanswered"] = [
            {"question": each.question.id, "title": each.question.title, "why": each.why} for each in unanswered
        ]
    for each in unanswered:
        print(f"error: not answered: {each.question.title} {each.why}", file=sys.stderr)
        code = code or 1
    if args.report is not None:
        from rulewright.analysis.fairness.fairness_page import render_page

        write_text(args.report, render_page(report))
    if args.keep and not code:
        write_text(find_results_file(ruleset), json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print(*format_answers(report, [each.seconds for each in question_results]), sep="\n")
        if code == INTERRUPTED:
            unsaved = ", and nothing was saved" if args.keep else ""
            print(f"interrupted: the remaining questions were not answered{unsaved}")
        elif code and args.keep:
            print("nothing was saved, because some questions have no answer")
        elif args.keep:
            print(f"\nsaved to {find_results_file(ruleset)}; {_describe_page(report, ruleset)}")
    if args.edition is not None:
        print(_write_edition(args, report, ruleset), file=sys.stderr if args.json else sys.stdout)
    return code


def _refuse_for_saves(args: argparse.Namespace) -> None:
    """Exit with a usage error for an option that saved games of people have no use for."""
    plays = {
        "--players": args.players,
        "--games": args.games is not None,
        "--seed": args.seed != "0",
        "--workers": args.workers != 1,
        "--positions": args.positions != POSITIONS,
    }
    for option in (name for name, given in plays.items() if given):
        args.parser.error(f"--from plays no games, so leave out {option}")
    if args.compare:
        args.parser.error("people played by one ruleset: leave out --compare, and ask about each folder separately")
    if args.edition is not None:
        args.parser.error(
            "--from cannot find a change, because that takes games under changed rules: leave out --edition"
        )
    if args.keep:
        args.parser.error("the rulebook shows answers from games of bots only: leave out --keep")


def _open_saves(args: argparse.Namespace, ruleset: Ruleset) -> SavedGameCache:
    """Return the saved games of `--from`, and warn about the files that do not count.

    Raises `RulewrightError` if the folder cannot be read, or none of its games count.
    """
    from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
    from rulewright.analysis.fairness.saved_games import read_saved_games
    from rulewright.base.errors import RulewrightError

    settings = read_settings(args)
    saved = read_saved_games(args.saves, ruleset, options=settings)
    for each in saved.refused:
        print(f"warning: {each.reason}", file=sys.stderr)
    if not saved.games:
        raise RulewrightError(
            f"no game in {str(args.saves)!r} counts: of {ruleset.reference}, {len(saved.left):,} were left, "
            f"{len(saved.unfinished):,} are not over yet, and {len(saved.refused):,} files were left out"
        )
    return SavedGameCache.open(ruleset, saved, options=settings, rules=args.rules)


def _write_edition(args: argparse.Namespace, report: dict[str, Any], ruleset: Ruleset) -> str:
    """Write the change that an answer recommends as house rules, and return a sentence about it.

    Without such a change, nothing is written, and the sentence says so.
    """
    from rulewright.authoring.house_rules_starter import write_starting_point

    change = next((each["change"] for each in report["answers"] if "change" in each), "")
    if not change:
        return f"\nno change evens out an advantage, so {args.edition} was not written"
    reference = write_starting_point(args.edition, ruleset, extends=args.reference, rules=change)
    command = build_check_command(args, reference, Path(args.edition))
    return (
        f"\n{args.edition} contains {reference}, with this change to {ruleset.reference}; to check it, run: {command}"
    )


def _describe_page(report: dict[str, Any], ruleset: Ruleset) -> str:
    """Return a clause about the answers in `report` that the rulebook shows, and the reason if it leaves some out."""
    from rulewright.analysis.fairness.answer import FEWEST_GAMES
    from rulewright.book.pages.balance_page import select_trusted
    from rulewright.engine.narration.redaction import analyze_sight

    trusted, answers = len(select_trusted(report, ruleset)), len(report["answers"])
    if not analyze_sight(ruleset).everything:
        why = "because bots that guess hidden information never bluff"
    elif report["games"] < FEWEST_GAMES:
        why = f"because answers from fewer than {FEWEST_GAMES} games are uncertain"
    else:
        return "the rulebook shows the answers on their own page"
    only = f"only {trusted} of the {answers} answers" if trusted else "none of the answers"
    return f"the rulebook shows {only}, {why}"


def format_answers(report: dict[str, Any], seconds: Sequence[float] = ()) -> list[str]:
    """Return the answers as lines of text, from the data of `ask_questions.to_data`.

    `seconds` estimates for each answer how long the games take that it lacks.
    """
    import textwrap

    from rulewright.cli.simulation_output import fit_text, format_mean_interval, format_share_interval, measure_names
    from rulewright.cli.terminal import measure_width

    answers, columns = [], measure_names() + WIDER
    waits = [*seconds, *[0.0] * len(report["answers"])]
    for answer, wait in zip(report["answers"], waits, strict=False):
        answers += ["", answer["title"]]
        for sentence in answer["says"]:
            lines = textwrap.wrap(sentence, measure_width() - 2, initial_indent="  ", subsequent_indent="  ")
            answers += [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
        for metric in answer["figures"]:
            points = metric.get("points", False)
            value = f"{metric['value']:.2%}" if metric["share"] else f"{metric['value']:,.2f}"
            if points:
                value = f"{100 * metric['value']:.2f} pp"
            if abs(metric["value"]) >= MOST_DIGITS:
                value = f"{metric['value']:.3g}"
            interval = metric["interval"]
            around = "(no interval)"
            if interval and points:
                around = format_mean_interval([100 * end for end in interval])
            elif interval:
                around = format_share_interval(interval) if metric["share"] else format_mean_interval(interval)
            # The end is the number of players.
            title = fit_text(shorten(metric["title"], columns), columns)
            answers.append(f"    {title} {value:>9}  {around}")
        if answer["missing"] and "saves" not in report:
            games = report["games"] + answer["missing"]
            answers.append(f"  to answer it: --games {games}" + (f" (about {wait:,.0f} s more)" if wait >= 1 else ""))
        answers += [f"    {line}" for line in answer.get("change", "").splitlines()]
        answers += [f"  see it: {command}" for command in answer["commands"]]
    return answers
