"""Programs: what a person reads of them, what each must keep to, and who may know the verbs by name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from rulewright import load_ruleset
from rulewright.cli.main import main
from rulewright.dice.parser.notation import parse
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.python_backend.expression_source import list_unwritten
from rulewright.ir.program import Program, Routine, build_program
from rulewright.ir.program_text import format_layout, format_routine
from rulewright.ir.values import CONSTANTS, OPERATIONS, Value, to_python
from rulewright.ir.verify import find_faults
from rulewright.language import operations as op
from rulewright.language.checked_steps import Block, Step
from rulewright.language.expressions.typed_ast import Constant, Local
from rulewright.language.lowering import list_operations, lower_block, step_region
from rulewright.language.operations import Operation
from rulewright.language.statement import Lower, Run, Statement, load_statements
from rulewright.language.types import BOOLEAN, DICE, INTEGER, ListOf
from rulewright.source.span import Span
from tests.breadth import times
from tests.engine.random_rules import rulesets
from tests.language.inline import checked, sound
from tests.source.goldens import assert_golden

SHIPPED = (
    *("pig/classic", "classics/connect-four", "classics/tic-tac-toe", "classics/yacht", "classics/oware"),
    *("fuzzy-knights/normal@0.1", "fuzzy-knights/normal@0.2", "fuzzy-knights/normal@1.0", "fuzzy-knights/medium@0.1"),
)
GOLDEN = Path(__file__).parent / "goldens"


@cache
def program(reference: str) -> Program:
    return build_program(load_ruleset(reference))


@pytest.mark.parametrize("reference", SHIPPED[:5])
def test_a_program_reads_as_it_did(reference: str) -> None:
    program_ = program(reference)
    text = "\n".join([format_layout(program_), *(format_routine(program_, name) for name in program_.routines)])
    assert_golden(f"{reference.replace('/', '-')}.txt", text, folder=GOLDEN)


@pytest.mark.parametrize("procedure", ["visit_mine", "battle", "visit_item", "pay_upkeep"])
def test_procedures_of_a_large_game_read_as_they_did(procedure: str) -> None:
    program_ = program("fuzzy-knights/normal@1.0")
    if procedure in program_.routines:
        assert_golden(f"normal-{procedure}.txt", format_routine(program_, procedure), folder=GOLDEN)
    else:
        pytest.fail(f"there is no {procedure} among {', '.join(program_.routines)}")


SMALL = {
    # A toll before, in place of and after what happens: the steps of other procedures have them woven in.
    "whenever": """\
kinds:
  player: {fields: {coin: {type: count, default: 9}, stars: count}}
  tree: {fields: {owner: player, shield: bool}}
state: {turn: int}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: earned, gain: {who: p, coin: turn + 1, stars: 1}}
      - {id: felled, remove: trees}
      - {id: later, set: {turn: turn + 1}, when: p.coin > 3}
whenever:
  toll: {gains: player.coin, when: amount > 3, then: [{id: fee, pay: {who: player, coin: 1}}]}
  tithe: {gains: player.stars, just_before: [{id: given, set: {turn: 0}}]}
  shield: {removes: tree, when: tree.shield, instead: [{id: spent, set: {tree.shield: false}}]}
  noon:
    changes: turn
    when: after == 12
    then: [{id: bell, for_each: p, in: players, steps: [{id: tip, gain: {who: p, coin: 1}}]}]
  dusk: {ends: main, then: [{id: rest, set: {turn: 0}}]}
""",
    # All choose at the same time; what they chose is ranked as records.
    "bids": """\
kinds:
  player: {fields: {coin: {type: count, default: 9}}}
records:
  bid: {parts: {bidder: player, points: int}}
state: {best: optional bid, log: list of bid}
procedures:
  main:
    steps:
      - {id: bids, choose: {who: players, as: one, number: {from: 0, to: one.coin}}}
      - {id: ranked, let: "list(bid(p, bids[p]) for p in players if bids[p] > 0 by bids[p])"}
      - {id: highest, set: {best: last(ranked), log: log + ranked}}
      - {id: paid, when: best, pay: {who: best.bidder, coin: best.points}}
