"""The legend for pictures of table rows and dice. The glossary explains pictures of terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.dice_icons import ANY, name_die_icon
from rulewright.book.style.fill_placeholders import fill, name_row
from rulewright.book.style.text_style import UnlinkedStyle, escape, use
from rulewright.ruleset.queries.dice_needed import list_dice_needed


@dataclass(frozen=True, slots=True)
class LegendGroup:
    """Pictures with their names, for the rows of the table at `href`, or for dice."""

    title: str
    href: str
    entries: tuple[tuple[str, str], ...]


def build_legend(writer: PageWriter) -> list[LegendGroup]:
    """Return the pictures that do not belong to terms, in groups. The result is empty if the game has no drawings."""
    if all(name.startswith("-") for name in writer.pictures):
        return []
    return [group for group in (*_tables(writer), _dice(writer)) if group.entries]


def _tables(writer: PageWriter) -> Iterator[LegendGroup]:
    """Yield a group for each table, with the rows that have drawings of their own, which may be none."""
    plain = UnlinkedStyle(writer.ruleset)
    for table in writer.ruleset.declarations.tables.values():
        drawn = (row for row in table.rows.values() if f"{table.id}.{row.id}" in writer.pictures)
        entries = tuple((use(f"{table.id}.{row.id}"), name_row(row, plain)) for row in drawn)
        yield LegendGroup(fill(table.title, plain), writer.link(f"tables.{table.id}") or "", entries)


def _dice(writer: PageWriter) -> LegendGroup:
    icons = ((die, name_die_icon(die)) for die, _ in list_dice_needed(writer.ruleset))
    return LegendGroup(
        writer.translate("Dice"), "", tuple((use(name), escape(die.name)) for die, name in icons if name != ANY)
    )
