"""Terms."""

from __future__ import annotations

from rulewright.language.declarations import Declarations, Term
from rulewright.ruleset.elaborate.read import entries, items, text, title
from rulewright.source.nodes import Mapping


def declare_terms(rules: Mapping, declarations: Declarations) -> None:
    """Declare every term."""
    for identity, entry in entries(rules.get("terms")):
        node = entry.value
        assert isinstance(node, Mapping)
        name = text(node.get("name")) or title(identity)
        declarations.terms[identity] = Term(
            identity,
            name,
            text(node.get("plural")) or f"{name}s",
            text(node.get("icon")),
            text(node.get("means")),
            entry.span,
            tuple(text(item) for item in items(node.get("also"))),
        )
