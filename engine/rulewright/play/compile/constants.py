"""The names that generated code may use: constants, columns of tables, formulas, and the functions below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.play.layout import Layout
from rulewright.ruleset.ruleset import Ruleset


class Constants:
    """The namespace of one compiled program, filled while it is written."""

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.values: dict[str, Any] = {}
        self._names: dict[Any, str] = {}
        self.formula: Callable[[str], str] = lambda identity: identity

    def literal(self, value: Any) -> str:
        """The source of a value: itself where Python can write it, else a name for it."""
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        key = (type(value), value)
        if key not in self._names:
            name = f"K{len(self._names)}"
            self._names[key] = name
            self.values[name] = value
        return self._names[key]

    def column(self, table: str, column: str) -> str:
        """A dictionary from rows to the values of one column."""
        rows = self.ruleset.declarations.tables[table].rows
        if column == "rank":
            return self._named(f"C_{table}_rank", {row: place + 1 for place, row in enumerate(rows)})
        return self._named(f"C_{table}_{column}", {row.id: row.cells[column] for row in rows.values()})

    def ranks(self, table: str) -> str:
        """A dictionary from rows to their places."""
        rows = self.ruleset.declarations.tables[table].rows
        return self._named(f"R_{table}", {row: place for place, row in enumerate(rows)})

    def following(self, table: str) -> str:
        """A dictionary from rows to the row after each, None after the last."""
        rows = list(self.ruleset.declarations.tables[table].rows)
        return self._named(f"N_{table}", dict(zip(rows, [*rows[1:], None], strict=True)))

    def faces(self, table: str) -> str:
        """A dictionary from what the table's roll shows to the row."""
        return self._named(f"T_{table}", dict(self.ruleset.declarations.tables[table].by_face))

    def _named(self, name: str, value: Any) -> str:
        self.values.setdefault(name, value)
        return name
