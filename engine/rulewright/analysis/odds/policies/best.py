"""`best`, a policy that maximizes the expected value of the first expression."""

from __future__ import annotations

from rulewright.analysis.odds.policies import Choose, refuse_setting
from rulewright.analysis.odds.state_graph import DecisionPolicy
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "maximizes the expected value of the expression (of the first, if there are several)"
SEEKS = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy. Raises `RulewrightError` if `setting` is not empty."""
    refuse_setting("best", setting)
    settled = DecisionPolicy(seeks=1)

    def choose(state: State) -> DecisionPolicy:
        return settled

    return choose
