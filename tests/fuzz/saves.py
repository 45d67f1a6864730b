"""Saves, harmed and signed again: refused in words, or the same game."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from rulewright import Game, load_ruleset
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.save_format import parse_save, save_text
from rulewright.engine.game.saves import open_save_text
from tests.fuzz.mutate import harmed, main

ODD: tuple[Any, ...] = (None, True, -1, 0, 10**12, "", "²", "x" * 5_000, [], {}, [[1]], {"dice": "9" * 99 + "d6"}, 1.5)


@cache
def sound() -> str:
    game = Game(load_ruleset("pig/classic"), players=2, seed=7)
    for _ in range(12):
        assert game.decision is not None
        game.choose(game.decision.options[0])
    return game.save_text()


def trial(random: Random) -> None:
    """One save: its text harmed, or a value in it replaced."""
    if random.random() < 0.3:
        written = harmed(sound(), random)
    else:
        save = parse_save(sound())
        place, key = random.choice(list(_places(save)))
        place[key] = random.choice(ODD)
        written = save_text(save)
    try:
        game = open_save_text(written)
    except GameError as error:
        assert len(str(error)) < 2_000
    else:
        kept, opened = parse_save(sound()), parse_save(game.save_text())
        for each in (kept, opened):
            del each["stop_at_chance"]
        assert json.dumps(opened, sort_keys=True) == json.dumps(kept, sort_keys=True), written


def _places(value: Any) -> Any:
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


if __name__ == "__main__":
    main("saves", trial)
