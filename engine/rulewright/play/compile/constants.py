"""The names that generated code may use: constants, columns of tables, formulas, and the functions below it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from rulewright.dice.roll import sampler
from rulewright.dice.tree import Roll
from rulewright.program.program import Layout
from rulewright.ruleset.ruleset import Ruleset


class Constants:
    """The namespace of one compiled machine, filled while it is written."""

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.values: dict[str, Any] = {}
        self._names: dict[Hashable, str] = {}
        self.formula: Callable[[str], str] = lambda identity: identity

    def literal(self, value: Any) -> str:
        """The source of a value: itself where Python can write it, else a name for it."""
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        return self._named(("value", _typed(value)), f"K{len(self._names)}", value)

    def sampler(self, roll: Roll) -> str:
        """A function that makes a roll from a generator."""
        return self._named(("sampler", roll), f"D{len(self._names)}", sampler(roll))

    def column(self, table: str, column: str) -> str:
        """A dictionary from rows to the values of one column."""
        rows = self.ruleset.declarations.tables[table].rows
        if column == "rank":
            return self._named(
                ("column", table, "rank"), f"C_{table}_rank", {row: place + 1 for place, row in enumerate(rows)}
            )
        return self._named(
            ("column", table, column), f"C_{table}_{column}", {row.id: row.cells[column] for row in rows.values()}
        )

    def ranks(self, table: str) -> str:
        """A dictionary from rows to their places."""
        rows = self.ruleset.declarations.tables[table].rows
        return self._named(("ranks", table), f"R_{table}", {row: place for place, row in enumerate(rows)})

    def following(self, table: str) -> str:
        """A dictionary from rows to the row after each, None after the last."""
        rows = list(self.ruleset.declarations.tables[table].rows)
        return self._named(("following", table), f"N_{table}", dict(zip(rows, [*rows[1:], None], strict=True)))

    def faces(self, table: str) -> str:
        """A dictionary from what the table's roll shows to the row."""
        return self._named(("faces", table), f"T_{table}", dict(self.ruleset.declarations.tables[table].by_face))

    def _named(self, key: Hashable, name: str, value: Any) -> str:
        """The name of a value: as near to `name` as others leave room for."""
        if key not in self._names:
            while name in self.values:
                name += "_"
            self._names[key] = name
            self.values[name] = value
        return self._names[key]


def _typed(value: Any) -> Hashable:
    """A value with its types: `True` and `1` are equal in Python, and must not share a name."""
    return tuple(_typed(item) for item in value) if isinstance(value, tuple) else (type(value), value)
