"""The `rulewright show` command, which shows a ruleset or one entry after all layers are merged."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option, load

if TYPE_CHECKING:
    from rulewright.ruleset.layers.value_origins import Path
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.source.nodes import Node

HELP = "show a ruleset, or one entry of it, after all layers are merged"
TASKS = "Look up an entry, or print the merged rules."
VERSIONS = (
    "ruleset: game/edition, with a version if needed. @1.0.0 is exactly that version; @1.0, @1.0.x and @~1.0 are the "
    "newest 1.0; @1, @1.x and @^1.0 are the newest 1; @latest or no version is the newest of all. "
    "A draft is chosen only if no release matches"
)
EXAMPLE = """\
rulewright show pig/classic@1.0
rulewright show pig/classic@1.0 game.bank
rulewright show pig/classic@1.0 game --program"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help=VERSIONS)
    parser.add_argument("id", nargs="?", metavar="ID", help="an entry, such as tables.guests or visit.check")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument(
        "--program", action="store_true", help="print the operations that a procedure or a formula is compiled to"
    )
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """List all entries by name, or print one entry, or print the compiled program. Return 0.

    Raises `RulewrightError` for an unknown ruleset or entry.
    """
    ruleset = load(args)
    if args.program:
        print(_program(ruleset, args.id))
        return 0
    if args.id is None:
        listing = _listing(ruleset)
        print(json.dumps(listing, ensure_ascii=False, indent=2) if args.json else _contents(ruleset, listing))
        return 0
    from rulewright.ruleset.queries.lookup import find_node

    path, result = find_node(ruleset, args.id)
    if args.json:
        print(json.dumps({"id": ".".join(path), "value": result.to_plain()}, ensure_ascii=False, indent=2))
        return 0
    import yaml

    from rulewright.book.parts.trigger_sentences import list_applying_triggers

    print(f"# {'.'.join(path)}")
    print(f"# {ruleset.resolved.find_layer(result.span)}, {result.span.file}:{result.span.line}")
    for line in (*_list_changes(ruleset, path, result), *list_applying_triggers(path, ruleset)):
        print(f"# {line}")
    print(yaml.safe_dump(result.to_plain(), sort_keys=False, allow_unicode=True, width=100).rstrip("\n.").rstrip())
    return 0


def _list_changes(ruleset: Ruleset, path: Path, result: Node) -> Iterator[str]:
    """Yield a line for each place at which a higher layer has changed the entry."""
    from rulewright.ruleset.layers.provenance import trace_provenance

    first = ruleset.resolved.find_layer(result.span)
    printed: set[str] = set()
    for value in trace_provenance(ruleset.resolved, path, result):
        for origin in value.origins:
            line = f"changed by {origin.layer}, {origin.span.file}:{origin.span.line}"
            if origin.layer != first and line not in printed:
                printed.add(line)
                yield line


def _program(ruleset: Ruleset, identity: str | None) -> str:
    """Return the operations of a procedure or formula.

    Without a name, this is the memory layout of a game and all procedures. Raises `RulewrightError` for an unknown
    name.
    """
    from rulewright.base.errors import RulewrightError
    from rulewright.ir.program import build_program
    from rulewright.ir.program_text import format_formula, format_layout, format_routine
    from rulewright.source.diagnostics.suggestions import suggest_name

    program = build_program(ruleset)
    if identity is None:
        return "\n".join([format_layout(program), *(format_routine(program, name) for name in program.routines)])
    name = identity.removeprefix("procedures.").removeprefix("formulas.")
    if name in program.routines:
        return format_routine(program, name)
    formulas = ruleset.declarations.formulas
    if name in formulas:
        return format_formula(program.get_formula(name))
    hint = suggest_name(name, [*program.routines, *formulas]) or "name a procedure or a formula"
    raise RulewrightError(f"{ruleset.reference} has no procedure or formula `{name}`; {hint}")


def _listing(ruleset: Ruleset) -> dict[str, object]:
    """Return the facts that identify a ruleset, its layers, and the names of the entries by section, as JSON data."""
    from rulewright.ruleset.elaborate.node_readers import iterate_entries

    sections = {
        section: [name for name, _ in iterate_entries(entry.value)]
        for section, entry in ruleset.resolved.rules.entries.items()
    }
    return {
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "status": ruleset.status,
        "digest": ruleset.digest,
        "layers": [layer.name for layer in ruleset.resolved.layers],
        **sections,
    }


def _contents(ruleset: Ruleset, listing: dict[str, object]) -> str:
    import textwrap

    from rulewright.cli.terminal import measure_width

    lines = [
        f"{ruleset.title}",
        f"{ruleset.reference}, {ruleset.status}, gameplay digest {ruleset.digest}",
        "layers: " + " → ".join(layer.name for layer in ruleset.resolved.layers),
    ]
    for section, names in listing.items():
        if isinstance(names, list) and section != "layers":
            text = ", ".join(str(name) for name in names)
            lines += ["", f"{section} ({len(names)})"]
            lines += textwrap.wrap(text, max(40, measure_width() - 2), initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)
