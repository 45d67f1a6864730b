"""A sensitivity analysis to find parameters of the rules that limit the advantage of better play.

A parameter is a named number, or a column of a table with all its rows. Each parameter is tripled, divided by three
and, for dice, made steady: replaced by a roll with at most two faces and about the same mean. Two bots play paired
games, with the same seed and swapped seats. The first round tries every change in a few pairs. The second round plays
the changes with the most wins of the better bot, and the unchanged rules, in many new pairs, so that a lucky change
must win again. Paired t tests, adjusted by Holm's method as in `compare`, find the significant changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.paired_comparison import compute_noise_chance
from rulewright.analysis.simulation.run_simulation import Progress, begin_run, count_shards_under_way
from rulewright.analysis.simulation.shard import Shard, load_shared, play_games
from rulewright.analysis.simulation.tournament import SEAT, choose_table_size, find_winning_bots, judge_deal
from rulewright.analysis.simulation.workers import iterate_in_order, open_processes
from rulewright.base.confidence_intervals import Interval, compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.base.significance import LEVEL, adjust_by_holm
from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_mean, compute_variance
from rulewright.dice.dice_error import DiceError
from rulewright.dice.format_notation import format_roll
from rulewright.ir.parameters import list_parameters
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.overlay import Value, with_values
from rulewright.ruleset.ruleset import Ruleset

MANY = 5
"""How many times as many pairs the second round plays as the first."""

LEFT = 4
"""The number of changes that are retested in the second round."""

TIMES = 3
"""The factor by which a parameter is multiplied and divided."""

LONGER = 6
"""A change that makes games this many times longer is dropped."""

REFUSED, ENDLESS = "refused", "endless"
"""The reasons to drop a change: the rules do not allow it, or games become too long."""

LARGER, SMALLER, STEADY = f"{TIMES} times as large", f"1/{TIMES} as large", "steady"
"""The kinds of changes."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A change of one parameter: its path in the rules, the change, and the new values."""

    figure: str
    does: str
    values: tuple[Value, ...]

    @property
    def sweep(self) -> str:
        """The change in the syntax of `--sweep`."""
        return f"{'&'.join(path for path, _ in self.values)}={'&'.join(written for _, written in self.values)}"


@dataclass(slots=True)
class Deals:
    """The results of paired games.

    `won` and `lost` are games won by only the better or only the weaker bot. `one_seat` counts the pairs in which the
    same seat won both games. `leads` holds, for each pair in order, the better bot's wins minus its losses.
    """

    won: int = 0
    lost: int = 0
    one_seat: int = 0
    decisions: int = 0
    leads: list[int] = field(default_factory=list)

    @property
    def played(self) -> int:
        """The number of pairs, of two games each."""
        return len(self.leads)

    @property
    def decided(self) -> int:
        """The number of decisive games, which only one of the bots won."""
        return self.won + self.lost

    @property
    def share(self) -> float:
        """The better bot's share of the decisive games. 0 if there are none."""
        return self.won / self.decided if self.decided else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of `share`."""
        return compute_wilson_interval(self.won, self.decided)

    @property
    def of_one_seat(self) -> Interval:
        """The 95 % confidence interval of the share of pairs in which one seat won both games."""
        return compute_wilson_interval(self.one_seat, self.played)

    def take(self, more: Deals) -> None:
        """Add the pairs of `more`."""
        self.won += more.won
        self.lost += more.lost
        self.one_seat += more.one_seat
        self.decisions += more.decisions
        self.leads += more.leads

    def add(self, first: GameRow, second: GameRow, better: str) -> None:
        """Count one pair of games, in which the bots swap seats. `better` is the name of the better bot."""
        alone = [bots for bots in map(find_winning_bots, (first, second)) if bots is not None and len(bots) == 1]
        won = sum(better in bots for bots in alone)
        self.won += won
        self.lost += len(alone) - won
        self.leads.append(2 * won - len(alone))
        self.one_seat += judge_deal(first, second, better) == SEAT
        self.decisions += first.decisions + second.decisions


@dataclass(slots=True)
class Search:
    """The progress of a sensitivity analysis: the unchanged rules, the best changes, and the numbers of changes tried.

    `refused` counts the changes that the rules do not allow or that fail in play. `endless` counts those that make
    games too long. `sure` is true after the second round.
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
        """The p-value of each remaining change, adjusted for all of them."""
        return adjust_by_holm([self._chance(deals) for _, deals in self.left])

    def _chance(self, deals: Deals) -> float:
        apart = [own - before for own, before in zip(deals.leads, self.as_it_is.leads, strict=True)]
        squares = sum(each * each for each in apart)
        return compute_noise_chance(len(apart), sum(each != 0 for each in apart), sum(apart), squares)

    @property
    def to_blame(self) -> list[tuple[Variation, Deals]]:
        """The changes with significantly more wins for the better bot, in descending order of its share.

        Empty before the second round.
        """
        if not self.sure:
            return []
        more = sum(self.as_it_is.leads)
        return [
            each
            for each, chance in zip(self.left, self.chances, strict=True)
            if chance < LEVEL and sum(each[1].leads) > more
        ]


