"""The `rulewright simulate` command, which plays many games and reports the results."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rulewright.base.errors import RulewrightError
from rulewright.cli.main import INTERRUPTED
from rulewright.cli.shared_options import (
    add_rules_option,
    add_settings_option,
    list_in_help,
    load,
    read_bots,
    read_settings,
    seed_of,
)
from rulewright.engine.wasm_backend.availability import WITHOUT, is_available
from rulewright.source.files.atomic_write import refuse_unwritable

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rulewright.analysis.simulation.run_simulation import SimulationRun
    from rulewright.analysis.simulation.shard import Shard
    from rulewright.cli.simulation_output import Turn
    from rulewright.ruleset.overlay import Value
    from rulewright.ruleset.ruleset import Ruleset

GAMES = 1_000
GAMES_UNTIL = 1_000_000
CHECKPOINT_SECONDS = 2.0

HELP = "simulate many games between bots and report wins, game lengths, and rules that never fired"
TASKS = "Play many games with bots (Monte Carlo), for win rates and statistics. Compare variants."
EXAMPLE = """\
rulewright simulate pig/classic --games 1000 --players greedy,random --seed 7
rulewright simulate pig/classic --games 200 --coverage
rulewright simulate pig/classic --games 500 --sweep 'numbers.goal=50,100,150'
rulewright simulate pig/classic@1.0 --games 50 --compare pig/classic
rulewright simulate pig/classic --players greedy,random --until 0.05"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"number of games (default: {GAMES}; with --until, at most {GAMES_UNTIL})",
    )
    parser.add_argument("--players", default="", metavar="BOT,…", help="a bot for each seat (default: random)")
    parser.add_argument("--seed", default="0", metavar="N", help="random seed (default: 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="worker processes (default: 1)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://host:8786")
    add_settings_option(parser, simulates=True)
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="report how often each step, table row and option was used",
    )
    parser.add_argument(
        "--compare", metavar="REF", help="also play this ruleset with the same seeds, and report the differences"
    )
    parser.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="PATH=VALUES",
        help="repeat the simulation for each value of a number in the rules, such as numbers.goal=50,100 (repeatable)",
    )
    parser.add_argument(
        "--until",
        metavar="[FIGURE=]WIDTH",
        help="stop when the confidence interval of the first bot's win rate, or of a metric, is narrower than this",
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="save progress to this file; if it exists, continue from it"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write a row for each game (.csv, .parquet), or the report (.json)"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the report as an HTML page")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_rules_option(parser)
    list_in_help(parser, bots="rulewright.ai.bots")


def run(args: argparse.Namespace) -> int:
    """Simulate, compare or sweep, print the report, write the requested files, and return the exit code.

    Progress goes to stderr. The code is 130 after an interrupt, and 1 if workers are lost or a part of the report
    fails. Raises `RulewrightError` if the rules fail in play or an output file cannot be written.
    """
    _refuse(args)
    ruleset = load(args)
    if not is_available():
        print(f"note: {WITHOUT}", file=sys.stderr)
    try:
        if args.compare:
            return _compare(args, ruleset)
        if args.sweep:
            return _sweep(args, ruleset)
        return _simulate(args, ruleset)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        raise RulewrightError(f"`{error.filename}` cannot be written: {error.strerror}") from None


def _refuse(args: argparse.Namespace) -> None:
    """Exit with a usage error for arguments that are invalid or cannot be combined.

    Raises `RulewrightError` if a file cannot be written.
    """
    if args.workers < 1 or (args.games is not None and args.games < 1):
        args.parser.error("--games and --workers must be at least 1")
    if args.output is not None and args.output.suffix not in (".csv", ".parquet", ".json"):
        args.parser.error("--output takes a file that ends in .csv, .parquet or .json")
    rows = args.output is not None and args.output.suffix != ".json"
    for path in (args.output, args.report, args.resume):
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            what = "is a folder" if path.is_dir() else "is in a folder that does not exist"
            args.parser.error(f"--output, --report and --resume take files, and `{path}` {what}")
    for path in (args.output, args.report, args.resume):
        if path is not None:
            refuse_unwritable(path)
    files = [os.path.realpath(path) for path in (args.output, args.report, args.resume) if path is not None]
    if len(set(files)) < len(files):
        args.parser.error("--output, --report and --resume must be different files")
    if args.resume and rows:
        args.parser.error("--resume saves counts, not rows: leave it out, or use a .json file for --output")
    if args.compare and (args.sweep or args.until or args.resume or args.report or rows):
        args.parser.error("--compare cannot be combined with --sweep, --until, --resume, --report or --output of rows")
    if args.sweep and (args.resume or args.report or rows):
        args.parser.error("--sweep cannot be combined with --resume, --report or --output of rows")


