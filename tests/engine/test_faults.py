"""Where the rules lead to something impossible, every machine says so, and names the same rule."""

from __future__ import annotations

import pytest

from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.declarations import FIRST_PLAYER
from tests.engine.scripts import carry_out, garden_state
from tests.language.garden import GARDEN, procedure
from tests.language.inline import sound

GONE = "this uses an object that has left the game"
NOTHING = "there is nothing to choose from"

FELL = "- {id: fell, remove: t}\n"

FAULTS: list[tuple[str, str, str]] = [
    ("- {id: x, choose: {who: p, one_of: 'list(x for x in trees if storm)'}}", "main.x", NOTHING),
    ("- {id: x, choose: {who: p, from: {a: storm, b: storm}}}", "main.x", NOTHING),
    ("- {id: x, choose: {who: p, some_of: trees, at_least: 3}}", "main.x", NOTHING),
    ("- {id: x, choose: {who: p, number: {from: p.score + 3, to: 2}}}", "main.x", NOTHING),
    (
        "- {id: x, choose: {who: p, number: {from: 1, to: 1000000}}}",
        "main.x",
        "a choice may offer at most 100,000 numbers",
    ),
    ("- {id: x, draw: {one_of: 'list(x for x in trees if storm)'}}", "main.x", "there is nothing to draw from"),
    ("- {id: x, pay: {who: p, score: 4}}", "main.x", "`score` would be -1"),
    ("- {id: x, gain: {who: p, score: -4}}", "main.x", "`score` would be -1"),
    ("- {id: x, set: {p.score: turn - 1}}", "main.x", "`score` would be -1"),
    (FELL + "- {id: x, set: {t.height: 1}}", "main.x", GONE),
    (FELL + "- {id: x, set: {turn: t.height}}", "main.x", GONE),
    (FELL + "- {id: x, set: {turn: t.worth}}", "main.x", GONE),
    (FELL + "- {id: x, gain: {who: t, height: 1}}", "main.x", GONE),
    (FELL + "- {id: x, remove: t}", "main.x", GONE),
    (FELL + "- {id: x, set: {turn: 1}, when: t.height > 2}", "main.x", GONE),
    (FELL + "- {id: x, if: t.height > 2, then: [{id: y, set: {turn: 1}}]}", "main.x", GONE),
    (FELL + "- {id: x, for_each: n, in: '[1, t.height]', steps: [{id: y, set: {turn: n}}]}", "main.x", GONE),
    (FELL + "- {id: x, repeat: {while: t.height > 2, at_most: 3, steps: [{id: y, set: {turn: 1}}]}}", "main.x", GONE),
    (
        "- {id: x, repeat: {while: t.height > 2, at_most: 3, steps: [{id: y, remove: t}, {id: z, set: {turn: 1}}]}}",
        "main.x",
        GONE,
    ),
    (FELL + "- {id: x, choose: {who: p, number: {from: 0, to: t.height}}}", "main.x", GONE),
    (FELL + "- {id: x, roll: t.size.roll}", "main.x", GONE),
    (FELL + "- {id: x, finish: {winners: 'list(q for q in players if t.height > 1)'}}", "main.x", GONE),
    (FELL + "- {id: x, do: measure, with: {n: t.height}}", "main.x", GONE),
    (FELL + "- {id: x, do: grow, with: {t: t}}", "grow.up", GONE),
    (FELL + "- {id: x, do: look, with: {t: t, p: p}}", "look", GONE),
    (FELL + "- {id: x, do: weigh, with: {t: t}}", "weigh", GONE),
    ("- {id: x, remove: '[t, t]'}", "main.x", GONE),
    (
        "- {id: x, set: {turn: goal}}\n- {id: l, repeat: {at_most: 60, steps: [{id: y, set: {turn: turn * turn}}]}}",
        "main.y",
        "a number has more than 18 digits",
    ),
    (
        "- {id: x, repeat: {ends_within: 3, until: storm, steps: [{id: y, set: {turn: turn + 1}}]}}",
        "main.x",
        "this loop should have ended before its limit, but did not",
    ),
    (
        "- {id: dice, let: 1d6, type: dice}\n"
        "- {id: l, repeat: {at_most: 60, steps: [{id: x, set: {dice: dice + dice}}]}}",
        "main.x",
        "16384 dice are more than the 10000 allowed",
    ),
    ("- {id: x, roll: 'each(goal * goal * goal, 2d6)'}", "main.x", "2000000 dice are more than the 10000 allowed"),
]

PARTS = """\
  grow: {given: {t: tree}, steps: [{id: up, set: {t.height: t.height + 1}}]}
  measure: {given: {n: int}, steps: [{id: seen, set: {turn: n}}]}
  weigh: {given: {t: tree}, gives: {h: t.height}, steps: [{id: seen, set: {turn: 1}}]}
  look: {given: {t: tree, p: player}, gives: {h: t.height}, steps: [{id: c, choose: {who: p, from: [a, b]}}]}
"""


@pytest.mark.parametrize("stops", [False, True], ids=["at_once", "after_a_stop"])
@pytest.mark.parametrize(("steps", "rule", "message"), FAULTS)
def test_a_fault_names_its_rule_on_every_machine(steps: str, rule: str, message: str, stops: bool) -> None:
    answers = ["a"] if rule == "look" else []
    if stops:
        steps, answers = "- {id: first, choose: {who: p, from: [go, stay]}}\n" + steps, ["go", *answers]
    with pytest.raises(RulesFault) as caught:
        carry_out(steps, answers, before=PARTS)
    assert (caught.value.rule, caught.value.message) == (rule, message)
    assert caught.value.diagnostic is not None
    assert f"`{rule}`: {message}" in str(caught.value)


@pytest.mark.parametrize("count", ["-1", "turn - 2"])
def test_a_count_is_not_below_zero_when_an_object_is_made_either(count: str) -> None:
    kinds = "kinds: {tree: {fields: {apples: count}}}\n"
    source = procedure(f"- {{id: x, create: tree, with: {{apples: {count}}}}}")
    ruleset = sound(source, kinds)
    for machine in (Interpreter(ruleset), PythonMachine(ruleset)):
        state = garden_state(machine)
        with pytest.raises(RulesFault, match="`apples` would be -"):
            machine.begin(state, "main", (FIRST_PLAYER, 3, None))


def test_a_fault_of_the_program_is_no_fault_of_the_rules() -> None:
    ruleset = sound(procedure("- {id: x, set: {turn: t.height}}"))
    for machine in (Interpreter(ruleset), PythonMachine(ruleset)):
        state = garden_state(machine)
        with pytest.raises((TypeError, IndexError)):
            machine.begin(state, "main", (FIRST_PLAYER, "no tree", None))


def test_a_value_of_none_is_a_fault_that_names_the_step() -> None:
    main = "{given: {size: sizes}, steps: [{id: x, set: {turn: size.price}}]}"
    ruleset = sound(f"{GARDEN}procedures: {{main: {main}}}\n")
    for machine in (Interpreter(ruleset), PythonMachine(ruleset)):
        state = garden_state(machine)
        with pytest.raises(RulesFault, match=r"`main\.x`: this reads a value of none"):
            machine.begin(state, "main", (None,))


def test_a_state_before_its_first_stop_says_that_nothing_is_asked() -> None:
    ruleset = sound(procedure("- {id: x, set: {turn: 1}}"))
    for machine in (Interpreter(ruleset), PythonMachine(ruleset)):
        state = garden_state(machine).clone()
        with pytest.raises(RulesFault, match="no decision or chance event is pending"):
            state.apply_outcome(3)
