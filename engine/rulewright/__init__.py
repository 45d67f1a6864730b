"""Rulewright: a board game's rules as data.

>>> from rulewright import Game, load_ruleset
>>> rules = load_ruleset("pig/classic@1.0")
>>> game = Game(rules, players=2, seed=7)
>>> while (decision := game.decision) is not None:
...     game.choose(decision.options[-1] if game.log and game.log[-1].verb == "set" else decision.options[0])
>>> game.result.winners
(1,)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.errors import RulewrightError
    from rulewright.play.game import Game, GameError
    from rulewright.ruleset.load import load_ruleset
    from rulewright.ruleset.ruleset import Ruleset

__all__ = ["Game", "GameError", "RulewrightError", "Ruleset", "load_ruleset"]

# Imported when asked for, so that a command that needs only dice starts in no time.
_PLACES = {
    "Game": "rulewright.play.game",
    "GameError": "rulewright.play.game",
    "RulewrightError": "rulewright.errors",
    "Ruleset": "rulewright.ruleset.ruleset",
    "load_ruleset": "rulewright.ruleset.load",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PLACES[name]), name)
