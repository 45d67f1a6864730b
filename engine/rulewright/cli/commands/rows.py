"""The `rulewright rows` command, which exchanges the rows of a table with a spreadsheet."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option, open_catalogue, refuse_changes

if TYPE_CHECKING:
    from rulewright.authoring.sheets.sheet_table import SheetTable
    from rulewright.authoring.sheets.update_rows import RowUpdate
    from rulewright.source.diagnostics.collector import Diagnostic

HELP = "print the rows of a table as CSV, or update them from a spreadsheet"
TASKS = "Import or export CSV, for Excel or Google Sheets."
EXAMPLE = """\
rulewright rows classics/liars-dice@1.0 bids
rulewright rows classics/yacht@1.0 boxes --separator semicolon
rulewright rows classics/yacht@1.0 boxes --json"""

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "reference", metavar="REF", help="the ruleset that has the table; --write changes only its own files"
    )
    parser.add_argument("table", metavar="TABLE", help="one of its tables")
    parser.add_argument(
        "sheet",
        nargs="?",
        metavar="FILE",
        help="CSV or TSV file with the new rows, or - for standard input (default: print the table)",
    )
    parser.add_argument("--write", action="store_true", help="write the changes (default: only show them)")
    parser.add_argument(
        "--remove", action="store_true", help="remove rows that are not in the sheet (default: keep them)"
    )
    parser.add_argument(
        "--separator", choices=tuple(_SEPARATORS), help="separator between the printed cells (default: comma)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print a table, or what a sheet changes in it, and write that with `--write`.

    Returns 1 if the sheet has faults, or if the rules have errors with its rows that they do not have now. Raises
    `RulewrightError` for an unknown ruleset or table, and for a file that cannot be read.
    """
    from rulewright.authoring.sheets.load_rules import find_consequences, load_with_errors
    from rulewright.authoring.sheets.sheet_table import open_table
    from rulewright.source.files.atomic_write import replace_texts

    if args.sheet is None and (args.write or args.remove):
        args.parser.error("--write and --remove need a FILE with rows")
    if args.separator and (args.sheet is not None or args.json):
        args.parser.error("--separator is for printing a table as text")
    catalogue = open_catalogue(args)
    ruleset, before = load_with_errors(catalogue, catalogue.find_edition(args.reference))
    table = open_table(ruleset, args.table, before)
    if args.sheet is None:
        _print_table(table, args)
        return 0
    update = _read_update(table, args)
    consequences = find_consequences(update, catalogue, before) if update.texts else []
    is_written = bool(args.write and update.texts)
    if is_written:
        refuse_changes([table.layer.folder])
        replace_texts(dict(update.texts or {}))
    _report(update, consequences, args, is_written=is_written)
    return int(any(each.severity == "error" for each in (*update.diagnostics, *consequences)))


def _print_table(table: SheetTable, args: argparse.Namespace) -> None:
    from rulewright.authoring.sheets.write_sheet import build_rows_data, format_sheet

    if args.json:
        print(json.dumps(build_rows_data(table), ensure_ascii=False, indent=2))
    else:
        sys.stdout.write(format_sheet(table, separator=_SEPARATORS[args.separator or "comma"]))


def _read_update(table: SheetTable, args: argparse.Namespace) -> RowUpdate:
    """Return what a file or the standard input changes in a table. Raises `DiagnosticError` if it cannot be read."""
    from rulewright.authoring.sheets.read_sheet import PASTED, decode_sheet, read_sheet_bytes
    from rulewright.authoring.sheets.update_rows import plan_update

    is_file = args.sheet != "-"
    name = args.sheet if is_file else PASTED
    text, assumed = decode_sheet(read_sheet_bytes(name) if is_file else sys.stdin.buffer.read(), name)
    return plan_update(table, text, name, assumed=assumed, remove=args.remove)


def _report(update: RowUpdate, consequences: list[Diagnostic], args: argparse.Namespace, *, is_written: bool) -> None:
    """Print the update with its faults and consequences, and whether it is written.

    With `--json`, all of it is one JSON object.
    """
    from rulewright.authoring.sheets.update_report import build_update_data, format_update
    from rulewright.source.diagnostics.formats import json as json_format
    from rulewright.source.diagnostics.formats import text as text_format

    if args.json:
        data = build_update_data(update)
        data["consequences"] = [json_format.as_data(each) for each in consequences]
        print(json.dumps({**data, "written": is_written}, ensure_ascii=False, indent=2))
        return
    if update.diagnostics:
        print(text_format.render(update.diagnostics).rstrip(), file=sys.stderr)
        count = len(update.diagnostics)
        print(f"nothing was written because the sheet has {'an error' if count == 1 else f'{count} errors'}")
        return
    print("\n".join(format_update(update)))
    if update.missing:
        print("add --remove to remove rows that are not in the sheet")
    if consequences:
        print(f"with these rows, check {'reports' if is_written else 'would report'}:", file=sys.stderr)
        print(text_format.render(consequences).rstrip(), file=sys.stderr)
    if is_written:
        print("\n".join(f"wrote {file}" for file in update.texts or ()))
    elif update.texts:
        print("nothing has been written yet; add --write to write the changes")
