"""What follows from the operations of a statement: triggers at its effects, and the faults of its lowering."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Arithmetic, Comparison, Constant, Local, Objects, Stored, Typed
from rulewright.language.operations import Offer, Offered, Range
from rulewright.language.schema_shapes import Member, expression, required
from rulewright.language.statement import CheckedStep, Statement, load_statements
from rulewright.language.types import BOOLEAN, DICE, INTEGER, PLAYER, Choice, ListOf
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema import model
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text
from tests.engine.machines import Table, carried_out, field, of_two
from tests.language.inline import checked

PLAYERS = Objects(ListOf(PLAYER), "player")


def grow(who: Typed, name: str, amount: Typed) -> Typed:
    return Arithmetic(INTEGER, "+", Stored(INTEGER, who, "player", name), amount)


class Sample(Statement):
    """Base of the statements of this file, whose action is a player and a roll."""

    summary = "Changes fields."
    result: Any = INTEGER
    more: ClassVar[dict[str, Member]] = {}

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        return CheckedStep((who, Constant(DICE, check.declarations.read_dice("1d6"))), binds=self.result)

    def add(self, step: Step, run: Any, who: int, name: str, amount: int) -> None:
        target = Target(INTEGER, None, "player", name, minimum=0)
        run.store(target, who, run.read_field(who, "player", name) + amount, step)

    def put(self, lower: Any, who: Typed, name: str, value: Typed) -> None:
        lower.store(Target(INTEGER, None, "player", name, minimum=0), who, value)


class Dig(Sample):
    """Rolls, and adds the roll to the score of the player."""

    name = "sample_dig"

    def run(self, step: Step, run: Any) -> None:
        run.stop_at_chance(run.compute(step.action[1]))

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "rolled", run.get_outcome(), value)
        run.bind(step.slot, value)
        self.add(step, run, run.compute(step.action[0]), "score", value)

    def lower(self, step: Step, lower: Any) -> None:
        who, dice = step.action
        total = lower.roll(dice)
        lower.bind(total)
        self.put(lower, who, "score", grow(who, "score", total))


class Praise(Sample):
    """Asks the player for a player, whose score grows by 1."""

    name = "sample_praise"
    result = PLAYER

    def run(self, step: Step, run: Any) -> None:
        run.ask(run.compute(step.action[0]), run.compute(PLAYERS), step)

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.record_event(step, "asked", run.get_answer(), value)
        run.bind(step.slot, value)
        self.add(step, run, value, "score", 1)

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(lower.ask(step.action[0], PLAYERS, PLAYER))
        chosen = Local(PLAYER, step.slot or 0, step.id)
        self.put(lower, chosen, "score", grow(chosen, "score", Constant(INTEGER, 1)))


class Double(Sample):
    """Binds its result first, and stores it."""

    name = "sample_double"

    def run(self, step: Step, run: Any) -> None:
        who = run.compute(step.action[0])
        value = run.read_field(who, "player", "score")
        run.bind(step.slot, 2 * value)
        self.add(step, run, who, "score", value)

    def lower(self, step: Step, lower: Any) -> None:
        who = step.action[0]
        lower.bind(grow(who, "score", Stored(INTEGER, who, "player", "score")))
        self.put(lower, who, "score", Local(INTEGER, step.slot or 0, step.id))


class Both(Sample):
    """Changes two fields, which `split_effects` does not separate. The second time, the score grows again."""

    name = "sample_both"
    result = None

    def run(self, step: Step, run: Any) -> None:
        who = run.compute(step.action[0])
        for name in ("luck", "score", "score"):
            self.add(step, run, who, name, 1)

    def lower(self, step: Step, lower: Any) -> None:
        who = step.action[0]
        for name in ("luck", "score", "score"):
            self.put(lower, who, name, grow(who, name, Constant(INTEGER, 1)))


class Maybe(Sample):
    """Changes the luck only of a player with a score."""

    name = "sample_maybe"
    result = None

    def run(self, step: Step, run: Any) -> None:
        who = run.compute(step.action[0])
        if run.read_field(who, "player", "score") > 0:
            self.add(step, run, who, "luck", 1)

    def lower(self, step: Step, lower: Any) -> None:
        who, zero = step.action[0], Constant(INTEGER, 0)
        some = Comparison(BOOLEAN, ">", Stored(INTEGER, who, "player", "score"), zero)
        lower.branch(some, lambda: self.put(lower, who, "luck", grow(who, "luck", Constant(INTEGER, 1))))


class Errand(Sample):
    """Runs a procedure, which adds 1 to the score, and adds another 1."""

    name = "sample_errand"
    result = None

    def run(self, step: Step, run: Any) -> None:
        run.record_event(step, "called")
        run.call("side", (run.compute(step.action[0]),))

    def take(self, step: Step, run: Any, value: Any) -> None:
        self.add(step, run, run.compute(step.action[0]), "score", 1)

    def lower(self, step: Step, lower: Any) -> None:
        who = step.action[0]
        lower.call("side", (who,), 0)
        self.put(lower, who, "score", grow(who, "score", Constant(INTEGER, 1)))


class Deaf(Sample):
    """Pauses, and has no `take`."""

    name = "sample_deaf"

    def run(self, step: Step, run: Any) -> None:
        run.stop_at_chance(run.compute(step.action[1]))

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(lower.roll(step.action[1]))


class Twice(Deaf):
    """Pauses twice, without a slot for its progress."""

    name = "sample_twice"

    def take(self, step: Step, run: Any, value: Any) -> None:
        run.bind(step.slot, value)

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(lower.roll(step.action[1]))
        lower.bind(lower.roll(step.action[1]))


class Endless(Twice):
    """Has a loop, without a slot for its progress."""

    name = "sample_endless"

    def lower(self, step: Step, lower: Any) -> None:
        lower.loop(lambda: None, going=None, most=Constant(INTEGER, 2), within=None)


class Loses(Twice):
    """Adds up two rolls, and keeps the first in a temporary."""

    name = "sample_loses"

    def check(self, node: Any, check: Any) -> CheckedStep:
        return replace(super().check(node, check), resumes=True)

    def lower(self, step: Step, lower: Any) -> None:
        first, second = (lower.roll(step.action[1]) for _ in range(2))
        lower.finish_stops()
        lower.bind(Arithmetic(INTEGER, "+", first, second))


class Early(Loses):
    """Pauses with a value that it read before a change."""

    name = "sample_early"

    def lower(self, step: Step, lower: Any) -> None:
        who = lower.keep(step.action[0])
        self.put(lower, who, "score", Constant(INTEGER, 1))
        lower.bind(lower.ask(who, PLAYERS, PLAYER))


class Unfinished(Loses):
    """Leaves the number of its pause in the hidden slot."""

    name = "sample_unfinished"

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(lower.roll(step.action[1]))
        lower.bind(lower.roll(step.action[1]))


class Unlike(Loses):
    """Base of statements whose pauses leave events that cannot be told apart. Stores no result."""

    result = None


class Omens(Unlike):
    """Rolls on a table, and then without one."""

    name = "sample_omens"

    def lower(self, step: Step, lower: Any) -> None:
        lower.roll(step.action[1], "signs")
        lower.roll(step.action[1])
        lower.finish_stops()


class Haggles(Unlike):
    """Asks for an id, and then for a player."""

    name = "sample_haggles"

    def lower(self, step: Step, lower: Any) -> None:
        kind = Choice(("bold", "shy"))
        lower.ask(step.action[0], Offered(ListOf(kind), tuple(Offer(each, None, "") for each in kind.ids)), kind)
        lower.ask(step.action[0], PLAYERS, PLAYER)
        lower.finish_stops()


class Parleys(Unlike):
    """Asks twice for the same ids, with different labels."""

    name = "sample_parleys"

    def lower(self, step: Step, lower: Any) -> None:
        kind = Choice(("bold",))
        for label in ("With a frown", "With a smile"):
            lower.ask(step.action[0], Offered(ListOf(kind), (Offer("bold", None, label),)), kind)
        lower.finish_stops()


class Lots(Unlike):
    """Draws a player, and then a number."""

    name = "sample_lots"

    def lower(self, step: Step, lower: Any) -> None:
        lower.draw(PLAYERS, PLAYER)
        lower.draw(Range(ListOf(INTEGER), Constant(INTEGER, 1), Constant(INTEGER, 2)), INTEGER)
        lower.finish_stops()


class Errands(Unlike):
    """Runs two procedures."""

    name = "sample_errands"

    def lower(self, step: Step, lower: Any) -> None:
        for name in ("main", "side"):
            lower.call(name, (step.action[0],), 0)
        lower.finish_stops()


class Forever(Loses):
    """Pauses in a loop without a limit."""

    name = "sample_forever"

    def lower(self, step: Step, lower: Any) -> None:
        lower.loop(lambda: lower.bind(lower.roll(step.action[1])), going=None, most=None, within=None)


class Unbound(Sample):
    """Stores neither its result nor its name."""

    name = "sample_unbound"

    def check(self, node: Any, check: Any) -> CheckedStep:
        check.add_variable("luck", INTEGER, node.span)
        return super().check(node, check)

    def lower(self, step: Step, lower: Any) -> None:
        self.put(lower, step.action[0], "score", Constant(INTEGER, 1))


class Silent(Sample):
    """Leaves out its step and does not say why."""

    name = "sample_silent"

    def check(self, node: Any, check: Any) -> Any:
        check.check_value(node.get(self.name), PLAYER)

    def lower(self, step: Step, lower: Any) -> None:
        """Lower nothing: there is no step."""


class Failing(Sample):
    """Raises in `check`."""

    name = "sample_failing"

    def check(self, node: Any, check: Any) -> Any:
        return 1 / 0

    def lower(self, step: Step, lower: Any) -> None:
        """Lower nothing: there is no step."""


class Sinking(Sample):
    """Raises in `lower`."""

    name = "sample_sinking"

    def lower(self, step: Step, lower: Any) -> None:
        raise RulewrightError("no")


UNLIKE = Omens, Haggles, Parleys, Lots, Errands
BROKEN = Deaf, Twice, Endless, Loses, Early, Unfinished, *UNLIKE, Forever, Unbound, Silent, Failing, Sinking


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Dig, Praise, Double, Both, Maybe, Errand, *BROKEN)


def add_statements(monkeypatch: pytest.MonkeyPatch, *kinds: type[Sample]) -> None:
    """Add statements to those of the engine, but not to the shapes kept for the whole process."""
    find = model.find_step_shape
    find(())
    monkeypatch.setattr(model, "find_step_shape", lambda keys: find(key for key in keys if "sample_" not in key))
    for kind in kinds:
        kind.example = f"{{id: a, {kind.name}: player}}"
        kind.keys = {kind.name: required(expression("The player.")), **kind.more}
        monkeypatch.setitem(load_statements(), kind.name, kind())  # type: ignore[arg-type]


def rules(statement: str, trigger: str, event: str = "gains: player.score") -> str:
    return f"""
