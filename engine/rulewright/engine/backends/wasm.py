"""`wasm`: WebAssembly, printed from the program of the rules."""

from __future__ import annotations

from rulewright.engine.state.machine import Machine
from rulewright.engine.wasm_backend.wasm_machine import compiled
from rulewright.ruleset.ruleset import Ruleset

HELP = "runs WebAssembly that is printed from the rules, as fast as the computer can"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return compiled(ruleset)
