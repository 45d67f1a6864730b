"""The table at which questions have games played: each run once, however many ask for it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from pathlib import Path
from time import perf_counter

from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.roll_leverage import MOST, LeverageResult, turn_rolls
from rulewright.analysis.simulation.run_simulation import Progress, begin_run, iterate_steps
from rulewright.analysis.simulation.shard import GameRow, play_games
from rulewright.analysis.simulation.workers import Helpers
from rulewright.ruleset.ruleset import Ruleset

POSITIONS = 10_000
"""Positions that a game may have that is solved by the way: it takes some seconds to find out that there are more."""

MOST_PLAYERS = 4
"""Players of the largest table that is asked for by itself: more take long, and tell little else."""


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games that were played: their counts, the games one by one where they were wanted, and what plays them again."""

    counts: Counts
    rows: tuple[GameRow, ...]
    command: str


@dataclass(slots=True)
class GameCache:
    """Who sits at the table, and what was played there so far.

    `good` is the bot whose games tell of the game between those who know it, `lesser` one that knows less. All games of
    a kind have the same seeds, so that what is asked of two kinds is asked on common dice. `other` are rules to compare
    with. A game of `positions` or fewer is solved, too. Once somebody has interrupted, nothing more is played:
    `interrupted` says so, and what was played until then counts.
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
    interrupted: bool = False
    _samples: dict[tuple[tuple[str, ...], bool, bool, int], PlayedGames] = field(default_factory=dict)

    @property
    def folders(self) -> list[str]:
        """The folders of rules, as they are handed on."""
        return [fspath(folder) for folder in self.rules]

    @property
    def fewest(self) -> int:
        """The players of the smallest table at which anybody can win against somebody, or of the smallest there is."""
        fewest, most = self.ruleset.players
        return min(max(fewest, 2), most)

    @property
    def sizes(self) -> range:
        """The numbers of players that are asked for."""
        return range(self.fewest, max(self.fewest, min(self.ruleset.players[1], MOST_PLAYERS)) + 1)

    def play_good_bots(self, players: int = 0, *, coverage: bool = False) -> PlayedGames:
        """Return games between players who are all good, as few as there may be where no number is named."""
        return self.play((self.good,) * (players or self.fewest), coverage=coverage)

    def play(
        self, policies: Sequence[str], *, coverage: bool = False, rows: bool = False, games: int | None = None
    ) -> PlayedGames:
        """Return games of these bots, whom every game moves one seat on.

        As many as asked of all kinds, or `games` at most.

        Raises `RulewrightError` where rules are at fault.
        """
        wanted = self.games if games is None else min(games, self.games)
        key = (tuple(policies), coverage, rows, wanted)
        if key not in self._samples:
            self._samples[key] = self._played(*key)
        return self._samples[key]

    def play_each(self, ruleset: Ruleset, policies: Sequence[str]) -> Iterator[Counts]:
        """Yield the counts of each game of these bots by itself.

        Of the same games with other measures than the table's.

        Raises `RulewrightError` where rules are at fault.
        """
        run = begin_run(ruleset, policies=policies, seed=self.seed, options=self.options)
        progress, started = self.progress(), perf_counter()
        try:
            for number in range(0 if self.interrupted else self.games):
                yield play_games(ruleset, replace(run.shard, first=number, last=number + 1)).counts
                if progress is not None:
                    progress(number + 1, self.games, perf_counter() - started)
        except KeyboardInterrupt:
            self.interrupted = True

    def vary_rolls(self, policies: Sequence[str], *, replays: int) -> LeverageResult:
        """Return what single rolls decide in games of these bots: see `turn_rolls`.

        Raises `RulewrightError` as that does.
        """
        found, games = LeverageResult(), min(self.games, MOST)
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
                    before=found,
                    seed=self.seed,
                    options=self.options,
                    rules=self.folders,
                    workers=1 if self.helpers.executor is None else self.helpers.workers,
                    executor=self.helpers.executor,
                ):
                    found.take(each)
                    if progress is not None:
                        progress(found.games, games, perf_counter() - started)
                    if self.helpers.start_if_due():
                        going_on = True
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return found

    def _played(self, policies: tuple[str, ...], coverage: bool, rows: bool, games: int) -> PlayedGames:
        run = begin_run(
            self.ruleset,
            policies=policies,
            seed=self.seed,
            options=self.options,
            rules=self.folders,
            coverage=coverage,
            rows=rows,
        )
        found: list[GameRow] = []
        progress = self.progress()
        try:
            while not self.interrupted and run.counts.games < games:
                for told in iterate_steps(
                    self.ruleset,
                    run,
                    games=games,
                    workers=1 if self.helpers.executor is None else self.helpers.workers,
                    executor=self.helpers.executor,
                    progress=progress,
                ):
                    found += told
                    if self.helpers.start_if_due():
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return PlayedGames(
            run.counts,
            tuple(found[: run.counts.games]),
            self.build_command(policies, run.counts.games, *(["--coverage"] if coverage else [])),
        )

    def build_command(self, policies: Sequence[str], games: int, *more: str) -> str:
        """Return what to type to have so many of these games played again."""
        return self._typed("simulate", games, policies, more)

    def build_fair_command(self) -> str:
        """Return what to type to have these questions asked again."""
        more = [] if self.positions == POSITIONS else ["--positions", str(self.positions)]
        return self._typed("fair", self.games, [*dict.fromkeys((self.good, self.lesser))], more)

    def _typed(self, command: str, games: int, bots: Sequence[str], more: Sequence[str]) -> str:
        words = ["rulewright", command, self.ruleset.reference, "--games", str(games), "--players", ",".join(bots)]
        words += [f"--seed={self.seed}"] if str(self.seed) != "0" else []
        for name, choice in self.options.items():
            words += ["--option", f"{name}={choice}"]
        for folder in self.folders:
            words += ["--rules", folder]
        return shlex.join([*words, *more])