kinds: {{player: {{fields: {{score: {{type: count, default: 3}}, luck: count, told: count}}}}}}
procedures:
  main:
    given: {{who: player}}
    steps:
      - {{id: a, {statement}: who, when: who.luck == 0}}
      - {{id: b, {statement}: who}}
  side: {{given: {{who: player}}, steps: [{{id: s, gain: {{who: who, score: 1}}}}]}}
whenever: {{cheer: {{{event}, {trigger}: [{{id: x, gain: {{who: player, told: amount}}}}]}}}}
"""


def read(source: str) -> Ruleset:
    ruleset, diagnostics = checked(source, shapes=False)
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    return ruleset


def find_told(statement: str, trigger: str, event: str = "gains: player.score") -> tuple[int, int]:
    """Return how much the score of the first player grew in `main`, and how much the trigger was told.

    All back ends agree.
    """
    state = carried_out(read(rules(statement, trigger, event)))
    return field(state, 1, "player", "score") - 3, field(state, 1, "player", "told")


@pytest.mark.parametrize("hidden", ["", ", seen_by: self"])
@pytest.mark.parametrize("seed", range(6))
def test_a_trigger_runs_after_a_step_that_pauses(seed: int, hidden: str) -> None:
    ruleset = read(rules("sample_dig", "then").replace("default: 3}", f"default: 3{hidden}}}"))
    table = Table(ruleset)
    assert table.play(of_two, seed) == "over"
    assert table.sample(of_two, seed) == "over"
    state = table.interpreter.empty(2)
    table.interpreter.begin(state, "main", (1,))
    for outcome in (4, 5):
        state.apply_outcome(outcome)
    assert (field(state, 1, "player", "score"), field(state, 1, "player", "told")) == (12, 9)


@pytest.mark.parametrize("trigger", ["just_before", "then"])
def test_a_result_that_is_bound_first_is_known_before_the_step(trigger: str) -> None:
    assert find_told("sample_double", trigger) == (9, 9)


def test_two_changes_of_a_field_are_one_gain() -> None:
    assert find_told("sample_both", "then") == (4, 4)


def test_a_change_in_some_cases_is_watched_afterwards() -> None:
    assert find_told("sample_maybe", "then", "gains: player.luck") == (0, 2)


@pytest.mark.parametrize(
    ("statement", "trigger", "event", "why", "hint"),
    [
        ("dig", "just_before", "gains: player.score", "`main.a` pauses before it", "write `then:`"),
        ("dig", "instead", "gains: player.score", "`main.a` pauses before it", "write `then:`"),
        ("praise", "then", "gains: player.score", "the object is only known during `main.a`", "`does: main.a`"),
        ("both", "just_before", "gains: player.score", "`main.a` changes the same field twice", "write `then:`"),
        ("both", "instead", "gains: player.luck", "`sample_both` cannot separate", "write `then:`"),
        ("double", "instead", "gains: player.score", "later steps need the result", "write `then:`"),
        ("errand", "then", "gains: player.score", "`main.a` also runs other steps", "`does: main.a`"),
        ("maybe", "just_before", "gains: player.luck", "`main.a` does so only in some cases", "write `then:`"),
    ],
)
def test_a_trigger_that_cannot_run_is_reported(statement: str, trigger: str, event: str, why: str, hint: str) -> None:
    _, diagnostics = checked(rules(f"sample_{statement}", trigger, event), shapes=False)
    assert [each.code.id for each in diagnostics.errors] == ["whenever-shape"] * 2
    first = diagnostics.errors[0]
    assert first.message.startswith(f"`cheer` cannot run `{trigger}:` here: ")
    assert why in first.message
    assert hint in str(first.suggestion)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("deaf", "pauses in `lower`, but has no method `take`"),
        ("twice", "pauses more than once, so its `check` must return `CheckedStep(…, resumes=True)`"),
        ("endless", "has a loop, so its `check` must return `CheckedStep(…, resumes=True)`"),
        ("loses", "uses a value of `keep`, `create` or a pause after a later pause, where it is lost: `bind` it"),
        ("early", "pauses with a value that `keep` read before a change: call `keep` after the change"),
        ("unfinished", "pauses more than once, so its `lower` must call `finish_stops()` after the last pause"),
        ("omens", "calls `lower.roll` several times with different tables, or with and without a table, and"),
        ("haggles", "calls `lower.ask` several times with different types or labels of the options, and an event does"),
        ("parleys", "calls `lower.ask` several times with different types or labels of the options, and an event does"),
        ("lots", "calls `lower.draw` several times with different types of the elements, or with and without a deck"),
        ("errands", "calls `lower.call` several times with different procedures, and an event does not say which"),
        ("forever", "has a loop that never ends: pass `going` or `most` to `loop`"),
        ("unbound", "never binds its result in `lower`"),
        ("silent", "returned None from `check` without a report, which leaves the step out"),
    ],
)
def test_a_lowering_that_breaks_the_rules_is_reported_at_its_step(statement: str, why: str) -> None:
    error = find_errors(statement)[0]
    assert error.message.startswith(f"the statement `sample_{statement}` {why}")
    assert (error.span.line, error.span.column) == (2, 38)


def find_errors(statement: str, more: str = "") -> tuple[Diagnostic, ...]:
    """Return the errors of rules with a step of a statement of this file, at column 38 of line 2."""
    source = f"procedures:\n  main: {{given: {{p: player}}, steps: [{{id: x, sample_{statement}: p}}]}}\n{more}"
    _, diagnostics = checked(f"{source}kinds: {{player: {{fields: {{score: count}}}}}}\n", shapes=False)
    return diagnostics.errors


def test_each_name_that_is_never_bound_is_reported() -> None:
    assert [each.message.partition("binds ")[2] for each in find_errors("unbound")] == [
        "its result in `lower`",
        "the name `luck` in `lower`",
    ]


@pytest.mark.parametrize("statement", ["unbound", "silent"])
def test_rules_with_another_error_do_not_accuse_the_statement(statement: str) -> None:
    more = "  other: {steps: [{id: a, set: {nothing: 1}}]}\n"
    assert [each.code.id for each in find_errors(statement, more)] == ["unknown-name"]


@pytest.mark.parametrize(
    ("statement", "method", "raised"),
    [("failing", "check", "ZeroDivisionError: division by zero"), ("sinking", "lower", "RulewrightError: no")],
)
def test_a_statement_that_raises_is_reported_with_its_file_and_its_step(
    statement: str, method: str, raised: str
) -> None:
    """The steps of other procedures are checked all the same."""
    more = "  other: {steps: [{id: a, set: {nothing: 1}}]}\n"
    first, second = find_errors(statement, more)
    file = f"({__name__.replace('.', '/')}.py)"
    assert first.message.startswith(
        f"`{method}` of the statement `sample_{statement}` {file} failed on `main.x` ({raised})"
    )
    assert (first.span.line, first.span.column) == (2, 38)
    assert second.code.id == "unknown-name"
