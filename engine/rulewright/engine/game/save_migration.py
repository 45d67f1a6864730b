"""Saves taken to changed rules, as far as the choices in them are legal there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.engine.game.game import Game
from rulewright.engine.game.game_settings import refuse_ruleset
from rulewright.engine.game.record import CameUp, Chosen, read_entry
from rulewright.engine.game.save_format import GameError, place_of_save, read_save
from rulewright.engine.state.faults import RulesFault
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import shorten


@dataclass(frozen=True, slots=True)
class Migration:
    """A game of changed rules, and what became of the save it comes from.

    `choices` of `recorded` choices were made again. `stopped` says why no more of them were; it is None if all were.
    `rerolled` is the number of rolls and draws that came to something else. `dropped` are settings that the rules do
    not have, or not with that choice; they are at their defaults now.
    """

    game: Game
    choices: int
    recorded: int
    stopped: str | None
    rerolled: int
    dropped: tuple[str, ...]


def migrate_save(path: str | Path, ruleset: Ruleset) -> Migration:
    """Play the save in a file again under other rules, up to the first choice that is not legal there.

    Dice and cards come from the seed: where the rules roll the same, the same comes up. Where a game stops at chances,
    what was recorded comes up again, and the first that cannot ends the migration, too. Raises `GameError` for a file
    that is damaged or no save, and for a number of players that the rules do not allow, and `RulesFault` where the
    rules lead to something impossible before anybody is asked.
    """
    refuse_ruleset(ruleset, "a save is played again")
    place = place_of_save(path)
    save = read_save(place)
    try:
        record = [read_entry(plain) for plain in save["record"]]
    except ValueError as error:
        raise GameError(f"{place.name} is damaged: {shorten(str(error))}") from error
    options = ruleset.declarations.options
    kept = {
        name: choice for name, choice in save["options"].items() if name in options and choice in options[name].choices
    }
    game = Game(
        ruleset,
        players=save["players"],
        seed=save["seed"],
        options=kept,
        stop_at_chance=save["stop_at_chance"],
    )
    lines = [line for line in record if game.stop_at_chance or isinstance(line, Chosen)]
    done, stopped = 0, None
    try:
        for line in lines:
            _repeat(game, line)
            done += 1
    except (GameError, RulesFault) as error:
        stopped = str(error)
    choices = sum(isinstance(line, Chosen) for line in lines[:done])
    recorded = sum(isinstance(line, Chosen) for line in record)
    dropped = tuple(name for name in save["options"] if name not in kept)
    return Migration(game, choices, recorded, stopped, _rerolled(game, record), dropped)


def _repeat(game: Game, line: Chosen | CameUp) -> None:
    if isinstance(line, CameUp) or game.decision is not None:
        game.repeat(line)
    elif game.result is not None:
        raise GameError(f"the game is over, and `{shorten(line.option)}` is still to be chosen")
    else:
        raise GameError(f"`{shorten(line.option)}` is to be chosen, and the rules roll first")


def _rerolled(game: Game, record: list[Any]) -> int:
    """Count the rolls and draws that came to something else than in the record, or are not in it."""
    before = [line for line in record if isinstance(line, CameUp)]
    now = [line for line in game.record if isinstance(line, CameUp)]
    return sum(one != other for one, other in zip(now, before, strict=False)) + max(0, len(now) - len(before))
