"""Which numbers of a game may become too large: by hand, and beside games that try to make them so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.analysis.simulation.shard import Shard, play_games
from rulewright.cli.main import main
from rulewright.ir.analyses.value_range import GrowingNumber, check_numbers, find_growing_numbers
from rulewright.ir.program import build_program
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats import text
from tests.breadth import times
from tests.engine.random_rules import MANIFEST, a_game_of, rulesets
from tests.language.inline import checked, sound
from tests.source.goldens import assert_golden

RULES = """
kinds:
  player: {{fields: {{score: int, pot: int, luck: {{type: dice, default: 1d6}}}}}}
  pile: {{fields: {{size: int}}}}
state: {{a: {{type: int, default: 1}}, b: {{type: int, default: 2}}, c: {{type: int, default: 3}}, many: count}}
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
    "{id: x, set: {many: 'min(many + many, 1000)', a: 'max(-50, min(a + a, 50))', b: 'min(9, max(-9, a * b))'}}",
    "{id: x, set: {c: 'min(many + many + count(players), 1000) * 2'}}",
)
FAST = (
    "{id: x, set: {a: a + a}}",
    "{id: x, set: {a: a + b, b: a}}",
    "{id: x, set: {a: twice(a)}}",
    "{id: x, set: {a: a * a}}",
    "{id: x, set: {a: b * 3, b: a}}",
    "{id: x, set: {a: 'min(a + a, 1000)'}}",
    "{id: x, set: {a: 'max(a + a, -1000)'}}",
    "{id: x, set: {many: 'max(many + many, 5)'}}",
    "{id: x, set: {a: 'min(a + a, b)'}}",
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
    growing = check_numbers(sound(rules(step)))
    assert [each.message.partition("`")[2].partition("`")[0] for each in growing] == ["main.x"]
    assert all(each.code.id == "number-may-grow-too-large" for each in growing)


def test_it_reads_well() -> None:
    for name, step in (("growing.txt", "{id: x, set: {a: a + b, b: a}}"), ("growing-long.txt", LONG)):
        growing = check_numbers(sound(rules(step)))
        assert_golden(name, text.render(growing), folder=Path(__file__).parent / "goldens")


def test_a_product_of_what_only_grows_slowly_may_be_too_large() -> None:
    ruleset = sound(rules(LONG))
    assert [(each.rule, each.unbounded) for each in find_growing_numbers(build_program(ruleset), ruleset)] == [
        ("main.x", False)
    ]


GROWN = "{id: g, set: {a: a + 9000, b: b + 9000}}\n            - "
PASSING = (
    "{id: x, set: {c: (a * b) % 10}}",
    "{id: x, set: {c: 1}, when: 'a * b > 3'}",
    "{id: x, set: {c: 'count(q for q in players if a * b > 3)'}}",
    "{id: x, set: {c: 'next(a * b, [1, 2])'}}",
    "{id: x, set: {c: '3 if a * b == 4 else 2'}}",
    "{id: x, let: 'first(q for q in players by a * b)'}",
    "{id: x, set: {c: 'distance(q for q in players if a * b > 7 to p) or 0'}}",
    "{id: x, set: {c: 'count(reach(q for q in players by a * b))'}}",
    "{id: x, set: {c: 'min(a * b, 3)'}}",
)


@pytest.mark.parametrize("step", PASSING)
def test_what_is_only_worked_out_on_the_way_counts(step: str) -> None:
    assert [(each.rule, each.unbounded) for each in _of(GROWN + step)] == [("main.x", False)]


def test_what_only_reads_a_number_is_not_told_of() -> None:
    step = GROWN + "{id: x, set: {c: a * b}}\n            - {id: y, set: {many: 1}, when: 'c > 3 and max(c, a) > 3'}"
    assert [each.rule for each in _of(step)] == ["main.x"]
    fast = "{id: x, set: {a: a + 10000000000000}}\n            - {id: y, set: {b: a, many: 1}, when: a > b}"
    assert [(each.rule, each.unbounded) for each in _of(fast)] == [("main.x", False)]


def test_what_a_procedure_gives_counts_where_it_is_worked_out() -> None:
    step = GROWN + "{id: x, do: grow, with: {n: a}}\n            - {id: y, set: {c: x.more}}"
    for gives, unbounded in (("n + n", True), ("n * n % 7", False)):
        back = "a: x.more" if unbounded else "c: x.more"
        ruleset = sound(rules(step).replace("n + 5", gives).replace("c: x.more", back))
        assert [(e.rule, e.unbounded) for e in find_growing_numbers(build_program(ruleset), ruleset)] == [
            ("grow", unbounded)
        ]


def test_what_is_asked_of_a_game_besides_counts() -> None:
    measure = "measures: {big: {is: a * b, per: c}, late: {is: c, per: a * b}, small: a + b}\n"
    text = "evaluate: {given: {who: player}, is: a * b + who.score}\n"
    source = rules(GROWN + "{id: y, set: {c: 1}}") + measure
    source = source.replace("formulas:\n", f"formulas:\n  {text}")
    ruleset = sound(source, manifest=MANIFEST.replace("start: game", "evaluate: evaluate"))
    program = [each.rule for each in find_growing_numbers(build_program(ruleset), ruleset)]
    assert program == ["evaluate", "measures.big", "measures.late"]


def test_what_a_procedure_gives_counts() -> None:
    step = "{id: x, do: grow, with: {n: a}}\n            - {id: y, set: {a: x.more + x.more}}"
    assert [each.rule for each in _of(step)] == ["main.y"]
    assert not _of("{id: x, do: grow, with: {n: a}}\n            - {id: y, set: {a: x.more}}")


def _of(step: str) -> list[GrowingNumber]:
    ruleset = sound(rules(step))
    return find_growing_numbers(build_program(ruleset), ruleset)


NUMBERS = st.recursive(
    st.sampled_from(["a", "b", "c", "many", "1", "7", "1000000000", "p.score", "sizes.l.price", "count(piles)"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*%"), inner, inner).map(lambda t: f"({t[1]} {t[0]} {t[2]})"),
        st.tuples(st.sampled_from("ab"), st.sampled_from("*+"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        inner.map(lambda each: f"twice({each})"),
        inner.map(lambda each: f"({each} / 2)"),
        inner.map(lambda each: f"max(-1000, min({each}, 1000000))"),
        inner.map(lambda each: f"next({each}, [1, 7, 2])"),
        inner.map(lambda each: f"sum({each} for q in players)"),
        st.tuples(inner, inner).map(lambda t: f"count(q for q in players if {t[0]} > {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} if {t[1]} > b else a)"),
    ),
    max_leaves=5,
)
PLACES = ("a", "b", "c", "many", "p.score")
STEPS = st.one_of(
    st.tuples(st.sampled_from(PLACES), NUMBERS).map(lambda t: f"set: {{{t[0]}: '{t[1]}'}}"),
    st.tuples(NUMBERS, NUMBERS).map(lambda t: f"set: {{c: 1}}, when: '{t[0]} > {t[1]}'"),
    NUMBERS.map(lambda each: f"do: grow, with: {{n: '{each}'}}"),
    NUMBERS.map(lambda each: f"create: pile, with: {{size: '{each}'}}, when: 'count(piles) < 3'"),
    st.sampled_from(PLACES).map(lambda each: f"set: {{{each}: 'sum(q.size for q in piles)'}}"),
)
GIVES = st.sampled_from(["n", "n + 5", "n + n", "n * n % 9", "n * a", "b"])
CHANGES = st.tuples(st.lists(STEPS, min_size=1, max_size=4), GIVES, NUMBERS.filter(lambda each: "p." not in each))
ROUNDS = 3_000


def changing(steps: list[str], gives: str, measure: str) -> Ruleset | None:
    """Return a game of many rounds, in each of which numbers change, where these are sound rules."""
    growing = "set: {a: a + 1000000000, b: b - 1000000000}"
    within = "\n            - ".join(f"{{id: s{place}, {step}}}" for place, step in enumerate([growing, *steps]))
    source = rules(within).replace("at_most: 100", f"at_most: {ROUNDS}").replace("n + 5", gives)
    source += f"""  game:
    steps:
      - {{id: all, for_each: one, in: players, steps: [{{id: theirs, do: main, with: {{p: one}}}}]}}
      - {{id: end, finish: {{winners: players}}}}
measures: {{figure: '{measure}'}}
"""
    ruleset, diagnostics = checked(source, manifest=MANIFEST, shapes=False)
    return None if diagnostics.errors else ruleset


def too_large(ruleset: Ruleset, games: int) -> bool:
    """Return whether a game ends for a number that is; it may end for another fault of the rules."""
    shard = Shard("test/inline", ruleset.digest, (), ("random", "random"), (), "any seed", 0, games)
    try:
        play_games(ruleset, shard)
    except DiagnosticError as fault:
        return "digits" in str(fault)
    return False


@settings(max_examples=times(40, 3_000))
@given(CHANGES)
def test_what_is_never_too_large_never_is(changes: tuple[list[str], str, str]) -> None:
    """Where it says that no number can, a long game as WebAssembly never ends for one that is."""
    ruleset = changing(*changes)
    assume(ruleset is not None)
    assert ruleset is not None
    if not check_numbers(ruleset):
        assert not too_large(ruleset, 1)


def test_games_do_come_to_numbers_that_are_too_large() -> None:
    """What the last test looks for is there to be found, in games of that length."""
    for steps, gives, measure in (
        (["set: {c: a * a}"], "n", "1"),
        (["set: {c: 1}, when: a * a > 3"], "n", "1"),
        (["set: {c: 'next(a * b, [1])'}"], "n", "1"),
        (["do: grow, with: {n: a}"], "n * n % 9", "1"),
        (["set: {c: 1}"], "n", "a * a"),
    ):
        ruleset = changing(steps, gives, measure)
        assert ruleset is not None
        assert check_numbers(ruleset)
        assert too_large(ruleset, 1)


@settings(max_examples=times(15, 400))
@given(rulesets(depth=3, most=6))
def test_nothing_is_too_large_in_random_rules_where_nothing_may_be(source: str) -> None:
    ruleset, diagnostics = checked(a_game_of(source, rounds=300), manifest=MANIFEST, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    if not check_numbers(ruleset):
        assert not too_large(ruleset, 3)


def test_shipped_games_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "pig/classic", "--numbers"]) == 0
    assert "no number can become too large" in capsys.readouterr().out
    assert main(["check", "classics/leduc-poker", "--numbers"]) == 0
    streams = capsys.readouterr()
    assert "numbers may become too large in 1 place" in streams.out
    assert "warning[number-may-grow-too-large]" in streams.err


LISTS = """
kinds: {{player: {{fields: {{score: int, got: list of int}}}}}}
state: {{log: list of int}}
procedures:
  main:
    given: {{p: player}}
    steps:
      - {{id: more, gain: {{who: p, score: 1}}}}
      - {{id: x, set: {{log: "{log}"}}}}
      - {{id: y, set: {{p.got: "{got}"}}}}
"""


@pytest.mark.parametrize(
    ("log", "got", "grows"),
    [
        ("log + [p.score]", "p.got + log", []),
        ("[p.score] + log if p.score > 3 else log", "log + p.got + log", []),
        ("list(each * 2 for each in log) + [1]", "[]", ["main.x"]),
        ("log + p.got", "list(each + 7 for each in log)", []),
        ("log + p.got", "list(each + each for each in log)", ["main.y"]),
    ],
)
def test_what_is_joined_to_a_list_makes_no_number_of_it_larger(log: str, got: str, grows: list[str]) -> None:
    ruleset = sound(LISTS.format(log=log, got=got))
    assert [each.rule for each in find_growing_numbers(build_program(ruleset), ruleset)] == grows
