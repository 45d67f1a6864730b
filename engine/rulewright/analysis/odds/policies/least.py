"""`least`, a policy for the smallest number or the shortest list."""

from __future__ import annotations

from rulewright.analysis.odds.policies import Choose, choose_extreme, refuse_setting
from rulewright.analysis.odds.state_graph import DecisionPolicy
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "picks the lowest number, or as few objects as allowed; the first option if options have no size"
OFFERED = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy. Raises `RulewrightError` if `setting` is not empty."""
    refuse_setting("least", setting)

    def choose(state: State) -> DecisionPolicy:
        return choose_extreme(state.options, greatest=False)

    return choose
