"""`rulewright check`: whether rulesets are sound."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option, catalogue_of

if TYPE_CHECKING:
    from rulewright.play.checking import Checked
    from rulewright.ruleset.catalogue import Catalogue
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.words.lint import Describe
    from rulewright.source.diagnostics import Diagnostic, Diagnostics

HELP = "check rulesets: shapes, layers, names, types, tables, words, and every example"
EXAMPLE = """\
rulewright check
rulewright check pig/classic@1.0 --rules my-house-rules --format json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("references", nargs="*", metavar="REF", help="the rulesets to check (default: all there are)")
    add_rules_option(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="how diagnostics are printed: text goes to stderr, the others to stdout",
    )


def run(args: argparse.Namespace) -> int:
    """Check, print what was found, and return 1 if any of it is an error."""
    from rulewright.source.diagnostics import Diagnostics
    from rulewright.source.formats import render

    found = Diagnostics()
    checked = _check(args, catalogue_of(args), found)
    once = _once(found)
    if args.format != "text":
        print(render(args.format, once))
    elif once:
        print(render("text", once), file=sys.stderr)
    if args.format == "text":
        for each in checked:
            print(_summary(each))
        if not checked and not once:
            print("there are no rulesets to check; `rulewright check --help` says where they are looked for")
            return 1
    return 1 if any(diagnostic.severity == "error" for diagnostic in once) else 0


def _check(args: argparse.Namespace, catalogue: Catalogue, found: Diagnostics) -> list[Checked]:
    from rulewright.play.checking import check_edition
    from rulewright.ruleset.reference import parse_reference
    from rulewright.source.diagnostics import DiagnosticError

    editions = []
    if args.references:
        for text in args.references:
            try:
                editions.append(catalogue.find(parse_reference(text)))
            except DiagnosticError as error:
                found.extend(error.diagnostics)
    else:
        editions = list(catalogue.editions())
        for broken in catalogue.broken():
            found.extend(broken.diagnostics)
    checked = []
    for edition in editions:
        each = check_edition(catalogue, edition, describer=_describer)
        found.extend(each.diagnostics)
        checked.append(each)
    return checked


def _describer(ruleset: Ruleset) -> Describe:
    """What says in English what a rule says. The book is opened only where something is to be said."""

    def describe(path: str) -> str:
        from rulewright.book.describe import describer

        return describer(ruleset)(path)

    return describe


def _once(found: Diagnostics) -> list[Diagnostic]:
    """Each diagnostic once: what is wrong in a layer is wrong in every edition laid over it."""
    seen = set()
    once = []
    for diagnostic in found:
        key = (diagnostic.code.id, diagnostic.span, diagnostic.message)
        if key not in seen:
            seen.add(key)
            once.append(diagnostic)
    return once


def _summary(checked: Checked) -> str:
    errors, warnings = len(checked.diagnostics.errors), len(checked.diagnostics.warnings)
    name = checked.edition.id
    if errors:
        return f"✗ {name}: {errors} error{'s' if errors > 1 else ''}"
    if checked.ruleset is None:
        return f"✓ {name}: sound as far as an abstract edition can be; the editions laid over it are checked whole"
    rules = checked.ruleset
    parts = [
        f"{len(rules.procedures)} procedures",
        f"{len(rules.steps)} steps",
        f"{len(rules.declarations.tables)} tables",
        f"{len(rules.examples)} examples hold",
        f"{len(rules.rulings)} rulings",
    ]
    tail = f", {warnings} warning{'s' if warnings > 1 else ''}" if warnings else ""
    return f"✓ {name}: sound ({', '.join(parts)}{tail})"
