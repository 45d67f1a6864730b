"""One name for two things."""

from __future__ import annotations

from rulewright.language.declarations import GAME_KIND, Declarations
from rulewright.ruleset import codes
from rulewright.source.diagnostic import Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.span import Span


def report_clashes(declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Report names that expressions could take for two things."""
    seen: dict[str, tuple[str, Span]] = {}
    named = [
        ("a number", ((n.id, n.span) for n in declarations.numbers.values())),
        ("a table", ((t.id, t.span) for t in declarations.tables.values())),
        ("a formula", ((f.id, f.span) for f in declarations.formulas.values() if "." not in f.id)),
        ("all of a kind", ((k.plural, k.span) for k in declarations.kinds.values() if k.id != GAME_KIND)),
        ("a value of the game", ((f.name, f.span) for f in declarations.kinds[GAME_KIND].fields.values())),
    ]
    for what, names in named:
        for name, span in names:
            if name in seen:
                other, place = seen[name]
                message = f"`{name}` is {what}, and {other}"
                diagnostics.add(codes.NAME_CLASH, message, span, related=(Related(place, f"{other} is here"),))
            seen.setdefault(name, (what, span))
