"""The `rulewright why` command, which shows the origin of each value of a rule."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from rulewright.cli.shared_options import add_rules_option, load

if TYPE_CHECKING:
    from rulewright.ruleset.layers.value_origins import Path

HELP = "show where each value of a rule comes from: edition, file, line and operation"
TASKS = "Find the layer, file and line that set a value."
EXAMPLE = """\
rulewright why pig/classic@1.0 goal
rulewright why pig/classic@1.0 game.bank --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument("id", metavar="ID", help="the rule, such as tables.guests or visit.check")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the origins of every value of the rule and, except as JSON, the triggers that apply to it. Return 0.

    Also works for rules that a layer has removed. Raises `DiagnosticError` for an unknown rule.
    """
    from rulewright.book.parts.trigger_sentences import list_applying_triggers
    from rulewright.ruleset.layers.provenance import trace_provenance, trace_removed
    from rulewright.ruleset.queries.lookup import find_node
    from rulewright.source.diagnostics.collector import DiagnosticError

    ruleset = load(args)
    path: Path = ()
    try:
        path, result = find_node(ruleset, args.id)
        values = trace_provenance(ruleset.resolved, path, result)
    except DiagnosticError:
        # Removed values have origins, too.
        values = trace_removed(ruleset.resolved, args.id)
        if not values:
            raise
    if args.json:
        data = [
            {
                "id": ".".join(value.path),
                "value": value.value,
                "origins": [
                    {
                        "layer": origin.layer,
                        "operation": origin.operation,
                        "file": origin.span.file,
                        "line": origin.span.line,
                        "column": origin.span.column,
                        "value": origin.value,
                    }
                    for origin in value.origins
                ],
            }
            for value in values
        ]
        print(json.dumps(data, ensure_ascii=False, indent=2))
        return 0
    for value in values:
        print(f"{'.'.join(value.path)} = {value.value}")
        for origin in value.origins:
            place = f"{origin.span.file}:{origin.span.line}:{origin.span.column}"
            text = "" if origin.operation == "removes" else f": {origin.value}"
            print(f"  {origin.layer} {origin.operation} it{text}  ({place})")
    for line in list_applying_triggers(path, ruleset):
        print(line)
    return 0
