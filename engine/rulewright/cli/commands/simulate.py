"""`rulewright simulate`: many games, and what came of them."""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rulewright.cli.options import add_rules_option, add_settings_option, load, seed_of, settings_of

if TYPE_CHECKING:
    from collections import Counter

    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.simulate.counts import Counts

MOST_MOMENTS = 12
"""Lines a measure over time is shown in."""

HELP = "play many games between bots and report who wins, how long they take, and which rules never fired"
EXAMPLE = """\
rulewright simulate pig/classic --games 1000 --players greedy,random --seed 7
rulewright simulate pig/classic --games 200 --coverage"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the ruleset")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="how many (default 1000)")
    parser.add_argument("--players", default="", metavar="BOT,…", help="a bot for each place (default: random ones)")
    parser.add_argument("--seed", default="0", metavar="N", help="the seed of the run (default 0)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes to play in (default 1)")
    add_settings_option(parser)
    parser.add_argument("--coverage", action="store_true", help="tell which steps fired how often, and which never did")
    parser.add_argument("--json", action="store_true", help="print data")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Simulate, with progress on stderr, and report."""
    from rulewright.simulate.run import simulate

    if args.games < 1 or args.workers < 1:
        args.parser.error("--games and --workers are at least 1")
    options = settings_of(args)
    ruleset = load(args)
    started = perf_counter()
    counts = simulate(
        ruleset,
        games=args.games,
        policies=[name.strip() for name in args.players.split(",") if name.strip()],
        seed=seed_of(args.seed),
        workers=args.workers,
        options=options,
        rules=args.rules,
        coverage=args.coverage,
        progress=_progress if sys.stderr.isatty() else None,
    )
    seconds = perf_counter() - started
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if args.json:
        print(json.dumps(_data(ruleset, counts, seconds, args.coverage), ensure_ascii=False, indent=2))
    else:
        print("\n".join(_report(ruleset, counts, seconds, args.coverage)))
    return 0


def _progress(done: int, games: int, seconds: float) -> None:
    rate = done / seconds if seconds else 0.0
    left = (games - done) / rate if rate else 0.0
    filled = round(30 * done / games)
    bar = "█" * filled + "·" * (30 - filled)
    print(f"\r{bar} {done:,} of {games:,} games, {rate:,.0f} a second, {left:.0f} s left ", end="", file=sys.stderr)


def _data(ruleset: Ruleset, counts: Counts, seconds: float, coverage: bool) -> dict[str, Any]:
    from rulewright.simulate.interval import wilson

    finished = counts.games - counts.unfinished
    data: dict[str, Any] = {
        "ruleset": ruleset.reference,
        "digest": ruleset.digest,
        "games": counts.games,
        "seconds": round(seconds, 3),
        "games_per_second": round(counts.games / seconds, 1),
        "decisions": counts.decisions,
        "draws": counts.draws,
        "unfinished": counts.unfinished,
        "wins": {
            policy: {
                "wins": counts.wins_by_policy[policy],
                "games": counts.games_by_policy[policy],
                "interval": wilson(counts.wins_by_policy[policy], counts.games_by_policy[policy]),
            }
            for policy in counts.wins_by_policy
        },
        "wins_by_seat": [
            {"seat": seat, "wins": wins, "interval": wilson(wins, finished)}
            for seat, wins in enumerate(counts.wins_by_seat, 1)
        ],
        "measures": {name: _summary(values) for name, values in counts.measures.items()},
    }
    data["series"] = {
        name: [
            {"at": moment, "mean": total / games, "games": games} for moment, (total, games) in sorted(found.items())
        ]
        for name, found in counts.series.items()
    }
    if coverage:
        data["steps"] = {step.rule: counts.steps[number] for number, step in ruleset.steps.items()}
        data["never_fired"] = [rule for rule, fired in _fired(ruleset, counts).items() if not fired]
    return data


def _summary(values: Counter[int]) -> dict[str, float | int]:
    games = sum(values.values())
    ordered = sorted(values.elements())
    return {
        "mean": round(sum(value * count for value, count in values.items()) / games, 4),
        "least": ordered[0],
        "median": ordered[games // 2],
        "most": ordered[-1],
    }


def _report(ruleset: Ruleset, counts: Counts, seconds: float, coverage: bool) -> list[str]:
    from rulewright.simulate.interval import wilson

    lines = [
        f"{ruleset.title} ({ruleset.reference})",
        f"{counts.games:,} games in {seconds:.1f} s ({counts.games / seconds:,.0f} a second), "
        f"{counts.decisions / counts.games:,.1f} decisions a game",
        "",
    ]

    def share(name: str, wins: int, games: int) -> str:
        low, high = wilson(wins, games)
        return f"  {name:<16}{wins:>8,} of {games:,}  {wins / games:7.2%}  ({low:.2%} to {high:.2%})"

    lines.append("wins by policy")
    lines += [share(p, counts.wins_by_policy[p], counts.games_by_policy[p]) for p in counts.wins_by_policy]
    lines.append("wins by seat")
    lines += [share(f"seat {seat}", wins, counts.games) for seat, wins in enumerate(counts.wins_by_seat, 1)]
    lines.append(share("draws", counts.draws, counts.games))
    if counts.unfinished:
        lines.append(share("unfinished", counts.unfinished, counts.games))
    if counts.measures:
        lines.append("measures" + " " * 19 + "mean     least    median      most")
        for name, values in counts.measures.items():
            found = _summary(values)
            title = ruleset.measures[name].title
            lines.append(
                f"  {title:<20}{found['mean']:>10,.2f}{found['least']:>10,}{found['median']:>10,}{found['most']:>10,}"
            )
    for name, series in counts.series.items():
        lines += _curve(ruleset.measures[name].title, series)
    if coverage:
        fired = _fired(ruleset, counts)
        never = [rule for rule, count in fired.items() if not count]
        lines.append(f"coverage: {len(fired) - len(never)} of {len(fired)} steps that leave a trace have fired")
        lines += [f"  never: {rule}" for rule in never]
    return lines


def _curve(title: str, series: dict[int, list[int]]) -> list[str]:
    """A measure over the course of a game: the mean at a dozen moments, of the games that came so far."""
    from rulewright.cli.terminal import can_show

    moments = sorted(series)
    step = max(1, -(-len(moments) // MOST_MOMENTS))
    means = [(moment, series[moment][0] / series[moment][1], series[moment][1]) for moment in moments[::step]]
    most = max((mean for _, mean, _ in means), default=0.0) or 1.0
    block = "█" if can_show("█") else "#"
    return [
        f"{title} over time" + " " * 12 + "mean   games",
        *(
            f"  {moment:>6} {block * round(24 * mean / most):<24}{mean:>8.1f}{games:>8,}"
            for moment, mean, games in means
        ),
    ]


def _fired(ruleset: Ruleset, counts: Counts) -> dict[str, int]:
    """How often each step that leaves an event fired; blocks, loops and `let` leave none of their own."""
    silent = ("let", "if", "steps", "for_each", "repeat")
    return {step.rule: counts.steps[n] for n, step in ruleset.steps.items() if step.verb.name not in silent}
