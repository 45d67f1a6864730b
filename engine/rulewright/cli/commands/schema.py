"""The `rulewright schema` command, which prints or writes JSON Schemas."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

HELP = "print the JSON Schema of a kind of file or data, or write schema files for editors"
TASKS = "Get the JSON Schema of files and data."
EXAMPLE = """\
rulewright schema rules
rulewright schema snapshot --of pig/classic
rulewright schema --output my-rules/schema --of pig/classic --annotate my-rules
rulewright schema --output rules/schema --annotate rules"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("kind", metavar="KIND", nargs="?", help="kind of file or data (default: list all kinds)")
    parser.add_argument(
        "--of",
        dest="reference_of",
        metavar="REF",
        help=(
            "make the schema specific to this ruleset (to its snapshots, or to rules that extend it), so that editors "
            "can suggest its ids"
        ),
    )
    add_rules_option(parser)
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="write the schemas of all kinds of files to this folder"
    )
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help=(
            "start every rules file in DIR with a line that points to its schema. The schemas are in the --output "
            "folder (default: DIR/schema)"
        ),
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON: the schema, or without KIND, an object that lists the kinds"
    )


def run(args: argparse.Namespace) -> int:
    """Print one schema, list the kinds, or write schema files, and return 0.

    Exits with a usage error for an unknown kind.
    """
    from rulewright.authoring.schema_files import KINDS, SchemaKind
    from rulewright.engine.game.json_contracts import CONTRACTS, Contract

    known: dict[str, SchemaKind | Contract] = {**KINDS, **CONTRACTS}
    for_one = args.kind in ("snapshot", "rules") or (args.kind is None and args.output is not None)
    if args.reference_of is not None and not for_one:
        args.parser.error(
            "--of is only for `snapshot`, `rules` and --output: other schemas are the same for every ruleset"
        )
    if args.kind is not None and (args.output or args.annotate):
        args.parser.error("--output and --annotate are for the schemas of all kinds: leave out KIND")
    if args.kind is not None and args.kind not in known:
        args.parser.error(f"there is no kind {args.kind!r}; there are {', '.join(known)}")
    if args.output or args.annotate:
        _write(args)
    elif args.kind in CONTRACTS:
        import json

        print(json.dumps(CONTRACTS[args.kind].make(_ruleset(args)), ensure_ascii=False, indent=2))
    elif args.kind == "rules" and (over := _ruleset(args)) is not None:
        from rulewright.authoring.schema_files import format_rules_schema

        print(format_rules_schema(over), end="")
    elif args.kind is not None:
        print(KINDS[args.kind].format_text(), end="")
    elif args.json:
        import json

        print(json.dumps({kind.name: kind.means for kind in known.values()}, indent=2))
    else:
        width = max(map(len, known))
        for kind in known.values():
            print(f"{kind.name:{width}}  {kind.means}")
    return 0


def _ruleset(args: argparse.Namespace) -> Ruleset | None:
    """Return the ruleset of `--of`, or None."""
    from rulewright.ruleset.load_ruleset import load_ruleset

    return load_ruleset(args.reference_of, rules=args.rules) if args.reference_of is not None else None


def _write(args: argparse.Namespace) -> None:
    """Write the schemas for `--output`, annotate the rules for `--annotate`, and print the files.

    Exits with a usage error if a folder is missing or the schemas cannot be written. Raises `DiagnosticError` for rules
    that cannot be read.
    """
    from rulewright.authoring.schema_files import KINDS, annotate, write_schemas

    if args.annotate is not None and not args.annotate.is_dir():
        args.parser.error(f"there is no folder {str(args.annotate)!r} to annotate")
    schemas = args.output or args.annotate / "schema"
    if args.output is not None:
        over = _ruleset(args)
        try:
            written = write_schemas(args.output, over=over)
        except OSError as error:
            args.parser.error(f"the schemas cannot be written into {str(args.output)!r}: {error.strerror}")
        print(*written, sep="\n")
    elif not all((schemas / kind.file).is_file() for kind in KINDS.values()):
        args.parser.error(f"there are no schemas in {str(schemas)!r}: name a folder with --output")
    if args.annotate is not None:
        for path in annotate(args.annotate, schemas):
            print(path)
