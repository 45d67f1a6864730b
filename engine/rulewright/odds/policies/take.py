"""`take:ID`: the option of this id wherever it is offered, else the first."""

from __future__ import annotations

from rulewright.errors import RulewrightError
from rulewright.odds.graph import ONE, Settled
from rulewright.odds.policies import Choose
from rulewright.play.script import option_ids
from rulewright.play.state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "take:fight takes the option `fight` where it is offered, and otherwise the first"


def make(ruleset: Ruleset, setting: str) -> Choose:
    """The policy. Raises `RulewrightError` without an id."""
    if not setting:
        raise RulewrightError("`take` needs the id of an option, as in `take:fight`")

    def choose(state: State) -> Settled:
        ids = option_ids(state, ruleset.steps[state.frame[0]])
        return Settled([(ids.index(setting) if setting in ids else 0, ONE)])

    return choose
