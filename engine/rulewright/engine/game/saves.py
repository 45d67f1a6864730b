"""Saves opened under the rules they were played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.engine.game.game import Game, refuse_game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.save_format import parse_save, place_of_save, read_save
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.load_ruleset import load_pinned
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.excerpt import shorten


def open_save(path: str | Path, *, rules: Folders = ()) -> Game:
    """Open a save file under the version of the ruleset it was played with, or a patch with the same gameplay digest.

    `Game.load` opens it under any ruleset with this digest. `migrate_save` repeats its choices under changed gameplay.
    The whole game is replayed to verify the save, so the time grows with the length of its record.

    Args:
        path: The save file.
        rules: Folders to search for the ruleset, as in `load_ruleset`.

    Raises:
        GameError: The file is damaged or is not a save, or its ruleset, which the message names, is not installed.
        RulewrightError: An entry of `rules` is not a folder.
    """
    place = place_of_save(path)
    return _open(read_save(place), place.name, rules)


def open_save_text(text: str, *, rules: Folders = ()) -> Game:
    """Open the text of a save, as `Game.save_text` writes it, like `open_save` opens a file.

    Raises `GameError` and `RulewrightError` as `open_save` does.
    """
    return _open(parse_save(text), "this save", rules)


def _open(data: dict[str, Any], name: str, rules: Folders) -> Game:
    """Return the game of a save, replayed to verify it, under the ruleset that it names.

    Raises `GameError` if the ruleset cannot be loaded or the save is damaged.
    """
    try:
        ruleset = load_pinned(data["ruleset"], rules=rules, digest=data["digest"])
    except DiagnosticError as error:
        first = error.diagnostics[0]
        why = "; ".join(filter(None, (first.message, first.suggestion)))
        raise GameError(
            f"{name} was played under {shorten(data['ruleset'])}, which cannot be loaded here. Install that version, "
            f"search its folder (`rules=` in Python, `--rules` in a command), or open the save under other rules with "
            f"`Game.load` (same gameplay), `rulewright replay --onto` or `migrate_save` (changed gameplay): "
            f"{shorten(why, 500)}",
            code="missing-rules",
        ) from error
    return Game.from_save(data, ruleset, name=name)


def stops(game: Game) -> list[Game]:
    """Return copies of the game at its start and after every entry of its record, in order.

    The game is replayed, and the copies stop at chance events. Raises `GameError` for anything but a game, and
    `GameError` or `RulesFault` if the record does not fit the rules.
    """
    refuse_game(game)
    replayed = Game(game.ruleset, players=game.players, seed=game.seed, options=game.options, stop_at_chance=True)
    games = [replayed.clone()]
    for line in game.record:
        replayed.apply_entry(line)
        games.append(replayed.clone())
    return games
