"""`rulewright schema`: JSON Schemas for editors and other programs, and the reference for people."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "print the JSON Schema of a kind of file, or write them where an editor finds them"
EXAMPLE = """\
rulewright schema rules
rulewright schema --output rules/schema --annotate rules
rulewright schema --reference build/reference"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("kind", metavar="KIND", nargs="?", help="the kind of file; without one, the kinds are listed")
    parser.add_argument("--output", type=Path, metavar="DIR", help="write all schemas into this folder")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="let the first line of every rules file in this folder name its schema "
        "in the folder of --output (default: DIR/schema)",
    )
    parser.add_argument(
        "--reference",
        type=Path,
        metavar="DIR",
        help="write the reference into this folder, as Markdown: files, steps, expressions, dice, diagnostics, "
        "commands, Python",
    )
    parser.add_argument("--json", action="store_true", help="print data: the kinds as an object, or the schema itself")


def run(args: argparse.Namespace) -> int:
    """Print one schema, list the kinds, or write files."""
    from rulewright.ruleset.schema_files import KINDS

    if args.kind is not None and (args.output or args.annotate or args.reference):
        args.parser.error("all schemas are written together: leave out KIND")
    if args.kind is not None and args.kind not in KINDS:
        args.parser.error(f"there is no kind {args.kind!r}; there are {', '.join(KINDS)}")
    if args.output or args.annotate or args.reference:
        if args.output or args.annotate:
            _write(args)
        if args.reference:
            _write_reference(args)
    elif args.kind is not None:
        print(KINDS[args.kind].text(), end="")
    elif args.json:
        import json

        print(json.dumps({kind.name: kind.means for kind in KINDS.values()}, indent=2))
    else:
        width = max(map(len, KINDS))
        for kind in KINDS.values():
            print(f"{kind.name:{width}}  {kind.means}")
    return 0


def _write(args: argparse.Namespace) -> None:
    from rulewright.ruleset.schema_files import KINDS, annotate, write_schemas

    if args.annotate is not None and not args.annotate.is_dir():
        args.parser.error(f"there is no folder {str(args.annotate)!r} to annotate")
    schemas = args.output or args.annotate / "schema"
    if args.output is not None:
        try:
            written = write_schemas(args.output)
        except OSError as error:
            args.parser.error(f"the schemas cannot be written into {str(args.output)!r}: {error.strerror}")
        print(*written, sep="\n")
    elif not all((schemas / kind.file).is_file() for kind in KINDS.values()):
        args.parser.error(f"there are no schemas in {str(schemas)!r}: say with --output where to write them")
    if args.annotate is not None:
        for path in annotate(args.annotate, schemas):
            print(path)


def _write_reference(args: argparse.Namespace) -> None:
    from rulewright.cli.reference import pages

    try:
        args.reference.mkdir(parents=True, exist_ok=True)
        for name, text in pages().items():
            (args.reference / name).write_text(text, encoding="utf-8")
            print(args.reference / name)
    except OSError as error:
        args.parser.error(f"the reference cannot be written into {str(args.reference)!r}: {error.strerror}")
