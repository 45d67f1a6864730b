"""Sensitivity analysis: the parameters that limit better play. Each is changed, and paired games are played again.

A parameter is a named number, or a column of a table. It is multiplied and divided by three and, if it is dice, made
steady: a roll with at most two faces and nearly the same mean. Two bots play each seed twice, with the seats swapped.
First, every change is tried with a few seeds. Then the changes with the most wins for the better bot are retested
with many other seeds, next to the original rules, so that a lucky pick has to win again. Differences are tested game
by game: paired t tests, corrected by Holm's method, as in `compare`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

from rulewright.analysis.simulation.paired_comparison import LEVEL, compute_noise_chance
from rulewright.analysis.simulation.run_simulation import Progress, begin_run, count_shards_under_way
from rulewright.analysis.simulation.shard import GameRow, Shard, load_shared, play_games
from rulewright.analysis.simulation.tournament import SEAT, choose_table_size, find_winning_bots, judge_deal
from rulewright.analysis.simulation.workers import iterate_in_order, open_processes
from rulewright.base.confidence_intervals import Interval, adjust_by_holm, compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_mean, compute_variance
from rulewright.dice.dice_error import DiceError
from rulewright.dice.format_notation import format_roll
from rulewright.ir.parameters import list_parameters
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.overlay import Value, with_values
from rulewright.ruleset.ruleset import Ruleset

MANY = 5
"""The factor by which the best changes are retested with more seeds."""

LEFT = 4
"""Changes that are left."""

TIMES = 3
"""The factor by which a parameter is multiplied and divided."""

LONGER = 6
"""A change is dropped if it makes games this many times longer."""

REFUSED, ENDLESS = "refused", "endless"
"""Why a change is left: the rules allow none such, or games become too long."""

LARGER, SMALLER, STEADY = f"{TIMES} times as large", f"1/{TIMES} as large", "steady"
"""The kinds of changes."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A change of a parameter: its path in the rules, the kind of change, and the values that implement it."""

    figure: str
    does: str
    values: tuple[Value, ...]

    @property
    def sweep(self) -> str:
        """The change as `--sweep` takes it."""
        return f"{'&'.join(path for path, _ in self.values)}={'&'.join(written for _, written in self.values)}"


