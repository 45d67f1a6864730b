"""The Fair panel, which simulates paired games before and after a change until the difference is significant.

It also looks for what evens out an advantage.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, isfinite
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Any

from rulewright.ai.bots import get_help
from rulewright.ai.bots import list_names as bot_names
from rulewright.analysis.fairness.game_cache import choose_players
from rulewright.analysis.fairness.questions.change import describe_change, describe_move, select_differences
from rulewright.analysis.simulation.comparison_result import build_comparison_data, list_unshared_measures
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.metrics import SHARED_NOTE, Metric, list_metrics
from rulewright.analysis.simulation.paired_comparison import Move, Pairs, compare, compare_metrics
from rulewright.analysis.simulation.run_simulation import SimulationRun, begin_run, iterate_steps
from rulewright.analysis.simulation.simulation_report import keep_finite
from rulewright.analysis.simulation.workers import count_processors
from rulewright.base.confidence_intervals import Interval
from rulewright.base.errors import RulewrightError
from rulewright.book.english.grammar import capitalize
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.studio.panels.background_job import Job
from rulewright.studio.panels.compensation_job import find_compensation
from rulewright.studio.panels.cursor_context import At, look, number, read_list, read_texts, read_word
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest

GAMES = 1_000
"""The default number of games of each side."""
SECONDS = 120
MOST_GAMES = 1_000_000

CLEAR = 0.001
"""The p-value below which play stops early. Repeated tests of growing data find a difference by chance sooner or
later, unless each test but the last is much stricter. Source: J. L. Haybittle, British Journal of Radiology 44
(1971), 793-797.
"""
LEAST = 40
"""The minimum number of games of each side before a difference can stop the simulation."""
WORKERS = 2

TELLING = 0.1
"""The largest advantage of a seat that a result without one may leave open."""


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Start a background simulation, and return its settings and job id. Progress events have the results.

    The job replaces the current one of any panel. With `even`, it is that of `find_compensation`, and plays the
    edition alone. With `peek`, nothing is started, and the answer only has `game`,
    which identifies the gameplay that would be simulated. Raises `RulewrightError` for invalid settings.
    """
    at = look(desk, request, below=True)
    lower = at.lower if at.below is not None and at.below.start is not None else None
    game = " ".join(side.ruleset.digest for side in (lower, at.good) if side is not None)
    if request.more.get("peek"):
        return {**at.head(()), "game": game}
    budget = request.more.get("budget") or {}
    if not isinstance(budget, Mapping):
        raise RulewrightError("`budget` must give `games` and `seconds`")
    games = min(number(budget, "games") or GAMES, MOST_GAMES)
    seconds = number(budget, "seconds") or SECONDS
    seed = read_word(request.more, "seed") or "0"
    policies = _policies(at, read_list(request.more, "bots"), lower)
    options = read_texts(request.more, "options")
    sides = [lower, at.good] if lower is not None else [at.good]
    # Refuse invalid settings at once. The job repeats this call with a copy of the files, which cannot change
    # meanwhile.
    for side in sides:
        begin_run(side.ruleset, policies=policies, seed=seed, options=options)

    def work(job: Job) -> Iterator[None]:
        """Play batches on a copy of the files until the result is clear or the time is over, and report each batch."""
        folder = Path(mkdtemp(prefix="fair-", dir=_make(desk.scratch)))
        try:
            write_layers(desk, sides, folder)
            runs = [begin_run(s.ruleset, policies=policies, seed=seed, options=options, rules=[folder]) for s in sides]
            ends = monotonic() + seconds
            for by_then in _play_batches(desk, [side.ruleset for side in sides], runs, games):
                late = monotonic() > ends
                job.tell({**by_then, "late": late})
                if late or by_then["clear"]:
                    break
                yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def even(job: Job) -> None:
        find_compensation(job, at.ruleset, good=policies[0], games=games, seed=seed, options=options)

    return {
        **at.head(()),
        "game": game,
        "before": lower.ruleset.reference if lower is not None else None,
        "after": at.ruleset.reference,
        "bots": bot_names(),
        "policies": list(policies),
        "played": describe_bots(policies),
        "games": games,
        "seed": seed,
        "job": desk.jobs.begin("fair", even if request.more.get("even") else work),
    }


