"""`wasm`: WebAssembly, compiled from the program of the rules."""

from __future__ import annotations

from rulewright.engine.state.machine import Machine
from rulewright.engine.wasm_backend.wasm_machine import compiled
from rulewright.ruleset.ruleset import Ruleset

HELP = "WebAssembly compiled from the rules; the fastest"


def make(ruleset: Ruleset) -> Machine:
    """Return the machine."""
    return compiled(ruleset)
