"""The `rulewright new` command, which creates a folder of house rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.cli.shared_options import add_rules_option, build_check_command

HELP = "create a folder of house rules that extend an edition"
TASKS = "Start house rules, a variant or a mod."
EXAMPLE = """\
rulewright new my-house-rules --extends pig/classic@1.0
rulewright new our-table --extends pig/classic@1.0 --overlay house/my-house-rules --rules my-house-rules
rulewright check house/my-house-rules --rules my-house-rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder to create; it must not exist")
    parser.add_argument("--extends", required=True, metavar="REF", help="edition that your rules change")
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="REF",
        dest="overlays",
        help="house rules by others, applied below yours (repeatable, lowest first)",
    )
    parser.add_argument("--title", help="title of your rules (default: the folder's name)")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the folder, print the next steps, and return 0.

    Raises `RulewrightError` if a ruleset cannot be loaded, and as `write_starting_point` does.
    """
    from rulewright.authoring.house_rules_starter import write_starting_point
    from rulewright.ruleset.load_ruleset import load_ruleset

    ruleset = load_ruleset(args.extends, rules=args.rules)
    overlays = [load_ruleset(overlay, rules=args.rules).reference for overlay in args.overlays]
    reference = write_starting_point(
        args.folder, ruleset, extends=args.extends, overlays=args.overlays, title=args.title
    )
    print(f"{args.folder} contains {reference}, which extends {' and '.join([ruleset.reference, *overlays])}")
    print(f"to list the rules that you can change, run: rulewright show {ruleset.reference}")
    command = build_check_command(args, reference, args.folder)
    print(f"edit {args.folder / 'rules.yaml'}, then run: {command}")
    return 0
