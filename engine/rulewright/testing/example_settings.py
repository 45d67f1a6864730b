"""The settings that an entry of the rules says a game is played with: whether there are such."""

from __future__ import annotations

from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping


def check_options(ruleset: Ruleset, node: Mapping, code: Code, problems: Diagnostics) -> None:
    """Report every one of the `options:` in `node` that the ruleset does not have, or no such choice of."""
    known = ruleset.declarations.options
    for name, entry in iterate_entries(node.get("options")):
        choice = read_text(entry.value)
        if name not in known:
            hint = suggest_name(name, known)
            problems.add(code, f"there is no option `{name}`", entry.key.span, suggestion=hint)
        elif choice not in known[name].choices:
            hint = suggest_name(choice, known[name].choices)
            problems.add(code, f"`{name}` has no choice `{choice}`", entry.value.span, suggestion=hint)
