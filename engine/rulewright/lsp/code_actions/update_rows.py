"""Code action: update the rows of a table from the CSV file of the same name in the folder of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.sheets.read_sheet import find_sheet
from rulewright.lsp.features.available_actions import ActionRequest, CodeAction

PLACE = 55


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for the table at the position, if there is such a file.

    The rules may have errors: a new table has one until it has rows.
    """
    way = request.symbol.way if request.symbol is not None else ()
    if len(way) < 2 or way[0] != "tables":
        return
    sheet = find_sheet(request.path, way[1])
    if sheet is not None:
        title = f"Update the rows of `{way[1]}` from {sheet.name}"
        yield CodeAction(title, command="rulewright.rows", arguments=("tables", way[1]))
