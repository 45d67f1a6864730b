"""`random`: every option is as likely as any other."""

from __future__ import annotations

from rulewright.dice.generator import Generator
from rulewright.play.bots import Policy
from rulewright.play.game import Game
from rulewright.ruleset.ruleset import Ruleset

HELP = "takes any option, all alike"


def make(ruleset: Ruleset, generator: Generator) -> Policy:
    """The bot."""

    def choose(game: Game, /) -> int:
        return generator.below(len(game.state.options))

    return choose