@dataclass(slots=True)
class Deals:
    """The results of paired games: wins of the better and of the weaker bot, and pairs won twice by the same seat.

    `leads` are the differences in wins for each pair, in order.
    """

    won: int = 0
    lost: int = 0
    one_seat: int = 0
    decisions: int = 0
    leads: list[int] = field(default_factory=list)

    @property
    def played(self) -> int:
        """The deals there were, of two games each."""
        return len(self.leads)

    @property
    def decided(self) -> int:
        """The games that one of them won and the other did not."""
        return self.won + self.lost

    @property
    def share(self) -> float:
        """The part of the decided games that the better one won."""
        return self.won / self.decided if self.decided else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of that share."""
        return compute_wilson_interval(self.won, self.decided)

    @property
    def of_one_seat(self) -> Interval:
        """The same for the part of the deals that one seat won twice."""
        return compute_wilson_interval(self.one_seat, self.played)

    def take(self, more: Deals) -> None:
        """Count further deals as well."""
        self.won += more.won
        self.lost += more.lost
        self.one_seat += more.one_seat
        self.decisions += more.decisions
        self.leads += more.leads

    def add(self, first: GameRow, second: GameRow, better: str) -> None:
        """Count the two games of a deal."""
        alone = [bots for bots in map(find_winning_bots, (first, second)) if bots is not None and len(bots) == 1]
        won = sum(better in bots for bots in alone)
        self.won += won
        self.lost += len(alone) - won
        self.leads.append(2 * won - len(alone))
        self.one_seat += judge_deal(first, second, better) == SEAT
        self.decisions += first.decisions + second.decisions


@dataclass(slots=True)
class Search:
    """The result of the analysis: the original rules, the retested changes, and the number of changes tried.

    `refused` changes are invalid or without effect on play, and `endless` ones make games too long. It is `sure` once
    the best changes were retested.
    """

    better: str
    lesser: str
    in_all: int = 0
    tried: int = 0
    refused: int = 0
    endless: int = 0
    sure: bool = False
    as_it_is: Deals = field(default_factory=Deals)
    left: list[tuple[Variation, Deals]] = field(default_factory=list)

    @property
    def chances(self) -> list[float]:
        """The p-values of the retested changes, corrected for their number."""
        return adjust_by_holm([self._chance(deals) for _, deals in self.left])

    def _chance(self, deals: Deals) -> float:
        apart = [own - before for own, before in zip(deals.leads, self.as_it_is.leads, strict=True)]
        squares = sum(each * each for each in apart)
        return compute_noise_chance(len(apart), sum(each != 0 for each in apart), sum(apart), squares)

    @property
    def to_blame(self) -> list[tuple[Variation, Deals]]:
        """The changes with significantly more wins for the better bot, the largest effect first."""
        if not self.sure:
            return []
        more = sum(self.as_it_is.leads)
        return [
            each
            for each, chance in zip(self.left, self.chances, strict=True)
            if chance < LEVEL and sum(each[1].leads) > more
        ]


def list_changes(ruleset: Ruleset) -> list[Variation]:
    """Return everything that is tried, in the order of the rules."""
    declared, figures = ruleset.declarations, list_parameters(ruleset.declarations)
    changes: list[Variation] = []
    for number in declared.numbers.values():
        if number.id in figures.numbers:
            changes += _of(f"numbers.{number.id}", {f"numbers.{number.id}": number.value})
    for table in declared.tables.values():
        for column in table.columns:
            if (table.id, column) in figures.columns:
                cells = {f"tables.{table.id}.rows.{row.id}.{column}": row.cells[column] for row in table.rows.values()}
                changes += _of(f"tables.{table.id}.{column}", cells)
    return changes


def _of(figure: str, cells: Mapping[str, Any]) -> Iterator[Variation]:
    for does in (LARGER, SMALLER, STEADY):
        values = ((path, _build_variation(value, does)) for path, value in cells.items())
        changed = tuple((path, written) for path, written in values if written)
        if changed:
            yield Variation(figure, does, changed)


def _build_variation(value: Any, does: str) -> str:
    """Return a changed value as rules write it, or an empty text if the change has no effect."""
    if isinstance(value, Roll):
        return _dice(value, does)
    if type(value) is not int or not value or does == STEADY:
        return ""
    result = value * TIMES if does == LARGER else (value + (TIMES - 1 if value > 0 else 1 - TIMES)) // TIMES
    return str(result) if result != value else ""


def _dice(roll: Roll, does: str) -> str:
    if does == LARGER:
        return f'"{{{TIMES} * ({format_roll(roll)})}}"'
    if does == SMALLER:
        return f'"{{({format_roll(roll)}) / {TIMES}}}"'
    try:
        halves = round(2 * compute_mean(roll))
        if not compute_variance(roll):
            return ""
    except DiceError:
        return ""
    faces, least = (2, (halves - 3) // 2) if halves % 2 else (1, halves // 2 - 1)
    return f"1d{faces} {least:+}"


@dataclass(frozen=True, slots=True)
class DealChunk:
    """Paired games `first` to `last` (exclusive) for one worker, with at most one change of the rules.

    `usual` is the number of decisions with the original rules, or 0 for no limit.
    """

    shard: Shard
    swapped: tuple[str, ...]
    first: int
    last: int
    change: Variation | None
    usual: int


def _play(piece: DealChunk, ruleset: Ruleset | None = None) -> Deals | str:
    """Return the results of a chunk, or the reason for leaving it out."""
    shard = piece.shard
    base = ruleset or load_shared(shard.reference, shard.rules, shard.digest)
    if piece.change is None:
        return _deals(piece, base)
    try:
        return _deals(piece, _changed(base, piece.change))
    except RulewrightError:
        return REFUSED  # also for errors that only show in play


@lru_cache(maxsize=LEFT + 1)
def _changed(ruleset: Ruleset, change: Variation) -> Ruleset:
    """Return the rules with a change: those that are left are asked for again and again."""
    return with_values(ruleset, change.values)


def _deals(piece: DealChunk, ruleset: Ruleset) -> Deals | str:
    deals = Deals()
    shard = replace(piece.shard, digest=ruleset.digest_of_counts)
    for number in range(piece.first, piece.last):
        one = replace(shard, first=number, last=number + 1)
        rows = [play_games(ruleset, each).rows[0] for each in (one, replace(one, policies=piece.swapped))]
        deals.add(rows[0], rows[1], shard.policies[0])
        if piece.usual and deals.decisions > LONGER * piece.usual * deals.played:
            return ENDLESS
    return deals


def search(
    ruleset: Ruleset,
    better: str,
    lesser: str,
    *,
    deals: int,
    seed: int | str = 0,
    options: dict[str, str] | None = None,
    rules: Folders = (),
    workers: int = 1,
    progress: Progress | None = None,
) -> Iterator[Search]:
    """Search for the parameters that limit better play. Yields the state of the search after every change tried.

    The first `deals` seeds are those of the run's own games, and new ones follow. The result is the same for any
    number of workers. Raises `RulewrightError` for arguments that `simulate` refuses, and if the original rules
    cannot be played.
    """
    if deals < 1:
        raise RulewrightError("the number of paired games must be at least 1")
    seats = choose_table_size(ruleset)
    policies = [better, lesser] * (seats // 2)
    shard = begin_run(ruleset, policies=policies, seed=seed, options=options, rules=rules, rows=True).shard
    piece = DealChunk(shard, (lesser, better) * (seats // 2), 0, deals, None, 0)
    changes = list_changes(ruleset)
    result = Search(better, lesser, in_all=len(changes))
    started = perf_counter()
    with ExitStack() as stack:
        pool = stack.enter_context(open_processes(workers)) if workers > 1 else None

        def played(pieces: Sequence[DealChunk]) -> Iterator[Deals | str]:
            if pool is None:
                return map(partial(_play, ruleset=ruleset), pieces)
            return iterate_in_order(pool, _play, pieces, ahead=count_shards_under_way(workers, pool))

        def shown(done: int) -> None:
            if progress is not None:
                progress(done, len(changes) + MANY * (LEFT + 1), perf_counter() - started)

        (usual,) = played([piece])
        assert isinstance(usual, Deals)
        result.as_it_is = usual
        yield result
        often = usual.decisions // deals
        first: list[tuple[Variation, Deals]] = []
        tried = [replace(piece, change=change, usual=often) for change in changes]
        for change, found in zip(changes, played(tried), strict=True):
            result.tried += 1
            if isinstance(found, Deals):
                # If far fewer games are decisive, they do not show which bot is better.
                if 4 * found.decided >= usual.decided:
                    first.append((change, found))
            elif found == REFUSED:
                result.refused += 1
            else:
                result.endless += 1
            result.left = sorted(first, key=lambda each: -each[1].share)[:LEFT]
            shown(result.tried)
            yield result
        again = [None, *(change for change, _ in result.left)]
        last = [
            replace(piece, first=deals * (1 + part), last=deals * (2 + part), change=change)
            for change in again
            for part in range(MANY)
        ]
        sums = [Deals() for _ in again]
        unplayable = set()
        for number, found in enumerate(played(last)):
            place = number // MANY
            if isinstance(found, Deals):
                sums[place].take(found)
            else:
                unplayable.add(place)  # its first deals had nothing to show of that
            shown(len(changes) + number + 1)
        result.refused += len(unplayable)
        left = [(change, sums[place]) for place, change in enumerate(again) if change and place not in unplayable]
        result.as_it_is, result.left, result.sure = sums[0], sorted(left, key=lambda each: -each[1].share), True
        yield result
