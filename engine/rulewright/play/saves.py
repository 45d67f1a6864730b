"""Opening saves under the rules they were played with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.play.game import Game, replay
from rulewright.play.save_file import GameError, read_save
from rulewright.ruleset.load import load_ruleset
from rulewright.source.diagnostics import DiagnosticError


def open_save(path: str | Path, *, rules: Sequence[str | Path] = ()) -> Game:
    """The game in a save, under the version of the ruleset it was played with.

    Raises `GameError` for a file that is damaged, foreign, or of rules that are not here; it then says which.
    """
    data = read_save(Path(path))
    try:
        ruleset = load_ruleset(data["ruleset"], rules=rules)
    except DiagnosticError as error:
        reference = data["ruleset"]
        raise GameError(
            f"{path} was played under {reference}, which cannot be loaded here. Install that version, or name "
            f"the folder it is in with --rules:\n{error}"
        ) from error
    game = Game.load(path, ruleset)
    # A file may be signed and still be made up: what it holds must be what its record leads to.
    if replay(game).to_json() != game.to_json():
        raise GameError(f"{path} is damaged: its record does not lead to where it says the game stands")
    return game


def stops(game: Game) -> list[Game]:
    """The game at its start and after every choice and result of its record, in order."""
    replayed = Game(game.ruleset, players=game.players, seed=game.seed, options=game.options, stop_at_chance=True)
    found = [replayed.clone()]
    for line in game.record:
        replayed.repeat(line)
        found.append(replayed.clone())
    return found
