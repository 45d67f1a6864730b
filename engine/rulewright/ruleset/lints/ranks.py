"""Check `side:` of kinds: it must name a field that refers to an object."""

from __future__ import annotations

from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.language_diagnostics import UNKNOWN_FIELD, WRONG_TYPE
from rulewright.language.types import Entity, present
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report kinds with a `side:` field that does not exist or is not an object of a kind other than the player."""
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("kinds")):
        written = entry.value.get("side") if isinstance(entry.value, Mapping) else None
        if not isinstance(written, Scalar):
            continue
        fields = ruleset.declarations.kinds[identity].fields
        sides = [name for name, field in fields.items() if isinstance(present(field.type), Entity)]
        if written.text not in fields:
            message = f"`{identity}` has no field `{written.text}`, so sides cannot be assigned"
            diagnostics.add(UNKNOWN_FIELD, message, written.span, suggestion=suggest_name(written.text, sides))
            continue
        kind = present(fields[written.text].type)
        if not isinstance(kind, Entity) or kind.kind == PLAYER_KIND:
            message = f"`{written.text}` is {fields[written.text].type}, but a side must be an object, and not a player"
            diagnostics.add(
                WRONG_TYPE, message, written.span, suggestion="change its type to the kind that represents the sides"
            )
