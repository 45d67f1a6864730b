"""Checks of a whole ruleset, one module each. Any module in this folder is loaded.

A lint is a module with a function `lint(ruleset, diagnostics)` and the codes that it reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType

from rulewright.base.plugins import Broken, PluginFolder
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import attempt_plugin
from rulewright.source.span import Span

FOLDER = PluginFolder(__name__, "the lint", lint=FunctionType)

Lint = Callable[[Ruleset, Diagnostics], None]
"""A function that checks a ruleset and adds the diagnostics."""


def load_lints() -> Iterator[tuple[str, Lint]]:
    """Yield every lint with its name, sorted by name. One that cannot be loaded, or that raises, reports that."""
    for name, module in FOLDER.load_all().items():
        yield name, partial(_run, name, module.fail if isinstance(module, Broken) else module.lint)


def _run(name: str, lint: Lint, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    span = Span.for_file(ruleset.resolved.manifest.span.file)
    part, file = f"{FOLDER.kind} `{name}`", FOLDER.name_file(name)
    attempt_plugin(part, file, ruleset.reference, span, diagnostics, partial(lint, ruleset, diagnostics))


def run_lints(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Run every lint. A crash of one is reported and does not stop the others."""
    for _, lint in load_lints():
        lint(ruleset, diagnostics)
