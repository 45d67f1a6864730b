"""Overviews as readers see them: figures side by side, the darker the higher they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulewright.book.parts.tables import CellView, cell_view, chances, percent
from rulewright.book.style.style import Style
from rulewright.book.style.words import fill, row_words
from rulewright.dice.bounds import mean
from rulewright.dice.tree import Roll
from rulewright.language.declarations import TableRow
from rulewright.ruleset.sections.overviews import Figures, Overview

SHADES = 5
"""Steps of shading, from the lowest mean of an overview to its highest; 0 is for what has none."""


@dataclass(frozen=True, slots=True)
class ShadedCell:
    """A cell, and how dark it is: 1 to `SHADES`, or 0."""

    cell: CellView
    shade: int


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """A row: its heading, its chance where its table is rolled on, and its cells."""

    title: str
    chance: str
    cells: tuple[ShadedCell, ...]


@dataclass(frozen=True, slots=True)
class OverviewView:
    """An overview, ready for a template. `rolled` says whether its rows have chances."""

    title: str
    about: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[OverviewRow, ...]
    rolled: bool
    shaded: bool


def overview_view(overview: Overview, style: Style) -> OverviewView:
    """The overview in words. Cells of a grid are shaded all together, those of named values column by column."""
    table = style.ruleset.declarations.tables[overview.down.table]
    likely = chances(table)
    groups = [list(overview.columns)] if overview.across is not None else [[column] for column in overview.columns]
    shades = {id(column): _shades(group) for group in groups for column in group}
    rows = tuple(
        OverviewRow(
            _heading(row, overview, style),
            percent(likely[row.id]) if row is not None and row.id in likely else "",
            tuple(_shaded(column, column.values[place], shades[id(column)], style) for column in overview.columns),
        )
        for place, row in enumerate(overview.down.rows)
    )
    return OverviewView(
        fill(overview.title, style),
        fill(overview.about, style),
        tuple(
            fill(column.heading, style) if column.heading else _heading(column.row, overview, style)
            for column in overview.columns
        ),
        tuple(any(_height(value) is not None for value in column.values) for column in overview.columns),
        rows,
        bool(likely),
        any(shade.shade for row in rows for shade in row.cells),
    )


def _heading(row: TableRow | None, overview: Overview, style: Style) -> str:
    return fill(overview.without, style) if row is None else row_words(row, style)


def _height(value: Any) -> Fraction | None:
    """What a cell is shaded by."""
    if isinstance(value, Roll):
        return mean(value)
    return Fraction(value) if type(value) is int else None


def _shades(columns: list[Figures]) -> dict[Fraction, int]:
    """The shade of every figure of some columns; none where all are the same."""
    heights = {height for column in columns for value in column.values if (height := _height(value)) is not None}
    if len(heights) < 2:
        return {}
    low, high = min(heights), max(heights)
    return {height: 1 + min(SHADES - 1, int((height - low) / (high - low) * SHADES)) for height in heights}


def _shaded(column: Figures, value: Any, shades: dict[Fraction, int], style: Style) -> ShadedCell:
    height = _height(value)
    return ShadedCell(cell_view(value, column.type, style), shades.get(height, 0) if height is not None else 0)
