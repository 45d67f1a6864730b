"""The `rulewright export` command, which exports a ruleset as WebAssembly with the data that a host needs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.cli.shared_options import add_rules_option, load

HELP = "export a ruleset for other engines: WebAssembly, data, and an ES module with types"
TASKS = "Use rules in JavaScript, Unity, Godot or another engine, as WebAssembly."
EXAMPLE = """\
rulewright export pig/classic@1.0 web/pig
rulewright export house/my-rules my-game/rules --rules my-rules --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset: game/edition, with a version if needed")
    parser.add_argument("folder", type=Path, metavar="DIR", help="output folder, created if it does not exist")
    parser.add_argument("--vectors", action="store_true", help="also write a conformance suite: 20 games as JSON")
    add_rules_option(parser)
    parser.add_argument("--json", action="store_true", help="print the list of written files as JSON")


def run(args: argparse.Namespace) -> int:
    """Write the files, print their paths, and return 0. Raises `RulewrightError` if they cannot be written."""
    from rulewright.export.write_export import write_export

    ruleset = load(args)
    try:
        written = write_export(ruleset, args.folder, vectors=args.vectors)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RulewrightError(f"cannot write to {str(args.folder)!r}: {reason[:1].lower()}{reason[1:]}") from None
    if args.json:
        results = {
            "ruleset": ruleset.reference,
            "digest": ruleset.digest,
            "files": [path.as_posix() for path in written],
        }
        print(json.dumps(results, ensure_ascii=False, indent=2))
    else:
        print(*written, sep="\n")
    return 0
