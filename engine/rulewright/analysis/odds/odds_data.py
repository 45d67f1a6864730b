"""The odds queries of examples as data, for hosts without Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.analysis.odds.end_expressions import EndQuestion, may_be_read_in_part
from rulewright.analysis.odds.policies import by_what_is_offered
from rulewright.analysis.odds.procedure_odds import OddsQuery, ProcedureSetting
from rulewright.base.errors import RulewrightError
from rulewright.engine.game.type_data import to_data, type_of
from rulewright.engine.state.state_keys import StateKeys
from rulewright.ir.analyses.liveness import Liveness
from rulewright.language.expressions.typed_ast import Local, Typed
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import PLAYER, ListOf, Optional
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example


@dataclass(frozen=True, slots=True)
class OddsExport:
    """Odds queries as data, and the expressions that a module must evaluate for them, by number."""

    data: tuple[dict[str, Any], ...]
    ends: tuple[Typed, ...]


def export_odds(ruleset: Ruleset) -> OddsExport:
    """Return the odds queries of a ruleset's examples that a host can compute.

    The result leaves out examples with scripted choices, with policies that look ahead, with errors, and with
    expressions that may read a name that was never bound.
    """
    data, ends = [], list[Typed]()
    for example in ruleset.examples.values():
        if not example.claims or example.choose or not all(map(_is_settled, example.policy)):
            continue
        asking = _make_query(ruleset, example)
        if asking is None or any(map(_is_partial, asking.questions.questions)):
            continue
        questions = []
        for question in asking.questions.questions:
            questions.append(_question(question, None if question.expression is None else len(ends)))
            ends += [] if question.expression is None else [question.expression]
        data.append(_odds(example, asking, questions))
    return OddsExport(tuple(data), tuple(ends))


def _is_settled(policy: str) -> bool:
    return by_what_is_offered(policy.rpartition("=")[2].strip())


def _is_partial(question: EndQuestion) -> bool:
    return question.expression is not None and may_be_read_in_part(question.expression)


def _make_query(ruleset: Ruleset, example: Example) -> OddsQuery | None:
    """Return the query of an example, or None if the example has an error."""
    setting = ProcedureSetting(example.given, example.policy, (), example.players, example.options)
    expressions = list(dict.fromkeys(claim.expression.text for claim in example.claims))
    try:
        return OddsQuery(ruleset, example.of, expressions, setting)
    except RulewrightError:
        return None  # `check` reports the error


def _question(question: EndQuestion, number: int | None) -> dict[str, Any]:
    """Return a question as JSON data. `number` is the index of its expression, or None for the winners."""
    expression = question.expression
    needs = (
        []
        if expression is None
        else [
            part.slot for part in expression.walk() if isinstance(part, Local) and not isinstance(part.type, Optional)
        ]
    )
    return {
        "asked": question.written,
        "number": number,
        "type": type_of(ListOf(PLAYER) if number is None else question.type),
        "counts": question.counts,
        "less": question.gain,
        "needs": sorted(set(needs)),
    }


def _odds(example: Example, asking: OddsQuery, questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the query of an example as JSON data: its start, its policies, its questions, and the slots to forget."""
    ruleset, procedure, state = asking.ruleset, asking.procedure, asking.state
    liveness = Liveness(ruleset, procedure.id, asking.questions.slots)
    positions = StateKeys(ruleset, liveness, first_new=len(state.objects))
    reached = _find_reachable(ruleset, procedure.id)
    steps = [step for name in sorted(reached) for step in ruleset.procedures[name].iterate_steps()]
    size = {name: ruleset.procedures[name].size for name in reached}
    forgotten = {
        str(step.number): [
            slot for slot in range(1, size[step.procedure] + 1) if slot not in liveness.find_live_slots(step.number)
        ]
        for step in steps
    }
    promised = {str(step.number): list(positions.promised(step.number)) for step in steps}
    return {
        "id": example.id,
        "of": procedure.id,
        "objects": [None if item is None else [item[0], *map(to_data, item[1:])] for item in state.objects],
        "arguments": [to_data(each) for each in asking.arguments],
        "policies": [_policy(each) for each in example.policy],
        "questions": list(questions),
        "forgotten": {step: slots for step, slots in forgotten.items() if slots},
        "promised": {step: slots for step, slots in promised.items() if slots},
    }


def _policy(written: str) -> dict[str, str]:
    whose, _, name = written.rpartition("=")
    kind, _, setting = name.strip().partition(":")
    return {"whose": whose.strip(), "policy": kind, "setting": setting}


def _find_reachable(ruleset: Ruleset, procedure: str) -> set[str]:
    """Return the names of the procedures that `procedure` may run, including its own."""
    result, ahead = set[str](), [procedure]
    while ahead:
        name = ahead.pop()
        if name not in result:
            result.add(name)
            ahead += [
                inner for step in ruleset.procedures[name].iterate_steps() if (inner := find_called_procedure(step))
            ]
    return result
