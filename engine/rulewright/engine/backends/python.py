"""`python`: Python, generated from the program of the rules."""

from __future__ import annotations

from rulewright.engine.python_backend.compiler import compiled
from rulewright.engine.state.machine import Machine
from rulewright.ruleset.ruleset import Ruleset

HELP = "runs Python that is generated from the rules, several times as fast"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return compiled(ruleset, recording=True, undoable=True)
