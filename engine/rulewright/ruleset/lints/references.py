"""Rulings, answers and kinds that name something that is not there. Pages are checked with their words."""

from __future__ import annotations

from rulewright.ruleset.codes import UNKNOWN_REFERENCE
from rulewright.ruleset.elaborate.read import entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import sections
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Mapping, Scalar


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report them, with the nearest id there is."""
    known = known_rules(ruleset)
    for _, ruling in entries(ruleset.resolved.rules.get("rulings")):
        about = ruling.value.get("about") if isinstance(ruling.value, Mapping) else None
        if isinstance(about, Scalar):
            _require(about, known, diagnostics)
    for question in ruleset.faq.values():
        _require(question.about, known, diagnostics)
        if not question.examples:
            message = f"no example proves the answer to `{question.id}`"
            diagnostics.add(UNKNOWN_REFERENCE, message, question.span, suggestion="name one: `example: …`")
        for example in question.examples:
            if example.text not in ruleset.examples:
                hint = did_you_mean(example.text, ruleset.examples)
                message = f"there is no example `{example.text}` to prove the answer to `{question.id}`"
                diagnostics.add(UNKNOWN_REFERENCE, message, example.span, suggestion=hint)
    terms = ruleset.declarations.terms
    for _, kind in entries(ruleset.resolved.rules.get("kinds")):
        term = kind.value.get("term") if isinstance(kind.value, Mapping) else None
        if isinstance(term, Scalar) and term.text not in terms:
            message = f"there is no term `{term.text}`"
            diagnostics.add(UNKNOWN_REFERENCE, message, term.span, suggestion=did_you_mean(term.text, terms))


def known_rules(ruleset: Ruleset) -> list[str]:
    """The path of everything that a ruling or an answer may be about."""
    found = []
    for key, section in sections().items():
        if section.citable:
            found += [f"{key}.{name}" for name, _ in entries(ruleset.resolved.rules.get(key))]
    for step in ruleset.steps.values():
        found.append(f"procedures.{step.rule}")
    return found


def _require(item: Scalar, known: list[str], diagnostics: Diagnostics) -> None:
    if item.text not in known:
        message = f"there is no `{item.text}`"
        diagnostics.add(UNKNOWN_REFERENCE, message, item.span, suggestion=did_you_mean(item.text, known))
