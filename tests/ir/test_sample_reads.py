"""Statements of tests that read values only in their operations, and analyses that must know these reads."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import pytest

from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Arithmetic, Constant, Local, Stored, Typed
from rulewright.language.operations import Range, list_numbers
from rulewright.language.schema_shapes import Member, expression, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import DICE, INTEGER, PLAYER, ListOf
from rulewright.ruleset.lints import run_lints
from rulewright.source.diagnostics.collector import Diagnostics
from tests.analysis.enumerator import Enumerator, given_node
from tests.ir.test_sample_statements import Sample, add_statements, grow, read


class Surge(Sample):
    """Rolls, and gives the total and twice the total, which it computes from the total."""

    name = "sample_surge"
    total_at: ClassVar[int] = 0

    def check(self, node: Any, check: Any) -> CheckedStep:
        dice = Constant(DICE, check.declarations.read_dice("1d6"))
        return CheckedStep((dice,), parts={"one": INTEGER, "two": INTEGER})

    def run(self, step: Step, run: Any) -> None:
        run.stop_at_chance(run.compute(step.action[0]))

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "rolled", run.get_outcome(), value)
        run.bind(step.slots[self.total_at], value)
        run.bind(step.slots[1 - self.total_at], 2 * value)

    def compute_twice(self, step: Step, total: Typed) -> Typed:
        return Arithmetic(INTEGER, "*", Local(INTEGER, step.slots[self.total_at], step.id), Constant(INTEGER, 2))

    def lower(self, step: Step, lower: Any) -> None:
        total = lower.roll(step.action[0])
        lower.bind(total, slot=step.slots[self.total_at])
        lower.bind(self.compute_twice(step, total), slot=step.slots[1 - self.total_at])


class Direct(Surge):
    """Does the same, and computes the second result from the roll itself instead of the first result."""

    name = "sample_direct"

    def compute_twice(self, step: Step, total: Typed) -> Typed:
        return Arithmetic(INTEGER, "*", total, Constant(INTEGER, 2))


class Turned(Surge):
    """Gives twice the total first, and then the total."""

    name = "sample_turned"
    total_at = 1


class Listed(Sample):
    """Adds an amount to the score of a player. Its action is a list."""

    name = "sample_listed"
    more: ClassVar[dict[str, Member]] = {"by": required(expression("The amount."))}
    result = None

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        return CheckedStep([who, check.check_value(node.get("by"), INTEGER)])

    def run(self, step: Step, run: Any) -> None:
        who, amount = (run.compute(each) for each in step.action)
        self.add(step, run, who, "score", amount)

    def lower(self, step: Step, lower: Any) -> None:
        who, amount = step.action
        self.put(lower, who, "score", grow(who, "score", amount))


class Limited(Sample):
    """Asks the player for a number up to the luck of the player, which only its program reads."""

    name = "sample_limited"

    def run(self, step: Step, run: Any) -> None:
        who = run.compute(step.action[0])
        run.ask(who, list_numbers(0, run.read_field(who, "player", "luck")), step)

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(step.slot, value)

    def lower(self, step: Step, lower: Any) -> None:
        who = step.action[0]
        most = Stored(INTEGER, who, "player", "luck")
        lower.bind(lower.ask(who, Range(ListOf(INTEGER), Constant(INTEGER, 0), most), INTEGER))


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Surge, Direct, Turned, Listed, Limited)


def write(steps: str, more: str = "") -> str:
    return f"""
kinds: {{player: {{fields: {{score: {{type: count, unit: coins}}, luck: count}}}}}}
procedures: {{main: {{given: {{who: player}}, steps: [{steps}]}}}}
{more}
"""


@pytest.mark.parametrize(
    "steps",
    [
        "{id: s, sample_surge: who}, {id: a, when: s.one >= 4, gain: {who: who, score: s.two}}",
        "{id: s, sample_direct: who}, {id: a, when: s.one >= 4, gain: {who: who, score: s.two}}",
        "{id: s, sample_turned: who}, {id: a, when: s.one >= 4, gain: {who: who, score: 1}}",
        "{id: r, roll: 1d6}, {id: a, when: r >= 4, sample_listed: who, by: r}",
    ],
)
def test_the_odds_of_a_roll_that_is_read_are_those_of_all_its_faces(steps: str) -> None:
    ruleset = read(write(steps))
    setting = ProcedureSetting(given=given_node("who: 1"), players=2)
    odds = compute_procedure_odds(ruleset, "main", ["who.score"], setting=setting)
    enumerator = Enumerator(ruleset, "main", "who: 1", players=2, most=100)
    by_face = enumerator.odds({"score": enumerator.player_field(1, "score")}, lambda state: [])["score"]
    assert odds.exact
    assert read_chances(odds.answers[0].chances) == by_face


def read_chances(chances: Mapping[str, Fraction]) -> dict[int, Fraction]:
    return {int(value): chance for value, chance in chances.items() if chance}


def find_unused(source: str) -> list[str]:
    diagnostics = Diagnostics()
    run_lints(read(source), diagnostics)
    return [each.message for each in diagnostics if each.code.id in ("unused-value", "unused-declaration")]


def test_a_field_that_only_a_program_reads_is_used() -> None:
    steps = "{id: s, set: {who.luck: 3}}, {id: a, sample_limited: who}, {id: b, gain: {who: who, score: a}}"
    assert find_unused(write(steps)) == []
    without = write(steps.replace("sample_limited: who", "roll: 1d6"))
    assert find_unused(without) == ["`main.s` sets `luck` of `player`, but no rule reads it"]


def test_a_number_in_the_list_of_an_action_is_used() -> None:
    numbers = "numbers: {bonus: 3, other: 2}"
    assert find_unused(write("{id: a, sample_listed: who, by: bonus}", numbers)) == ["nothing uses `numbers.other`"]


@pytest.mark.parametrize("change", ["gain: {who: who, luck: 1}", "pay: {who: who, luck: 1}"])
def test_a_change_by_an_amount_does_not_use_the_field(change: str) -> None:
    steps = f"{{id: s, set: {{who.luck: 3}}}}, {{id: a, {change}}}"
    assert find_unused(write(steps)) == ["`main.s` sets `luck` of `player`, but no rule reads it"]


def test_a_roll_that_only_its_own_step_reads_is_unused() -> None:
    assert find_unused(write("{id: a, sample_surge: who}")) == ["nothing in `main` uses `a`"]
