"""The `rulewright list` command, which lists the available rulesets."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option, open_catalogue
from rulewright.source.diagnostics.collector import DiagnosticError

if TYPE_CHECKING:
    from rulewright.ruleset.editions.catalogue import BrokenEdition, Edition

HELP = "list the available rulesets and where each was found"
TASKS = "Find installed games, editions and versions."
EXAMPLE = """\
rulewright list
rulewright list --rules my-house-rules --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_rules_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON: a list of objects")


def run(args: argparse.Namespace) -> int:
    """List every version of every edition, including broken ones.

    Return 1 if an edition is broken or a folder of `--rules` is empty, with the errors on stderr.
    """
    catalogue = open_catalogue(args)
    listed = [_data(edition) for edition in catalogue.list_editions()]
    listed += [_broken_data(broken) for broken in catalogue.list_broken()]
    if args.json:
        print(json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        _print_table(listed)
    if not listed:
        print("no rulesets in " + ", ".join(str(path) for path in catalogue.paths), file=sys.stderr)
    wrong = [fault for broken in catalogue.list_broken() for fault in broken.diagnostics]
    try:
        catalogue.refuse_bare(args.rules)
    except DiagnosticError as error:
        wrong += error.diagnostics
    if not wrong:
        return 0
    from rulewright.source.diagnostics.formats import render

    print(render("text", wrong), end="", file=sys.stderr)
    return 1


def _data(edition: Edition) -> dict[str, object]:
    return {
        "ruleset": edition.ruleset,
        "game": edition.game,
        "edition": edition.edition,
        "version": str(edition.version),
        "status": edition.status,
        "title": edition.title,
        "extends": str(edition.extends) if edition.extends else None,
        "overlays": [str(overlay) for overlay in edition.overlays],
        "folder": str(edition.folder),
    }


def _broken_data(broken: BrokenEdition) -> dict[str, object]:
    """Return the data of a broken edition, with None for anything that could not be read."""
    game, _, edition = (broken.ruleset or "").partition("/")
    return {
        "ruleset": broken.ruleset,
        "game": game or None,
        "edition": edition or None,
        "version": str(broken.version) if broken.version else None,
        "status": "broken",
        "title": None,
        "extends": None,
        "overlays": [],
        "folder": str(broken.folder),
    }


def _print_table(listed: list[dict[str, object]]) -> None:
    """Print one line for each edition. The title comes last, because terminals differ in the width of characters."""
    rows = [
        (
            str(item["ruleset"] or "?") + (f"@{item['version']}" if item["version"] else ""),
            str(item["status"] or ""),
            str(item["folder"] or ""),
            str(item["title"] or ""),
        )
        for item in listed
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row[:3], widths, strict=True)]
        print("  ".join([*cells, row[3]]).rstrip())
