"""Lowerings that a back end or an analysis would misread, and that `check` refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Arithmetic, Comparison, Constant, Items, Local, Stored
from rulewright.language.operations import Range
from rulewright.language.schema_shapes import Member, Steps, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import BOOLEAN, INTEGER, PLAYER, ListOf
from rulewright.language.visibility import SEERS
from tests.engine.machines import Table, carried_out, field, of_two
from tests.ir.test_sample_statements import PLAYERS, Sample, add_statements, read
from tests.language.inline import checked

NUMBERS = ListOf(INTEGER)
SIX = Range(NUMBERS, Constant(INTEGER, 1), Constant(INTEGER, 6))
TRUE = Constant(BOOLEAN, True)


class Vote(Sample):
    """Each player names a number, and all numbers are revealed at the end. The subclasses break it."""

    name = "sample_vote"
    is_secret = True

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        slots = check.add_slot("voter", PLAYER), check.add_slot("copy", INTEGER)
        return CheckedStep((who, *slots), binds=NUMBERS, resumes=True)

    def run(self, step: Step, run: Any) -> None:
        if run.read(step.hidden) is None:
            run.begin_rounds(step, len(run.compute(PLAYERS)))
            run.bind(step.slot, ())
            self.ask_next(step, run, run.compute(PLAYERS))
        else:
            run.ask(run.read(step.action[1]), (1, 2, 3, 4, 5, 6), step)

    def ask_next(self, step: Step, run: Any, rest: tuple[int, ...]) -> None:
        run.bind(step.hidden, rest[1:] if rest else None)
        if rest:
            run.bind(step.action[1], rest[0])
            run.ask(rest[0], (1, 2, 3, 4, 5, 6), step)
        else:
            run.record_event(step, "revealed", run.compute(PLAYERS), run.read(step.slot))

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "asked", run.get_answer(), value, viewers=Items(SEERS, (self.one(step),)))
        run.bind(step.slot, (*run.read(step.slot), value))
        self.ask_next(step, run, run.read(step.hidden))

    def one(self, step: Step) -> Local:
        return Local(PLAYER, step.action[1], "voter")

    def answers(self, step: Step) -> Local:
        return Local(NUMBERS, step.slot or 0, step.id)

    def ask(self, step: Step, lower: Any) -> Any:
        viewers = Items(SEERS, (self.one(step),)) if self.is_secret else None
        return lower.ask(self.one(step), SIX, INTEGER, viewers=viewers)

    def add(self, step: Step, lower: Any) -> None:
        answer = Items(NUMBERS, (self.ask(step, lower),))
        lower.bind(Arithmetic(NUMBERS, "+", self.answers(step), answer))

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(Items(NUMBERS, ()))
        lower.emit_each(PLAYERS, step.action[1], lambda: self.add(step, lower), entities=False)
        self.reveal(step, lower)

    def reveal(self, step: Step, lower: Any) -> None:
        lower.reveal(PLAYERS, self.answers(step))


class InBranch(Vote):
    """Reveals in one branch, so that the answers stay secret on the other path."""

    name = "sample_in_branch"

    def reveal(self, step: Step, lower: Any) -> None:
        lower.branch(TRUE, lambda: lower.reveal(PLAYERS, self.answers(step)))


class InBoth(Vote):
    """Reveals twice."""

    name = "sample_in_both"

    def reveal(self, step: Step, lower: Any) -> None:
        lower.branch(TRUE, *[lambda: lower.reveal(PLAYERS, self.answers(step))] * 2)


class Single(Vote):
    """Reveals one answer of one player."""

    name = "sample_single"

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(Items(NUMBERS, (self.ask(step, lower),)))
        lower.reveal(Items(ListOf(PLAYER), (self.one(step),)), self.answers(step))


class Others(Vote):
    """Reveals the answers as those of other players."""

    name = "sample_others"

    def reveal(self, step: Step, lower: Any) -> None:
        lower.reveal(Items(ListOf(PLAYER), (step.action[0],)), self.answers(step))


class Copies(Vote):
    """Stores the answers in another slot, too, which no analysis would hide."""

    name = "sample_copies"

    def add(self, step: Step, lower: Any) -> None:
        super().add(step, lower)
        lower.bind(Constant(INTEGER, 1), slot=step.action[2])


class Late(Vote):
    """Does something between the loop and `reveal`."""

    name = "sample_late"

    def reveal(self, step: Step, lower: Any) -> None:
        lower.bind(Constant(INTEGER, 1), slot=step.action[2])
        super().reveal(step, lower)


class Public(Vote):
    """Asks in public."""

    name = "sample_public"
    is_secret = False


REVEALS = InBranch, InBoth, Single, Others, Copies, Late, Public


class Pauses(Sample):
    """Asks, rolls and repeats: the hidden slot has numbers at the pauses, and a list in the loop."""

    name = "sample_pauses"
    result = None

    def check(self, node: Any, check: Any) -> CheckedStep:
        slots = check.add_slot("one", PLAYER), check.add_slot("number", INTEGER)
        base = super().check(node, check)
        return replace(base, action=(*base.action, *slots), resumes=True)

    def run(self, step: Step, run: Any) -> None:
        """Run nothing: `check` refuses the step."""

    def take(self, step: Step, run: Any, value: Any) -> None:
        """Take nothing: `check` refuses the step."""

    def lower(self, step: Step, lower: Any) -> None:
        who, dice, one, _ = step.action
        lower.ask(who, PLAYERS, PLAYER)
        lower.roll(dice)
        lower.finish_stops()
        lower.emit_each(PLAYERS, one, lambda: None, entities=True)


class Loops(Pauses):
    """Repeats something for each player, and then so many times."""

    name = "sample_loops"

    def lower(self, step: Step, lower: Any) -> None:
        lower.emit_each(PLAYERS, step.action[2], lambda: None, entities=True)
        lower.loop(lambda: None, going=None, most=Constant(INTEGER, 2), within=None)


class Lists(Pauses):
    """Repeats something for each player, and then for each number."""

    name = "sample_lists"

    def lower(self, step: Step, lower: Any) -> None:
        lower.emit_each(PLAYERS, step.action[2], lambda: None, entities=True)
        lower.emit_each(Items(NUMBERS, (Constant(INTEGER, 1),)), step.action[3], lambda: None, entities=False)


class Mistyped(Pauses):
    """Stores a boolean as its number."""

    name = "sample_mistyped"
    result = INTEGER

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(TRUE)


class MistypedSlot(Pauses):
    """Stores a number in the slot of a player."""

    name = "sample_mistyped_slot"

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(Constant(INTEGER, 1), slot=step.action[2])


class Strays(Pauses):
    """Binds a slot that there is not, and reads another."""

    name = "sample_strays"

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(Local(INTEGER, 99, "x"), slot=98)


class Options(Pauses):
    """Asks for one of a number."""

    name = "sample_options"

    def lower(self, step: Step, lower: Any) -> None:
        lower.ask(step.action[0], Constant(INTEGER, 3), INTEGER)


class Counts(Pauses):
    """Branches if a number."""

    name = "sample_counts"

    def lower(self, step: Step, lower: Any) -> None:
        lower.branch(Constant(INTEGER, 1), lambda: None)


class Stores(Pauses):
    """Stores a boolean in a field with a number."""

    name = "sample_stores"

    def lower(self, step: Step, lower: Any) -> None:
        self.put(lower, step.action[0], "score", TRUE)


class Leaves(Pauses):
    """Leaves a loop that there is not."""

    name = "sample_leaves"

    def lower(self, step: Step, lower: Any) -> None:
        lower.leave("rounds")


class Partly(Pauses):
    """Repeats its first block twice, or runs its second block if the player has 5 points or more."""

    name = "sample_partly"
    loops = True
    more: ClassVar[dict[str, Member]] = {"steps": required(Steps("Steps.")), "rich": required(Steps("Steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        blocks = tuple(check.block(node.get(key)) for key in ("steps", "rich"))
        return replace(super().check(node, check), blocks=blocks)

    def run(self, step: Step, run: Any) -> None:
        begun = run.read(step.hidden) or 0
        if not begun and not run.compute(self.is_poor(step)):
            run.enter(step.blocks[1])
            return
        run.bind(step.hidden, begun + 1 if begun < 2 else None)
        if begun < 2:
            run.begin_rounds(step, 1)
            run.enter(step.blocks[0])

    def is_poor(self, step: Step) -> Comparison:
        return Comparison(BOOLEAN, "<", Stored(INTEGER, step.action[0], "player", "score"), Constant(INTEGER, 5))

    def repeat(self, step: Step, lower: Any) -> None:
        lower.loop(lambda: lower.block(step.blocks[0]), going=None, most=Constant(INTEGER, 2), within=None)

    def lower(self, step: Step, lower: Any) -> None:
        lower.branch(self.is_poor(step), lambda: self.repeat(step, lower), lambda: lower.block(step.blocks[1]))


class GoesOn(Partly):
    """Goes on after its loop, which back ends do after `stop`, too, but not the interpreter."""

    name = "sample_goes_on"

    def lower(self, step: Step, lower: Any) -> None:
        lower.branch(self.is_poor(step), lambda: self.repeat(step, lower))
        lower.block(step.blocks[1])


class Unguarded(Sample):
    """Draws a player from a list that the rules may leave empty."""

    name = "sample_unguarded"
    result = PLAYER

    def check(self, node: Any, check: Any) -> CheckedStep:
        return CheckedStep(check.check_value(node.get(self.name), ListOf(PLAYER)), binds=PLAYER)

    def run(self, step: Step, run: Any) -> None:
        run.stop_at_chance(run.compute(step.action))

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "drawn", value)
        run.bind(step.slot, value)

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(lower.draw(step.action, PLAYER))


SLOTS = Pauses, Loops, Lists, Mistyped, MistypedSlot, Strays, Options, Counts, Stores, Leaves, Partly, GoesOn, Unguarded


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Vote, *REVEALS, *SLOTS)


def write(steps: str) -> str:
    kinds = "kinds: {player: {fields: {score: int}}}"
    return f"{kinds}\nprocedures: {{main: {{given: {{who: player}}, steps: [{steps}]}}}}\n"


def find_error(steps: str) -> str:
    """Return the only error in rules with these steps."""
    _, diagnostics = checked(write(steps), shapes=False)
    assert len(diagnostics.errors) == 1
    return f"{diagnostics.errors[0].message}; {diagnostics.errors[0].suggestion}"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("when", ["", ", when: who.score == 0"])
def test_simultaneous_answers_are_revealed(seed: int, when: str) -> None:
    table = Table(read(write(f"{{id: a, sample_vote: who{when}}}, {{id: b, set: {{who.score: 1}}}}")))
    assert table.play(of_two, seed) == "over"


@pytest.mark.parametrize("statement", REVEALS)
def test_reveal_is_refused_where_answers_would_leak_or_be_guessed_wrongly(statement: type[Vote]) -> None:
    why = "calls `reveal` for something other than simultaneous answers"
    assert f"the statement `{statement.name}` {why}" in find_error(f"{{id: a, {statement.name}: who}}")


@pytest.mark.parametrize("statement", ["pauses", "loops", "lists"])
def test_a_hidden_slot_never_holds_values_of_two_types(statement: str) -> None:
    """WebAssembly gives each slot one type."""
    why = "keeps its progress in one slot both as a list and as something else"
    assert f"the statement `sample_{statement}` {why}" in find_error(f"{{id: a, sample_{statement}: who}}")


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("mistyped", "binds its result to yes or no in `lower`, but `check` declares it as a number"),
        ("mistyped_slot", "binds a slot to a number in `lower`, but `check` declares it as a player"),
        ("options", "passes a number as `options` of `ask` in `lower`, which must be a list"),
        ("counts", "passes a number as `condition` of `branch` in `lower`, which must be yes or no"),
        ("stores", "stores yes or no in `score` in `lower`, which holds a number"),
    ],
)
def test_a_value_of_another_type_is_refused(statement: str, why: str) -> None:
    assert f"the statement `sample_{statement}` {why}" in find_error(f"{{id: a, sample_{statement}: who}}")


def test_a_slot_that_there_is_not_is_refused() -> None:
    _, diagnostics = checked(write("{id: a, sample_strays: who}"), shapes=False)
    why = "the statement `sample_strays` uses slot 98 in `lower`, which is none of its slots and names"
    assert [each.message for each in diagnostics.errors] == [why, why.replace("98", "99")]


STOP = "{id: out, when: who.score > 0, stop: a}"
SET = "{id: b, set: {who.score: who.score + 1}}"


@pytest.mark.parametrize("score", [0, 1, 6])
def test_stop_ends_the_loop_from_a_step_that_it_repeats(score: int) -> None:
    begun = f"{{id: begun, set: {{who.score: {score}}}}}"
    state = carried_out(read(write(f"{begun}, {{id: a, sample_partly: who, steps: [{STOP}, {SET}], rich: []}}")))
    assert field(state, 1, "player", "score") == max(score, 1)


def test_stop_is_refused_in_a_block_that_the_loop_does_not_repeat() -> None:
    error = find_error(f"{{id: a, sample_partly: who, steps: [{SET}], rich: [{STOP}]}}")
    assert error.startswith("`out` cannot end the loop `a`, which does not repeat this step; move it into the steps")


def test_a_statement_with_a_loop_that_stop_ends_goes_on_with_nothing() -> None:
    error = find_error(f"{{id: a, sample_goes_on: who, steps: [], rich: [{SET}]}}")
    assert error.startswith("the statement `sample_goes_on` has `loops = True`, and goes on after its loop")


def test_a_statement_can_only_leave_a_loop_around_it() -> None:
    assert find_error("{id: a, sample_leaves: who}").startswith("`a` cannot end the loop `rounds`")


@pytest.mark.parametrize("seed", range(2))
def test_a_draw_from_an_empty_list_is_a_fault_on_every_back_end(seed: int) -> None:
    """The statement does not test whether its list is empty: the lowering and the interpreter do."""
    nobody = "{id: a, sample_unguarded: 'list(p for p in players if p.score > 100)'}"
    ruleset = read(write(f"{{id: first, sample_unguarded: players}}, {nobody}"))
    assert Table(ruleset).play(of_two, seed) == "fault"
    assert Table(ruleset).sample(of_two, seed) == "fault"
    with pytest.raises(RulesFault, match=r"`main\.a`: there is nothing to draw from"):
        Interpreter(read(write(nobody))).begin(*of_two(Interpreter(read(write(nobody)))))
