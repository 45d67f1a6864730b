"""`first`, a policy for the first option in the order of the rules."""

from __future__ import annotations

from rulewright.analysis.odds.policies import Choose, refuse_setting
from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "picks the first option"
OFFERED = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy. Raises `RulewrightError` if `setting` is not empty."""
    refuse_setting("first", setting)
    settled = DecisionPolicy([(0, ONE)])

    def choose(state: State) -> DecisionPolicy:
        return settled

    return choose
