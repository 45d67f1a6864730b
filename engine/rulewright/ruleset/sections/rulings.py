"""Rulings: how gaps and contradictions of the sources were settled."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ruleset.elaborate.read import entries, text
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """One ruling, bound to the rule it settles (`about`, such as `procedures.battle`)."""

    id: str
    about: str
    question: str
    source: str
    ruling: str
    because: str
    number: int | None
    span: Span


def read_rulings(rules: Mapping) -> dict[str, Ruling]:
    """Every ruling, in order."""
    found = {}
    for identity, entry in entries(rules.get("rulings")):
        node = entry.value
        assert isinstance(node, Mapping)
        number = text(node.get("number"))
        found[identity] = Ruling(
            identity,
            text(node.get("about")),
            text(node.get("question")),
            text(node.get("source")),
            text(node.get("ruling")),
            text(node.get("because")),
            int(number) if number.isdigit() else None,
            entry.span,
        )
    return found
