"""The commands of the command line, one module each.

A command module has `HELP`, `TASKS`, `EXAMPLE`, `configure(parser)` and `run(args)`. The help of the program imports
all of these modules, so they import the packages they need inside `run`.
"""

from __future__ import annotations

from types import FunctionType

from rulewright.base.plugins import PluginFolder

FOLDER = PluginFolder(
    __name__, "the command", HELP=str, TASKS=str, EXAMPLE=str, configure=FunctionType, run=FunctionType
)
