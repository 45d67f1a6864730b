"""Migration of saves to changed rules, as far as the recorded choices are legal there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.engine.game.game import Game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.game_settings import refuse_ruleset
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, Entry, read_entry
from rulewright.engine.game.save_format import place_of_save, read_save
from rulewright.engine.state.faults import RulesFault
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.load_ruleset import load_pinned
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.excerpt import shorten


@dataclass(frozen=True, slots=True)
class Migration:
    """A game under changed rules, and how much of the save it repeats.

    Attributes:
        game: The game, at the stop that the migration reached.
        choices: The number of recorded choices that were repeated.
        recorded: The number of choices in the save.
        stopped: The reason why the migration ended early, or None.
        rerolled: The number of rolls and draws with a different result than in the save, or without one in it.
        dropped: The settings that the rules no longer have, or not with that choice. They are at their defaults.
        left_over: The number of rolls and draws in the save, up to the last repeated choice, that no longer happen.
        same_players: Whether the rules of the save were found, so that each choice is by the same player as there.
        turn_before: The seat of the player who has to decide in the save, or None without a decision or these rules.
    """

    game: Game
    choices: int
    recorded: int
    stopped: str | None
    rerolled: int
    dropped: tuple[str, ...]
    left_over: int
    same_players: bool
    turn_before: int | None


def migrate_save(path: str | Path, ruleset: Ruleset, *, rules: Folders = ()) -> Migration:
    """Replay a save file under other rules, up to the first choice that is not legal there.

    If the rules of the save are found, in the folders `rules` or where `load_ruleset` looks, the migration also ends
    before the first choice that another player would make. Otherwise, it is unknown who made the choices in the save.

    Dice and cards are generated from the seed, so equal rolls give equal results. A game that stops at chance events
    repeats the recorded results instead, and the first impossible one also ends the migration. Settings that the rules
    do not have are dropped. The file is not changed.

    Raises:
        GameError: The file is damaged or is not a save, or the rules do not allow its number of players.
        RulewrightError: An entry of `rules` is not a folder.
        RulesFault: The rules fail before the first decision.
    """
    refuse_ruleset(ruleset, "a save is migrated")
    place = place_of_save(path)
    save = read_save(place)
    try:
        record = [read_entry(plain) for plain in save["record"]]
    except ValueError as error:
        raise GameError(f"{place.name} is damaged: {shorten(str(error))}", code="damaged") from error
    options = ruleset.declarations.options
    saved = {
        name: choice for name, choice in save["options"].items() if name in options and choice in options[name].choices
    }
    game = Game(
        ruleset,
        players=save["players"],
        seed=save["seed"],
        options=saved,
        stop_at_chance=save["stop_at_chance"],
    )
    recorded = sum(isinstance(line, ChoiceEntry) for line in record)
    seats = _list_seats(save, place.name, record, rules)
    lines = [line for line in record if game.stop_at_chance or isinstance(line, ChoiceEntry)]
    done, stopped = 0, None
    players = iter(seats or ())
    turn = None if seats is None else next(iter(seats[recorded:]), None)
    try:
        for line in lines:
            _repeat(game, line, next(players, None) if isinstance(line, ChoiceEntry) else None)
            done += 1
    except (GameError, RulesFault) as error:
        stopped = str(error)
    choices = sum(isinstance(line, ChoiceEntry) for line in lines[:done])
    dropped = tuple(name for name in save["options"] if name not in saved)
    rerolled, left_over = _compare_rolls(game, record, choices)
    return Migration(game, choices, recorded, stopped, rerolled, dropped, left_over, seats is not None, turn)


def _list_seats(save: dict[str, Any], name: str, record: list[Entry], rules: Folders) -> list[int] | None:
    """Return the seat of each player who had to decide in a save, or None if its rules are not installed.

    The last decision may be pending.

    Raises `GameError` if the record does not fit these rules. The message calls the save `name`.
    """
    try:
        ruleset = load_pinned(save["ruleset"], rules=rules, digest=save["digest"])
    except DiagnosticError:
        return None
    Game.from_save(save, ruleset, name=name)  # raises for a forged record
    seats = []
    game = Game(ruleset, players=save["players"], seed=save["seed"], options=save["options"], stop_at_chance=True)
    for line in record:
        if game.decision is not None:
            seats.append(game.decision.player)
        game.apply_entry(line)
    return [*seats, game.decision.player] if game.decision is not None else seats


def _repeat(game: Game, line: Entry, seat: int | None) -> None:
    """Apply an entry of a record, which the player in `seat` chose, if it is known.

    Raises `GameError` if the rules do not allow it, and `RulesFault` if they fail.
    """
    decision = game.decision
    if decision is not None and seat is not None and decision.player != seat:
        chosen = shorten(line.option) if isinstance(line, ChoiceEntry) else ""
        raise GameError(f"Player {seat} chose `{chosen}` in the save, but now Player {decision.player} has to decide")
    if isinstance(line, ChanceEntry) or decision is not None:
        game.apply_entry(line)
    elif game.result is not None:
        raise GameError(f"the game ends before the choice of `{shorten(line.option)}`")
    else:
        raise GameError(f"`{shorten(line.option)}` is the next choice, but the rules now roll first")


def _compare_rolls(game: Game, record: list[Entry], choices: int) -> tuple[int, int]:
    """Count the rolls and draws of `game` that are not in `record` or differ there, and those that only `record` has.

    Only those before the choice that follows the first `choices` ones can be missing.
    """
    before = [line for line in record if isinstance(line, ChanceEntry)]
    now = [line for line in game.record if isinstance(line, ChanceEntry)]
    rerolled = sum(one != other for one, other in zip(now, before, strict=False)) + max(0, len(now) - len(before))
    choice_count = due = 0
    for line in record:
        choice_count += isinstance(line, ChoiceEntry)
        due += isinstance(line, ChanceEntry) and choice_count <= choices
    return rerolled, max(0, due - len(now))
