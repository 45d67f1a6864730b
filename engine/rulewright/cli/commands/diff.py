"""The `rulewright diff` command, which describes the changes between two rulesets."""

from __future__ import annotations

import argparse
import json

from rulewright.cli.shared_options import add_rules_option

HELP = "describe the changes between two rulesets, including changed odds"
TASKS = "Compare two versions or editions. Write a changelog or patch notes."
EXAMPLE = """\
rulewright diff pig/classic@1.0 pig/classic@1.0 --brief
rulewright diff pig/classic@1.0 house/my-house-rules --rules my-house-rules --markdown"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("before", metavar="REF", help="the older ruleset")
    parser.add_argument("after", metavar="REF", help="the newer ruleset")
    parser.add_argument(
        "--gameplay", action="store_true", help="leave out changes that do not affect games: texts, examples, pages"
    )
    parser.add_argument(
        "--brief", action="store_true", help="print only the number of changes and those that players notice first"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the rulesets, print the changes, and return 0. Unless `--brief` is given, this includes changed odds.

    Raises `RulewrightError` for an unknown or invalid ruleset.
    """
    from rulewright.analysis.odds.odds_changes import compare_odds
    from rulewright.book.changes.change_report import as_data, build_odds_data, build_summary_data, report, report_odds
    from rulewright.book.changes.compare_rulesets import list_changes, select_gameplay
    from rulewright.ruleset.load_ruleset import load_ruleset

    before, after = (load_ruleset(reference, rules=args.rules) for reference in (args.before, args.after))
    changes = list_changes(before, after)
    if args.gameplay:
        changes = select_gameplay(changes)
    moved = [] if args.brief else list(compare_odds(before, after))
    if args.json:
        data = {
            "before": before.reference,
            "after": after.reference,
            "same_gameplay": before.digest == after.digest,
            "summary": build_summary_data(changes),
            "changes": [] if args.brief else [as_data(change) for change in changes],
            "odds": [build_odds_data(each) for each in moved],
        }
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        print("\n".join(report(before, after, changes, markdown=args.markdown, brief=args.brief)))
        if moved:
            print("\n".join(report_odds(after, moved, markdown=args.markdown)))
    return 0
