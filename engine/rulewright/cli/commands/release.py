"""The `rulewright release` command, which locks an edition by its gameplay digest."""

from __future__ import annotations

import argparse
import sys

from rulewright.cli.shared_options import add_rules_option, open_catalogue, refuse_changes
from rulewright.source.files.unsaved_texts import as_first_read

HELP = "release an edition: lock its gameplay until the version changes"
TASKS = "Lock, freeze or tag a version."
EXAMPLE = """\
rulewright release house/my-house-rules --rules my-house-rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="edition")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Check the edition, lock it in its manifest if it is valid, print the warnings to stderr, and return 0.

    Raises `DiagnosticError` for errors in the rules, and `RulewrightError` if the edition cannot be released.
    """
    from rulewright.authoring.release_checks import release_edition
    from rulewright.source.diagnostics.formats import render

    with as_first_read() as read:
        catalogue = open_catalogue(args)
        edition = catalogue.find_edition(args.reference)
        refuse_changes([edition.folder])
        warnings = release_edition(catalogue, edition, read=read)
    if warnings:
        print(render("text", warnings), file=sys.stderr)
    text = f", with {len(warnings)} warning{'s' if len(warnings) > 1 else ''}" if warnings else ""
    print(f"{edition.id} is released and locked in {edition.path}{text}")
    return 0
