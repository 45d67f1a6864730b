"""`rulewright release`: lock an edition by the digest of its gameplay."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from rulewright.cli.options import add_rules_option, catalogue_of

HELP = "release an edition: lock it, so that its gameplay cannot change without a new version"
EXAMPLE = """\
rulewright release house/my-house-rules --rules my-house-rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the edition")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Check the edition, and lock it if it is sound."""
    from rulewright.cli.example_odds import weigh_odds
    from rulewright.play.examples.checking import check_edition
    from rulewright.ruleset.authoring.release import release
    from rulewright.ruleset.lints.lock import LOCK_BROKEN, NOT_LOCKED
    from rulewright.ruleset.words.lint import lint_words
    from rulewright.source.diagnostics.collected import DiagnosticError, Diagnostics
    from rulewright.source.diagnostics.formats import render

    catalogue = catalogue_of(args)
    edition = catalogue.meant(args.reference)
    checked = check_edition(catalogue, edition, weigh=weigh_odds)
    # What the lock itself is about is settled by releasing, or refused there.
    errors = [error for error in checked.diagnostics.errors if error.code not in (LOCK_BROKEN, NOT_LOCKED)]
    if errors:
        raise DiagnosticError(errors)
    digest = checked.ruleset.digest if checked.ruleset is not None else ""
    release(edition, digest, others=catalogue.editions())
    warnings = list(checked.diagnostics.warnings)
    if checked.ruleset is not None:
        # Of a released edition more is asked than of a draft: that somebody has read its texts.
        asked = Diagnostics()
        lint_words(replace(checked.ruleset, status="released"), asked)
        known = {(each.code.id, each.message) for each in warnings}
        warnings += [each for each in asked.warnings if (each.code.id, each.message) not in known]
    if warnings:
        print(render("text", warnings), file=sys.stderr)
    said = f", with {len(warnings)} warning{'s' if len(warnings) > 1 else ''}" if warnings else ""
    print(f"{edition.id} is released and locked, in {edition.path}{said}")
    return 0
