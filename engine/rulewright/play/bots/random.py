"""`random`: every option is as likely as any other."""

from __future__ import annotations

from rulewright.dice.generator import Generator
from rulewright.dice.lots import below, lots
from rulewright.errors import RulewrightError
from rulewright.play.bots import Policy
from rulewright.play.machine.state import State
from rulewright.play.wasm.thinkers import ANYTHING
from rulewright.ruleset.ruleset import Ruleset

HELP = "takes any option, all alike"


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """The bot."""
    if setting:
        raise RulewrightError(f"`random` has no setting, so `random:{setting}` means nothing")
    drawn = lots(generator.seed, generator.stream)

    def choose(state: State, /) -> int:
        return below(len(state.options), drawn)

    return choose


def inside(setting: str) -> tuple[int, int] | None:
    """Its number in the module of a ruleset."""
    return None if setting else (ANYTHING, 0)
