"""`rulewright export`: one version of a ruleset for any engine, as WebAssembly with all that a host must know."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.cli.shared_options import add_rules_option, load

HELP = "write a ruleset for other engines: WebAssembly, its data, an ES module with types"
EXAMPLE = """\
rulewright export pig/classic@1.0 web/pig
rulewright export house/my-rules my-game/rules --rules my-rules --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the ruleset: game/edition, and a version where it matters")
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder to write into; it is made if need be")
    parser.add_argument("--vectors", action="store_true", help="write a conformance suite, too: 20 games as JSON")
    add_rules_option(parser)
    parser.add_argument("--json", action="store_true", help="print data: what was written")


def run(args: argparse.Namespace) -> int:
    """Write the files and say which."""
    from rulewright.export.write_export import write_export

    ruleset = load(args)
    try:
        written = write_export(ruleset, args.folder, vectors=args.vectors)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RulewrightError(f"{str(args.folder)!r} cannot be written to: {reason[:1].lower()}{reason[1:]}") from None
    if args.json:
        found = {"ruleset": ruleset.reference, "digest": ruleset.digest, "files": [path.as_posix() for path in written]}
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print(*written, sep="\n")
    return 0
