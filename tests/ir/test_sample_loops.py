"""Statements of tests whose loop asks: what a decision is about, and how a step keeps its progress."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from rulewright import Game
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Constant
from rulewright.language.schema_shapes import Member, Steps, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import INTEGER, NOTHING, PLAYER
from rulewright.source.diagnostics.formats import text
from tests.engine.machines import Table, of_two
from tests.ir.test_sample_statements import PLAYERS, Sample, add_statements, read
from tests.language.inline import MANIFEST, checked


class Survey(Sample):
    """Asks the player about each player (`other`) in turn, and then runs steps for the one who was named last."""

    name = "sample_survey"
    more: ClassVar[dict[str, Member]] = {"steps": required(Steps("The steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        outer = check.scope
        slot, check.scope = check.add_variable("other", PLAYER, node.span)
        last, scope = check.add_variable("last", PLAYER, node.span)
        check.scope = outer
        block = check.block(node.get("steps"), scope)
        return CheckedStep((who, slot, last), blocks=(block,), resumes=True)

    def run(self, step: Step, run: Any) -> None:
        who, slot, _ = step.action
        rest = run.read(step.hidden)
        if rest is None:
            run.bind(slot, run.compute(PLAYERS)[0])
            run.bind(step.hidden, run.compute(PLAYERS)[1:])
        run.ask(run.compute(who), run.compute(PLAYERS), step)

    def take(self, step: Step, run: Any, value: Any) -> None:
        _, slot, last = step.action
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(last, value)
        rest = run.read(step.hidden)
        run.bind(step.hidden, rest[1:] if rest else None)
        if rest:
            run.bind(slot, rest[0])
            self.run(step, run)
        else:
            run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Any) -> None:
        who, slot, last = step.action
        lower.emit_each(PLAYERS, slot, lambda: lower.bind(lower.ask(who, PLAYERS, PLAYER), slot=last), things=True)
        lower.block(step.blocks[0])


class Rounds(Survey):
    """Asks the player about each player in turn, and runs the steps after every answer.

    A slot without a name is 1 while they run, so that `run` knows if it is called after them or at the question.
    """

    name = "sample_rounds"

    def check(self, node: Any, check: Any) -> CheckedStep:
        checked = super().check(node, check)
        return replace(checked, action=(*checked.action, check.add_slot("running", INTEGER)))

    def run(self, step: Step, run: Any) -> None:
        who, slot, _, running = step.action
        rest = run.read(step.hidden)
        if rest is not None and run.read(running) is None:
            run.ask(run.compute(who), run.compute(PLAYERS), step)  # the state was restored at this question
            return
        rest = run.compute(PLAYERS) if rest is None else rest
        run.bind(running, None)
        run.bind(step.hidden, rest[1:] if rest else None)
        if rest:
            run.bind(slot, rest[0])
            run.ask(run.compute(who), run.compute(PLAYERS), step)

    def take(self, step: Step, run: Any, value: Any) -> None:
        _, _, last, running = step.action
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(last, value)
        run.bind(running, 1)
        run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Any) -> None:
        who, slot, last, running = step.action
        nothing = Constant(NOTHING, None)

        def ask() -> None:
            lower.bind(lower.ask(who, PLAYERS, PLAYER), slot=last)
            lower.bind(Constant(INTEGER, 1), slot=running)
            lower.block(step.blocks[0])
            lower.bind(nothing, slot=running)

        lower.bind(nothing, slot=running)
        lower.emit_each(PLAYERS, slot, ask, things=True)


class Poll(Survey):
    """Asks the player once, and then runs the steps about each player (`other`) in turn."""

    name = "sample_poll"

    def run(self, step: Step, run: Any) -> None:
        rest = run.read(step.hidden)
        if rest is None:
            run.ask(run.compute(step.action[0]), run.compute(PLAYERS), step)
        else:
            self._go_on(step, run, rest)

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(step.action[2], value)
        self._go_on(step, run, run.compute(PLAYERS))

    def _go_on(self, step: Step, run: Any, rest: tuple[int, ...]) -> None:
        run.bind(step.hidden, rest[1:] if rest else None)
        if rest:
            run.bind(step.action[1], rest[0])
            run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Any) -> None:
        who, slot, last = step.action
        lower.bind(lower.ask(who, PLAYERS, PLAYER), slot=last)
        lower.emit_each(PLAYERS, slot, lambda: lower.block(step.blocks[0]), things=True)


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Survey, Rounds, Poll)


def list_subjects(steps: str, answers: tuple[int, ...]) -> list[list[tuple[str, str]]]:
    """Return what each decision of a game of these steps is about, with these answers."""
    source = f"procedures:\n  main:\n    steps:\n      - {steps}\n"
    ruleset, found = checked(source, manifest=f"{MANIFEST[:-1]}, start: main}}", shapes=False)
    assert not found.errors, text.render(found)
    assert ruleset is not None
    game = Game(ruleset, players=3)
    told = []
    for answer in answers:
        assert game.decision is not None
        told.append([(subject.name, subject.id) for subject in game.decision.about])
        game.choose(answer)
    return told


ASKS = "steps: [{id: b, choose: {who: first(players), from: [yes, no]}}]"


def test_a_decision_says_which_element_of_its_own_loop_it_is_about() -> None:
    """In the steps inside, the names that the statement declares are known, and its element only where it is bound."""
    told = list_subjects(f"{{id: a, sample_survey: first(players), {ASKS}}}", (1, 2, 1, 0))
    assert told == [[], [("other", "player-2")], [("other", "player-3")], [("other", "player-3"), ("last", "player-2")]]


def test_a_decision_before_a_loop_is_not_about_the_element_of_an_earlier_round() -> None:
    """The loop asks only in its nested steps."""
    poll = f"{{id: a, sample_poll: first(players), {ASKS}}}"
    told = list_subjects(f"{{id: twice, repeat: {{at_most: 2, steps: [{poll}]}}}}", (1, 0, 0, 0, 1))
    assert [("other", "player-3"), ("last", "player-2")] in told
    assert told[4] == told[0] == []


@pytest.mark.parametrize("seed", range(6))
def test_a_slot_without_a_name_keeps_the_progress_of_a_step(seed: int) -> None:
    """The rules may use every name, also that of the slot."""
    source = """
kinds: {player: {fields: {score: count}}}
procedures:
  main:
    given: {who: player}
    steps:
      - {id: running, let: 1}
      - id: a
        sample_rounds: who
        steps:
          - {id: more, choose: {who: last, from: [yes, no]}}
          - {id: point, gain: {who: other, score: running}, when: more == yes}
"""
    table = Table(read(source))
    assert table.play(of_two, seed) == "over"
    assert table.sample(of_two, seed) == "over"
