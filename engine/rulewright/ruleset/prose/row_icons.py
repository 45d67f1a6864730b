"""Choose the icon of a table row: its own, or that of a term or row in its title."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.language.declarations import Table, TableRow
from rulewright.ruleset.prose.placeholder_meaning import RowTitle, TermWord, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset


def find_row_icon(ruleset: Ruleset, table: Table, row: TableRow, is_drawn: Callable[[str], bool]) -> str | None:
    """Return the name of the row's icon, the first for which `is_drawn` is true, or None if there is none."""
    return next(filter(is_drawn, _names(ruleset, table, row)), None)


def _names(ruleset: Ruleset, table: Table, row: TableRow) -> Iterator[str]:
    """Yield the names of possible icons in order of preference.

    They are the row's own, that of its title, and those in tables with the same rows. The icons may not exist.
    """
    yield f"{table.id}.{row.id}"
    match list(parse_parts(row.title)):
        case [Placeholder(body=body)]:
            match resolve_placeholder(body, ruleset):
                case TermWord(term=term):
                    yield term.id
                case RowTitle(table=other, row=called):
                    yield f"{other.id}.{called.id}"
    if not table.has_places:
        for other in ruleset.declarations.tables.values():
            if other is not table and other.rows.keys() == table.rows.keys():
                yield f"{other.id}.{row.id}"
