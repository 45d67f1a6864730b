"""Code action: add an example with the results of the last run of a procedure, or of a new run."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction
from rulewright.lsp.features.scratch_run import as_in, setup_of

PLACE = 60


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action that adds an example of the procedure at the position, or one more like the example there.

    Yields nothing if the rules have errors, or if the procedure cannot be run.
    """
    at, good = request.symbol, request.good
    if at is None or good is None or len(at.way) < 2 or request.workspace.list_errors(good):
        return  # an example cannot be added to rules with errors
    section, id = at.way[:2]
    begun = {"procedures": setup_of, "examples": as_in}.get(section)
    if begun is not None and begun(good.ruleset, id) is not None:
        title = f"Add an example from the last run of `{id}`, or from a new one"
        yield CodeAction(title, command="rulewright.record", arguments=(section, id))
