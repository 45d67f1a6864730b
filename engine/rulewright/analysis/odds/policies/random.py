"""`random`, a policy that takes every option with equal probability."""

from __future__ import annotations

from fractions import Fraction

from rulewright.analysis.odds.policies import Choose, refuse_setting
from rulewright.analysis.odds.state_graph import DecisionPolicy
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "picks any option with equal probability"
OFFERED = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy. Raises `RulewrightError` if `setting` is not empty."""
    refuse_setting("random", setting)

    def choose(state: State) -> DecisionPolicy:
        chance = Fraction(1, len(state.options))
        return DecisionPolicy([(option, chance) for option in range(len(state.options))])

    return choose
