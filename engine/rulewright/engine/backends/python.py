"""`python`: Python, generated from the program of the rules."""

from __future__ import annotations

from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.machine import Machine
from rulewright.ruleset.ruleset import Ruleset

HELP = "Python generated from the rules; several times as fast as the interpreter"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return compile_ruleset(ruleset, recording=True, undoable=True)
