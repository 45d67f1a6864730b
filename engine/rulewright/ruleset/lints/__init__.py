"""Lints: checks of a whole ruleset, one file each, found by being here.

A lint is a module with `lint(ruleset, diagnostics)` and the codes it reports.
"""

from __future__ import annotations

import importlib
import pkgutil

from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics


def run_lints(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Run every lint, in the order of their names."""
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}").lint(ruleset, diagnostics)
