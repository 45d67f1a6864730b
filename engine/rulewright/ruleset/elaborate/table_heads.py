"""What is in the tables of a ruleset, without the values of their cells.

Whoever reads this, and not the tables, is not affected by a changed value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class TableHead:
    """The title of a table and the ids of its rows, and whether it is a board."""

    id: str
    title: str
    rows: tuple[str, ...]
    is_board: bool


class TableHeads:
    """The heads of all tables of a ruleset, in order."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._heads = [
            TableHead(table.id, table.title, tuple(table.rows), table.is_board)
            for table in ruleset.declarations.tables.values()
        ]

    @property
    def content(self) -> list[TableHead]:
        """The heads themselves."""
        return self._heads

    @property
    def parts(self) -> Mapping[str, TableHead]:
        """The head of each table by its id."""
        return {head.id: head for head in self._heads}


def list_table_heads(ruleset: Ruleset) -> list[TableHead]:
    """Return the head of each table of a ruleset, in order. Cached in the ruleset."""
    return ruleset.get_or_make(TableHeads).content


def find_table_head(ruleset: Ruleset, table: str) -> TableHead | None:
    """Return the head of one table, or None if there is none. Whoever asks for it reads no other."""
    return ruleset.get_part(TableHeads, table).parts.get(table)
