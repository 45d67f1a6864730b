"""The engine's back ends, one module each.

A back end is a module with `HELP`, a sentence, and `make(ruleset) -> Machine`. It pauses at every decision and every
chance event, and appends events to `events` of the state. Tests compare every back end with the reference
interpreter.
"""

from __future__ import annotations

from types import FunctionType
from typing import cast

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import BROKEN_HELP, Broken, PluginFolder
from rulewright.engine.state.machine import Machine
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.suggestions import suggest_name

FOLDER = PluginFolder(__name__, "the back end", HELP=str, make=FunctionType)

STANDARD = "python"
"""The default back end."""


def list_names() -> list[str]:
    """Return the names of all back ends."""
    return FOLDER.list_names()


def get_help(name: str) -> str:
    """Return the description of a back end, or a notice if its module is broken."""
    module = FOLDER.load(name)
    return BROKEN_HELP if isinstance(module, Broken) else cast(str, module.HELP)


def make(name: str, ruleset: Ruleset) -> Machine:
    """Return a ruleset ready to run on the back end `name`. Raises `RulewrightError` if it is missing or broken."""
    if name not in list_names():
        hint = suggest_name(name, list_names())
        raise RulewrightError(f"there is no back end `{name}`; {hint or 'there is ' + ', '.join(list_names())}")
    machine: Machine = FOLDER.require(name).make(ruleset)
    return machine
