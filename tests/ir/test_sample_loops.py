"""Statements of tests whose loop asks: what a decision is about, and how a step keeps its progress."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulewright import Game
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Arithmetic, Comparison, Constant, Items, Local, Logic
from rulewright.language.operations import Range
from rulewright.language.schema_shapes import Member, Steps, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import BOOLEAN, INTEGER, NOTHING, PLAYER, ListOf
from rulewright.source.diagnostics.formats import text
from tests.breadth import times
from tests.engine.machines import Table, of_two
from tests.engine.random_rules import rulesets
from tests.engine.test_both_machines import garden
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
        lower.emit_each(PLAYERS, slot, lambda: lower.bind(lower.ask(who, PLAYERS, PLAYER), slot=last), entities=True)
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
        lower.emit_each(PLAYERS, slot, ask, entities=True)


class Raid(Sample):
    """Asks the player for a number, draws another player, and then runs the steps so many times.

    The hidden slot is none at the question and 1 at the draw. Then it counts the rounds, whose steps run while a slot
    without a name is 1.
    """

    name = "sample_raid"
    loops = True
    more: ClassVar[dict[str, Member]] = {"steps": required(Steps("The steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        others = Arithmetic(PLAYERS.type, "-", PLAYERS, Items(PLAYERS.type, (who,)))
        victim, scope = check.add_variable("victim", PLAYER, node.span)
        block = check.block(node.get("steps"), check.loop_scope(node.get("steps"), scope))
        number, running = check.add_slot("number", INTEGER), check.add_slot("running", INTEGER)
        return CheckedStep((who, others, victim, number, running), blocks=(block,), resumes=True)

    def run(self, step: Step, run: Any) -> None:
        who, others, _, number, running = step.action
        if run.read(step.hidden) is None:
            run.bind(running, None)
            run.bind(number, None)
            run.ask(run.compute(who), (0, 1, 2, 3), step)
        elif run.read(running) is None:
            run.stop_at_chance(run.compute(others))
        else:
            run.bind(running, None)
            self._go_on(step, run, run.read(step.hidden))

    def take(self, step: Step, run: Any, value: Any) -> None:
        _, others, victim, number, _ = step.action
        if run.read(step.hidden) is not None:
            run.record_event(step, "drawn", value)
            run.bind(victim, value)
            self._go_on(step, run, 0)
            return
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(number, value)
        if value > 0 and run.compute(others):
            run.bind(step.hidden, 1)
            self.run(step, run)

    def _go_on(self, step: Step, run: Any, begun: int) -> None:
        _, _, _, number, running = step.action
        if begun >= run.read(number):
            run.bind(step.hidden, None)
            return
        run.bind(step.hidden, begun + 1)
        run.begin_rounds(step, 1)
        run.bind(running, 1)
        run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Any) -> None:
        who, others, victim, number, running = step.action
        nothing, times = Constant(NOTHING, None), Local(INTEGER, number, "")

        def repeat() -> None:
            lower.bind(Constant(INTEGER, 1), slot=running)
            lower.block(step.blocks[0])
            lower.bind(nothing, slot=running)

        lower.bind(nothing, slot=running)
        lower.bind(nothing, slot=number)
        options = Range(ListOf(INTEGER), Constant(INTEGER, 0), Constant(INTEGER, 3))
        lower.bind(lower.ask(who, options, INTEGER), slot=number)
        some = Comparison(BOOLEAN, "!=", others, Items(others.type, ()))
        raids = Logic(BOOLEAN, "and", (Comparison(BOOLEAN, ">", times, Constant(INTEGER, 0)), some))
        lower.branch(raids, lambda: lower.bind(lower.draw(others, PLAYER), slot=victim))
        lower.finish_stops()
        lower.branch(raids, lambda: lower.loop(repeat, going=None, most=times, within=None))


class Uncounted(Raid):
    """Does not count its rounds in the interpreter."""

    name = "sample_uncounted"

    def run(self, step: Step, run: Any) -> None:
        run.begin_rounds = lambda step, rounds: None
        super().run(step, run)

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.begin_rounds = lambda step, rounds: None
        super().take(step, run, value)


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
        lower.emit_each(PLAYERS, slot, lambda: lower.block(step.blocks[0]), entities=True)


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Survey, Rounds, Raid, Uncounted, Poll)


def list_subjects(steps: str, answers: tuple[int, ...]) -> list[list[tuple[str, str]]]:
    """Return what each decision of a game of these steps is about, with these answers."""
    source = f"procedures:\n  main:\n    steps:\n      - {steps}\n"
    ruleset, diagnostics = checked(source, manifest=f"{MANIFEST[:-1]}, start: main}}", shapes=False)
    assert not diagnostics.errors, text.render(diagnostics)
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
    subjects = list_subjects(f"{{id: a, sample_survey: first(players), {ASKS}}}", (1, 2, 1, 0))
    assert subjects == [
        [],
        [("other", "player-2")],
        [("other", "player-3")],
        [("other", "player-3"), ("last", "player-2")],
    ]


def test_a_decision_before_a_loop_is_not_about_the_element_of_an_earlier_round() -> None:
    """The loop asks only in its nested steps."""
    poll = f"{{id: a, sample_poll: first(players), {ASKS}}}"
    subjects = list_subjects(f"{{id: twice, repeat: {{at_most: 2, steps: [{poll}]}}}}", (1, 0, 0, 0, 1))
    assert [("other", "player-3"), ("last", "player-2")] in subjects
    assert subjects[4] == subjects[0] == []


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


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("last", ["stop: a, when: who.score > 2", "choose: {who: victim, from: [yes, no]}"])
def test_a_step_pauses_several_times_and_then_repeats_a_block(seed: int, last: str) -> None:
    source = f"""
