"""Code actions, one module each: changes that the editor offers at a position.

Each is a module with `offered(asked)`, which gives the changes of its kind, and the `PLACE` they have in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder, attempt, report_failure
from rulewright.lsp.features.available_actions import ActionRequest, CodeAction
from rulewright.lsp.features.symbol_at import find_symbol
from rulewright.lsp.features.workspace import Workspace
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span

FOLDER = PluginFolder(__name__, "the action", PLACE=int, offered=FunctionType)

Offered = Callable[[ActionRequest], Iterator[CodeAction]]


@compute_once
def load_kinds() -> tuple[tuple[str, Offered], ...]:
    """Return the kinds of code actions, by name, in the order in which editors list them."""
    results: list[tuple[int, str, Offered]] = [
        (module.PLACE, name, module.offered) for name, module in FOLDER.iterate_working()
    ]
    return tuple((name, offered) for _, name, offered in sorted(results, key=lambda each: each[:2]))


def list_actions(workspace: Workspace, path: Path, place: Span, diagnostics: Iterable[Diagnostic]) -> list[CodeAction]:
    """Return the code actions for a range of a file. `diagnostics` are the diagnostics of the file.

    An action that fails is left out and reported on stderr.
    """
    action_request = ActionRequest(
        workspace, path, place, tuple(diagnostics), find_symbol(workspace, path, place.line, place.column)
    )
    given = f"{path}, line {place.line}"
    return [action for name, offered in load_kinds() for action in _offered(name, offered, given, action_request)]


def _offered(name: str, offered: Offered, given: str, request: ActionRequest) -> list[CodeAction]:
    return attempt(f"the action `{name}`", given, lambda: list(offered(request)), report_failure) or []
