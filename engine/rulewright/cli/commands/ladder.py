"""The `rulewright ladder` command, which plays a round-robin tournament between bots and rates them."""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rulewright.cli.main import INTERRUPTED
from rulewright.cli.sensitivity_output import build_sensitivity_data, format_sensitivity
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

if TYPE_CHECKING:
    from rulewright.analysis.simulation.roll_leverage import LeverageResult
    from rulewright.analysis.simulation.run_simulation import Progress
    from rulewright.analysis.simulation.sensitivity import Search
    from rulewright.analysis.simulation.tournament import BotPair, Rating
    from rulewright.ruleset.ruleset import Ruleset

GAMES = 200

DEALS = 20
"""The default number of paired games for each change of a parameter."""

REPLAYS = 2
"""The maximum number of replays per game to measure the effect of single rolls."""

HELP = "run a round-robin tournament between bots and rate them"
TASKS = "Compare and rate bots with a tournament and Elo ratings."
EXAMPLE = """\
rulewright ladder pig/classic
rulewright ladder classics/tic-tac-toe --players random,greedy,mcts:20 --games 50 --workers 2
rulewright ladder pig/classic --players planner,greedy --games 50 --sensitivity 10"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument(
        "--players",
        default="",
        metavar="BOT,…",
        help=(
            "bots to compare. The first is rated 0. By default, random and mcts:50, with greedy and planner if the "
            "ruleset has `evaluate:`, and with trained and planner:64:trained if it has `weights:`"
        ),
    )
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"games per pairing (default: {GAMES})")
    parser.add_argument("--seed", default="0", metavar="N", help="random seed (default: 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="worker processes (default: 1)")
    parser.add_argument(
        "--sensitivity",
        type=int,
        nargs="?",
        const=DEALS,
        metavar="N",
        help=(
            "find the numbers that leave too little room for skill between adjacent bots. Changes "
            f"each number and replays N paired games (default: {DEALS})"
        ),
    )
    add_settings_option(parser, simulates=True)
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_rules_option(parser)
    list_in_help(parser, bots="rulewright.ai.bots")


def run(args: argparse.Namespace) -> int:
    """Play the tournament, print the ratings, and return the exit code.

    For adjacent bots without a clear skill step, it also measures the effect of rolls and, with `--sensitivity`, of
    parameters. Progress goes to stderr. After an interrupt, the output covers the complete pairs, and the code is 130.
    """
    from rulewright.analysis.simulation.sensitivity import search
    from rulewright.analysis.simulation.tournament import STEEP, find_flat_rungs, play_tournament, rate_bots
    from rulewright.cli import terminal

    if args.workers < 1 or args.games < 1:
        args.parser.error("--games and --workers must be at least 1")
    if args.sensitivity is not None and args.sensitivity < 1:
        args.parser.error("--sensitivity must be at least 1")
    ruleset = load(args)
    if not is_available():
        print(f"note: {WITHOUT}", file=sys.stderr)
    bots = read_bots(args) or list_default_bots(ruleset)
    settings = {
        "seed": seed_of(args.seed),
        "options": read_settings(args),
        "rules": args.rules,
        "workers": args.workers,
    }
    pairs: list[BotPair] = []
    ratings: list[Rating] = []
    missed: list[BotPair] = []
    luck: list[tuple[BotPair, LeverageResult | None]] = []
    sensitivity: Search | None = None
    code = 0
    try:
        with terminal.show_progress() as progress:
            for pair in play_tournament(ruleset, bots, games=args.games, progress=progress, **settings):
                pairs.append(pair)
            ratings = rate_bots(bots, pairs)
            missed = find_flat_rungs(ratings, pairs)
            for pair in missed:
                luck.append((pair, search_leverage(ruleset, pair, args.games, settings, progress)))
            if args.sensitivity and missed:
                lowest = missed[-1]
                for result in search(
                    ruleset, lowest.first, lowest.second, deals=args.sensitivity, progress=progress, **settings
                ):
                    sensitivity = result
    except KeyboardInterrupt:
        code = INTERRUPTED
    if args.json:
        print(json.dumps(build_data(ruleset, args, pairs, ratings, luck, sensitivity), ensure_ascii=False, indent=2))
        return code
    print(*format_ladder(ruleset, args, pairs, ratings), *describe_leverage(ruleset, luck), sep="\n")
    if len(luck) < len(missed):
        print("interrupted before the effect of rolls was measured for every pair of bots that differ little in skill")
    elif sensitivity is not None:
        print(*format_sensitivity(sensitivity, ruleset, args.sensitivity), sep="\n")
    elif args.sensitivity and ratings and not missed:
        print(f"\nEvery skill step wins {STEEP:.0%} of decisive games or more: there is no weak step to explain.")
    return code


def search_leverage(
    ruleset: Ruleset, pair: BotPair, games: int, settings: dict[str, Any], progress: Progress | None
) -> LeverageResult | None:
    """Return the effect of single rolls in the games of two bots. None if their rolls cannot be forced.

    `settings` are the settings that all runs share. An interrupt discards the results for this pair and raises
    `KeyboardInterrupt`.
    """
    from rulewright.analysis.simulation.roll_leverage import LeverageResult, may_turn, turn_rolls
    from rulewright.analysis.simulation.tournament import choose_table_size

    policies = [pair.first, pair.second] * (choose_table_size(ruleset) // 2)
    if not may_turn(ruleset, policies):
        return None
    leverage, started = LeverageResult(), perf_counter()
    for each in turn_rolls(ruleset, policies, games=games, replays=REPLAYS * games, **settings):
        leverage.take(each)
        if progress is not None:
            progress(leverage.games, games, perf_counter() - started)
    return leverage


def list_default_bots(ruleset: Ruleset) -> list[str]:
    """Return the default bots for a ruleset, depending on its `evaluate:` and `weights:`."""
    evaluating = ["greedy", "planner"] if ruleset.evaluate is not None else []
    return ["random", *evaluating, *(["trained", "planner:64:trained"] if ruleset.weights else []), "mcts:50"]


def build_data(
    ruleset: Ruleset,
    args: argparse.Namespace,
    pairs: list[BotPair],
    ratings: list[Rating],
    luck: list[tuple[BotPair, LeverageResult | None]],
    sensitivity: Search | None,
) -> dict[str, Any]:
    """Return the results as JSON data.

    `ratings` is empty unless all pairs are complete. `flat_rungs` are the adjacent pairs without a clear skill step,
    with the effect of their rolls. Their `rolls` are None if they cannot be forced. `sensitivity` is the sensitivity
    analysis, if requested.
    """
    from rulewright.base.confidence_intervals import compute_wilson_interval

    result = {"blame": build_sensitivity_data(sensitivity)} if sensitivity is not None else {}
    return result | {
        "ruleset": ruleset.reference,
        "digest": ruleset.digest,
        "seed": args.seed,
        "games": args.games,
        "ratings": [{"bot": each.bot, "points": each.points, "interval": [each.low, each.high]} for each in ratings],
        "pairs": [
            {
                "first": each.first,
                "second": each.second,
                "wins": each.wins,
                "losses": each.losses,
                "draws": each.draws,
                "unfinished": each.unfinished,
                "interval": list(compute_wilson_interval(each.wins, each.decided)),
            }
            for each in pairs
        ],
        "flat_rungs": [
            {
                "better": pair.first,
                "other": pair.second,
                "wins": pair.wins,
                "decided": pair.decided,
                "games_turned": None if leverage is None else leverage.games,
                "rolls": None
                if leverage is None
                else [
                    {
                        "rule": each.rule,
                        "decides": each.decides,
                        "games": each.games,
                        "wins_by_least": each.wins[0],
                        "wins_by_most": each.wins[1],
                        "swing": each.swing,
                        "interval": list(each.swings_between),
                        "others_win": each.other,
                        "in_a_game": each.often,
                    }
                    for each in leverage.list_deciding()
                ],
            }
            for pair, leverage in luck
        ],
    }


def format_ladder(ruleset: Ruleset, args: argparse.Namespace, pairs: list[BotPair], ratings: list[Rating]) -> list[str]:
    """Return the results as lines of text, with the ratings from the top and then every pair."""
    from rulewright.base.confidence_intervals import compute_wilson_interval
    from rulewright.cli.simulation_output import format_share_interval, share

    ladder = [
        f"{ruleset.title} ({ruleset.reference})",
        f"each pair of bots played {args.games:,} games, seed {args.seed}",
    ]
    if ratings:
        ladder += ["", "ratings, with 95 % confidence intervals"]
    for place, each in enumerate(ratings):
        around = "" if each.low == each.high else f"  ({each.low:+,.0f} to {each.high:+,.0f})"
        ladder.append(f"  {each.bot:<16} {each.points:>+8,.0f}{around}")
        if place + 1 < len(ratings):
            below = next(pair for pair in pairs if {pair.first, pair.second} == {each.bot, ratings[place + 1].bot})
            seen = below.from_view_of(each.bot)
            part = seen.wins / seen.decided if seen.decided else 0.0
            interval = format_share_interval(compute_wilson_interval(seen.wins, seen.decided))
            ladder.append(f"  {'':<16} wins {part:.2%} of {seen.decided:,} decisive games against the next  {interval}")
    ladder += ["", "decisive games won by the first bot of each pair"]
    for pair in pairs:
        ladder.append(
            share(
                f"{pair.first} : {pair.second}",
                pair.wins,
                pair.decided,
                compute_wilson_interval(pair.wins, pair.decided),
            )
        )
        if pair.draws or pair.unfinished:
            ladder.append(f"    draws: {pair.draws:,}, unfinished games: {pair.unfinished:,}")
    if not ratings:
        ladder.append("interrupted: ratings need the games of all pairs")
    return ladder


def describe_leverage(ruleset: Ruleset, luck: list[tuple[BotPair, LeverageResult | None]]) -> list[str]:
    """Describe the adjacent pairs without a clear skill step, and the rolls that decide between them.

    The list is empty if there are no such pairs.
    """
    import textwrap

    from rulewright.analysis.fairness.answer import format_count, format_share
    from rulewright.analysis.fairness.questions.rolls import describe_rolls
    from rulewright.analysis.simulation.tournament import STEEP
    from rulewright.cli.terminal import measure_width

    if not luck:
        return []
    says = [f"A clear skill step means winning {format_share(STEEP)} of decisive games against the next bot."]
    for pair, leverage in luck:
        decisive = format_count(pair.decided, "decisive game")
        here = f"{pair.first} wins {pair.wins:,} of {decisive} against {pair.second}."
        if leverage is None:
            says.append(f"{here} Their games do not run as WebAssembly, so rolls cannot be forced.")
        elif not leverage.ends:
            says.append(f"{here} Their games have no rolls or draws to force.")
        else:
            described = " ".join(describe_rolls(ruleset, leverage.list_deciding()))
            says.append(f"{here} Which rolls decide between them? {described}")
    wrapped = [textwrap.fill(each.replace("\N{NO-BREAK SPACE}", " "), measure_width()) for each in says]
    return ["", *wrapped]
