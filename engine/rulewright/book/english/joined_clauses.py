"""The clauses that a truth value is joined of."""

from __future__ import annotations

from rulewright.book.english.phrase import Phrase
from rulewright.book.english.say import Say
from rulewright.language.expression import typed as t

_JOINED_OTHERWISE = {"and": "or", "or": "and"}


def parts(say: Say, node: t.Typed, *, holds: bool) -> tuple[list[Phrase], str]:
    """The clauses that a truth value, or its opposite, is joined of, and the word that joins them."""
    if not isinstance(node, t.Logic):
        return [say.clause(node, holds=holds)], ""
    operator = node.operator if holds else _JOINED_OTHERWISE[node.operator]
    return [say.clause(operand, holds=holds) for operand in _operands(node, operator, holds)], operator


def _operands(node: t.Logic, operator: str, holds: bool) -> list[t.Typed]:
    """The parts joined by one word, those of parts that are joined by the same word among them."""
    found: list[t.Typed] = []
    for operand in node.operands:
        inner, inner_holds = operand, holds
        while isinstance(inner, t.Not):
            inner, inner_holds = inner.operand, not inner_holds
        if isinstance(inner, t.Logic) and inner_holds is holds and inner.operator == node.operator:
            found += _operands(inner, operator, holds)
        else:
            found.append(operand)
    return found
