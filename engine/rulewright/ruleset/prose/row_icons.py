"""Which drawings may stand for a row of a table: its own, and those of what it is called after."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.language.declarations import Table, TableRow
from rulewright.ruleset.prose.placeholder_meaning import RowTitle, TermWord, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset


def find_row_icon(ruleset: Ruleset, table: Table, row: TableRow, is_drawn: Callable[[str], bool]) -> str | None:
    """Return the name of the drawing that a row is shown with, of those there are; None where there is none."""
    return next(filter(is_drawn, _names(ruleset, table, row)), None)


def _names(ruleset: Ruleset, table: Table, row: TableRow) -> Iterator[str]:
    """Yield the row itself; the term or the row that is all of its title.

    And its like in tables of the very same rows.
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
