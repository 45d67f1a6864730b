"""Code action: add the missing rows of a roll table, one for each range of faces without a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.language.declarations import Table
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, overlaps
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.odds_hover import compute_odds
from rulewright.ruleset.elaborate.table_faces import group_ranges
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.ruleset_diagnostics import FACES_GAP
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.nodes import Mapping, Node, Scalar, follow_keys

PLACE = 20


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the actions that add the missing rows of a table with a gap in the range.

    Nothing without a usable state of the edition.
    """
    good = request.good
    for each in request.diagnostics:
        if good is not None and each.code is FACES_GAP and overlaps(each.span, request.place):
            for table in good.ruleset.declarations.tables.values():
                if _is_of(each, table):
                    yield from _rows(request, good, each, table)


def _is_of(diagnostic: Diagnostic, table: Table) -> bool:
    """Return whether a diagnostic about a gap is in this table."""
    spans = [table.span, *(row.span for row in table.rows.values())]
    places = [diagnostic.span, *(each.span for each in diagnostic.related)]
    return any(one.file == other.file and overlaps(one, other) for one in spans for other in places)


def _rows(request: ActionRequest, good: Good, diagnostic: Diagnostic, table: Table) -> Iterator[CodeAction]:
    """Yield the action that adds the rows that are missing from a table.

    There is none if no row is missing, if the odds of the roll take too long to compute, or if the file has no single
    place for all of the rows.
    """
    result = compute_odds(table.roll) if table.roll is not None else None
    layer = request.find_own_layer(good)
    if result is None or layer is None:
        return
    outcomes = [int(each) for each in result.outcomes]
    covered = {face for row in table.rows.values() for face in row.faces}
    missing = group_ranges([face for face in outcomes if face not in covered], outcomes)
    if not missing:
        return
    edits, names = [], []
    for first, last in missing:
        name = _free(f"from_{first}_to_{last}" if first != last else f"on_{first}", table)
        faces = str(first) if first == last else f"{first}-{last}"
        edit = build_value_edit(layer, ("tables", table.id, "rows", name), _row(good, table, faces))
        if edit is None:
            return
        edits.append(edit)
        names.append(name)
    # Several new rows have the same position, so they are one change.
    if len(edits) > 1 and all(follow_keys(file, "tables", table.id, "rows") is None for file in layer.files):
        return
    change = Edit(edits[0].span, "".join(edit.text for edit in edits))
    what = "the row that is missing" if len(names) == 1 else f"the {len(names)} rows that are missing"
    yield CodeAction(
        f"Add {what} from `{table.id}`: {', '.join(f'`{each}`' for each in names)}", (change,), diagnostic, kind=FIX
    )


def _row(good: Good, table: Table, faces: str) -> str:
    """Return the YAML of a new row, with these faces and the plain values of the last row.

    Just the faces for a table without columns.
    """
    if not table.columns:
        return faces
    rows = good.ruleset.resolved.rules.entries["tables"].value
    node: Node | None = rows.get(table.id) if isinstance(rows, Mapping) else None
    node = node.get("rows") if isinstance(node, Mapping) else None
    last = list(node.entries.values())[-1].value if isinstance(node, Mapping) and node.entries else None
    cells = [
        f"{key}: {entry.value.raw or entry.value.text}"
        for key, entry in (last.entries.items() if isinstance(last, Mapping) else ())
        if key in table.columns and isinstance(entry.value, Scalar)
    ]
    return "{" + ", ".join([f"on: {faces}", *cells]) + "}"


def _free(name: str, table: Table) -> str:
    row_ids: Sequence[str] = list(table.rows)
    names = [name, *(f"{name}_{number}" for number in range(2, len(row_ids) + 3))]
    return next(each for each in names if each not in row_ids)
