"""What `roll` and `odds` are asked about: an expression, or a table or expression of a ruleset."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option

if TYPE_CHECKING:
    from rulewright.dice.tree import Roll
    from rulewright.language.declarations import Table


def add_roll_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that `asked_roll` reads."""
    parser.add_argument(
        "what", metavar="EXPR | REF", help="a roll: 2d6 +6, 4d6kh3, (5 * 1d6) +3, 2d6 > 1d12; or a ruleset"
    )
    parser.add_argument(
        "further", nargs="*", metavar="TABLE", help="a roll table of the ruleset, or dice made from its figures"
    )
    add_rules_option(parser)


def asked_roll(args: argparse.Namespace) -> tuple[Roll, Table | None, dict[str, str]]:
    """The roll, the table it is on (if it is), and what that table's rows are called. Raises `RulewrightError`."""
    if not args.further:
        from rulewright.dice.parse import parse

        if re.fullmatch(r"[a-z][\w-]*/[a-z][\w.@^~-]*", args.what):
            args.parser.error(f"name a table of {args.what}, or dice made from its figures")

        return parse(args.what), None, {}
    if len(args.further) > 1 or "/" not in args.what:
        args.parser.error(f'one roll at a time; quote a roll with blanks: "{" ".join([args.what, *args.further])}"')
    from rulewright.play.names import Names
    from rulewright.ruleset.load import load_ruleset
    from rulewright.ruleset.lookup import rolled

    ruleset = load_ruleset(args.what, rules=args.rules)
    roll, table = rolled(ruleset, args.further[0])
    names = Names(ruleset)
    return roll, table, {row: names.row(table.id, row) for row in table.rows} if table is not None else {}