def _make(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _policies(at: At, bots: Sequence[Any], lower: Good | None) -> tuple[str, ...]:
    """Return a bot for each seat.

    The given bots repeat as needed to fill the smallest table that both rulesets support. Without any, they are the
    good bot of `choose_players`. Raises `RulewrightError` if there are too many, or one is not a text.
    """
    if any(not isinstance(bot, str) for bot in bots):
        raise RulewrightError("`bots` must be bot names such as `greedy`")
    rules = [at.ruleset, *([lower.ruleset] if lower is not None else [])]
    named = [bot.strip() for bot in bots if bot.strip()] or [choose_players(at.ruleset, "", "")[0]]
    fewest = max(min(max(each.players[0], 2), each.players[1]) for each in rules)
    most = min(each.players[1] for each in rules)
    seats = max(fewest, len(named))
    if seats > most:
        allow = "both rulesets allow" if lower is not None else "the rules allow"
        raise RulewrightError(f"{seats} bots are too many: {allow} at most {most} player{'s' if most > 1 else ''}")
    return tuple(named[place % len(named)] for place in range(seats))


def describe_bots(policies: Sequence[str]) -> str:
    """Return sentences on which bots play, how each decides, and what that means for the results."""
    bots = list(dict.fromkeys(policies))
    who = " plays every seat: it" if len(bots) == 1 else ""
    sentences = [f"`{bot}`{who} {get_help(bot.partition(':')[0]).partition(';')[0]}." for bot in bots]
    return " ".join([*sentences, "Players who play better may get other results, so try a stronger bot, too."])


def write_layers(desk: Desk, sides: Sequence[Good], folder: Path) -> None:
    """Write all layers of some editions, in their last valid state, into a folder.

    Worker processes load the rules from there.
    """
    with desk.workspace() as workspace:
        catalogue = workspace.get_catalogue()
        for side in sides:
            for layer in side.ruleset.resolved.layers:
                home = folder / layer.name.replace("/", "+")
                for file in (layer.manifest, *layer.files):
                    place = home / Path(file.span.file).relative_to(layer.folder)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(side.texts[build_file_key(file.span.file)], encoding="utf-8")
            follows = side.edition.follows
            if follows is not None:
                followed = catalogue.find(follows)
                place = folder / followed.id.replace("/", "+") / followed.path.name
                if not place.exists():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(workspace.texts.get_text(followed.path) or "", encoding="utf-8")


# -- playing -----------------------------------------------------------------------------


def _play_batches(
    desk: Desk, rulesets: Sequence[Ruleset], runs: Sequence[SimulationRun], games: int
) -> Iterator[dict[str, Any]]:
    """Yield the results so far after each batch of games. Two rulesets play paired games."""
    workers = min(WORKERS, count_processors())
    with desk.open_executor(workers) as pool:
        if len(runs) == 1:
            for _ in iterate_steps(rulesets[0], runs[0], games=games, workers=workers, executor=pool, growing=True):
                yield _alone(rulesets[0], runs[0], games)
            return
        first, second = rulesets
        pairs = Pairs((runs[0].counts, runs[1].counts))
        both = (runs[0], runs[1])
        for _ in compare((first, second), both, pairs, games=games, workers=workers, executor=pool, growing=True):
            yield _compare(first, second, pairs, games)


def _alone(ruleset: Ruleset, run: SimulationRun, games: int) -> dict[str, Any]:
    """Return the results of one ruleset so far as data for the page, without a comparison."""
    done = run.counts.games
    metrics = list_metrics(run.counts, ruleset)
    lines = [
        describe_leading_seat(metrics, done) or describe_seats(done, metrics["seat_edge"].interval),
        *_explain_wins(run.counts),
    ]
    return {
        "done": done,
        "of": games,
        "before": None,
        "after": _side(ruleset, run.counts),
        "difference": None,
        "interval": None,
        "words": " ".join(lines),
        "lines": lines,
        "clear": False,
        "data": {"before": None, "after": _as_data(run.counts, ruleset), "moves": []},
    }


def describe_leading_seat(metrics: Mapping[str, Metric], games: int) -> str | None:
    """Return a sentence about the seat that is furthest from an even share of wins. None if no seat surely differs."""
    seats = {name.partition(".")[2]: each for name, each in metrics.items() if name.startswith("seat.")}
    even = sum(each.value for each in seats.values()) / max(1, len(seats))
    if metrics["seat_edge"].interval[0] <= 0:
        return None
    # Of two seats, one is as far above as the other is below: the sentence is about the one above.
    number, seat = max(seats.items(), key=lambda each: (round(abs(each[1].value - even), 9), each[1].value))
    low, high = seat.interval
    only, what = ("", "an advantage") if seat.value > even else ("only ", "a disadvantage")
    return (
        f"Seat {number} has {what}: it wins {only}{seat.value:.0%} of {games:,} games, "
        f"where an even share is {even:.0%}. Its true win rate is very likely between {low:.0%} and {high:.0%}."
    )


def describe_seats(games: int, edge: Interval) -> str:
    """Return a sentence about the largest difference of a seat's win rate from an even share, if none surely differs.

    If the interval is too wide to mean anything, it says how many more games would narrow it to `TELLING`.
    """
    high = edge[1]
    if high <= TELLING:
        return f"In {games:,} games, no seat wins more than {_points(high)} more or less often than an even share."
    more = _count_missing(games, high)
    return (
        f"{games:,} games are too few to tell whether a seat has an advantage. "
        f"About {more:,} more games would show an advantage of {_points(TELLING)}, if there is one."
    )


def describe_lack(moves: Sequence[Move], games: int) -> str:
    """Return a sentence on pairs of games that are too few to show a changed balance, and on how many would show it.

    "" if there are enough, or if the wins of a seat change significantly.
    """
    seats = [each for each in moves if each.id.startswith("seat.")]
    if not seats or any(each.moved for each in seats):
        return ""
    # After games without a difference, the rate of games with one is still open up to 3 in their number, with 95 %.
    half = max(3 / games, *((each.interval[1] - each.interval[0]) / 2 for each in seats))
    if half <= TELLING:
        return ""
    return (
        f"{games:,} pairs of games are too few to tell whether these rules change the balance between the seats. About "
        f"{_count_missing(games, half):,} more would show a change of {_points(TELLING)}, if there is one."
    )


def _count_missing(games: int, width: float) -> int:
    """Return how many more games narrow an interval to `TELLING`: it shrinks with the square root of their number."""
    return ceil((games * (width / TELLING) ** 2 - games) / 10) * 10


def _points(share: float) -> str:
    return f"{share * 100:.1f}".removesuffix(".0") + " percentage points"


def _compare(first: Ruleset, second: Ruleset, pairs: Pairs, games: int) -> dict[str, Any]:
    """Return the results of two rulesets so far as data for the page.

    There is a leading difference only if one is statistically significant.
    """
    done = pairs.counts[0].games
    differences = select_differences(pairs, second)
    lack = describe_lack(differences, done)
    sentences = describe_change(differences, done, second)
    if lack:
        sentences = [*sentences, lack] if any(each.moved for each in differences) else [lack, *sentences[1:]]
    lines = [*sentences, *_explain_wins(*pairs.counts)]
    leading = min(differences, key=lambda move: move.adjusted, default=None)
    data = build_comparison_data(
        first.reference, second.reference, done, compare_metrics(pairs, second), list_unshared_measures(first, second)
    )
    return {
        "done": done,
        "of": games,
        "before": _side(first, pairs.counts[0]),
        "after": _side(second, pairs.counts[1]),
        # Show a difference only if it is statistically significant.
        "difference": describe_move(leading) if leading is not None and leading.moved else None,
        "interval": _format_interval(leading.interval, share=leading.share, signed=True)
        if leading is not None and leading.moved
        else None,
        "words": " ".join(lines),
        "lines": lines,
        "clear": leading is not None and done >= LEAST and leading.adjusted < CLEAR,
        "data": {
            **data,
            "before": _as_data(pairs.counts[0], first),
            "after": _as_data(pairs.counts[1], second),
            "leading": leading.id if leading is not None else None,
        },
    }


def _explain_wins(*counts: Counts) -> list[str]:
    """Return a sentence on shared wins if there are any."""
    return [SHARED_NOTE] if any(each.shared for each in counts) else []


def _side(ruleset: Ruleset, counts: Counts) -> dict[str, str]:
    """Return the reference of a ruleset, and each statistic as text by its title."""
    results = {"ref": ruleset.reference}
    for each in _list_metrics(counts, ruleset):
        value = f"{each.value:.1%}" if each.share else f"{each.value:,.1f}"
        within = _format_interval(each.interval, share=each.share)
        results[capitalize(each.title)] = f"{value} ({within})" if within else value
    return results


def _list_metrics(counts: Counts, ruleset: Ruleset) -> list[Metric]:
    """Return the informative metrics. A bot that plays alone has the same win rate under any rules.

    Shared wins are left out if there are none.
    """
    silent = (*(("wins.",) if len(counts.wins_by_policy) == 1 else ()), *(() if counts.shared else ("shared",)))
    return [each for name, each in list_metrics(counts, ruleset).items() if not name.startswith(silent)]


def _format_interval(interval: Interval, *, share: bool, signed: bool = False) -> str | None:
    """Return an interval as text, or None if it is not finite."""
    if not all(map(isfinite, interval)):
        return None
    if share and signed:
        return f"{interval[0] * 100:+.1f} to {interval[1] * 100:+.1f} percentage points"
    form = "{:.1%}" if share else "{:+,.1f}" if signed else "{:,.1f}"
    low, high = map(form.format, interval)
    return f"{low} to {high}"


def _as_data(counts: Counts, ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return each statistic as data, with None for infinite ends of its interval."""
    return [
        {
            "id": each.id,
            "title": each.title,
            "value": each.value,
            "interval": keep_finite(each.interval),
            "share": each.share,
        }
        for each in list_metrics(counts, ruleset).values()
    ]


PANEL = Panel("Fair", 50, answer, guide="balance/fair.md", command="fair")
