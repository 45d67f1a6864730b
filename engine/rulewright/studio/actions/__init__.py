"""What may be done at a place of a file, one kind of change a file, found by being here.

Each is a module with `offered(asked)`, which gives the changes of its kind, and the `PLACE` they have in the list.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rulewright.lazy import once
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span
from rulewright.studio.editor.actions import Action, Asked
from rulewright.studio.editor.pointing import pointed
from rulewright.studio.editor.workspace import Workspace

Offered = Callable[[Asked], Iterator[Action]]


@once
def _kinds() -> tuple[Offered, ...]:
    """What offers each kind of change, in the order in which they are listed."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return tuple(module.offered for module in sorted(modules, key=lambda module: (module.PLACE, module.__name__)))


def actions(workspace: Workspace, path: Path, place: Span, found: Iterable[Diagnostic]) -> list[Action]:
    """What is offered for a stretch of a file. `found` are the diagnostics of the file."""
    asked = Asked(workspace, path, place, tuple(found), pointed(workspace, path, place.line, place.column))
    return [action for offered in _kinds() for action in offered(asked)]
