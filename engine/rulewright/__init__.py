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

# Importing `typing` takes longer than the rest of this module, and every command would be slower for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulewright.base.errors import RulesetWarning, RulewrightError
    from rulewright.engine.game.game import Game, GameError, replay
    from rulewright.engine.game.saves import open_save, open_save_text
    from rulewright.engine.state.faults import RulesFault
    from rulewright.ruleset.load_ruleset import load_ruleset
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

# Imported on first access, so that a command that needs only dice starts quickly.
_PLACES = {
    "Game": "rulewright.engine.game.game",
    "GameError": "rulewright.engine.game.game",
    "RulesFault": "rulewright.engine.state.faults",
    "Ruleset": "rulewright.ruleset.ruleset",
    "RulesetWarning": "rulewright.base.errors",
    "RulewrightError": "rulewright.base.errors",
    "load_ruleset": "rulewright.ruleset.load_ruleset",
    "open_save": "rulewright.engine.game.saves",
    "open_save_text": "rulewright.engine.game.saves",
    "replay": "rulewright.engine.game.game",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from rulewright.base.resources import get_version

        return get_version()
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
