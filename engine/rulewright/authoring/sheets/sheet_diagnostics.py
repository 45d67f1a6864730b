"""The diagnostics about spreadsheets."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

SHEET_UNREADABLE = Code(
    "sheet-unreadable",
    "A spreadsheet that cannot be read",
    "Rows come from text: cells with commas, semicolons or tabs between them.",
    "In the spreadsheet, export the sheet as CSV in UTF-8, or copy the cells and paste them.",
)
SHEET_COLUMN = Code(
    "sheet-column",
    "A column of a spreadsheet that does not fit the table",
    "The first row of a sheet names the columns of the table, so that every cell has its place.",
    "Rename the column, or delete it from the sheet.",
)
SHEET_ROW = Code(
    "sheet-row",
    "A row of a spreadsheet that cannot be told from others",
    "Rows are found again by their ids, or else by their titles, so each needs one of its own.",
    "Give the row an id or a title that no other row has.",
)
SHEET_TABLE = Code(
    "sheet-table",
    "A table that cannot be filled from a spreadsheet",
    "Rows are written to the files of the edition, below the id of a table that lists its rows.",
    "Name a table that lists its rows.",
)
