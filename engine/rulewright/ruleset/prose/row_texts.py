"""The texts of rows that replace the sentences of their steps, as texts that are signed like those of pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.language.checked_steps import CellSteps
from rulewright.language.declarations import ROW_NAME
from rulewright.language.expressions.typed_ast import Cell, Constant
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.queries.name_uses import iterate_nodes, list_procedure_expressions
from rulewright.ruleset.sections.pages import Section
from rulewright.source.nodes import Mapping, Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


class RowText(Section):
    """The text of a row of the table `page`, about its steps and the cells that they read."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the text."""
        return f"tables.{self.page}.{self.id}"

    @property
    def path(self) -> tuple[str, ...]:
        """The path of the row."""
        return ("tables", self.page, "rows", self.id)


def list_row_texts(ruleset: Ruleset) -> Iterator[RowText]:
    """Yield the text of each row that has one for its steps, by table and column."""
    for table in ruleset.declarations.tables.values():
        for column in table.steps.values():
            for row in table.rows.values() if column.text else ():
                entry = find_rule_entry(f"tables.{table.id}", ruleset)
                rows = entry.value.get("rows") if entry is not None and isinstance(entry.value, Mapping) else None
                node = rows.get(row.id) if isinstance(rows, Mapping) else None
                text = node.get(column.text) if isinstance(node, Mapping) else None
                if not isinstance(node, Mapping) or not isinstance(text, Scalar):
                    continue
                signature = node.get("reviewed")
                reviewed = signature if isinstance(signature, Scalar) else None
                cells = _list_cells(table.id, row.id, column.id, ruleset)
                paths = [f"tables.{table.id}.{row.id}.{name}" for name in cells]
                explains = tuple(Scalar(path, path, text.span) for path in paths)
                yield RowText(
                    table.id, row.id, "", row.title, text.text, explains, (), reviewed, (), (), (), node, row.span
                )


def _list_cells(table: str, row: str, column: str, ruleset: Ruleset) -> list[str]:
    """Return the columns whose cells decide what a row does: its steps, and the cells that they read."""
    procedure = ruleset.procedures.get(CellSteps(table, row, column).id)
    read = {
        node.column
        for node in (iterate_nodes(list_procedure_expressions(procedure)) if procedure is not None else ())
        if isinstance(node, Cell) and isinstance(node.base, Constant) and node.base.name == ROW_NAME
    }
    return [column, *sorted(read & {*ruleset.declarations.tables[table].columns})]
