"""A move has an end: whatever the rules say, and on every machine at the same step."""

from __future__ import annotations

import pytest

from rulewright.engine.python_backend import effect_source
from rulewright.engine.python_backend.compiler import FusedMachine
from rulewright.engine.python_backend.runtime_support import Picks
from rulewright.engine.state import game_state, machine
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.wasm_backend import initial_state, module_assembly
from rulewright.engine.wasm_backend.codegen import debug_info
from rulewright.language.expressions.expression_cost import LONGEST_LIST, MOST_IN_A_MOVE, MOST_OBJECTS
from tests.engine.scripts import carry_out
from tests.engine.test_fused import MANIFEST
from tests.language.inline import sound

FEW = 300_000
SPENT = f"this takes more than {MOST_IN_A_MOVE:,} operations, the limit for a move"


@pytest.fixture
def fewer_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a move take less, so that the plain interpreter is soon at its end; what it says is still the real figure."""
    monkeypatch.setattr(effect_source, "NEW_MOVE", f"s.work = {FEW}")
    for module in (machine, game_state, module_assembly, initial_state, debug_info):
        monkeypatch.setattr(module, "MOST_IN_A_MOVE", FEW)


def loops(inner: str, *, rounds: int = 1_000_000) -> str:
    inside = f"{{id: m, repeat: {{at_most: {rounds}, steps: [{inner}]}}}}"
    return f"- {{id: l, repeat: {{at_most: {rounds}, steps: [{inside}]}}}}"


TOO_FAR: dict[str, tuple[str, str, str]] = {
    "loops in loops": (loops("{id: y, set: {turn: 1}}"), "main.m", SPENT),
    "loops that do nothing": (loops("{id: y, set: {turn: 1}, when: storm}"), "main.m", SPENT),
    "a loop of elements in a loop": (
        "- {id: l, repeat: {at_most: 1000000, steps: [{id: m, for_each: x, in: trees, steps: "
        "[{id: y, set: {turn: x.height}}]}]}}",
        "main.l",
        SPENT,
    ),
    "a question with one answer": (
        "- {id: l, repeat: {at_most: 1000000, steps: [{id: y, choose: {who: p, one_of: '[t]'}}]}}",
        "main.l",
        SPENT,
    ),
}
TOO_MANY: dict[str, tuple[str, str, str]] = {
    "objects without end": (
        "- {id: l, repeat: {at_most: 1000000, steps: [{id: y, create: tree}]}}",
        "main.y",
        f"a game may have at most {LONGEST_LIST:,} objects of one kind",
    ),
    "objects that come and go": (
        "- {id: l, repeat: {at_most: 1000000, steps: [{id: y, create: tree}, {id: z, remove: y}]}}",
        "main.y",
        f"a game may create at most {MOST_OBJECTS:,} objects",
    ),
}
TOO_LARGE: dict[str, tuple[str, str, str]] = {
    "a list that doubles": (
        "- {id: it, let: trees}\n- {id: l, repeat: {at_most: 40, steps: [{id: y, set: {it: it + it}}]}}",
        "main.y",
        f"a list may have at most {LONGEST_LIST:,} elements",
    ),
    "a number that doubles": (
        "- {id: it, let: 1}\n- {id: l, repeat: {at_most: 999, steps: [{id: y, set: {it: it + it}}]}}",
        "main.y",
        "a number has more than 18 digits",
    ),
    "a field that doubles": (
        "- {id: a, set: {turn: 1}}\n- {id: l, repeat: {at_most: 999, steps: [{id: y, set: {turn: turn + turn}}]}}",
        "main.y",
        "a number has more than 18 digits",
    ),
    "objects that double": (
        "- {id: x, create: tree, with: {height: 1}}\n- {id: it, let: x}\n- {id: l, repeat: {at_most: 999, steps: "
        "[{id: y, create: tree, with: {height: it.height + it.height}}, {id: z, set: {it: y}}]}}",
        "main.y",
        "a number has more than 18 digits",
    ),
    "a sum that would wrap around in 64 bits": (
        f"- {{id: it, let: '[{', '.join(['999999999999999999'] * 9)}]'}}\n"
        "- {id: y, set: {turn: 'sum(n for n in it)'}}",
        "main.y",
        "a number has more than 18 digits",
    ),
    "numbers that double in a list": (
        "- {id: it, let: '[1]'}\n"
        "- {id: l, repeat: {at_most: 999, steps: [{id: y, set: {it: 'list(n + n for n in it)'}}]}}",
        "main.y",
        "a number has more than 18 digits",
    ),
}
TOO_FAR |= {
    "elements of elements": (
        "- {id: it, let: trees}\n- {id: l, repeat: {at_most: 11, steps: [{id: y, set: {it: it + it}}]}}\n"
        "- {id: z, set: {turn: 'sum(sum(sum(a.height for a in it if b.height > c.height) for b in it) for c in it)'}}",
        "main.z",
        SPENT,
    ),
    "a formula of elements": (
        "- {id: it, let: trees}\n- {id: l, repeat: {at_most: 11, steps: [{id: y, set: {it: it + it}}]}}\n"
        "- {id: z, for_each: x, in: it, steps: [{id: w, set: {turn: 'sum(crowded(it) for a in it)'}}]}",
        "main.z",
        SPENT,
    ),
}
CROWDED = """\
formulas:
  crowded: {given: {all: list of tree}, is: 'sum(1 for a in all if any(b.height > a.height for b in all))'}
