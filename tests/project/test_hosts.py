"""What verbs are promised by the checker, the interpreter and the lowering, these give: the type checker says so."""

from __future__ import annotations

from rulewright.engine.state.tree_interpreter import Walk
from rulewright.language.check_steps import CheckSteps
from rulewright.language.checked_steps import StepStatement
from rulewright.language.lowering import Lowering
from rulewright.language.statement import Check, Lower, Run, Statement, load_statements


def a_check(steps: CheckSteps) -> Check:
    return steps


def a_run(walk: Walk) -> Run:
    return walk


def a_lower(lowering: Lowering) -> Lower:
    return lowering


def a_verb_of_a_step(verb: Statement) -> StepStatement:
    return verb


def test_every_verb_is_one() -> None:
    assert all(a_verb_of_a_step(verb) is verb for verb in load_statements().values())
