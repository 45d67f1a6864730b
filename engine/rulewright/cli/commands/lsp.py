"""The `rulewright lsp` command, which runs a language server for editors."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from rulewright.cli.shared_options import add_rules_option

HELP = "run a language server for rules files, over standard input and output or a WebSocket"
TASKS = "Connect an editor, for autocomplete and errors while typing."
EXAMPLE = """\
rulewright lsp
rulewright lsp --ws
rulewright lsp --rules my-house-rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_rules_option(parser)
    parser.add_argument(
        "--ws",
        nargs="?",
        const=0,
        type=int,
        metavar="PORT",
        help="listen on this port (default: any free port) and print the address with its token",
    )
    parser.add_argument(
        "--docs", default="", metavar="URL", help="address of the built documentation, for links from diagnostic codes"
    )


def run(args: argparse.Namespace) -> int:
    """Serve over standard streams, or over WebSocket with `--ws`, and return the exit code.

    Raises `MissingExtraError` if a required package is missing, and `RulewrightError` if a rules folder is.
    """
    from rulewright.base.errors import MissingExtraError

    if args.ws is not None and find_spec("websockets") is None:
        raise MissingExtraError("`lsp --ws` needs websockets: pip install 'rulewright[studio]'")
    from rulewright.ruleset.editions.search_path import search_path
    from rulewright.ruleset.editions.zip_archives import open_archive

    search_path(args.rules)  # report a missing folder before the server starts
    folders = [open_archive(folder) for folder in args.rules]
    if args.ws is not None:
        from rulewright.lsp.server.websocket_listener import listen

        listen(folders, args.ws, docs=args.docs)
        return 0
    from rulewright.lsp.server.stdio import main

    return main(folders, docs=args.docs)
