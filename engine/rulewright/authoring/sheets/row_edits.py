"""Write changed rows of a table into the files of an edition, which holds only what differs from the layers below."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.authoring.sheets.cell_values import Value, read_value, write_value
from rulewright.authoring.sheets.entry_edits import build_entry_edits, join_insertions, write_like
from rulewright.authoring.sheets.row_order import order_rows, select_in_place
from rulewright.authoring.sheets.sheet_diagnostics import SHEET_TABLE
from rulewright.authoring.sheets.sheet_table import FACES, Column, SheetTable, find_table
from rulewright.ruleset.layers.source_edits import Tree, build_removal, build_tree_edits, find_extent, format_tree
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.source.nodes import Entry, Node, Scalar, is_flow
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_DELETED = "{delete: true}"
_WIDEST = 120
"""The maximum length of a row that is written on one line."""


@dataclass(frozen=True, slots=True)
class RowContent:
    """A row of a sheet, with the values that differ from those of the rules. A new row has a value for each column."""

    id: str
    values: Mapping[Column, Value]
    is_new: bool


def build_row_texts(
    table: SheetTable, rows: Sequence[RowContent], removed: Sequence[str]
) -> dict[Path, tuple[str | None, str]]:
    """Return the files that change, each with its text before, None for a new file, and after. Writes nothing.

    `rows` are in the order of the sheet: a new row follows the one above it. Raises `DiagnosticError` if the table is
    written in a way in which rows cannot be added or removed.
    """
    editor = _TableEditor(table)
    for identity in removed:
        editor.remove_row(identity)
    for row in rows:
        if row.values and not row.is_new:
            editor.change_row(row)
    editor.add_rows(rows, removed)
    return editor.build_texts()


@dataclass(slots=True)
class _Part:
    """The rows of the table in one file, with the changes to them."""

    file: MappingNode
    rows: MappingNode
    removed: set[str] = field(default_factory=set)
    added: dict[str | None, list[tuple[str, str]]] = field(default_factory=dict)


class _TableEditor:
    """The edits of one table in the files of the top layer."""

    def __init__(self, table: SheetTable) -> None:
        self.table = table
        self.edits: list[Edit] = []
        self.parts: list[_Part] = []
        self.new: dict[str, str] = {}
        """New entries for a table without rows in the files."""
        for file in table.layer.files:
            node = find_table(file, table.table.id)
            rows = node.get("rows") if node is not None else None
            if isinstance(rows, MappingNode):
                self.parts.append(_Part(file, rows))
        self._keys = {id(part): list(part.rows.entries) for part in self.parts}
        self._places = {
            row: (part, place) for part in reversed(self.parts) for place, row in enumerate(part.rows.entries)
        }
        """The first part that has each row, and the place there."""

    def remove_row(self, row: str) -> None:
        """Remove a row, or override it with its deletion if it is inherited."""
        own = self.table.own.get(row, ())
        if row not in self.table.inherited:
            self._drop_entries(row)
        elif own:
            self._drop_entries(row, after_first=True)
            self.edits.append(Edit(find_extent(own[0].value), _DELETED))
        else:
            self._append(row, _DELETED)

    def change_row(self, row: RowContent) -> None:
        """Write the changed cells of a row that exists, or drop them where they become the inherited ones.

        A row that is only inherited gets an entry of its own.
        """
        own = self.table.own.get(row.id, ())
        below = self._find_below(row.id)
        changes: dict[int, dict[str, tuple[str | None, str]]] = {}
        added: dict[str, str] = {}
        for column, value in row.values.items():
            base = below.get(column.key) if below is not None else None
            holder = next((place for place, each in enumerate(own) if _find_cell(each.value, column.key)), None)
            written: str | None = None
            if base is None or value != read_value(base):
                written = _DELETED if value is None else write_value(value, column)
                written = None if value is None and base is None else written
            if holder is not None:
                text = value if isinstance(value, str) else None
                changes.setdefault(holder, {})[column.key] = (written, text or "")
            elif written is not None:
                added[column.key] = written
        if not own:
            self._append(row.id, _write_cells(added))
            return
        if added:
            changes.setdefault(0, {})
        for place, cells in changes.items():
            is_whole_row = len(own) == 1 and row.id not in self.table.inherited
            self._change_entry(row.id, own[place], cells, added if place == 0 else {}, keep=is_whole_row)

    def _find_below(self, row: str) -> MappingNode | None:
        """Return the inherited row that the entries of the top layer change, or None if they do not inherit it."""
        own = self.table.own.get(row, ())
        below = self.table.inherited.get(row)
        if below is None or any(isinstance(each.value, MappingNode) and "replace" in each.value for each in own):
            return None
        return below.value if isinstance(below.value, MappingNode) else None

    def _change_entry(
        self,
        row: str,
        entry: Entry,
        cells: Mapping[str, tuple[str | None, str]],
        added: Mapping[str, str],
        *,
        keep: bool,
    ) -> None:
        """Change the cells of an entry. Each has the YAML to write, None to drop it, and the text of a scalar.

        With `keep`, an entry without cells stays.
        """
        node = entry.value
        if not isinstance(node, MappingNode):
            self._change_faces(row, node, cells[FACES][0] if FACES in cells else _copy_source(node), added, keep=keep)
            return
        dropped = {key for key, (written, _) in cells.items() if written is None}
        if not added and not keep and dropped >= node.entries.keys():
            self._drop_entries(row)
            return
        for key, (written, text) in cells.items():
            if written is not None:
                value = node.entries[key].value
                is_missing = isinstance(value, Scalar) and not value.raw and not value.text
                like = written if not text or written == _DELETED else write_like(value, text, written)
                self.edits.append(Edit(find_extent(value), f" {like}" if is_missing else like))
        last = next((key for key in reversed(list(node.entries)) if key not in dropped), None)
        self.edits += build_entry_edits(node, removed=dropped, added={last: list(added.items())} if added else {})

    def _change_faces(self, row: str, node: Node, faces: str | None, added: Mapping[str, str], *, keep: bool) -> None:
        """Change a row in its short form, which is only its faces. None drops them."""
        if faces is not None and not added:
            self.edits.append(Edit(find_extent(node), faces))
        elif faces is None and not added and not keep:
            self._drop_entries(row)
        else:
            own = {FACES: faces} if faces is not None else {}
            self.edits.append(Edit(find_extent(node), _write_cells({**own, **added}, short=False)))

    def add_rows(self, rows: Sequence[RowContent], removed: Iterable[str]) -> None:
        """Add the new rows, each behind the row above it in the sheet, or before the next one if it is the first.

        Rows of the layer whose position refers to a removed row, or that a new row now precedes, refer to another one.
        """
        new = {row.id: row for row in rows if row.is_new}
        restored = {row for row in new if row in self.table.own}
        dropped = set(removed)
        known = [row for row in self.table.rows if row not in dropped]
        order = order_rows(known, [row.id for row in rows])
        in_place = select_in_place(order, known, restored, list(self.table.inherited))
        positions = self._find_positions(order, new, dropped, in_place)
        first = known[0] if known else None
        above: str | None = None
        for row in order:
            position = positions.get(row, {})
            if row in restored:
                self._restore_row(new[row], position)
            elif row in new:
                cells = {
                    column.key: write_value(value, column)
                    for column in self.table.columns
                    if (value := new[row].values.get(column)) is not None
                }
                self._insert_row(row, position | cells, above, first)
            elif row in positions:
                self._write_position(row, position)
            above = row

    def _find_positions(
        self, order: Sequence[str], new: Collection[str], dropped: Collection[str], in_place: Collection[str]
    ) -> dict[str, dict[str, str]]:
        """Return the position to write for each row that is not where it would be without one.

        A row refers to the one above it, so that no two refer to each other, and the first ones to a row that has no
        position itself. Existing positions stay unless they refer to a row that is gone, or that is next to it no more.

        Args:
            order: All rows, in the order to reach.
            new: The rows that are added.
            dropped: The rows that are removed.
            in_place: The added rows that the layers below have in the same place.
        """
        if not self.table.inherited:
            return {}
        anchors = {row: anchor for row in order if row not in new and (anchor := self._find_anchor(row)) is not None}
        fixed = [row for row in order if row in in_place or (row not in new and row not in anchors)]
        above = dict(zip(order[1:], order[:-1], strict=True))
        last = order.index(fixed[-1]) if fixed else -1
        # At the end, new rows need no position.
        placed = {
            row
            for place, row in enumerate(order)
            if row in new and row not in in_place and (place <= last or row in self.table.own)
        }
        placed |= {
            row
            for row, (word, anchor) in anchors.items()
            if anchor in dropped or (word == "after" and above.get(row) in new)
        }
        if placed:
            there = set(fixed)
            placed |= {row for row, (word, anchor) in anchors.items() if word == "before" and anchor not in there}
        first = fixed[0] if fixed else None
        return {row: _find_position(above.get(row), first) for row in order if row in placed}

    def _find_anchor(self, row: str) -> tuple[str, str] | None:
        """Return the position of a row in the top layer, as its key and the other row, or None."""
        for entry in self.table.own.get(row, ()):
            for word in ("after", "before"):
                anchor = entry.value.get(word) if isinstance(entry.value, MappingNode) else None
                if isinstance(anchor, Scalar):
                    return word, anchor.text
        return None

    def _write_position(self, row: str, position: Mapping[str, str]) -> None:
        """Write the position of a row in place of the one that it has."""
        written = ", ".join(f"{word}: {anchor}" for word, anchor in position.items())
        for entry in self.table.own[row]:
            node = entry.value
            for word in ("after", "before"):
                if not isinstance(node, MappingNode) or word not in node:
                    continue
                if written:
                    self.edits.append(Edit(node.find_key_span(word).to(find_extent(node.entries[word].value)), written))
                    written = ""
                else:
                    self.edits += build_entry_edits(node, removed={word})

    def _restore_row(self, row: RowContent, position: Mapping[str, str]) -> None:
        """Write a row that the top layer deletes and the sheet has again, perhaps in another position."""
        own = self.table.own[row.id]
        below = self.table.inherited.get(row.id)
        node = below.value if below is not None and isinstance(below.value, MappingNode) else None
        cells: dict[str, str] = dict(position)
        for column, value in row.values.items():
            base = node.get(column.key) if node is not None else None
            if value is not None and (base is None or value != read_value(base)):
                cells[column.key] = write_value(value, column)
        for column, value in row.values.items():
            if value is None and node is not None and column.key in node:
                cells[column.key] = _DELETED
        if cells or below is None:
            self._drop_entries(row.id, after_first=True)
            self.edits.append(Edit(find_extent(own[0].value), _write_cells(cells)))
        else:
            self._drop_entries(row.id)

    def _drop_entries(self, row: str, *, after_first: bool = False) -> None:
        """Mark the entries of a row in all files as removed, or those after the first one."""
        for part in self.parts:
            if row in part.rows:
                if not after_first:
                    part.removed.add(row)
                after_first = False

    def _append(self, row: str, written: str) -> None:
        """Add an entry that changes an inherited row at the end of the last part, or as a new one if there is none."""
        if self.parts:
            part = self.parts[-1]
            self._add_to(part, len(part.rows.entries) - 1, row, written)
        else:
            self.new[row] = written

    def _insert_row(self, row: str, cells: Mapping[str, str], above: str | None, first: str | None) -> None:
        """Add a new row behind the row `above`, or if that is None, before the `first` one that exists."""
        if not self.parts:
            self.new[row] = _write_cells(cells)
            return
        if above in self._places:
            part, place = self._places[above]
        elif above is None and first in self._places:
            part, place = self._places[first]
            place -= 1
        else:
            part = self.parts[-1]
            place = len(part.rows.entries) - 1
        self._places[row] = part, place
        self._add_to(part, place, row, self._lay_out(part, place, row, cells))

    def _lay_out(self, part: _Part, place: int, row: str, cells: Mapping[str, str]) -> str:
        """Return a new row as YAML: on one line, or in lines of their own if its neighbour is, or if it is too long."""
        written = _write_cells(cells)
        if is_flow(part.rows) or not part.rows.entries or not cells:
            return written
        entries = part.rows.entries
        near = entries[self._keys[id(part)][max(place, 0)]]
        is_block = isinstance(near.value, MappingNode) and bool(near.value.entries) and not is_flow(near.value)
        width = near.key.span.column + len(row) + 1 + len(written)
        if not is_block and (width <= _WIDEST or not written.startswith("{")):
            return written
        return "".join(f"\n{key}: {value}" for key, value in cells.items())

    def _add_to(self, part: _Part, place: int, row: str, written: str) -> None:
        """Add an entry behind the one at a place of a part. -1 is the beginning."""
        key = self._keys[id(part)][place] if place >= 0 else None
        part.added.setdefault(key, []).append((row, written))

    def build_texts(self) -> dict[Path, tuple[str | None, str]]:
        """Return the texts before and after of the files that change, None before for a new file.

        Raises `DiagnosticError` if no file has a place for new rows, or if removed rows cannot be removed on their own.
        """
        edits = [*self.edits]
        for part in self.parts:
            edits += self._build_part_edits(part)
        if self.new:
            tree: Tree = {"tables": {self.table.table.id: {"rows": dict(self.new)}}}
            layer = self.table.layer
            if not layer.files:
                return {layer.folder / "rules.yaml": (None, format_tree(tree, levels=3) + "\n")}
            grown = build_tree_edits(layer, tree, levels=3)
            if grown is None:
                message = f"no file of {layer.name} has a place for rows of {self.table.table.id}"
                raise DiagnosticError([Diagnostic(SHEET_TABLE, message, self.table.table.span)])
            edits += grown
        texts: dict[Path, tuple[str | None, str]] = {}
        by_file: dict[str, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(edit.span.file, []).append(edit)
        for file, changes in by_file.items():
            before = SOURCES.find_text(file) or ""
            after = apply_edits(before, join_insertions(changes))
            texts[Path(file)] = before, after if after.strip() else "# Nothing differs from the edition below.\n"
        return texts

    def _build_part_edits(self, part: _Part) -> list[Edit]:
        """Return the edits for the rows that were removed from and added to a file.

        An override without rows is removed.
        """
        keys = self._keys[id(part)]
        if part.removed.issuperset(keys) and not part.added and self.table.inherited:
            # An override without rows would change nothing.
            return list(_remove_rows(part.file, self.table.table.id))
        additions: dict[str | None, list[tuple[str, str]]] = {}
        nearest: str | None = None
        for key in (None, *keys):
            if key is not None and key not in part.removed:
                nearest = key
            if key in part.added:
                additions.setdefault(nearest, []).extend(part.added[key])
        if not keys:
            return self._fill_empty(part, additions)
        return build_entry_edits(part.rows, removed=part.removed, added=additions, is_block=True)

    def _fill_empty(self, part: _Part, added: Mapping[str | None, list[tuple[str, str]]]) -> list[Edit]:
        """Return the edit that puts rows in the place of empty braces, in lines of their own if the table has them."""
        node = find_table(part.file, self.table.table.id)
        if node is None or is_flow(node) or not added:
            return build_entry_edits(part.rows, added=added)
        key, value = node.find_key_span("rows"), find_extent(part.rows)
        indent = " " * (key.column + 1)
        lines = "".join(f"\n{indent}{row}: {written}" for row, written in added[None])
        # The space behind the colon goes, too.
        return [Edit(Span(key.file, key.end_line, key.end_column + 1, value.end_line, value.end_column), lines)]


def _remove_rows(file: MappingNode, identity: str) -> Iterable[Edit]:
    """Yield the edits that remove the rows of a table from a file, along with mappings that would be empty.

    The file must have the table with `rows`. Raises `DiagnosticError` if the rows cannot be removed without other
    entries, such as those that share a line with the table.
    """
    node = find_table(file, identity)
    assert node is not None
    key = node.find_key_span("rows")
    edit = build_removal(file, key)
    if edit is not None:
        yield edit
        return
    tables = file.entries["tables"]
    is_alone = all(isinstance(each, MappingNode) and len(each.entries) == 1 for each in (file, tables.value, node))
    before = (SOURCES.find_line(key.file, tables.key.span.line) or "")[: tables.key.span.column - 1]
    if not is_alone or "?" in before:
        message = f"the rows of {identity} cannot be removed on their own; remove them by hand"
        raise DiagnosticError([Diagnostic(SHEET_TABLE, message, key)])
    # Nothing else is in the file, apart from comments.
    yield Edit(tables.key.span.to(find_extent(tables.value)), "")


def _find_position(above: str | None, below: str | None) -> dict[str, str]:
    """Return the key that puts a row between two others. Empty if there are no others."""
    if above is not None:
        return {"after": above}
    return {"before": below} if below is not None else {}


def _find_cell(node: Node, key: str) -> bool:
    """Return whether an entry of a row has a cell."""
    return key in node if isinstance(node, MappingNode) else key == FACES


def _write_cells(cells: Mapping[str, str], *, short: bool = True) -> str:
    """Return cells as YAML on one line. With `short`, a row of nothing but faces is only these."""
    if short and list(cells) == [FACES]:
        return cells[FACES]
    return "{" + ", ".join(f"{key}: {value}" for key, value in cells.items()) + "}"


def _copy_source(node: Node) -> str:
    """Return the source of a value on one line."""
    span = find_extent(node)
    line = SOURCES.find_line(span.file, span.line) or ""
    if span.line == span.end_line:
        return line[span.column - 1 : span.end_column - 1]
    value = read_value(node)
    return value if isinstance(value, str) else "[" + ", ".join(value or ()) + "]"
