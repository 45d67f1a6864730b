"""Migration of saves to changed rules, as far as the recorded choices are legal there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.engine.game.game import Game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.game_settings import refuse_ruleset
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, read_entry
from rulewright.engine.game.save_format import place_of_save, read_save
from rulewright.engine.state.faults import RulesFault
from rulewright.ruleset.ruleset import Ruleset
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
    """

    game: Game
    choices: int
    recorded: int
    stopped: str | None
    rerolled: int
    dropped: tuple[str, ...]


def migrate_save(path: str | Path, ruleset: Ruleset) -> Migration:
    """Replay a save file under other rules, up to the first choice that is not legal there.

    Dice and cards are generated from the seed, so equal rolls give equal results. A game that stops at chance events
    repeats the recorded results instead, and the first impossible one also ends the migration. Settings that the rules
    do not have are dropped. The file is not changed.

    Raises:
        GameError: The file is damaged or is not a save, or the rules do not allow its number of players.
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
    lines = [line for line in record if game.stop_at_chance or isinstance(line, ChoiceEntry)]
    done, stopped = 0, None
    try:
        for line in lines:
            _repeat(game, line)
            done += 1
    except (GameError, RulesFault) as error:
        stopped = str(error)
    choices = sum(isinstance(line, ChoiceEntry) for line in lines[:done])
    recorded = sum(isinstance(line, ChoiceEntry) for line in record)
    dropped = tuple(name for name in save["options"] if name not in saved)
    return Migration(game, choices, recorded, stopped, _count_rerolled(game, record), dropped)


def _repeat(game: Game, line: ChoiceEntry | ChanceEntry) -> None:
    """Apply an entry of a record. Raises `GameError` if the rules do not allow it, and `RulesFault` if they fail."""
    if isinstance(line, ChanceEntry) or game.decision is not None:
        game.apply_entry(line)
    elif game.result is not None:
        raise GameError(f"the game ends before the choice of `{shorten(line.option)}`")
    else:
        raise GameError(f"`{shorten(line.option)}` is the next choice, but the rules now roll first")


def _count_rerolled(game: Game, record: list[Any]) -> int:
    """Count the rolls and draws of `game` with a different result than in `record`, or without one in it."""
    before = [line for line in record if isinstance(line, ChanceEntry)]
    now = [line for line in game.record if isinstance(line, ChanceEntry)]
    return sum(one != other for one, other in zip(now, before, strict=False)) + max(0, len(now) - len(before))
