"""Rows of a table as a spreadsheet: read it, match it with the rules, and write the difference into their source."""
