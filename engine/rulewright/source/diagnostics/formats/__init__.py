"""Output formats of diagnostics, one module each.

A format module has a `NAME` and a function `render(diagnostics) -> str`. To add a format, add a module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder
from rulewright.source.diagnostics.diagnostic import Diagnostic

FOLDER = PluginFolder(__name__, "the format", NAME=str, render=FunctionType)

Render = Callable[[Iterable[Diagnostic]], str]


def list_names() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(sorted(_load_formats()))


def render(name: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return the diagnostics in the format `name`.

    Raises `RulewrightError` if there is no such format.
    """
    result = _load_formats().get(name)
    if result is None:
        raise RulewrightError(f"there is no format `{name}`; the formats are {', '.join(list_names())}")
    return result(diagnostics)


@compute_once
def _load_formats() -> dict[str, Render]:
    return {module.NAME: module.render for _, module in FOLDER.iterate_working()}
