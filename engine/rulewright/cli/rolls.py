"""What `roll` and `odds` are asked about: an expression, or a table or expression of a ruleset."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option
from rulewright.source.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from rulewright.dice.tree import Roll
    from rulewright.language.declarations import Table
    from rulewright.language.step import Procedure
    from rulewright.ruleset.ruleset import Ruleset


def add_roll_arguments(parser: argparse.ArgumentParser, *, further: str = "TABLE", means: str = "") -> None:
    """Add the arguments that `asked_roll` reads. `further` and `means` name what else a verb can be asked about."""
    parser.add_argument(
        "what", metavar="EXPR | REF", help="a roll: 2d6 +6, 4d6kh3, (5 * 1d6) +3, 2d6 > 1d12; or a ruleset"
    )
    parser.add_argument(
        "further", nargs="*", metavar=further, help=f"a roll table of the ruleset, or dice made from its figures{means}"
    )
    add_rules_option(parser)
    # What begins with a minus and goes on as a roll does is a roll, as `-1` is a number: no option looks like it.
    parser._negative_number_matcher = re.compile(r"-\s*(\d|\(|d[\dA-Z%]|max|min).*")


def asked_procedure(args: argparse.Namespace) -> tuple[Ruleset, Procedure] | None:
    """The procedure that is asked about, or None where it is a table or dice. Raises `DiagnosticError` if neither is.

    A table counts before a procedure of the same name; `procedures.` before the name says that the latter is meant.
    """
    from rulewright.ruleset.load import load_ruleset
    from rulewright.ruleset.queries.lookup import procedure

    ruleset = load_ruleset(args.what, rules=args.rules)
    name = args.further[0]
    declared = ruleset.declarations
    known = any(name in there for there in (declared.tables, declared.numbers, declared.formulas, declared.dice))
    if known or not re.fullmatch(r"(procedures\.)?[a-z_]\w*", name):
        return None
    if name not in ruleset.procedures and did_you_mean(name, declared.tables):
        return None  # whoever reads it as a table says which is near
    return ruleset, procedure(ruleset, name)


def _several(args: argparse.Namespace) -> str:
    """What is said where more than one roll is asked about."""
    named = [args.what] if "/" in args.what else []
    words = [args.what, *args.further][len(named) :]
    if all(map(_is_roll, words)) and not _is_roll(" ".join(words)):
        return f'one roll at a time; to compare two, write "{" > ".join(words[:2])}"'
    quoted = f'"{" ".join(words)}"'
    return f"one roll at a time; quote a roll with blanks: {' '.join([*named, quoted])}"


def _is_roll(text: str) -> bool:
    from rulewright.dice.errors import DiceError
    from rulewright.dice.parse import parse

    try:
        parse(text)
    except DiceError:
        return False
    return True


def asked_roll(args: argparse.Namespace) -> tuple[Roll, Table | None, dict[str, str]]:
    """The roll, the table it is on (if it is), and what that table's rows are called. Raises `RulewrightError`."""
    if not args.further:
        from rulewright.dice.parse import parse

        if re.fullmatch(r"[a-z][\w-]*/[a-z][\w.@^~-]*", args.what):
            args.parser.error(f"name a table of {args.what}, or dice made from its figures")

        return parse(args.what), None, {}
    if len(args.further) > 1 or "/" not in args.what:
        args.parser.error(_several(args))
    from rulewright.play.telling.names import Names
    from rulewright.ruleset.load import load_ruleset
    from rulewright.ruleset.queries.lookup import rolled

    ruleset = load_ruleset(args.what, rules=args.rules)
    roll, table = rolled(ruleset, args.further[0])
    names = Names(ruleset)
    return roll, table, {row: names.row(table.id, row) for row in table.rows} if table is not None else {}
