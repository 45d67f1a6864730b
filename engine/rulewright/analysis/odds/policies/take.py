"""`take:ID`, a policy for the option with this id if it is available, or else the first option."""

from __future__ import annotations

from rulewright.analysis.odds.policies import Choose
from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy
from rulewright.base.errors import RulewrightError
from rulewright.engine.game.script import list_option_ids
from rulewright.engine.state.game_state import State
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, Optional, RecordOf, Row, Type
from rulewright.ruleset.queries.decisions import AnswerTypes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.yaml.core_schema import parse_whole_number

HELP = "take:fight picks the option `fight` if it is offered, otherwise the first"
OFFERED = True


def make(ruleset: Ruleset, setting: str) -> Choose:
    """Return the policy, which takes the first option of decisions that do not offer `setting`.

    Raises `RulewrightError` without an id, or if the rules never offer an option with this id.
    """
    if not setting:
        raise RulewrightError("`take` needs the id of an option, as in `take:fight`")
    kinds = ruleset.get_or_make(AnswerTypes).types
    if not any(_may_be(setting, kind, ruleset) for kind in kinds):
        hint = suggest_name(setting, [name for kind in kinds for name in _words(kind, ruleset)])
        raise RulewrightError(f"no decision in the rules offers `{setting}`; {hint or 'name an option by its id'}")

    def choose(state: State) -> DecisionPolicy:
        ids = list_option_ids(state, ruleset.steps[state.frame[0]])
        return DecisionPolicy([(ids.index(setting) if setting in ids else 0, ONE)])

    return choose


def _words(kind: Type, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the fixed ids of options of a type: those of a choice or of a table's rows, and `True` and `False`.

    An optional type also has `none`. Empty for objects, numbers, lists and records.
    """
    match kind:
        case Optional(inner=inner):
            return (*_words(inner, ruleset), "none")
        case Choice(ids=ids):
            return ids
        case Row(table=table):
            return tuple(ruleset.declarations.tables[table].rows)
        case Boolean():
            return ("True", "False")
    return ()


def _may_be(written: str, kind: Type, ruleset: Ruleset) -> bool:
    """Return whether an option of this type can have this id, in the form of `build_option_id`."""
    match kind:
        case Optional(inner=inner):
            return written == "none" or _may_be(written, inner, ruleset)
        case ListOf(inner=inner):
            return written == "nothing" or all(_may_be(part, inner, ruleset) for part in written.split("+"))
        case RecordOf(parts=parts):
            given = written.split("/")
            return len(given) == len(parts) and all(
                _may_be(each, part, ruleset) for each, (_, part) in zip(given, parts, strict=True)
            )
        case Entity(kind=name):
            return written.startswith(f"{name}-") and parse_whole_number(written.removeprefix(f"{name}-")) is not None
        case Integer():
            return parse_whole_number(written.removeprefix("-")) is not None
    return written in _words(kind, ruleset)
