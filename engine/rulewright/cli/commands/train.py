"""The `rulewright train` command, which trains bots to value positions by self-play."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.main import INTERRUPTED
from rulewright.cli.shared_options import (
    add_rules_option,
    add_settings_option,
    load,
    read_settings,
    refuse_lost,
    seed_of,
)

if TYPE_CHECKING:
    from rulewright.analysis.simulation.workers import Helpers
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.training.learn_weights import Generation, WeightSearch

GENERATIONS = 30
IN_VAIN = 4
"""The number of checks in a row without improvement after which `--until-no-better` stops."""

HELP = "train bots by self-play to evaluate positions, and write the weights to a rules file"
TASKS = "Train a bot by self-play (machine learning)."
EXAMPLE = """\
rulewright train pig/classic --generations 6 --output weights.yaml
rulewright train my-rules/draft --rules . --workers 2"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="output file (default: weights.yaml in the ruleset's folder)"
    )
    parser.add_argument(
        "--generations",
        type=int,
        default=GENERATIONS,
        metavar="N",
        help=f"number of generations (default: {GENERATIONS})",
    )
    parser.add_argument(
        "--until-no-better", action="store_true", help=f"stop early after {IN_VAIN} evaluations without improvement"
    )
    parser.add_argument(
        "--anew", action="store_true", help="start over instead of continuing an interrupted training run"
    )
    parser.add_argument("--seed", default="0", metavar="N", help="random seed (default: 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="worker processes (default: 1)")
    add_settings_option(parser, simulates=True)
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Train, print each evaluation, write the weights as rules, and return the exit code.

    After an interrupt, the code is 130, and the training continues from its progress file at the next start. If no
    weights are better than the rules' formula, no rules are written. The end of a training deletes the progress file.

    Raises `RulewrightError` if the rules fail, or if the output file contains other rules or cannot be written. Exits
    with a usage error for an invalid number of workers or generations.
    """
    from rulewright.analysis.simulation.workers import Helpers
    from rulewright.source.files.atomic_write import write_text
    from rulewright.training import weights_file as written
    from rulewright.training.learn_weights import play_against_formula, prepare_learning

    if args.workers < 1 or args.generations < 1:
        args.parser.error("--generations and --workers must be at least 1")
    ruleset = load(args)
    path: Path = args.output or ruleset.resolved.layers[-1].folder / written.FILE
    refuse_lost(path)
    written.refuse_other_rules(path)
    progress_file = written.find_progress_file(path)
    rules = [str(folder) for folder in args.rules]
    learning = prepare_learning(ruleset, seed=seed_of(args.seed), options=read_settings(args), rules=rules)
    print(
        f"{ruleset.title} ({ruleset.reference}): {len(learning.features)} features, "
        f"{learning.size} candidates per generation"
    )
    if args.anew:
        progress_file.unlink(missing_ok=True)
    before = written.go_on(learning, progress_file)
    if before:
        print(f"continuing an earlier run after {before} generations, from {progress_file}")
    try:
        with Helpers(args.workers) as helpers:
            done = _learn(learning, args, progress_file, helpers)
            proof = None
            if ruleset.evaluate is not None and learning.best:
                proof = play_against_formula(learning, helpers)
    except KeyboardInterrupt:
        print(f"interrupted: run the same command to continue from {progress_file}")
        return INTERRUPTED
    if not learning.best:
        progress_file.unlink(missing_ok=True)
        reason = f"no weights are significantly better than `{ruleset.evaluate}` after {done} generations"
        print(f"{reason}, so nothing was written")
        return 0
    write_text(path, written.format_file(learning, generations=done, proof=proof))
    progress_file.unlink(missing_ok=True)
    if proof is not None:
        print(f"against `{ruleset.evaluate}`: {_share(proof.wins, proof.losses, proof.draws)}")
    print(f"wrote {path}. To play against it, {describe_use(path, ruleset)}")
    return 0


def describe_use(path: Path, ruleset: Ruleset) -> str:
    """Return how to use the weights in a file. Only a file in a folder of the ruleset is read with it."""
    from rulewright.training.weights_file import FILE

    names = "choose the bot `trained`, `planner:trained` or `mcts:200:trained`"
    if any(layer.folder.resolve() in path.resolve().parents for layer in ruleset.resolved.layers):
        return names
    make = f"run `rulewright new smart --extends {ruleset.reference}`, move the file to smart/{FILE}"
    return f"{make}, and {names} in `house/smart` (--rules smart)"


def _learn(weight_search: WeightSearch, args: argparse.Namespace, path: Path, helpers: Helpers) -> int:
    """Train, print each generation, save the progress after it, and return the number of generations.

    Training stops after `--generations` or, with `--until-no-better`, after `IN_VAIN` checks in a row without
    improvement.
    """
    from rulewright.training import weights_file as written
    from rulewright.training.learn_weights import learn

    vain = 0
    for generation in learn(weight_search, helpers):
        written.keep(weight_search, path)
        _print(generation)
        if generation.check is not None:
            vain = 0 if generation.better else vain + 1
        if vain >= IN_VAIN if args.until_no_better else generation.number >= args.generations:
            return generation.number
    raise AssertionError("training only ends when it is stopped")


def _print(generation: Generation) -> None:
    """Print the result of a check. Without one, show the progress if stderr is a terminal."""
    check = generation.check
    if check is None:
        if sys.stderr.isatty():
            print(f"\rgeneration {generation.number}: {generation.share:.0%} of the points", end="", file=sys.stderr)
        return
    result = _share(check.wins, check.losses, check.draws)
    verdict = "better: kept" if generation.better else "not significantly better"
    print(f"generation {generation.number:>3}: against the best so far {result}: {verdict}", flush=True)


def _share(wins: int, losses: int, draws: int) -> str:
    """Return the share of wins among decisive games as text, with its interval and the draws."""
    from rulewright.base.confidence_intervals import compute_wilson_interval
    from rulewright.cli.simulation_output import format_share_interval

    decided = wins + losses
    if not decided:
        return f"no decisive game in {draws:,}"
    drawn = f", {draws:,} drawn" if draws else ""
    interval = format_share_interval(compute_wilson_interval(wins, decided))
    return f"{wins / decided:.1%} of {decided:,} decisive games  {interval}{drawn}"
