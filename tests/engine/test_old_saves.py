"""Saves written by earlier versions of the program, kept as they were written, open and go on as they did there."""

from __future__ import annotations

from pathlib import Path
from random import Random

from rulewright.engine.game.saves import open_save

SAVES = Path(__file__).parent / "saves"


def test_a_save_of_format_2_goes_on_as_where_it_was_written() -> None:
    """Written by 0.1.0 before it could write texts; that version's own game went on to player 1's victory."""
    game = open_save(SAVES / "pig-classic-1.0-format-2.json")
    assert (game.ruleset.reference, game.seed, len(game.record)) == ("pig/classic@1.0.0", 3, 39)
    random = Random(5)
    while (decision := game.decision) is not None:
        game.choose(random.choice(decision.options))
    assert game.result is not None
    assert game.result.winners == (1,)
