"""`rulewright ladder`: every two bots play each other, and each gets a rating."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rulewright.cli.blaming import ENOUGH, blame_data, blamed
from rulewright.cli.main import INTERRUPTED
from rulewright.cli.options import (
    add_rules_option,
    add_settings_option,
    bots_of,
    list_in_help,
    load,
    seed_of,
    settings_of,
)
from rulewright.play.wasm.availability import WITHOUT, available

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.simulate.blame import Search
    from rulewright.simulate.ladder import Pair, Rating

GAMES = 200

HELP = "let every two bots play each other, and say how well each of them plays"
EXAMPLE = """\
rulewright ladder pig/classic
rulewright ladder classics/tic-tac-toe --players random,greedy,mcts:20 --games 50 --workers 2
rulewright ladder pig/classic --players planner,greedy --games 50 --blame 10"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the ruleset")
    parser.add_argument(
        "--players",
        default="",
        metavar="BOT,…",
        help="the bots; the first has 0 points (default: random, mcts:50; with `evaluate:` greedy, planner; with "
        "`weights:` trained, planner:64:trained)",
    )
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"of each two (default {GAMES})")
    parser.add_argument("--seed", default="0", metavar="N", help="the seed of the run (default 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes to play in (default 1)")
    parser.add_argument(
        "--blame",
        type=int,
        default=0,
        metavar="DEALS",
        help=f"where a rung wins less than {ENOUGH:.0%} of decided games, look for the figures to blame: each is "
        "made otherwise, and so many deals are played again",
    )
    add_settings_option(parser)
    parser.add_argument("--json", action="store_true", help="print data")
    add_rules_option(parser)
    list_in_help(parser, bots="rulewright.play.bots")


def run(args: argparse.Namespace) -> int:
    """Play, with progress on stderr, and tell of the pairs that are through."""
    from rulewright.cli import terminal
    from rulewright.simulate.blame import search
    from rulewright.simulate.ladder import ladder, ratings

    if args.workers < 1 or args.games < 1:
        args.parser.error("--games and --workers are at least 1")
    if args.blame < 0:
        args.parser.error("--blame takes one deal or more")
    ruleset = load(args)
    if not available():
        print(f"note: {WITHOUT}", file=sys.stderr)
    bots = bots_of(args) or usual(ruleset)
    pairs: list[Pair] = []
    code = 0
    try:
        with terminal.progress_line() as progress:
            for pair in ladder(
                ruleset,
                bots,
                games=args.games,
                seed=seed_of(args.seed),
                options=settings_of(args),
                rules=args.rules,
                workers=args.workers,
                progress=progress,
            ):
                pairs.append(pair)
    except KeyboardInterrupt:
        code = INTERRUPTED
    rungs = ratings(bots, pairs) if len(pairs) == len(bots) * (len(bots) - 1) // 2 else []
    found = None
    if args.blame and (missed := lowest_missed(rungs, pairs)) is not None:
        try:
            with terminal.progress_line() as progress:
                for told in search(
                    ruleset,
                    missed.first,
                    missed.second,
                    deals=args.blame,
                    seed=seed_of(args.seed),
                    options=settings_of(args),
                    rules=args.rules,
                    workers=args.workers,
                    progress=progress,
                ):
                    found = told
        except KeyboardInterrupt:
            code = INTERRUPTED
    if args.json:
        print(json.dumps(data(ruleset, args, pairs, rungs, found), ensure_ascii=False, indent=2))
    else:
        print(*text(ruleset, args, pairs, rungs), sep="\n")
        if args.blame and rungs:
            print(*blamed(found, ruleset, args.blame), sep="\n")
    return code


def lowest_missed(rungs: Sequence[Rating], pairs: Sequence[Pair]) -> Pair | None:
    """The lowest two neighbours of whom the better one wins less than is wanted, as seen by it."""
    for below, above in pairwise(reversed(rungs)):
        pair = next(pair for pair in pairs if {pair.first, pair.second} == {above.bot, below.bot}).seen_by(above.bot)
        if pair.wins < ENOUGH * pair.decided:
            return pair
    return None


def usual(ruleset: Ruleset) -> list[str]:
    """The bots that are asked where nobody names any."""
    judged = ["greedy", "planner"] if ruleset.evaluate is not None else []
    return ["random", *judged, *(["trained", "planner:64:trained"] if ruleset.weights else []), "mcts:50"]


def data(
    ruleset: Ruleset, args: argparse.Namespace, pairs: list[Pair], rungs: list[Rating], found: Search | None
) -> dict[str, Any]:
    """What came of it as data. Without `ratings` where not all pairs are through; with `blame` where that was asked."""
    from rulewright.odds.interval import wilson

    blame = {"blame": blame_data(found)} if found is not None else {}
    return blame | {
        "ruleset": ruleset.reference,
        "digest": ruleset.digest,
        "seed": args.seed,
        "games": args.games,
        "ratings": [{"bot": each.bot, "points": each.points, "interval": [each.low, each.high]} for each in rungs],
        "pairs": [
            {
                "first": each.first,
                "second": each.second,
                "wins": each.wins,
                "losses": each.losses,
                "draws": each.draws,
                "unfinished": each.unfinished,
                "interval": list(wilson(each.wins, each.decided)),
            }
            for each in pairs
        ],
    }


def text(ruleset: Ruleset, args: argparse.Namespace, pairs: list[Pair], rungs: list[Rating]) -> list[str]:
    """The same for people: the rungs from the top, then every pair."""
    from rulewright.cli.simulation import between, share
    from rulewright.odds.interval import wilson

    found = [f"{ruleset.title} ({ruleset.reference})", f"every two played {args.games:,} games, seed {args.seed}"]
    if rungs:
        found += ["", "points, and between which they lie in 19 of 20 cases"]
    for place, each in enumerate(rungs):
        around = "" if each.low == each.high else f"  ({each.low:+,.0f} to {each.high:+,.0f})"
        found.append(f"  {each.bot:<16} {each.points:>+8,.0f}{around}")
        if place + 1 < len(rungs):
            below = next(pair for pair in pairs if {pair.first, pair.second} == {each.bot, rungs[place + 1].bot})
            seen = below.seen_by(each.bot)
            part = seen.wins / seen.decided if seen.decided else 0.0
            told = between(wilson(seen.wins, seen.decided))
            found.append(f"  {'':<16} wins {part:.2%} of {seen.decided:,} decided games against the next  {told}")
    found += ["", "decided games that the first of two won"]
    for pair in pairs:
        found.append(share(f"{pair.first} : {pair.second}", pair.wins, pair.decided, wilson(pair.wins, pair.decided)))
        if pair.draws or pair.unfinished:
            found.append(f"    besides, {pair.draws:,} draws and {pair.unfinished:,} games that did not end")
    if not rungs:
        found.append("interrupted: ratings need all of them")
    return found