kinds: {{player: {{fields: {{score: count}}}}}}
procedures:
  main:
    given: {{who: player}}
    steps:
      - id: twice
        repeat:
          at_most: 2
          steps:
            - id: a
              sample_raid: who
              steps:
                - {{id: point, gain: {{who: who, score: 1}}}}
                - {{id: last, {last}}}
            - {{id: b, sample_raid: "next(who)", steps: []}}
"""
    table = Table(read(source))
    assert table.play(of_two, seed) == "over"
    assert table.sample(of_two, seed) == "over"


def raid_in_place_of_loops(data: Any) -> int:
    """Put `sample_raid` in place of every `repeat` in some rules, and return how many there are."""
    count = 0
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        count += raid_in_place_of_loops(each)
    if isinstance(data, dict) and isinstance(data.get("repeat"), dict):
        data |= {"sample_raid": "first(players)", "steps": data.pop("repeat")["steps"]}
        count += 1
    return count


@settings(max_examples=times(10, 100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rulesets(), st.integers(0, 2**16))
def test_pauses_before_a_loop_do_the_same_in_random_rules(source: str, seed: int) -> None:
    """`stop:` ends some of the loops, and others have pauses, calls and loops inside."""
    rules = json.loads(source)
    assume(raid_in_place_of_loops(rules["procedures"]))
    ruleset, diagnostics = checked(json.dumps(rules, indent=1), shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    table = Table(ruleset)
    for more in range(3):
        table.play(garden, seed + more)
        table.sample(garden, seed + more)


def test_back_ends_count_the_rounds_that_a_statement_counts() -> None:
    source = """
kinds: {player: {fields: {score: count}}}
procedures:
  main:
    given: {who: player}
    steps: [{id: a, STATEMENT: who, steps: [{id: last, roll: 1d6}]}]
"""
    tables = [Table(read(source.replace("STATEMENT", each))) for each in ("sample_raid", "sample_uncounted")]
    assert [tables[0].play(of_two, seed) for seed in range(4)] == ["over"] * 4
    with pytest.raises(AssertionError, match="counts other rounds"):
        [tables[1].play(of_two, seed) for seed in range(4)]