""",
}


@pytest.mark.parametrize("name", SMALL)
def test_what_small_rules_come_down_to_reads_as_it_did(name: str) -> None:
    program = build_program(sound(SMALL[name]))
    assert_golden(
        f"small-{name}.txt", "\n".join(format_routine(program, each) for each in program.routines), folder=GOLDEN
    )


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "pig/classic", "game", "--program"]) == 0
    assert capsys.readouterr().out.startswith("procedure game()\n")
    assert main(["show", "pig/classic", "standing", "--program"]) == 0
    assert capsys.readouterr().out.startswith("formula standing(who: ref player) → int\n")
    assert main(["show", "pig/classic", "--program"]) == 0
    assert "kind 1 player" in capsys.readouterr().out
    assert main(["show", "pig/classic", "gane", "--program"]) == 1
    assert "did you mean `game`" in capsys.readouterr().err


# -- what every program keeps to ---------------------------------------------------------------


@pytest.mark.parametrize("reference", SHIPPED)
def test_shipped_programs_are_sound(reference: str) -> None:
    for routine in program(reference).routines.values():
        assert find_faults(routine) == []


def test_every_step_lowers_to_something_and_says_where_it_comes_from() -> None:
    for reference in SHIPPED:
        ruleset = load_ruleset(reference)
        for step in ruleset.steps.values():
            assert list_operations(step) or step.blocks, step.rule
            own = [type(part) for each in step_region(step) for part in each.walk() if part.step is step]
            assert [type(each) for each in list_operations(step)] == own, step.rule
        numbers = {each.step.number for routine in program(reference).routines.values() for each in routine.walk()}
        assert numbers <= set(ruleset.steps)


@given(rules=rulesets())
@settings(max_examples=times(15, 40), suppress_health_check=list(HealthCheck))
def test_random_programs_are_sound(rules: str) -> None:
    ruleset, _ = checked(rules)
    assume(ruleset is not None)
    assert ruleset is not None
    for routine in build_program(ruleset).routines.values():
        assert find_faults(routine) == []
        assert format_routine(build_program(ruleset), routine.id)


def broken(routine: Routine, change: Operation[Value]) -> Routine:
    return replace(routine, body=(*routine.body, change))


def test_what_no_machine_could_carry_out_is_found() -> None:
    routine = program("pig/classic").routines["game"]
    step = next(iter(routine.walk())).step
    number = Value("int", INTEGER, data=(1,))
    never = Value("temp", INTEGER, data=(999,))
    for change, said in (
        (op.Keep(step, 1, never), "temporary 999 may be read before it is set"),
        (op.Keep(step, 1, Value("int.sqrt", INTEGER, (number,))), "there is no operation `int.sqrt`"),
        (op.Bind(step, routine.size + 1, number, INTEGER), f"there is no slot {routine.size + 1}"),
        (op.Keep(step, 1, Value("slot", INTEGER, data=(0,))), "there is no slot 0"),
    ):
        assert [said in fault for fault in find_faults(broken(routine, change))] == [True]
    kept = (
        op.Keep(step, 998, number),
        op.Ask(step, 999, number, number),
        op.Keep(step, 1, Value("temp", INTEGER, data=(998,))),
    )
    assert len(find_faults(replace(routine, body=kept))) == 1, "it was kept before a stop"
    early = Value("temp", INTEGER, data=(998,))
    spoilt = (op.Keep(step, 998, number), op.Bind(step, 1, number, INTEGER), op.Ask(step, 999, number, early))
    assert [fault.partition(": ")[2] for fault in find_faults(replace(routine, body=spoilt))] == [
        "a pause reads temporary 998, which was set before a change"
    ]
    assert find_faults(replace(routine, body=(spoilt[1], spoilt[0], spoilt[2]))) == []


def test_a_back_end_writes_every_operation() -> None:
    assert list(list_unwritten()) == []
    assert set(CONSTANTS) < set(OPERATIONS)
    assert all(kind.means.endswith(".") for kind in OPERATIONS.values())


def test_what_the_rules_fix_is_a_value_of_python() -> None:
    numbers = [Value("int", INTEGER, data=(number,)) for number in (3, -1)]
    inner = Value("record", INTEGER, (numbers[1], Value("none", INTEGER)), ("pair", "one", "other"))
    written = Value("list", ListOf(INTEGER), (*numbers, inner))
    assert written.fixed
    assert to_python(written) == (3, -1, (-1, None))


# -- one place for each verb -------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2] / "engine" / "rulewright"
INSIDE = ROOT / "language" / "statements"


def sources() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(ROOT.rglob("*.py")):
        if not path.is_relative_to(INSIDE):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_nobody_asks_for_a_verb_by_name() -> None:
    """No comparison, match or table outside the verbs tells them apart, and nobody imports one."""
    lines = [f"{path.relative_to(ROOT)}:{line} {what}" for path, tree in sources() for line, what in named(tree)]
    assert lines == []


def test_whoever_asks_is_found() -> None:
    for written in (
        "from rulewright.language.statements.roll import Roll",
        "x = step.verb.name == 'roll'",
        "x = event.verb in ('gain', 'pay')",
        "match step.verb.name:\n    case 'create' | 'remove':\n        pass",
        "x = verbs()['let']",
    ):
        assert list(named(ast.parse(written))), written


def named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where a file tells verbs apart, and how."""
    names = set(load_statements())
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("rulewright.language.statements"):
                yield node.lineno, f"imports {module}"
            case ast.Compare(left=left) if "verb" in ast.unparse(left) and names & literals(node):
                yield node.lineno, ast.unparse(node)
            case ast.Match(subject=subject, cases=cases) if "verb" in ast.unparse(subject):
                if any(names & literals(case.pattern) for case in cases):
                    yield node.lineno, ast.unparse(subject)
            case ast.Subscript(value=value, slice=ast.Constant(value=name)) if "verbs(" in ast.unparse(value):
                yield node.lineno, f"takes {name} out of the registry"


def literals(tree: ast.AST) -> set[object]:
    return {part.value for part in ast.walk(tree) if isinstance(part, ast.Constant)}


