"""How diagnostics are written: one module per format, found by being here.

A format module has a `NAME` and `render(diagnostics) -> str`. Adding one is adding a file.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from importlib import import_module

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import once
from rulewright.source.diagnostics.diagnostic import Diagnostic

Render = Callable[[Iterable[Diagnostic]], str]


def names() -> tuple[str, ...]:
    """The formats there are, in alphabetical order."""
    return tuple(sorted(_formats()))


def render(name: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The diagnostics in the format called `name`, ending in a line break unless there is nothing to say.

    Raises `RulewrightError` if there is no such format.
    """
    found = _formats().get(name)
    if found is None:
        raise RulewrightError(f"there is no format `{name}`; there are {', '.join(names())}")
    return found(diagnostics)


@once
def _formats() -> dict[str, Render]:
    modules = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return {module.NAME: module.render for module in modules}