def _begin(
    args: argparse.Namespace, ruleset: Ruleset, *, values: tuple[Value, ...] = (), rows: bool = False
) -> SimulationRun:
    """Return a new run with the settings of the arguments. Raises `RulewrightError` for invalid ones."""
    from rulewright.analysis.simulation.run_simulation import begin_run

    return begin_run(
        ruleset,
        policies=read_bots(args),
        seed=seed_of(args.seed),
        options=read_settings(args),
        rules=args.rules,
        coverage=args.coverage or args.report is not None,
        rows=rows,
        values=values,
    )


# -- one ruleset -------------------------------------------------------------------------------


def _simulate(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Play the games, print the report of those that ended, write the files, and return the exit code.

    The code is 130 after an interrupt, and 1 if workers are lost or a part of the report fails. Other errors are raised
    after the report.
    """
    from rulewright.analysis.simulation.checkpoint import NoRunError
    from rulewright.analysis.simulation.game_rows import open_table
    from rulewright.analysis.simulation.simulation_report import report
    from rulewright.analysis.simulation.workers import WorkersLostError
    from rulewright.base.plugins import Failure, attempt, report_failure
    from rulewright.cli.simulation_output import report_text

    rows = args.output is not None and args.output.suffix != ".json"
    under_way = _begin(args, ruleset, rows=rows)
    started = perf_counter()
    interrupted, text = False, ""
    lost: RulewrightError | None = None
    unwritten: Exception | None = None
    failures: list[Failure] = []
    try:
        with (
            _pool(args) as pool,
            open_table(args.output, ruleset, len(under_way.shard.policies)) if rows else nullcontext() as rows_file,
        ):
            text = _play(args, ruleset, under_way, pool, rows_file)
    except KeyboardInterrupt:
        interrupted = True
    except BrokenPipeError:
        raise
    except (OSError, NoRunError) as error:
        unwritten = error  # raised after the completed games are reported
    except RulewrightError as error:
        lost = error  # raised after the completed games are reported
    counts = under_way.counts
    if not counts.games:
        if lost is not None or unwritten is not None:
            raise lost or unwritten  # type: ignore[misc]
        return INTERRUPTED

    def build_data(shard: Shard) -> dict[str, Any]:
        return report(ruleset, shard, counts, perf_counter() - started, resumed=under_way.loaded_games)

    shard = under_way.shard
    data = attempt("the simulation report", ruleset.reference, lambda: build_data(shard), failures.append)
    # If the report with coverage fails, report without it.
    data = build_data(replace(shard, coverage=False)) if data is None else data
    if lost is not None:
        data["interrupted"] = True
        why = str(lost) if isinstance(lost, WorkersLostError) else "a game went wrong"
        text = f"{why}: these are the results of {counts.games:,} games"
    if interrupted:
        data["interrupted"] = True
        text = f"interrupted: these are the results of {counts.games:,} games"
    if unwritten is not None:
        text = f"stopped: these are the results of {counts.games:,} games"
    if text:
        data["stopped"] = text
    own = {name: choice for name, choice in ruleset.simulations.items() if name not in read_settings(args)}
    _print(args, data, [*report_text(data, own=own), *([text] if text else [])])
    if unwritten is not None:
        raise unwritten
    if lost is not None and not isinstance(lost, WorkersLostError):
        raise lost
    for failure in failures:
        report_failure(failure)
    return INTERRUPTED if interrupted else 1 if lost is not None or failures else 0


def _play(
    args: argparse.Namespace, ruleset: Ruleset, under_way: SimulationRun, pool: Executor | None, rows_file: Any
) -> str:
    """Play the games, add them to `under_way`, write rows and checkpoints, and return a note on the end of the run.

    With `--resume`, it first adds the games of the checkpoint. The note is empty without `--until`. Raises
    `DiagnosticError` for an invalid `--until`, and `NoRunError` if the checkpoint has another run.
    """
    from rulewright.analysis.simulation.checkpoint import Checkpoint
    from rulewright.analysis.simulation.metrics import parse_until
    from rulewright.analysis.simulation.run_simulation import iterate_steps
    from rulewright.cli import terminal

    until = parse_until(args.until) if args.until else None
    games = args.games or (GAMES_UNTIL if until else GAMES)
    policies = under_way.shard.policies
    if until is not None:
        until.is_reached(under_way.counts, ruleset, policies)  # raises for an unknown metric, before any game is played
    checkpoint = Checkpoint(args.resume, ruleset) if args.resume else None
    if checkpoint is not None:
        checkpoint.read_into(under_way)
    written = perf_counter()
    known = False
    with terminal.show_progress() as progress:
        try:
            for rows in iterate_steps(
                ruleset,
                under_way,
                games=games,
                workers=args.workers,
                executor=pool,
                remote=args.cluster is not None,
                growing=until is not None,
                progress=progress,
            ):
                if rows_file is not None:
                    rows_file.write(rows)
                if checkpoint is not None and perf_counter() - written > CHECKPOINT_SECONDS:
                    checkpoint.write(under_way)
                    written = perf_counter()
                if until is not None and (known := until.is_reached(under_way.counts, ruleset, policies)[0]):
                    break
        finally:
            if checkpoint is not None and under_way.counts.games:
                there = checkpoint.write(under_way)
                if there > under_way.counts.games:
                    print(f"note: `{args.resume}` keeps the {there:,} games of another run", file=sys.stderr)
    if until is None:
        return ""
    metric = until.is_reached(under_way.counts, ruleset, policies)[1]
    how = "stopped" if known else "not reached"
    return (
        f"{how} after {under_way.counts.games:,} games: the interval of {metric.title} is {metric.width:.4g} wide; "
        f"{until.width:.4g} was requested"
    )


# -- two rulesets ------------------------------------------------------------------------------


def _compare(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Play paired games of two rulesets, print the differences, write the files, and return 0.

    After an interrupt, this reports the games so far, if there are any, and returns 130.
    """
    from rulewright.analysis.simulation.comparison_result import build_comparison_data, list_unshared_measures
    from rulewright.analysis.simulation.paired_comparison import Pairs, compare, compare_metrics
    from rulewright.cli import simulation_output as simulation
    from rulewright.cli import terminal
    from rulewright.ruleset.load_ruleset import load_ruleset

    other = load_ruleset(args.compare, rules=args.rules)
    runs = (_begin(args, ruleset), _begin(args, other))
    pairs = Pairs((runs[0].counts, runs[1].counts))
    code = 0
    try:
        with _pool(args) as pool, terminal.show_progress() as progress:
            for _ in compare(
                (ruleset, other),
                runs,
                pairs,
                games=args.games or GAMES,
                workers=args.workers,
                executor=pool,
                remote=args.cluster is not None,
                progress=progress,
            ):
                pass
    except KeyboardInterrupt:
        code = INTERRUPTED
    games = pairs.counts[0].games
    if not games:
        return code
    comparison = (
        ruleset.reference,
        other.reference,
        games,
        compare_metrics(pairs, other),
        list_unshared_measures(ruleset, other),
    )
    _print(args, build_comparison_data(*comparison), simulation.format_comparison(*comparison))
    return code


# -- one ruleset, many values ------------------------------------------------------------------


def _sweep(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Play games with each combination of values, print the results, write the files, and return 0.

    After an interrupt, this reports the complete combinations, if there are any, and returns 130. Raises
    `DiagnosticError`, before any game, for an invalid value.
    """
    from rulewright.analysis.simulation.sweep import combine_values, parse_sweep
    from rulewright.cli import simulation_output as simulation
    from rulewright.ruleset.overlay import with_values

    # Apply all values before playing, so that a mistake is reported at once.
    turns = [
        (values, with_values(ruleset, values)) for values in combine_values([parse_sweep(each) for each in args.sweep])
    ]
    results: list[Turn] = []
    code = 0
    try:
        with _pool(args) as pool:
            for values, variant in turns:
                results.append(_turn(args, variant, values, pool))
    except KeyboardInterrupt:
        code = INTERRUPTED
    if results:
        title = f"{ruleset.title} ({ruleset.reference})"
        _print(args, simulation.sweep_data(ruleset.reference, results), simulation.sweep_text(title, results))
    return code


def _turn(args: argparse.Namespace, variant: Ruleset, values: tuple[Value, ...], pool: Executor | None) -> Turn:
    from rulewright.analysis.simulation.metrics import list_metrics

    under_way = _begin(args, variant, values=values)
    _play(args, variant, under_way, pool, None)
    return values, variant.digest, under_way.counts.games, list_metrics(under_way.counts, variant)


# -- shared parts ------------------------------------------------------------------------------


def _print(args: argparse.Namespace, data: dict[str, Any], lines: list[str]) -> None:
    from rulewright.cli.simulation_output import write_files

    # Print first, so that an unwritable file does not lose the results.
    print(json.dumps(data, ensure_ascii=False, indent=2) if args.json else "\n".join(lines), flush=True)
    write_files(args.output, args.report, data)


@contextmanager
def _pool(args: argparse.Namespace) -> Iterator[Executor | None]:
    """Open the executor for the games: None for this process, a process pool, or a cluster."""
    if args.cluster is not None:
        from rulewright.analysis.simulation.dask_cluster import connect_cluster

        with connect_cluster(args.cluster) as pool:
            yield pool
    elif args.workers > 1:
        from rulewright.analysis.simulation.workers import open_processes

        with open_processes(args.workers) as pool:
            yield pool
    else:
        yield None
