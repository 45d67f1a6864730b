"""`greedy`, a policy for the option with the best resulting position by the ruleset's `evaluate` formula."""

from __future__ import annotations

from rulewright.ai.bots import make as make_bot
from rulewright.analysis.odds.policies import Choose, refuse_setting
from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset

HELP = "picks the option that the bot `greedy` would; estimates complex rolls from a fixed sample"


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy. Raises `RulewrightError` for a non-empty `setting` or a ruleset without `evaluate`."""
    refuse_setting("greedy", setting)
    make_bot("greedy", ruleset, seed=0, seat=1)  # raises at once if the ruleset lacks an evaluation

    def choose(state: State) -> DecisionPolicy:
        # A new bot for each decision, so that equal positions get equal decisions even if the bot samples.
        return DecisionPolicy([(make_bot("greedy", ruleset, seed=0, seat=1)(state), ONE)])

    return choose
