"""`take:ID`, a policy for the option with this id if it is available, or else the first option."""

from __future__ import annotations

from rulewright.analysis.odds.policies import Choose
from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy
from rulewright.base.errors import RulewrightError
from rulewright.engine.game.option_ids import list_fixed_ids, may_be_option
from rulewright.engine.game.script import list_option_ids
from rulewright.engine.state.game_state import State
from rulewright.ruleset.queries.decisions import AnswerTypes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.suggestions import suggest_name

HELP = "take:fight picks the option `fight` if it is offered, otherwise the first"
OFFERED = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy, which takes the first option of decisions that do not offer `setting`.

    Raises `RulewrightError` without an id, or if the rules never offer an option with this id.
    """
    if not setting:
        raise RulewrightError("`take` needs the id of an option, as in `take:fight`")
    kinds, declared = ruleset.get_or_make(AnswerTypes).types, ruleset.declarations
    if not any(may_be_option(setting, kind, declared) for kind in kinds):
        hint = suggest_name(setting, [name for kind in kinds for name in list_fixed_ids(kind, declared)])
        raise RulewrightError(f"no decision in the rules offers `{setting}`; {hint or 'name an option by its id'}")

    def choose(state: State) -> DecisionPolicy:
        ids = list_option_ids(state, ruleset.steps[state.frame[0]])
        return DecisionPolicy([(ids.index(setting) if setting in ids else 0, ONE)])

    return choose
