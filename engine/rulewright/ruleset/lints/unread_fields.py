"""Fields that steps change and nothing reads."""

from __future__ import annotations

from rulewright.language.codes import UNUSED_VALUE
from rulewright.language.expression.typed import Stored
from rulewright.ruleset.reading import everything, nodes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics import Diagnostics


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report each field once, where it is declared. A field that `gain` and `pay` change counts as read by players."""
    read = {(node.kind, node.field) for node in nodes(everything(ruleset)) if isinstance(node, Stored)}
    told: set[tuple[str, str]] = set()
    for step in ruleset.steps.values():
        if step.verb.name != "set":
            continue
        for target, _ in step.action.changes:
            place = (target.kind, target.field)
            if target.slot is None and "." not in target.field and place not in read | told:
                told.add(place)
                field = ruleset.declarations.kinds[target.kind].fields[target.field]
                message = f"`{step.rule}` sets `{target.field}` of `{target.kind}`, and no rule reads it"
                diagnostics.add(UNUSED_VALUE, message, field.span)
