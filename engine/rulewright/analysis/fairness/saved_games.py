"""Saved games of people, read from a folder and verified by replaying them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.engine.game.game import Game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.game_settings import refuse_settings
from rulewright.engine.game.people_file import SUFFIX, GamePeople, place_of_people, read_people
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry
from rulewright.engine.game.save_format import read_save
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A verified save, with its people.

    `decisions` has the seat, from 0, and the number of the step for each decision.
    """

    name: str
    game: Game
    people: GamePeople
    decisions: tuple[tuple[int, int], ...]

    @property
    def deal(self) -> Hashable:
        """What two games with the same dice have in common: the seed, and the first chance results.

        These are the results before the first decision, or the first one of all. They may also come from real dice,
        which the seed says nothing about.
        """
        record = self.game.record
        first = next((place for place, entry in enumerate(record) if isinstance(entry, ChoiceEntry)), len(record))
        chance = [entry.value for entry in record[:first] if isinstance(entry, ChanceEntry)]
        later = [entry.value for entry in record[first:] if isinstance(entry, ChanceEntry)]
        return self.game.seed, (*chance,) or (*later[:1],)

    def iterate_decisions(self, ruleset: Ruleset) -> Iterator[State]:
        """Yield the state of the replayed game before each decision, and at its end. It is always the same object.

        `ruleset` may differ from the rules of the save in its measures only.
        """
        return iterate_decisions(self.game, ruleset)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that does not count, with the reason as a sentence without a period."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class SavedGames:
    """The saved games of a folder.

    Attributes:
        folder: The folder.
        games: The games that people played to the end.
        left: The games that somebody left, whether or not the others played on.
        unfinished: The games that have not ended, and that nobody left.
        refused: The files that do not count, because they are no saves of these rules and settings, or repeat another.
    """

    folder: Path
    games: tuple[SavedGame, ...]
    left: tuple[SavedGame, ...]
    unfinished: tuple[SavedGame, ...]
    refused: tuple[Refusal, ...]


def read_saved_games(folder: Path, ruleset: Ruleset, *, options: Mapping[str, str]) -> SavedGames:
    """Read and replay the saves in a folder, `NAME.json`, each with its people from `NAME.people.json`.

    A game counts if it has the gameplay digest of `ruleset`, and the given settings or else the defaults. Files in
    inner folders are left out. Raises `RulewrightError` if the folder cannot be read, or a setting is unknown.
    """
    refuse_settings(ruleset, ruleset.players[0], 0, options)
    try:
        names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".json"))
    except OSError as error:
        raise RulewrightError(f"{str(folder)!r} cannot be read: {error.strerror or error}") from None
    games: list[SavedGame] = []
    refused: list[Refusal] = []
    for name in names:
        path = folder / name
        try:
            if name.endswith(SUFFIX):
                save = name.removesuffix(SUFFIX) + ".json"
                if save not in names:
                    raise GameError(f"{name} is about a save that is not here: {save}")
                continue
            games.append(_read_game(path, ruleset, options))
        except RulewrightError as error:
            refused.append(Refusal(name, str(error)))
    distinct = _drop_repeated(games, refused)
    return SavedGames(
        folder,
        tuple(each for each in distinct if each.game.result is not None and not each.people.left),
        tuple(each for each in distinct if each.people.left),
        tuple(each for each in distinct if each.game.result is None and not each.people.left),
        tuple(sorted(refused, key=lambda each: each.file)),
    )


def _read_game(path: Path, ruleset: Ruleset, options: Mapping[str, str]) -> SavedGame:
    """Return a save with its people. Raises `RulewrightError` if it is not an intact save of these rules and settings.

    Raises `GameError` if the file about its people is invalid.
    """
    game = Game.from_save(read_save(path), ruleset, name=path.name)
    usual = {option.id: option.default for option in ruleset.declarations.options.values()}
    required, played = usual | dict(options), usual | game.options
    other = [f"--option {name}={choice}" for name, choice in played.items() if choice != required[name]]
    if other:
        raise GameError(f"{path.name} was played with other settings: {' '.join(other)}")
    decisions = [(state.who - FIRST_PLAYER, state.frame[0]) for state in iterate_decisions(game, ruleset)]
    decisions.pop()  # the last state has no decision of the record
    people = read_people(place_of_people(path), players=game.players, decisions=len(decisions))
    return SavedGame(path.name, game, people, tuple(decisions))


def iterate_decisions(game: Game, ruleset: Ruleset) -> Iterator[State]:
    """Replay a verified game, and yield its state as `SavedGame.iterate_decisions` does."""
    again = Game(ruleset, players=game.players, seed=game.seed, options=game.options, stop_at_chance=True)
    for entry in game.record:
        if isinstance(entry, ChoiceEntry):
            yield again.state
        again.apply_entry(entry)
    yield again.state


def _drop_repeated(games: Sequence[SavedGame], refused: list[Refusal]) -> list[SavedGame]:
    """Return the games without those that another save repeats or continues, and report these as refused."""
    longest: list[SavedGame] = []
    for each in sorted(games, key=lambda each: -len(each.game.record)):
        longer = next((other for other in longest if _continues(other, each)), None)
        if longer is None:
            longest.append(each)
        else:
            refused.append(
                Refusal(each.name, f"{each.name} is the same game as {longer.name}, or an earlier save of it")
            )
    return sorted(longest, key=lambda each: each.name)


def _continues(longer: SavedGame, shorter: SavedGame) -> bool:
    """Return whether a save is of the same game as a shorter one, at the same stop or later.

    The same game by other people is another game.
    """
    one, other = longer.game, shorter.game
    same = all(getattr(one, name) == getattr(other, name) for name in ("players", "options", "seed"))
    seats = [each.people.seats for each in (longer, shorter) if any(each.people.seats)]
    return same and len(set(seats)) < 2 and one.record[: len(other.record)] == other.record
