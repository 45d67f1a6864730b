"""Fields that steps change and nothing reads."""

from __future__ import annotations

from rulewright.language.codes import UNUSED_VALUE
from rulewright.language.expression.typed import Stored
from rulewright.language.lowering import operations
from rulewright.language.operations import Write
from rulewright.ruleset.queries.names_read import everything, nodes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report each field once, where it is declared. A field to which amounts are added counts as read by players."""
    read = {(node.kind, node.field) for node in nodes(everything(ruleset)) if isinstance(node, Stored)}
    told: set[tuple[str, str]] = set()
    for step in ruleset.steps.values():
        for each in operations(step):
            # Of an amount that is added or taken, players read what there is.
            if not isinstance(each, Write) or each.by:
                continue
            place = (each.kind, each.field)
            if "." not in each.field and place not in read | told:
                told.add(place)
                field = ruleset.declarations.kinds[each.kind].fields[each.field]
                message = f"`{step.rule}` sets `{each.field}` of `{each.kind}`, and no rule reads it"
                diagnostics.add(UNUSED_VALUE, message, field.span)
