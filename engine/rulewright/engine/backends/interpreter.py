"""`interpreter`: executes the checked steps one by one."""

from __future__ import annotations

from rulewright.engine.state.machine import Machine
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.ruleset import Ruleset

HELP = "the reference interpreter, which executes the checked steps one by one; simple but slow"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return Interpreter(ruleset)
