"""German sentences for statements: a module for each, called like the statement.

A module has `describe(at, step)`, or `describe_block(at, step, condition, blocks)` for a statement with nested steps.
`PRESENCE` is what sentences say of an optional result that is there, as after `wenn`: `gewählt wurde`. Without it, they
say `wenn es … gibt`. A module’s name that is a word of Python ends in an underscore.
"""

from __future__ import annotations

from types import ModuleType

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder

FOLDER = PluginFolder(__name__, "the German sentences of the statement")


@compute_once
def load_sentences() -> dict[str, ModuleType]:
    """Return the module of each statement that has one, by the name of the statement. Computed once.

    A module that cannot be loaded is reported on stderr and left out.
    """
    return {name.removesuffix("_"): module for name, module in FOLDER.iterate_working()}
