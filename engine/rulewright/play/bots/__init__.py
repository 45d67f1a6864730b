"""Bots: policies that know no game, one file each, found by being here.

A bot is a module with `HELP`, a sentence, and `make(ruleset, generator) -> Policy`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from rulewright.dice.generator import Generator
from rulewright.errors import RulewrightError
from rulewright.play.game import Game
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.suggest import did_you_mean


class Policy(Protocol):
    """Chooses: given a game at a decision of its player's, the index of an option."""

    def __call__(self, game: Game, /) -> int: ...


def names() -> list[str]:
    """The bots there are."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def make(name: str, ruleset: Ruleset, *, seed: int | str, seat: int) -> Policy:
    """The bot `name` in a seat, with a stream of random numbers of its own. Raises `RulewrightError` if there is none."""
    if name not in names():
        hint = did_you_mean(name, names())
        raise RulewrightError(f"there is no bot `{name}`; {hint or 'there is ' + ', '.join(names())}")
    policy: Policy = importlib.import_module(f"{__name__}.{name}").make(ruleset, Generator(seed, f"bot {seat}"))
    return policy
