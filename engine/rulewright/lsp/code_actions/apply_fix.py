"""Code action: apply the fixes of diagnostics, as `check --fix` does, if they improve the file."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.verify_fix import find_foreign_file, is_worth_offering
from rulewright.engine.engine_diagnostics import EXAMPLE_FAILED
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, overlaps

PLACE = 10


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each diagnostic in the range with a fix that improves the file, errors first.

    The fix of an error is preferred, and so is a single one. Fixes that change files outside of the open folders and
    editions are left out. So are fixes of texts that are not files, and of failing examples, which have actions of
    their own.
    """
    own = request.workspace.list_own_folders()
    here = [
        each
        for each in request.diagnostics
        if each.edits
        and each.code is not EXAMPLE_FAILED
        and overlaps(each.span, request.place)
        and all(not edit.span.file.startswith("<") for edit in each.edits)
        and find_foreign_file(each, own) is None
        and is_worth_offering([each], request.workspace.texts.get_text)
    ]
    # Errors come before warnings, and the fix of an error is the preferred action.
    for each in sorted(here, key=lambda each: each.severity != "error"):
        preferred = each.severity == "error" or len(here) == 1
        yield CodeAction(each.suggestion or f"Fix: {each.message}", each.edits, each, preferred=preferred, kind=FIX)
