"""A cache of the games that fairness questions need, in which each sample is played only once."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from rulewright.ai.bots import estimate_cost
from rulewright.analysis.fairness.answer import format_count
from rulewright.analysis.fairness.seat_measures import list_payoffs, with_payoffs
from rulewright.analysis.fairness.setup_differences import SetupDifference, find_differences
from rulewright.analysis.fairness.strong_players import RaceResult
from rulewright.analysis.simulation.game_counts import Counts, GameRow
from rulewright.analysis.simulation.roll_leverage import MOST, LeverageResult, turn_rolls
from rulewright.analysis.simulation.run_simulation import Progress, begin_run, iterate_steps
from rulewright.analysis.simulation.shard import ShardResult, play_games
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset

POSITIONS = 10_000
"""The default limit on the positions of a game to solve. Reaching the limit takes a few seconds."""

GAMES = 1_000
"""The default number of games in a sample."""

MOST_SAMPLES, MORE_DECISIONS = 4, 40
"""The maximum number of samples of short games for a question about advantages, and the budget of all but the first.

The budget is counted in decisions of `greedy` for each game of a sample.
"""

MOST_PLAYERS, LARGEST_TABLE = 4, 6
"""The maximum number of players examined, and that for advantages, which may differ most in large games."""

_AT_A_TIME = 50
"""The number of games after which an interrupt ends a sample of other rules."""

T = TypeVar("T")

FEWEST_CHECKS = 50
"""The minimum number of games of a second strong bot, which checks what the good one does."""


def choose_players(ruleset: Ruleset, good: str = "", lesser: str = "") -> tuple[str, str]:
    """Return the names of the good bot and of the lesser bot, without a search for strong ones.

    The defaults are `greedy` as the good bot (`random` if the ruleset has no `evaluate:`) and `random` as the lesser
    one.
    """
    return (good or ("greedy" if ruleset.evaluate is not None else "random"), lesser or "random")


def list_sizes(ruleset: Ruleset, largest: int = MOST_PLAYERS) -> range:
    """Return the numbers of players to examine: from 2, if the rules allow it, to `largest`, if they allow it."""
    fewest, most = ruleset.players
    fewest = min(max(fewest, 2), most)
    return range(fewest, max(fewest, min(most, largest)) + 1)


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """A sample of games, with its counts, one row per game if requested, and the command that replays it."""

    counts: Counts
    rows: tuple[GameRow, ...]
    command: str

    def list_wins(self) -> SeatResults:
        """Return the wins of each seat. The sample must have rows."""
        return SeatResults(tuple(row.list_wins() for row in self.rows), are_payoffs=False)


@dataclass(frozen=True, slots=True)
class SeatResults:
    """The result of each seat in each game, in the order of the games.

    Attributes:
        games: The results of each game.
        are_payoffs: Whether they are payoffs, and not 1 for a win and 0 for none.
        groups: The group of each game, or empty. Games of the same group depend on each other.
        held: The seat in each game of each person whose skill is held fixed, or None if the person did not play.
    """

    games: tuple[tuple[int, ...], ...]
    are_payoffs: bool
    groups: tuple[int, ...] = ()
    held: tuple[tuple[int | None, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Sample:
    policies: tuple[str, ...]
    games: int
    coverage: bool
    rows: bool
    dice_by_step: bool
    careless: int | None


@dataclass(slots=True)
class GameCache:
    """The settings of a run of questions, and the games played so far.

    All samples use the same seeds, so you can compare two samples with the same dice. After an interrupt
    (`KeyboardInterrupt`), `interrupted` is true and the cache plays no more games. The games played until then remain
    valid.

    Attributes:
        ruleset: The rules to examine.
        good: The bot that represents good play.
        lesser: The weaker bot.
        games: The number of games in a sample.
        seed: The random seed of all samples.
        options: The settings of the game.
        rules: Folders in which worker processes look for rulesets.
        helpers: The worker processes.
        progress: Returns a new progress callback for each sample, or None.
        other: The rules to compare with, if any.
        positions: The maximum number of positions of a game to solve.
        race: The result of the search for a good player, or None if the player was given.
        interrupted: True after an interrupt.
        grows: Whether questions about advantages may take several samples of short games.
    """

    ruleset: Ruleset
    good: str
    lesser: str
    games: int
    seed: int | str
    options: dict[str, str]
    rules: Sequence[str | Path]
    helpers: Helpers
    progress: Callable[[], Progress | None]
    other: Ruleset | None = None
    positions: int = POSITIONS
    race: RaceResult | None = None
    interrupted: bool = False
    grows: bool = False
    _seconds: float = 0.0
    _games: int = 0
    _samples: dict[_Sample, PlayedGames] = field(default_factory=dict)
    _shared: dict[str, Any] = field(default_factory=dict)

    def share(self, name: str, find: Callable[[], T]) -> T:
        """Return a result that several questions need. It is found once."""
        if name not in self._shared:
            self._shared[name] = find()
        result: T = self._shared[name]
        return result

    def find_differences(self, players: int) -> list[SetupDifference]:
        """Return what set-up gives to one player only, in the games of `play_most_results`. Cached."""
        return self.share(
            f"differences of {players}",
            lambda: find_differences(
                self.ruleset,
                players,
                seed=self.seed,
                games=self.count_most(players),
                options=self.options,
                bot=self.good,
            ),
        )

    def count_most(self, players: int) -> int:
        """Return the number of games for a question about advantages: as many samples as short games allow. Cached."""
        return self.share(f"most games of {players}", lambda: self._count_most(players)) if self.grows else self.games

    def _count_most(self, players: int) -> int:
        counts = self.play_good_bots(players, rows=True).counts
        length = max(1.0, counts.decisions / max(1, counts.games))
        try:
            work = length * max(1.0, estimate_cost(self.good, self.ruleset, length))
        except (RulewrightError, ValueError):  # the cost of this bot is not known
            return self.games
        return self.games * min(MOST_SAMPLES, 1 + int(MORE_DECISIONS / work))

    @property
    def folders(self) -> list[str]:
        """The folders of rules as strings, for worker processes and commands."""
        return [fspath(folder) for folder in self.rules]

    @property
    def fewest(self) -> int:
        """The number of players of the smallest table: at least 2 if the rules allow it."""
        return self.sizes[0]

    @property
    def plays(self) -> bool:
        """Whether the cache can play games. Games of people are only read."""
        return True

    @property
    def sizes(self) -> Sequence[int]:
        """The numbers of players to examine (`list_sizes`)."""
        return list_sizes(self.ruleset)

    @property
    def advantage_sizes(self) -> Sequence[int]:
        """The numbers of players to examine for advantages."""
        return list_sizes(self.ruleset, LARGEST_TABLE)

    def list_groups(self, players: int) -> Sequence[int]:
        """Return the group of each game of `play_good_bots`. Empty if no game depends on another, as with bots."""
        return ()

    def play_other_bot(self, players: int) -> tuple[str, PlayedGames] | None:
        """Return a bot that is as strong as the good one, or stronger, with games of it in every seat.

        The games have rows and coverage. They are as many as cost as much as a sample of `greedy`, but at least
        `FEWEST_CHECKS` if there are so many. Return None if the search for players found no such bot, and for all but
        the smallest number of players, because such a bot is slow. Raises `RulewrightError` as `play` does.
        """
        if self.race is None or not self.race.others or players != self.fewest:
            return None
        bot = self.race.others[0]
        games = max(FEWEST_CHECKS, int(self.games / self.race.costs[bot]))
        return bot, self.play((bot,) * players, coverage=True, rows=True, games=games)

    def play_good_bots(self, players: int = 0, *, coverage: bool = False, rows: bool = False) -> PlayedGames:
        """Return games in which the good bot plays in every seat. 0 `players` means the smallest table."""
        return self.play((self.good,) * (players or self.fewest), coverage=coverage, rows=rows)

    def play(
        self,
        policies: Sequence[str],
        *,
        coverage: bool = False,
        rows: bool = False,
        games: int | None = None,
        dice_by_step: bool = False,
        careless: int | None = None,
    ) -> PlayedGames:
        """Return games of these bots, from the cache if it has played them before.

        A sample with `rows` serves whoever needs none. The bots move one seat on with each game. The sample has `games`
        games, but at most as many as the run's `games`, and fewer after an interrupt. With `dice_by_step`, a choice
        changes no other roll, so that the games of two samples can be compared one by one. At the step `careless`, if
        any, the first bot answers at random. Raises `RulewrightError` if the rules fail in play.
        """
        count = self.games if games is None else min(games, self.games)
        sample = _Sample(tuple(policies), count, coverage, rows, dice_by_step, careless)
        fuller = replace(sample, rows=True)
        if fuller not in self._samples and sample not in self._samples:
            self._samples[sample] = self._play_sample(sample)
        return self._samples[fuller] if fuller in self._samples else self._samples[sample]

    def play_results(
        self,
        players: int,
        *,
        bot: str = "",
        games: int | None = None,
        dice_by_step: bool = False,
        careless: int | None = None,
    ) -> SeatResults:
        """Return the results of games in which a bot plays in every seat, by default the good one.

        They are payoffs if the rules have some. The other arguments are those of `play`. Raises `RulewrightError` as
        `play` does.
        """
        policies = (bot or self.good,) * players
        measured = with_payoffs(self.ruleset, players)
        if measured is None:
            played = self.play(policies, rows=True, games=games, dice_by_step=dice_by_step, careless=careless)
            return played.list_wins()
        each = self.play_each(measured, policies, games=games, dice_by_step=dice_by_step, careless=careless)
        return SeatResults(tuple(list_payoffs(row) for game in each for row in game.rows), are_payoffs=True)

    def play_most_results(self, players: int) -> SeatResults:
        """Return the results of `count_most` games in which the good bot plays in every seat. Cached.

        Raises `RulewrightError` as `play` does.
        """
        return self.share(f"most results of {players}", lambda: self._play_most_results(players))

    def _play_most_results(self, players: int) -> SeatResults:
        results = self.play_results(players)
        if self.count_most(players) == self.games:
            return results
        measured = with_payoffs(self.ruleset, players)
        rows = self.play_rows(measured or self.ruleset, players, self.games, self.count_most(players))
        more = (row.list_wins() if measured is None else list_payoffs(row) for row in rows)
        return replace(results, games=(*results.games, *more))

    def play_each(
        self,
        ruleset: Ruleset,
        policies: Sequence[str],
        *,
        games: int | None = None,
        dice_by_step: bool = False,
        careless: int | None = None,
    ) -> Iterator[ShardResult]:
        """Yield each game separately, with its counts and its row, for rules that differ only in their measures.

        The games use the same seeds as the other samples, and the arguments are those of `play`. They run in this
        process, and the cache does not keep them. An interrupt ends the iteration and sets `interrupted`. Raises
        `RulewrightError` if the rules fail in play.
        """
        run = begin_run(ruleset, policies=policies, seed=self.seed, options=self.options, rows=True)
        shard = replace(run.shard, dice_by_step=dice_by_step, careless=careless)
        count = self.games if games is None else min(games, self.games)
        progress, started = self.progress(), perf_counter()
        try:
            for number in range(0 if self.interrupted else count):
                yield play_games(ruleset, replace(shard, first=number, last=number + 1))
                if progress is not None:
                    progress(number + 1, count, perf_counter() - started)
        except KeyboardInterrupt:
            self.interrupted = True

    def play_rows(
        self, ruleset: Ruleset, players: int, first: int, last: int, *, opening: int | None = None
    ) -> list[GameRow]:
        """Return games of the good bot under other rules, from number `first` up to but excluding `last`.

        The games use the same seeds as the other samples. With `opening`, their first decision takes the option with
        this index. They run in this process, and the cache does not keep them. After an interrupt, there are fewer.
        Raises `RulewrightError` if the rules fail in play.
        """
        run = begin_run(ruleset, policies=(self.good,) * players, seed=self.seed, options=self.options, rows=True)
        rows: list[GameRow] = []
        progress, started = self.progress(), perf_counter()
        try:
            for begin in range(first, first if self.interrupted else last, _AT_A_TIME):
                shard = replace(run.shard, first=begin, last=min(last, begin + _AT_A_TIME), opening=opening)
                rows += play_games(ruleset, shard).rows
                if progress is not None:
                    progress(len(rows), last - first, perf_counter() - started)
        except KeyboardInterrupt:
            self.interrupted = True
        return rows

    def vary_rolls(self, policies: Sequence[str], *, replays: int) -> LeverageResult:
        """Return the leverage of single rolls in games of these bots. The cache does not keep it.

        The games end once they have taken `replays` replays, but not before ten games and at the latest after `MOST`
        games. An interrupt sets `interrupted`, and the result covers the games until then. Raises `RulewrightError` as
        `turn_rolls` does.
        """
        rolls, games = LeverageResult(), min(self.games, MOST)
        progress, started = self.progress(), perf_counter()
        going_on = not self.interrupted
        try:
            while going_on:
                going_on = False
                for each in turn_rolls(
                    self.ruleset,
                    policies,
                    games=games,
                    replays=replays,
                    before=rolls,
                    seed=self.seed,
                    options=self.options,
                    rules=self.folders,
                    workers=1 if self.helpers.executor is None else self.helpers.workers,
                    executor=self.helpers.executor,
                ):
                    rolls.take(each)
                    if progress is not None:
                        progress(rolls.games, games, perf_counter() - started)
                    if self.helpers.start_if_due():
                        going_on = True
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return rolls

    def _play_sample(self, sample: _Sample) -> PlayedGames:
        """Play a sample and return its games, which are fewer after an interrupt. An interrupt sets `interrupted`.

        Raises `RulewrightError` for an unknown bot or setting, and if the rules fail in play.
        """
        run = begin_run(
            self.ruleset,
            policies=sample.policies,
            seed=self.seed,
            options=self.options,
            rules=self.folders,
            coverage=sample.coverage,
            rows=sample.rows,
        )
        run.shard = replace(run.shard, dice_by_step=sample.dice_by_step, careless=sample.careless)
        results: list[GameRow] = []
        progress, started = self.progress(), perf_counter()
        try:
            while not self.interrupted and run.counts.games < sample.games:
                for counts in iterate_steps(
                    self.ruleset,
                    run,
                    games=sample.games,
                    workers=1 if self.helpers.executor is None else self.helpers.workers,
                    executor=self.helpers.executor,
                    progress=progress,
                ):
                    results += counts
                    if self.helpers.start_if_due():
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        self._seconds += perf_counter() - started
        self._games += run.counts.games
        command = self.build_command(sample.policies, run.counts.games, *(["--coverage"] if sample.coverage else []))
        if sample.dice_by_step or sample.careless is not None:
            command = self.build_fair_command()  # `simulate` plays no such games
        return PlayedGames(run.counts, tuple(results[: run.counts.games]), command)

    def estimate_seconds(self, games: int) -> float:
        """Return how many seconds a question takes for so many games with each number of players.

        The estimate is the mean of the samples so far, and 0 before the first.
        """
        return games * len(self.sizes) * self._seconds / self._games if self._games else 0.0

    def describe_games(self, games: int, bot: str = "", *, players: int = 0) -> str:
        """Return a number of games of a bot in words: "400 games of `greedy`". The default is the good bot.

        `players` is their number of players, or 0 for any. It matters for games of people, who are counted.
        """
        return f"{format_count(games, 'game')} of `{bot or self.good}`"

    def build_command(self, policies: Sequence[str], games: int, *more: str) -> str:
        """Return the shell command that plays this number of these games again."""
        return self._format_command("simulate", games, policies, more)

    def build_fair_command(self, games: int = 0) -> str:
        """Return the shell command that asks these questions again. By default, its samples have the same size."""
        more = [] if self.positions == POSITIONS else ["--positions", str(self.positions)]
        return self._format_command("fair", games or self.games, [*dict.fromkeys((self.good, self.lesser))], more)

    def build_race_command(self) -> str:
        """Return the shell command that searches for the players again."""
        more = [] if self.positions == POSITIONS else ["--positions", str(self.positions)]
        return self._format_command("fair", self.games, (), more)

    def _format_command(self, command: str, games: int, bots: Sequence[str], more: Sequence[str]) -> str:
        """Return a shell command for so many games of these bots, with the seed, settings and folders of this run."""
        words = ["rulewright", command, self.ruleset.reference, "--games", str(games)]
        words += ["--players", ",".join(bots)] if bots else []
        words += [f"--seed={self.seed}"] if str(self.seed) != "0" else []
        return shlex.join([*words, *self._format_settings(), *more])

    def _format_settings(self) -> list[str]:
        """Return the settings and folders of this run as arguments of a command."""
        settings = (word for name, choice in self.options.items() for word in ("--option", f"{name}={choice}"))
        return [*settings, *(word for folder in self.folders for word in ("--rules", folder))]
