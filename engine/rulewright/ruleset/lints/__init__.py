"""Lints: checks of a whole ruleset, one file each, found by being here.

A lint is a module with `lint(ruleset, diagnostics)` and the codes it reports.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator

from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics

Lint = Callable[[Ruleset, Diagnostics], None]
"""Adds what it finds wrong with a ruleset."""


def lints() -> Iterator[Lint]:
    """Every lint, in the order of their names."""
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        yield importlib.import_module(f"{__name__}.{module}").lint


def run_lints(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Run every lint."""
    for lint in lints():
        lint(ruleset, diagnostics)
