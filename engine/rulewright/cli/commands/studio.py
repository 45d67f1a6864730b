"""The `rulewright studio` command, which serves the studio as a local web page."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from rulewright.cli.shared_options import add_rules_option

HELP = "edit rules in the browser, and see errors, text and odds as you type"
TASKS = "Edit rules in the browser, with a graphical editor."
EXAMPLE = """\
rulewright studio my-house-rules
rulewright studio my-house-rules --port 8010 --no-browser"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="folder to work in (default: the current one)",
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="port (default: the last one used, or any free port)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")
    parser.add_argument(
        "--new-token", action="store_true", help="create a new access token, so that old addresses stop working"
    )
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted, open the browser if requested, and return 0.

    Raises `MissingExtraError` if a required package is missing, and `RulewrightError` if a rules folder is.
    """
    from rulewright.base.errors import MissingExtraError

    if not 0 <= args.port <= 65_535:
        args.parser.error(f"{args.port} is not a port number: use 0 to 65535")
    for needed in ("starlette", "uvicorn", "websockets"):
        if find_spec(needed) is None:
            raise MissingExtraError(f"`studio` needs {needed}: pip install 'rulewright[studio]'")
    from rulewright.base.garbage_collection import relax_collections

    relax_collections()  # before the imports, which make most of the objects that stay
    from rulewright.ruleset.editions.search_path import search_path
    from rulewright.ruleset.editions.zip_archives import open_archive
    from rulewright.studio.http.serve_studio import serve

    search_path(args.rules)  # report a missing folder before the server starts
    folders = [open_archive(folder).absolute() for folder in args.rules]
    serve(args.folder, folders, port=args.port, browser=not args.no_browser, fresh=args.new_token)
    return 0
