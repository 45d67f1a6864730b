"""Which numbers of a game may become too large: by hand, and beside games that try to make them so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.cli.main import main
from rulewright.language.expression.evaluate import LARGEST
from rulewright.play.machine.interpreter import Interpreter
from rulewright.program.growth import check_numbers, growing
from rulewright.program.program import program_of
from rulewright.source.diagnostics.formats import text
from tests.breadth import times
from tests.language.inline import checked, sound
from tests.source.goldens import assert_golden

RULES = """
kinds:
  player: {{fields: {{score: int, pot: int, luck: {{type: dice, default: 1d6}}}}}}
  pile: {{fields: {{size: int}}}}
state: {{a: int, b: int, c: int}}
tables: {{sizes: {{columns: {{price: int}}, rows: {{s: {{price: 3}}, l: {{price: 900}}}}}}}}
formulas:
  twice: {{given: {{n: int}}, is: n + n}}
  again: {{given: {{n: int}}, is: "max(n, 7)"}}
procedures:
  main:
    given: {{p: player}}
    steps:
      - id: rounds
        repeat:
          at_most: 100
          steps:
            - {step}
  grow:
    given: {{n: int}}
    gives: {{more: n + 5}}
    steps:
      - {{id: nothing, set: {{c: 0}}}}
"""

SLOWLY = (
    "{id: x, set: {a: a + 1000}}",
    "{id: x, set: {a: a - sizes.l.price}}",
    "{id: x, set: {a: again(a) + 1, b: a}}",
    "{id: x, set: {a: 'max(a, b)', b: 'min(a, b) + 3'}}",
    "{id: x, set: {a: a / 2 + 7}}",
    "{id: x, roll: 3d6}",
    "{id: x, set: {a: 'sum(s.price for s in sizes)', b: b + a}}",
    "{id: x, set: {a: (a if a > b else b) + 1, b: count(players)}}",
    "{id: x, choose: {who: p, number: {from: 0, to: 9}}}",
    "{id: x, do: grow, with: {n: a}}",
    "{id: x, set: {a: a % 10 + 1, b: a * 1000}}",
)
FAST = (
    "{id: x, set: {a: a + a}}",
    "{id: x, set: {a: a + b, b: a}}",
    "{id: x, set: {a: twice(a)}}",
    "{id: x, set: {a: a * a}}",
    "{id: x, set: {a: b * 3, b: a}}",
    "{id: x, set: {p.score: 'sum(q.score for q in players)'}}",
    "{id: x, create: pile, with: {size: 'sum(q.size for q in piles)'}}",
)
LONG = "{id: x, set: {a: a + 9000, b: b + 9000, c: a * b}}"


def rules(step: str) -> str:
    return RULES.format(step=step)


@pytest.mark.parametrize("step", SLOWLY)
def test_what_grows_slowly_is_never_too_large(step: str) -> None:
    assert not check_numbers(sound(rules(step)))


@pytest.mark.parametrize("step", FAST)
def test_what_grows_with_itself_is_told_with_its_step(step: str) -> None:
    found = check_numbers(sound(rules(step)))
    assert [each.message.partition("`")[2].partition("`")[0] for each in found] == ["main.x"]
    assert all(each.code.id == "number-may-grow-too-large" for each in found)


def test_it_reads_well() -> None:
    for name, step in (("growing.txt", "{id: x, set: {a: a + b, b: a}}"), ("growing-long.txt", LONG)):
        found = check_numbers(sound(rules(step)))
        assert_golden(name, text.render(found), folder=Path(__file__).parent / "goldens")


def test_a_product_of_what_only_grows_slowly_may_be_too_large() -> None:
    ruleset = sound(rules(LONG))
    assert [(each.step.rule, each.unbounded) for each in growing(program_of(ruleset), ruleset)] == [("main.x", False)]


def test_what_a_procedure_gives_counts() -> None:
    step = "{id: x, do: grow, with: {n: a}}\n            - {id: y, set: {a: x.more + x.more}}"
    assert [each.step.rule for each in _of(step)] == ["main.y"]
    assert not _of("{id: x, do: grow, with: {n: a}}\n            - {id: y, set: {a: x.more}}")


def _of(step: str) -> list[object]:
    ruleset = sound(rules(step))
    return list(growing(program_of(ruleset), ruleset))


NUMBERS = st.recursive(
    st.sampled_from(["a", "b", "c", "1", "7", "p.score", "sizes.l.price"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*"]), inner, inner).map(lambda t: f"({t[1]} {t[0]} {t[2]})"),
        st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        inner.map(lambda each: f"twice({each})"),
        inner.map(lambda each: f"({each} / 2)"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} if a > b else {t[1]})"),
    ),
    max_leaves=5,
)
CHANGES = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "p.score"]), NUMBERS), min_size=1, max_size=4)


@settings(max_examples=times(40, 2_000))
@given(CHANGES)
def test_what_is_never_too_large_never_is(changes: list[tuple[str, str]]) -> None:
    """Where it says that no number can, a long game ends without a fault, and with numbers that are far from it."""
    steps = "\n            - ".join(
        f"{{id: s{place}, set: {{{target}: '{value}'}}}}" for place, (target, value) in enumerate(changes)
    )
    ruleset, found = checked(rules(steps).replace("at_most: 100", "at_most: 3000"), shapes=False)
    assume(ruleset is not None and not found.errors)
    assert ruleset is not None
    if check_numbers(ruleset):
        return
    machine = Interpreter(ruleset)
    state = machine.empty(2)
    state.objects[0][1:4] = [1, 2, 3]
    machine.begin(state, "main", (1,))
    numbers = [value for thing in state.objects if thing for value in thing[1:] if type(value) is int]
    assert max(map(abs, numbers)) < LARGEST // 1000


def test_shipped_games_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "pig/classic", "--numbers"]) == 0
    assert "no number can become too large" in capsys.readouterr().out
    assert main(["check", "classics/leduc-poker", "--numbers"]) == 0
    told = capsys.readouterr()
    assert "numbers may become too large at 1 step" in told.out
    assert "warning[number-may-grow-too-large]" in told.err
