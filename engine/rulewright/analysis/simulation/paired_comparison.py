"""A comparison of two rulesets on the same random numbers, to find statistically significant differences.

Game number n has the same seed and the same bots in the same seats in both runs. Its dice are therefore the same until
the two games diverge. The comparison subtracts the metrics game by game, which cancels the variation that both games
share. The test is valid for any amount of shared variation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from time import perf_counter

from rulewright.analysis.simulation.game_counts import Counts, GameRow
from rulewright.analysis.simulation.metrics import measure_titles
from rulewright.analysis.simulation.run_simulation import (
    Progress,
    SimulationRun,
    bundle_shard,
    count_shards_under_way,
    cut,
)
from rulewright.analysis.simulation.shard import Shard, play, play_games
from rulewright.analysis.simulation.workers import iterate_in_order, open_processes
from rulewright.base.confidence_intervals import (
    Interval,
    compute_mean_interval,
    compute_paired_newcombe_interval,
    compute_standard_error,
)
from rulewright.base.errors import RulewrightError
from rulewright.base.significance import LEVEL, adjust_by_holm, compute_t_tail
from rulewright.engine.wasm_backend.interrupts import defer_interrupts
from rulewright.ruleset.ruleset import Ruleset


@dataclass(slots=True)
class Pairs:
    """Sums of differences between paired games.

    For each metric, `sums` holds the number of pairs, the number of pairs that differ, the sum of the differences, the
    sum of their squares, and the sums of both values.
    """

    counts: tuple[Counts, Counts]
    sums: dict[str, list[int]] = field(default_factory=dict)

    def add(self, name: str, first: int, second: int) -> None:
        """Count the values of one metric in a pair of games."""
        result = self.sums.setdefault(name, [0, 0, 0, 0, 0, 0])
        difference = second - first
        for place, value in enumerate((1, difference != 0, difference, difference * difference, first, second)):
            result[place] += value

    def __iadd__(self, other: Pairs) -> Pairs:
        """Add the counts and the sums of `other`."""
        for own, more in zip(self.counts, other.counts, strict=True):
            own += more
        for name, values in other.sums.items():
            result = self.sums.setdefault(name, [0] * len(values))
            self.sums[name] = [a + b for a, b in zip(result, values, strict=True)]
        return self


@dataclass(frozen=True, slots=True)
class Move:
    """The difference of a metric between two rulesets.

    `first` and `second` are the means, and `interval` is the confidence interval of the difference. `chance` is the
    p-value, and `adjusted` is the p-value after Holm's correction for all metrics. `share` is true for a share of 1.
    """

    id: str
    title: str
    first: float
    second: float
    difference: float
    interval: Interval
    chance: float
    adjusted: float
    share: bool

    @property
    def moved(self) -> bool:
        """Whether the difference is statistically significant."""
        return self.adjusted < LEVEL


PairShard = tuple[Shard, Shard]


def compare(
    rulesets: tuple[Ruleset, Ruleset],
    runs: tuple[SimulationRun, SimulationRun],
    pairs: Pairs,
    *,
    games: int,
    workers: int = 1,
    executor: Executor | None = None,
    remote: bool = False,
    growing: bool = False,
    progress: Progress | None = None,
) -> Iterator[None]:
    """Play `games` pairs of games shard by shard and add each shard to `pairs` before each yield.

    With `growing`, the first shards are small, so that a caller can stop early. With `remote`, the shards carry the
    files of the rules. `progress` gets the pairs played, `games` and the seconds since the start. Raises
    `RulewrightError` if the two runs have different bots or seeds, or if the rules fail in play.
    """
    if (runs[0].shard.policies, runs[0].shard.seed) != (runs[1].shard.policies, runs[1].shard.seed):
        bots = " and ".join(", ".join(run.shard.policies) for run in runs)
        raise RulewrightError(
            f"both rulesets must be played by the same bots from the same seed, but here the bots are {bots}: "
            "name the bots with `--players random,random`"
        )
    started = perf_counter()
    first, second = (
        replace(result, rows=True)
        for result in (
            bundle_shard(ruleset, run.shard) if remote else run.shard
            for ruleset, run in zip(rulesets, runs, strict=True)
        )
    )
    shards = zip(*(cut(result, 0, games, growing=growing) for result in (first, second)), strict=True)
    for results in _play_shards(rulesets, shards, workers, executor):
        with defer_interrupts():
            pairs += results
        if progress is not None:
            progress(pairs.counts[0].games, games, perf_counter() - started)
        yield


def compare_metrics(pairs: Pairs, ruleset: Ruleset) -> list[Move]:
    """Return the difference of every metric that both rulesets have.

    The p-values are from paired t tests, adjusted by Holm's method. `ruleset` is the second ruleset, which provides the
    titles of the measures.
    """
    titles = measure_titles(ruleset)
    results = []
    for name, (games, differing, total, squares, first, second) in pairs.sums.items():
        kind, _, rest = name.partition(".")
        seats = 1
        if kind == "wins":
            seats = max(1, pairs.counts[0].games_by_policy[rest] // max(1, pairs.counts[0].games))
        share = kind in ("wins", "seat", "draws") or (kind == "measures" and ruleset.measures[rest].is_share)
        if share and seats == 1:
            # A game is won or not, so each difference is -1, 0 or 1, and the squares count the pairs that differ.
            gained, lost = (squares + total) // 2, (squares - total) // 2
            both = first - lost
            low, high = compute_paired_newcombe_interval(both, gained, lost, games - both - gained - lost)
        else:
            low, high = compute_mean_interval(games, total, squares)
        results.append(
            Move(
                id=name,
                title=titles.get(rest) or f"wins of {'seat ' * (kind == 'seat')}{rest}" if rest else name,
                first=first / games / seats,
                second=second / games / seats,
                difference=total / games / seats,
                interval=(low / seats, high / seats),
                chance=compute_noise_chance(games, differing, total, squares),
                adjusted=1.0,
                share=share,
            )
        )
    adjusted = adjust_by_holm([move.chance for move in results])
    return [replace(move, adjusted=chance) for move, chance in zip(results, adjusted, strict=True)]


def play_pair(shards: PairShard) -> Pairs:
    """Play two shards of paired games in a worker."""
    first, second = (play(shard) for shard in shards)
    return pair_values(first.rows, second.rows, (first.counts, second.counts))


def pair_values(first: Sequence[GameRow], second: Sequence[GameRow], counts: tuple[Counts, Counts]) -> Pairs:
    """Return the differences between two lists of paired games.

    A metric counts only in pairs that have it in both games. A game that did not end has no measures.
    """
    pairs = Pairs(counts)
    for one, other in zip(first, second, strict=True):
        others = _compare(other)
        for name, value in _compare(one).items():
            if name in others:
                pairs.add(name, value, others[name])
    return pairs


def _compare(row: GameRow) -> dict[str, int]:
    """Return the values of a game by the id of their metric. Only games of different bots have `wins.<policy>`."""
    result = {f"wins.{policy}": 0 for policy in sorted(set(row.seats))} if len(set(row.seats)) > 1 else {}
    for seat, policy in enumerate(row.seats, start=1):
        result[f"seat.{seat}"] = int(row.has_won(seat))
        if f"wins.{policy}" in result:
            result[f"wins.{policy}"] += row.has_won(seat)
    result["draws"] = int(row.winning_seats == ())
    result["decisions"] = row.decisions
    return result | {f"measures.{name}": value for name, value in row.measures.items()}


def compute_noise_chance(games: int, differing: int, total: int, squares: int) -> float:
    """Return the p-value of a mean difference by a paired t test, but at least 2 ** (1 - `differing`).

    `games` is the number of pairs, and `differing` the number of pairs that differ. `total` and `squares` are the sums
    of the differences and of their squares. The result is 1 for a total of 0 or fewer than two pairs.
    """
    if total == 0 or games < 2:
        return 1.0
    error = compute_standard_error(games, total, squares)
    tail = compute_t_tail(total / games / error, games - 1) if error else 0.0
    # If the rules made no difference, either sign would be equally likely, so few differences prove little.
    return float(max(tail, 2.0 ** (1 - min(differing, 1000))))


def _play_shards(
    rulesets: tuple[Ruleset, Ruleset], shards: Iterable[PairShard], workers: int, executor: Executor | None
) -> Iterator[Pairs]:
    """Yield the pairs of each shard, in order. One worker without an executor plays them in this process.

    Raises `RulewrightError` if the rules fail in play, and `WorkersLostError` if a worker process is killed.
    """
    if executor is None and workers == 1:
        for one, other in shards:
            first, second = play_games(rulesets[0], one), play_games(rulesets[1], other)
            yield pair_values(first.rows, second.rows, (first.counts, second.counts))
        return
    with open_processes(workers) if executor is None else nullcontext(executor) as pool:
        yield from iterate_in_order(pool, play_pair, shards, ahead=count_shards_under_way(workers, executor))
