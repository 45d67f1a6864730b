"""Expressions of the rules: diagnostics, or a value on which both machines agree."""

from __future__ import annotations

from random import Random

from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.source.diagnostics.formats import text
from tests.engine.scripts import FIRST, SMALL_TREE, garden_state
from tests.fuzz.mutate import harmed, main
from tests.language.garden import procedure
from tests.language.inline import checked

SOUND = (
    "sum(x.height for x in trees if x.owner == p by x.height)",
    "max(t.height, turn) * 2 - goal / 3 % 7",
    "count(list(x for x in trees if x.size == large))",
    "t.height if storm and not maybe else (p.friend or p).score",
    "any(sum(y.height for y in trees if y != x) > 3 for x in trees)",
    "[1, 2, 3] + list(n * n for n in [turn, goal])",
    "sum(sum(a * b for a in [1, 2, 3]) for b in [turn, 4])",
    "sizes[t.size].price + next(t.size).price",
)


def trial(random: Random) -> None:
    """One expression, worked out by a step on both machines."""
    written = harmed(random.choice(SOUND), random).replace("\n", " ").replace("\t", " ").replace("'", "''")
    if not written.isprintable():
        return  # what YAML cannot hold is for the fuzzer of rulesets
    ruleset, diagnostics = checked(procedure(f"- {{id: it, let: '{written}'}}"), shapes=False)
    assert len(text.render(diagnostics)) < 50_000
    if ruleset is None or diagnostics.errors:
        return
    ends = []
    for machine in (Interpreter(ruleset), PythonMachine(ruleset)):
        state = garden_state(machine)
        state.events = None
        try:
            machine.begin(state, "main", (FIRST, SMALL_TREE, None))
            ends.append(repr(state.stack[0] if state.stack else None))
        except RulesFault as fault:
            ends.append(f"{fault.rule}: {fault.message}")
    assert ends[0] == ends[1], (written, ends)


if __name__ == "__main__":
    main("expressions", trial)
