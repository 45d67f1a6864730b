"""A cache of saved games of people, which fairness questions read like games of bots."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from pathlib import Path
from typing import NoReturn

from rulewright.analysis.fairness.answer import format_count
from rulewright.analysis.fairness.dependent_games import GameGroups, group_games
from rulewright.analysis.fairness.game_cache import GameCache, PlayedGames, SeatResults
from rulewright.analysis.fairness.saved_games import SavedGame, SavedGames
from rulewright.analysis.fairness.setup_differences import SetupDifference, collect_differences
from rulewright.analysis.simulation.failed_game import transport_faults
from rulewright.analysis.simulation.game_counts import Counts, GameRow, Taken
from rulewright.analysis.simulation.roll_leverage import LeverageResult
from rulewright.analysis.simulation.shard import MeasureClocks, ShardResult, count_game
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset

PEOPLE = "people"
"""The name of the players, where games of bots have the name of a bot."""


@dataclass(slots=True)
class SavedGameCache(GameCache):
    """The saved games of a folder, as samples of games in which people sit in every seat.

    It plays no games. A question that asks for any others raises `RulewrightError`.
    """

    saved: SavedGames = field(kw_only=True)

    @classmethod
    def open(
        cls, ruleset: Ruleset, saved: SavedGames, *, options: Mapping[str, str], rules: Sequence[str | Path]
    ) -> SavedGameCache:
        """Return the cache of these games. There must be at least one that ended."""
        return cls(
            ruleset, PEOPLE, PEOPLE, len(saved.games), 0, dict(options), rules, Helpers(1), lambda: None, saved=saved
        )

    @property
    def plays(self) -> bool:
        """Whether the cache can play games: never."""
        return False

    @property
    def sizes(self) -> Sequence[int]:
        """The numbers of players with which people played, the smallest first."""
        return sorted({each.game.players for each in self.saved.games})

    @property
    def advantage_sizes(self) -> Sequence[int]:
        """The same numbers of players."""
        return self.sizes

    def list_games(self, players: int = 0) -> list[SavedGame]:
        """Return the games with this number of players. 0 means all."""
        return [each for each in self.saved.games if players in (0, each.game.players)]

    def find_differences(self, players: int) -> list[SetupDifference]:
        """Return what set-up gave to one player only. Cached."""
        games = self.list_games(players)
        begun = ((next(each.iterate_decisions(self.ruleset)), [seat for seat, _ in each.decisions]) for each in games)
        return self.share(f"differences of {players}", lambda: collect_differences(begun, players, len(games)))

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
        """Return the saved games with so many players, always with coverage and rows.

        Raises `RulewrightError` for bots, and for changed dice or choices.
        """
        if set(policies) != {PEOPLE} or dice_by_step or careless is not None:
            _refuse()
        return self.share(f"games of {len(policies)}", lambda: self._count(len(policies)))

    def _count(self, players: int) -> PlayedGames:
        result = ShardResult(Counts(players, {PEOPLE: 0}))
        answers: dict[int, Counter[Taken]] = {}
        groups = self.list_groups(players)
        for number, saved in enumerate(self.list_games(players)):
            counts = Counts(players, {PEOPLE: 0})
            result.rows.append(_count_saved(counts, self.ruleset, saved, number))
            result.counts += counts
            answers.setdefault(groups[number] if groups else number, Counter()).update(counts.taken)
        result.counts.answers, result.counts.takes = {}, {}
        for times in answers.values():
            result.counts.add_answer_squares(times)
        return PlayedGames(result.counts, tuple(result.rows), self.build_fair_command())

    def play_results(
        self,
        players: int,
        *,
        bot: str = "",
        games: int | None = None,
        dice_by_step: bool = False,
        careless: int | None = None,
    ) -> SeatResults:
        """Return the results of the saved games with so many players, with the groups of games that are alike.

        Raises `RulewrightError` for bots, and for changed dice or choices.
        """
        results = GameCache.play_results(self, players, bot=bot, dice_by_step=dice_by_step, careless=careless)
        groups = self.group_games(players)
        return replace(results, groups=groups.groups, held=groups.held)

    def list_groups(self, players: int) -> Sequence[int]:
        """Return the group of each game with so many players. Empty if no game depends on another."""
        return self.group_games(players).groups

    def group_games(self, players: int) -> GameGroups:
        """Return the groups of the games with so many players that depend on each other. Cached."""
        games = self.list_games(players)
        return self.share(
            f"groups of {players}",
            lambda: group_games([each.people.seats for each in games], [each.deal for each in games]),
        )

    def play_each(
        self,
        ruleset: Ruleset,
        policies: Sequence[str],
        *,
        games: int | None = None,
        dice_by_step: bool = False,
        careless: int | None = None,
    ) -> Iterator[ShardResult]:
        """Yield each saved game with so many players, for rules that differ only in their measures.

        Raises `RulewrightError` for changed dice or choices.
        """
        if dice_by_step or careless is not None:
            _refuse()
        for number, saved in enumerate(self.list_games(len(policies))):
            counts = Counts(len(policies), {PEOPLE: 0})
            yield ShardResult(counts, [_count_saved(counts, ruleset, saved, number)])

    def play_rows(
        self, ruleset: Ruleset, players: int, first: int, last: int, *, opening: int | None = None
    ) -> list[GameRow]:
        """Raise `RulewrightError`, because nobody has played these games."""
        _refuse()

    def vary_rolls(self, policies: Sequence[str], *, replays: int) -> LeverageResult:
        """Raise `RulewrightError`, because nobody has played these games."""
        _refuse()

    def describe_games(self, games: int, bot: str = "", *, players: int = 0) -> str:
        """Return a number of games with the number of people in words: "30 games of 6 people"."""
        named = [set(each.people.seats) for each in self.list_games(players)]
        people = set().union(*named)
        known = format_count(len(people - {None}), "person", "people")
        if None not in people:
            return f"{format_count(games, 'game')} of {known}"
        others = "people without an id" if people == {None} else f"{known} and of others without an id"
        return f"{format_count(games, 'game')} of {others}"

    def _format_command(self, command: str, games: int, bots: Sequence[str], more: Sequence[str]) -> str:
        """Return the shell command that asks the questions of the same folder again."""
        words = ["rulewright", "fair", self.ruleset.reference, "--from", fspath(self.saved.folder)]
        return shlex.join([*words, *self._format_settings()])


def _refuse() -> NoReturn:
    raise RulewrightError("it needs games that nobody has played, and saved games of people are as they are")


def _count_saved(counts: Counts, ruleset: Ruleset, saved: SavedGame, number: int) -> GameRow:
    """Replay a saved game, add it to `counts` with its coverage and its series, and return its row.

    Raises `RulewrightError` if a measure of the rules fails.
    """
    with transport_faults():
        states = saved.iterate_decisions(ruleset)
        state = next(states)
        first = state.who if saved.decisions else None
        clocks = MeasureClocks(state, counts)
        clocks.look(first)
        for _ in states:
            clocks.look(first)
        seats = (PEOPLE,) * saved.game.players
        return count_game(counts, state, number=number, seats=seats, decisions=len(saved.decisions), first=first)
