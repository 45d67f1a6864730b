"""Validation of the game settings in an example, sample or similar entry."""

from __future__ import annotations

from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping


def check_options(ruleset: Ruleset, node: Mapping, code: Code, problems: Diagnostics) -> None:
    """Report each setting in the `options:` of `node` that the ruleset does not have, and each invalid choice."""
    known = ruleset.declarations.options
    for name, entry in iterate_entries(node.get("options")):
        choice = read_text(entry.value)
        if name not in known:
            hint = suggest_name(name, known)
            problems.add(code, f"there is no setting `{name}`", entry.key.span, suggestion=hint)
        elif choice not in known[name].choices:
            hint = suggest_name(choice, known[name].choices)
            problems.add(code, f"`{name}` has no choice `{choice}`", entry.value.span, suggestion=hint)
