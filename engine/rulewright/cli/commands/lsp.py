"""`rulewright lsp`: what editors ask while rules are written."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from rulewright.cli.options import add_rules_option

HELP = "speak with an editor: a language server for rules files, over the standard streams"
EXAMPLE = """\
rulewright lsp
rulewright lsp --rules my-house-rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_rules_option(parser)
    parser.add_argument(
        "--docs", default="", metavar="URL", help="where the built documentation lies: codes in the editor lead there"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the editor leaves."""
    from rulewright.errors import RulewrightError

    if find_spec("pygls") is None:
        raise RulewrightError("`lsp` needs pygls: pip install 'rulewright[studio]'")
    from rulewright.ruleset.editions.search_path import search_path
    from rulewright.ruleset.editions.zipped import opened
    from rulewright.studio.server.streams import main

    search_path(args.rules)  # a folder that is not there is told of before an editor waits
    return main([opened(folder) for folder in args.rules], docs=args.docs)
