"""Exact odds agree with walking every way there is, on rulesets at random."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from rulewright import Ruleset
from rulewright.analysis.odds.end_expressions import AnswerOdds
from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import State
from rulewright.language.types import Boolean, Integer, Optional
from tests.analysis.enumerator import Enumerator, Read, TooManyError, evenly, given_node
from tests.breadth import times
from tests.engine.random_rules import rulesets
from tests.language.inline import checked

GIVEN = """
p: 1
players: [{score: 3}, {score: 4}]
trees: [{size: small, height: 2, owner: 1}, {size: large, height: 3}, {size: middling, height: 4}]
"""


def format_answer(value: Any) -> str:
    """Return a value as answers say it."""
    if value is None:
        return "none"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def spoken(chances: dict[Any, Fraction]) -> dict[str, Fraction]:
    probabilities: dict[str, Fraction] = {}
    for value, chance in chances.items():
        probabilities[format_answer(value)] = probabilities.get(format_answer(value), Fraction(0)) + chance
    return probabilities


def readable(ruleset: Ruleset, enumerator: Enumerator) -> dict[str, Read]:
    """Expressions about the end of `main`, each with how a test reads it off a state."""
    layout = enumerator.machine.layout
    height = layout.places["tree", "height"]
    trees = layout.kinds["tree"]
    main = ruleset.procedures["main"]
    reads: dict[str, Read] = {
        "turn": enumerator.game_field("turn"),
        "storm": enumerator.game_field("storm"),
        "count(trees)": lambda state: len(state.live[trees]),
        "sum(t.height for t in trees)": lambda state: sum(state.objects[tree][height] for tree in state.live[trees]),
        "p.score": enumerator.player_field(1, "score"),
    }
    for slot, name in main.names.items():
        kind = main.types[slot]
        kind = kind.inner if isinstance(kind, Optional) else kind
        if isinstance(kind, (Integer, Boolean)) and "(" not in name and "." not in name and name not in main.gives:
            reads[name] = enumerator.local(name)
    for name, value in main.gives.items():
        kind = value.type.inner if isinstance(value.type, Optional) else value.type
        if isinstance(kind, (Integer, Boolean)):
            reads[name] = enumerator.given_back(name)
    return reads


def first(state: State) -> list[Fraction]:
    return [Fraction(int(n == 0)) for n in range(len(state.options))]


@pytest.mark.parametrize(("policy", "weights"), [("random", evenly), ("first", first)])
@settings(max_examples=times(6, 40), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(source=rulesets())
def test_random_rules(policy: str, weights: Any, source: str) -> None:
    ruleset, diagnostics = checked(source, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    enumerator = Enumerator(ruleset, "main", GIVEN, most=1500)
    reads = readable(ruleset, enumerator)
    setting = ProcedureSetting(given=given_node(GIVEN), policies=[policy])

    def odds() -> tuple[AnswerOdds, ...]:
        return compute_procedure_odds(ruleset, "main", list(reads), setting=setting).answers

    try:
        expected = enumerator.odds(reads, weights)
    except TooManyError:
        assume(False)
    except RulesFault as fault:
        assume("was to end by itself" not in fault.message)
        with pytest.raises(RulesFault):
            odds()
        return
    for name, answer in zip(reads, odds(), strict=True):
        assert dict(answer.chances) == spoken(expected[name]), name


@pytest.mark.parametrize(("policy", "sign"), [("best", 1), ("worst", -1)])
@settings(max_examples=times(6, 40), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(source=rulesets())
def test_best_and_worst_of_random_rules(policy: str, sign: int, source: str) -> None:
    ruleset, diagnostics = checked(source, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    enumerator = Enumerator(ruleset, "main", GIVEN, most=1500)
    try:
        expected = enumerator.value(enumerator.game_field("turn"), lambda state: sign)
    except (TooManyError, RulesFault):
        assume(False)
    setting = ProcedureSetting(given=given_node(GIVEN), policies=[policy])
    (answer,) = compute_procedure_odds(ruleset, "main", ["turn"], setting=setting).answers
    assert answer.mean == expected