"""


@pytest.mark.parametrize(
    ("steps", "rule", "message"), (TOO_MANY | TOO_LARGE).values(), ids=(TOO_MANY | TOO_LARGE).keys()
)
def test_what_a_game_holds_is_bounded(steps: str, rule: str, message: str) -> None:
    with pytest.raises(RulesFault) as caught:
        carry_out(steps)
    assert (caught.value.rule, caught.value.message) == (rule, message)


@pytest.mark.usefixtures("fewer_operations")
@pytest.mark.parametrize(("steps", "rule", "message"), TOO_FAR.values(), ids=TOO_FAR.keys())
def test_a_move_that_goes_too_far_is_a_fault(steps: str, rule: str, message: str) -> None:
    with pytest.raises(RulesFault) as caught:
        carry_out(steps, more=CROWDED)
    assert (caught.value.rule, caught.value.message) == (rule, message)


@pytest.mark.usefixtures("fewer_operations")
def test_a_question_begins_to_count_anew() -> None:
    many = "{id: x, repeat: {at_most: 10000, steps: [{id: y, set: {turn: turn + 1}}]}}"
    ask = "{id: a, choose: {who: p, from: [go, on]}}"
    assert carry_out(f"- {{id: l, repeat: {{at_most: 9, steps: [{ask}, {many}]}}}}", ["go"] * 9)["turn"] == 90_000
    with pytest.raises(RulesFault, match="operations, the limit for a move"):
        carry_out(f"- {{id: l, repeat: {{at_most: 9, steps: [{many}]}}}}")


DEAR = """\
formulas:
  dear: {given: {tree: tree, all: list of tree}, is: 'sum(b.height * tree.height for b in all)'}
"""
NUMBERS = f"[{', '.join(map(str, range(33)))}]"
FILTERED = {
    "a sum": "sum(dear(a, it) for a in it if {})",
    "a count": "count(dear(a, it) > 0 for a in it if {})",
    "whether there are any": "count(any(dear(a, it) > 9999 for a in it if {}) for n in [1])",
    "an order": "sum(h for h in list(a.height for a in it if {} by dear(a, it)))",
    "a condition that is dear itself": "sum(dear(a, it) for a in it if dear(a, it) > 9 and {})",
    "a long list of the rules": f"sum(dear(t, it) for n in {NUMBERS} if {{}})",
}


def count_operations(value: str) -> int:
    """Return the operations of `main` if it evaluates `value` with 32 trees in the list `it`, on every machine."""
    double = "{id: l, repeat: {at_most: 4, steps: [{id: y, set: {it: it + it}}]}}"
    once = f"{{id: once, repeat: {{at_most: 1, steps: [{{id: z, set: {{turn: '{value}'}}}}]}}}}"
    steps = f"- {{id: it, let: trees}}\n- {double}\n- {once}"
    return MOST_IN_A_MOVE - carry_out(steps, more=DEAR).state.work


@pytest.mark.parametrize("value", FILTERED.values(), ids=FILTERED.keys())
def test_elements_that_a_condition_leaves_out_cost_only_the_condition(value: str) -> None:
    one = count_operations("dear(t, it)") - count_operations("1")
    all_of_them, none_of_them = (
        count_operations(value.format("t.height < 99")),
        count_operations(value.format("t.height > 99")),
    )
    assert all_of_them - none_of_them >= 32 * one


def test_the_first_elements_of_a_list_cost_no_more_than_so_many() -> None:
    value = "sum(dear(a, it) for a in first({}, it))"
    one = count_operations("dear(t, it)") - count_operations("1")
    assert 2 * one <= count_operations(value.format("2")) < 3 * one
    assert 2 * one <= count_operations(value.format("2").replace("first", "last")) < 3 * one


ENDLESS = """\
state: {turn: int, whose: player}
procedures:
  game:
    steps:
      - {id: begin, for_each: p, in: players, steps: [{id: its, set: {whose: p}}]}
      - id: rounds
        repeat:
          steps:
            - {id: a, choose: {who: whose, from: [go, on]}}
            - {id: l, repeat: {at_most: 1000000, steps: [{id: m, repeat: {at_most: 1000000, steps: [
                {id: y, set: {turn: 1}}]}}]}, when: turn > 2}
            - {id: z, set: {turn: turn + 1}}
            - {id: over, finish: {winners: players}, when: turn > 6}
"""


@pytest.mark.usefixtures("fewer_operations")
def test_a_game_in_one_go_comes_to_the_same_end() -> None:
    machine = FusedMachine(sound(ENDLESS, manifest=MANIFEST))
    begun = machine.empty(2)
    begun.bots = Picks("x", 2, 99).draws
    with pytest.raises(RulesFault) as caught:
        machine.begin(begun, "game", ())
    assert (caught.value.rule, caught.value.message) == ("game.m", SPENT)
