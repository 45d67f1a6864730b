"""A loop that promises to end `within` so many rounds, and one that is over after `at_most` so many."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.engine import backends
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE
from rulewright.engine.state.tree_interpreter import Interpreter
from tests.language.inline import checked, sound

RULES = """\
procedures:
  count:
    given: {from: int}
    gives: {left: left}
    steps:
      - {id: left, let: from}
      - id: rounds
        repeat:
          until: left == 0
          BOUND: 5
          steps:
            - {id: luck, roll: 1d6, when: STOPS}
            - {id: fewer, set: {left: left - 1}}
"""


def rules(folder: Path, bound: str, *, stops: bool):  # type: ignore[no-untyped-def]
    (folder / "ruleset.yaml").write_text("ruleset: loop/one\nversion: 1.0.0\ntitle: Loop\nstatus: draft\nplayers: 1\n")
    text = RULES.replace("BOUND", bound).replace("STOPS", "from > 0" if stops else "from < 0")
    (folder / "rules.yaml").write_text(text)
    return load_ruleset("loop/one", rules=[folder])


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("back_end", [Interpreter, compile_ruleset])
def test_a_promise_kept_a_promise_broken_and_a_rule(tmp_path: Path, back_end, stops: bool) -> None:  # type: ignore[no-untyped-def]
    def left(bound: str, start: int) -> int:
        machine = back_end(rules(tmp_path, bound, stops=stops))
        state = machine.empty(1)
        machine.begin(state, "count", (start,))
        while state.mode == CHANCE:
            state.apply_outcome(1)
        given: int = state.given[0]
        return given

    assert left("within", 5) == 0
    assert left("at_most", 5) == 0
    assert left("at_most", 9) == 4
    with pytest.raises(RulesFault, match=r"(?s)`count.rounds`: this loop should have ended before"):
        left("within", 6)


@pytest.mark.parametrize(("bound", "ends"), [(5, True), (2, False)])
@pytest.mark.parametrize("back_end", [Interpreter, compile_ruleset])
def test_a_promise_may_be_kept_by_a_step_that_ends_the_game(  # type: ignore[no-untyped-def]
    tmp_path: Path, back_end, bound: int, ends: bool
) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: loop/one\nversion: 1.0.0\ntitle: Loop\nplayers: 1\n")
    steps = "[{id: more, set: {turn: turn + 1}}, {id: over, finish: players, when: turn > 3}]"
    (tmp_path / "rules.yaml").write_text(
        "state: {turn: int}\nprocedures:\n  main:\n    steps:\n"
        f"      - {{id: rounds, repeat: {{ends_within: {bound}, steps: {steps}}}}}\n"
    )
    machine = back_end(load_ruleset("loop/one", rules=[tmp_path]))
    state = machine.empty(1)
    if ends:
        machine.begin(state, "main", ())
        assert state.winners == (1,)
    else:
        with pytest.raises(RulesFault, match=r"(?s)`main.rounds`: this loop should have ended before"):
            machine.begin(state, "main", ())


ENDS = {
    "do": "{id: over, do: end}",
    "deeper": "{id: over, do: deeper}",
    "row": "{id: over, for_each: card, in: cards, steps: [{id: played, do: card.effect}]}",
}


@pytest.mark.parametrize("bound", [5, 2])
@pytest.mark.parametrize("how", ENDS)
def test_a_promise_may_be_kept_by_a_procedure_that_ends_the_game(how: str, bound: int) -> None:
    cards = "tables: {cards: {columns: {effect: {steps: {}}}, rows: {ace: {effect: [{id: now, do: end}]}}}}\n"
    end = "  end: {steps: [{id: over, finish: players, when: turn > 3}]}\n"
    end += "  deeper: {steps: [{id: on, do: end}]}\n"
    ruleset = sound(
        f"state: {{turn: int}}\n{cards}procedures:\n{end}  main:\n    steps:\n      - id: rounds\n"
        f"        repeat: {{ends_within: {bound}, steps: [{{id: more, set: {{turn: turn + 1}}}}, {ENDS[how]}]}}\n"
    )
    for name in backends.list_names():
        machine = backends.make(name, ruleset)
        state = machine.empty(1)
        state.events = []
        if bound == 5:
            machine.begin(state, "main", ())
            assert state.winners == (1,)
        else:
            with pytest.raises(RulesFault, match="this loop should have ended before"):
                machine.begin(state, "main", ())


def test_a_loop_whose_procedures_never_end_the_game_keeps_no_promise() -> None:
    (fault,) = checked(
        "state: {turn: int}\nprocedures:\n  more: {steps: [{id: more, set: {turn: turn + 1}}]}\n"
        "  main: {steps: [{id: rounds, repeat: {ends_within: 3, steps: [{id: on, do: more}]}}]}\n"
    )[1]
    assert fault.code.id == "step-shape"