def list_changes(ruleset: Ruleset) -> list[Variation]:
    """Return all changes to try, in the order of the rules."""
    declared, parameters = ruleset.declarations, list_parameters(ruleset.declarations)
    changes: list[Variation] = []
    for number in declared.numbers.values():
        if number.id in parameters.numbers:
            changes += _of(f"numbers.{number.id}", {f"numbers.{number.id}": number.value})
    for table in declared.tables.values():
        for column in table.columns:
            if (table.id, column) in parameters.columns:
                cells = {f"tables.{table.id}.rows.{row.id}.{column}": row.cells[column] for row in table.rows.values()}
                changes += _of(f"tables.{table.id}.{column}", cells)
    return changes


def _of(parameter: str, cells: Mapping[str, Any]) -> Iterator[Variation]:
    """Yield the changes that make a parameter larger, smaller and steady, apart from those without any effect."""
    for does in (LARGER, SMALLER, STEADY):
        values = ((path, _build_variation(value, does)) for path, value in cells.items())
        changed = tuple((path, written) for path, written in values if written)
        if changed:
            yield Variation(parameter, does, changed)


def _build_variation(value: Any, does: str) -> str:
    """Return a changed value in the syntax of the rules, or an empty text if the change has no effect."""
    if isinstance(value, Roll):
        return _dice(value, does)
    if type(value) is not int or not value or does == STEADY:
        return ""
    result = value * TIMES if does == LARGER else (value + (TIMES - 1 if value > 0 else 1 - TIMES)) // TIMES
    return str(result) if result != value else ""


def _dice(roll: Roll, does: str) -> str:
    """Return a changed roll in the syntax of the rules, or "" for a steady one without spread or with unknown odds."""
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
    """The pairs from `first` up to, but not including, `last`, for one worker, with one change or none.

    `usual` is the number of decisions in a pair with unchanged rules. 0 means no limit.
    """

    shard: Shard
    swapped: tuple[str, ...]
    first: int
    last: int
    change: Variation | None
    usual: int


def _play(piece: DealChunk, ruleset: Ruleset | None = None) -> Deals | str:
    """Return the results of a chunk, `ENDLESS` if its games become too long, or `REFUSED` if its change does not work.

    A change does not work if the changed rules fail to load or fail in play. Without a change, such errors are raised.
    """
    shard = piece.shard
    base = ruleset or load_shared(shard.reference, shard.rules, shard.digest)
    if piece.change is None:
        return _deals(piece, base)
    try:
        return _deals(piece, _apply_change(base, piece.change))
    except RulewrightError:
        return REFUSED  # any error means that the change does not work, including one in play


@lru_cache(maxsize=LEFT + 1)
def _apply_change(ruleset: Ruleset, change: Variation) -> Ruleset:
    """Return the rules with a change, from a cache for the changes of the second round."""
    return with_values(ruleset, change.values)


def _deals(piece: DealChunk, ruleset: Ruleset) -> Deals | str:
    """Return the results of the pairs in a chunk, or `ENDLESS` as soon as its games become too long.

    Raises `RulewrightError` if the rules fail in play.
    """
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
    """Find the parameters that limit better play, and yield the same `Search` each time it is updated.

    The updates follow the games with unchanged rules, each change of the first round, and the whole second round. The
    first round uses the seeds of the first `deals` games of `simulate`, and the second round uses new ones. The results
    are the same for any number of workers. Raises `RulewrightError` for fewer than one of `deals`, for rules without an
    even number of players, for settings that `simulate` refuses, and if the unchanged rules fail in play.
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

        def show_progress(done: int) -> None:
            if progress is not None:
                progress(done, len(changes) + MANY * (LEFT + 1), perf_counter() - started)

        (usual,) = played([piece])
        assert isinstance(usual, Deals)
        result.as_it_is = usual
        yield result
        often = usual.decisions // deals
        first: list[tuple[Variation, Deals]] = []
        tried = [replace(piece, change=change, usual=often) for change in changes]
        for change, outcome in zip(changes, played(tried), strict=True):
            result.tried += 1
            if isinstance(outcome, Deals):
                # A change that makes far fewer games decisive does not show which bot is better.
                if 4 * outcome.decided >= usual.decided:
                    first.append((change, outcome))
            elif outcome == REFUSED:
                result.refused += 1
            else:
                result.endless += 1
            result.left = sorted(first, key=lambda each: -each[1].share)[:LEFT]
            show_progress(result.tried)
            yield result
        again = [None, *(change for change, _ in result.left)]
        last = [
            replace(piece, first=deals * (1 + part), last=deals * (2 + part), change=change)
            for change in again
            for part in range(MANY)
        ]
        sums = [Deals() for _ in again]
        unplayable = set()
        for number, outcome in enumerate(played(last)):
            place = number // MANY
            if isinstance(outcome, Deals):
                sums[place].take(outcome)
            else:
                unplayable.add(place)  # the change worked in the first round, but fails in the new pairs
            show_progress(len(changes) + number + 1)
        result.refused += len(unplayable)
        left = [(change, sums[place]) for place, change in enumerate(again) if change and place not in unplayable]
        result.as_it_is, result.left, result.sure = sums[0], sorted(left, key=lambda each: -each[1].share), True
        yield result
