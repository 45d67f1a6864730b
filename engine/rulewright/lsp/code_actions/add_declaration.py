"""Code action: declare a name that an expression uses but that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.language.language_diagnostics import UNKNOWN_NAME
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.schema.json_schema import ID_PATTERN

PLACE = 17

_START = "1"
"""The value of a new number until the user enters another one."""


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield actions that declare the unknown name in the range: as a number, and as a value that steps can change.

    There are none without a usable state of the edition, for a name that looks misspelled or means something else, and
    if the name is not a valid id.
    """
    good = request.good
    layer = request.find_own_layer(good) if good is not None else None
    if good is None or layer is None:
        return
    declared = {path[-1] for path in good.mentions.by_path}
    for each in request.diagnostics:
        # With a suggestion, the name has a meaning or is close to one.
        if each.code is not UNKNOWN_NAME or each.suggestion is not None or not is_at(request, each.span):
            continue
        lines = (request.workspace.texts.get_text(str(request.path)) or "").split("\n")
        name = lines[each.span.line - 1][each.span.column - 1 : each.span.end_column - 1]
        if each.span.line != each.span.end_line or not re.fullmatch(ID_PATTERN, name) or name in declared:
            continue
        number = build_value_edit(layer, ("numbers", name), _START)
        if number is not None:
            yield CodeAction(f"Declare the number `{name}`…", (number,), each, value=_START, kind=FIX)
        changing = build_value_edit(layer, ("state", name), "{type: count}")
        if changing is not None:
            yield CodeAction(
                f"Declare `{name}` as a value of the game that steps can change", (changing,), each, kind=FIX
            )