# -- the same work -----------------------------------------------------------------------------


class Pausing(Statement):
    """A statement that pauses where a test says."""

    name = "pausing"

    def __init__(self, pauses: Callable[[Lower], None]) -> None:
        self.pauses = pauses

    def lower(self, step: Step, lower: Lower) -> None:
        self.pauses(lower)

    def take(self, step: Step, run: Run, value: object) -> None:
        """Continue after a pause. No test here does."""


def make_step(pauses: Callable[[Lower], None], number: int = 1) -> Step:
    """Return a step that pauses where `pauses` says."""
    span = Span.for_file("rules.yaml")
    return Step("step", "main.step", Pausing(pauses), None, None, span, hidden=number)


def roll_in_loop(lower: Lower, count: int = 1) -> None:
    lower.loop(lambda: roll(lower, count), going=None, most=Constant(INTEGER, 4), within=None)


def roll_for_each(lower: Lower, count: int = 1) -> None:
    lower.emit_each(Constant(ListOf(INTEGER), ()), 2, lambda: roll(lower, count), entities=False)


def roll(lower: Lower, count: int = 1) -> None:
    for _ in range(count):
        lower.roll(Constant(DICE, parse("1d6")))


@pytest.mark.parametrize("repeat", [roll_in_loop, roll_for_each])
def test_a_statement_that_pauses_in_a_loop_pauses_nowhere_else(repeat: Callable[..., None]) -> None:
    """The hidden slot would have to hold the progress of the loop and the number of the pause."""

    def after(lower: Lower) -> None:
        repeat(lower)
        roll(lower)

    def before(lower: Lower) -> None:
        roll(lower)
        repeat(lower)

    for pauses in (after, before, lambda lower: repeat(lower, 2)):
        with pytest.raises(TypeError, match="`pausing` pauses in a loop, so it cannot pause anywhere else"):
            step_region(make_step(pauses))


def test_a_statement_has_no_loop_in_a_loop() -> None:
    """Both would keep their progress in the hidden slot."""

    def rounds(lower: Lower, body: Callable[[], None]) -> None:
        lower.loop(body, going=None, most=Constant(INTEGER, 4), within=None)

    with pytest.raises(TypeError, match="`pausing` has a loop in a loop"):
        step_region(make_step(lambda lower: rounds(lower, lambda: rounds(lower, lambda: None))))
    assert len(step_region(make_step(lambda lower: [rounds(lower, lambda: None) for _ in range(2)]))) == 2


def test_a_statement_lowers_all_of_its_blocks() -> None:
    """Without the check, the block would run in the interpreter alone."""
    block = Block((make_step(roll, 3),))
    step = make_step(lambda lower: lower.block(block))
    step.blocks = (block,)
    step_region(step)
    step = make_step(roll)
    step.blocks = (Block(()),)
    step_region(step)
    step.blocks = (block,)
    with pytest.raises(TypeError, match="`pausing` does not lower a block"):
        step_region(step)


def test_a_statement_lowers_each_block_once() -> None:
    """A state at a pause in the block could not tell at which of the two places the game goes on."""
    block = Block((make_step(roll, 3),))
    condition = Constant(BOOLEAN, True)
    with pytest.raises(TypeError, match="`pausing` lowers the same block twice"):
        step_region(make_step(lambda lower: lower.branch(condition, *[lambda: lower.block(block)] * 2)))
    other = Block((make_step(roll, 4),))
    step_region(
        make_step(lambda lower: lower.branch(condition, lambda: lower.block(block), lambda: lower.block(other)))
    )


@pytest.mark.parametrize("repeat", [roll_in_loop, roll_for_each])
def test_a_loop_counts_only_its_own_pauses(repeat: Callable[..., None]) -> None:
    """A step in a loop has a slot of its own, and pauses as often as it likes."""
    inner = make_step(lambda lower: roll(lower, 2), 3)

    def nest(lower: Lower) -> None:
        lower.emit_each(Constant(ListOf(INTEGER), ()), 2, lambda: lower.block(Block((inner,))), entities=False)

    outer = make_step(nest)
    assert [each.step for each in step_region(outer)[0].walk()] == [outer, inner, inner, inner]
    assert [each.suspends for each in step_region(make_step(repeat))[0].walk()] == [False, True]


def test_temporaries_are_read_by_what_follows_them() -> None:
    """Lowering keeps what a later change would spoil: both sides of an exchange are read first."""
    ruleset = load_ruleset("pig/classic")
    step = next(step for step in ruleset.steps.values() if step.id == "passed")
    kinds = [type(each).__name__ for each in list_operations(step)]
    assert kinds == ["Keep", "Write", "Write"]
    region = lower_block(ruleset.procedures["game"].body)
    assert any(isinstance(each, op.Loop) for each in region)
    assert not any(isinstance(value, Local) and value.slot == 0 for each in region for value in each.values)


def test_a_program_is_made_once() -> None:
    ruleset = load_ruleset("pig/classic")
    assert build_program(ruleset) is build_program(ruleset)
    assert PythonMachine(ruleset).source == PythonMachine(ruleset).source
