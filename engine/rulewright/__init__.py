"""Rulewright: a board game's rules as data.

>>> from random import Random
>>> from rulewright import Game, load_ruleset
>>> rules = load_ruleset("pig/classic@1.0")
>>> game, chooser = Game(rules, players=2, seed=7), Random(1)
>>> while (decision := game.decision) is not None:
...     game.choose(chooser.choice(decision.options))
>>> game.result, game.log[-1].rule
(Result(winners=(2,)), 'game.victory')
"""

from __future__ import annotations

# `typing` takes longer to load than all that stands here, and every command waits for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulewright.errors import RulesetWarning, RulewrightError
    from rulewright.play.game.game import Game, GameError, replay
    from rulewright.play.game.saves import open_save, open_save_text
    from rulewright.play.machine.faults import RulesFault
    from rulewright.ruleset.load import load_ruleset
    from rulewright.ruleset.ruleset import Ruleset

    __version__: str

__all__ = [
    "Game",
    "GameError",
    "RulesFault",
    "Ruleset",
    "RulesetWarning",
    "RulewrightError",
    "__version__",
    "load_ruleset",
    "open_save",
    "open_save_text",
    "replay",
]

# Imported when asked for, so that a command that needs only dice starts in no time.
_PLACES = {
    "Game": "rulewright.play.game.game",
    "GameError": "rulewright.play.game.game",
    "RulesFault": "rulewright.play.machine.faults",
    "Ruleset": "rulewright.ruleset.ruleset",
    "RulesetWarning": "rulewright.errors",
    "RulewrightError": "rulewright.errors",
    "load_ruleset": "rulewright.ruleset.load",
    "open_save": "rulewright.play.game.saves",
    "open_save_text": "rulewright.play.game.saves",
    "replay": "rulewright.play.game.game",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from rulewright.resources import version

        return version()
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
