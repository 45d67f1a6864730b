"""Lints, one module each: checks of a whole ruleset.

A lint is a module with `lint(ruleset, diagnostics)` and the codes it reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType

from rulewright.base.plugins import Broken, PluginFolder
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import attempt_part
from rulewright.source.span import Span

FOLDER = PluginFolder(__name__, "the lint", lint=FunctionType)

Lint = Callable[[Ruleset, Diagnostics], None]
"""Adds what it finds wrong with a ruleset."""


def load_lints() -> Iterator[Lint]:
    """Yield every lint, in the order of their names.

    One that cannot be loaded, or raises, adds a diagnostic that says so.
    """
    for name, module in FOLDER.load_all().items():
        yield partial(_run, name, module.fail if isinstance(module, Broken) else module.lint)


def _run(name: str, lint: Lint, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    span = Span.for_file(ruleset.resolved.manifest.span.file)
    attempt_part(f"the lint `{name}`", ruleset.reference, span, diagnostics, partial(lint, ruleset, diagnostics))


def run_lints(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Run every lint."""
    for lint in load_lints():
        lint(ruleset, diagnostics)
