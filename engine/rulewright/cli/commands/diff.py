"""`rulewright diff`: what changed between two rulesets, in words."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulewright.book.changes import Change
    from rulewright.ruleset.ruleset import Ruleset

HELP = "tell in words what changed between two rulesets, with the odds that moved"
EXAMPLE = """\
rulewright diff pig/classic@1.0 pig/classic@1.0
rulewright diff pig/classic@1.0 house/my-house-rules --rules my-house-rules --markdown"""

SECTIONS = {
    "terms": "Words",
    "dice": "Dice",
    "numbers": "Figures",
    "tables": "Tables",
    "kinds": "Kinds of things",
    "state": "Values of the game",
    "options": "Settings",
    "decks": "Decks",
    "formulas": "Formulas",
    "procedures": "Procedures",
    "exceptions": "Special cases",
    "measures": "Measures",
    "examples": "Examples",
    "rulings": "Rulings",
    "pages": "The book",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("before", metavar="REF", help="the ruleset to compare with")
    parser.add_argument("after", metavar="REF", help="the ruleset that is compared")
    parser.add_argument(
        "--gameplay", action="store_true", help="leave out what changes no game: words, examples, pages"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print data")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Compare and print."""
    from rulewright.book.changes import changes
    from rulewright.ruleset.load import load_ruleset

    before, after = (load_ruleset(reference, rules=args.rules) for reference in (args.before, args.after))
    found = [change for change in changes(before, after) if not (args.gameplay and change.words)]
    if args.json:
        data = {
            "before": before.reference,
            "after": after.reference,
            "same_gameplay": before.digest == after.digest,
            "changes": [asdict(change) for change in found],
        }
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_report(before, after, found, markdown=args.markdown)))
    return 0


def _report(before: Ruleset, after: Ruleset, found: list[Change], *, markdown: bool) -> Iterator[str]:
    yield f"{'# ' if markdown else ''}From {before.reference} to {after.reference}"
    if before.digest == after.digest:
        yield "\nThe two play alike."
    if not found:
        yield "\nNothing differs."
    section = ""
    for change in found:
        if change.section != section:
            section = change.section
            yield f"\n{'## ' if markdown else ''}{SECTIONS.get(section, section)}"
        mark = {"added": "+", "removed": "-"}.get(change.what, "~")
        name = f"**{change.title}**" if markdown else change.title
        yield f"{'- ' if markdown else f'  {mark} '}{name} ({change.id}) {change.what}"
        for sentence in change.sentences:
            yield f"    {'- ' if markdown else ''}{sentence}"
