"""`interpreter`: walks the checked steps one by one."""

from __future__ import annotations

from rulewright.engine.state.machine import Machine
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.ruleset import Ruleset

HELP = "the reference interpreter: walks the checked steps one by one, slow and simple"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return Interpreter(ruleset)
