"""Report triggers from different layers that replace the same step without a defined order."""

from __future__ import annotations

from itertools import combinations

from rulewright.language.language_diagnostics import TRIGGER_ORDER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report each pair of triggers of different layers that replace the same step, unless one of them is ordered.

    A trigger is ordered by `before` or `after`. A pair is reported once, at its second trigger.
    """
    triggers = ruleset.declarations.triggers
    reported: set[tuple[str, str]] = set()
    for step in ruleset.steps.values():
        meeting = [triggers[each] for each in step.touched if triggers[each].timing == "instead"]
        for first, second in combinations(meeting, 2):
            pair = (first.id, second.id)
            layers = {ruleset.resolved.find_layer(each.named.span) for each in (first, second)}
            if len(layers) == 1 or pair in reported or any(_is_placed(each.id, ruleset) for each in (first, second)):
                continue
            reported.add(pair)
            message = f"`{first.id}` and `{second.id}` both replace `{step.rule}`"
            related = (RelatedSpan(first.named.span, f"`{first.id}` is here"),)
            hint = f"add `after: {first.id}` or `before: {first.id}` to `{second.id}`"
            diagnostics.add(TRIGGER_ORDER, message, second.named.span, related=related, suggestion=hint)


def _is_placed(identity: str, ruleset: Ruleset) -> bool:
    """Return whether any layer gives the trigger a position among the others, by `before` or `after`."""
    for layer in ruleset.resolved.layers:
        for file in layer.files:
            section = file.get("whenever")
            node = section.get(identity) if isinstance(section, Mapping) else None
            if isinstance(node, Mapping) and ("before" in node or "after" in node):
                return True
    return False
