"""What a formula or a derived field is, beside the steps that use it."""

from __future__ import annotations

from rulewright.book.english.called import Called
from rulewright.book.english.english import English
from rulewright.book.english.grammar import article
from rulewright.book.english.naming import pretty
from rulewright.book.style.style import Style
from rulewright.book.style.words import fill
from rulewright.language.types import Boolean, ListOf


def formula_meaning(identity: str, style: Style) -> tuple[str, str, str]:
    """Its name, what it means (empty where it says nothing of itself), and how it is worked out."""
    formula = style.ruleset.declarations.formulas[identity]
    kind, _, name = identity.rpartition(".")
    english = English(style, Called.in_formula(formula))
    of = f" of {article(english.naming.kind(kind))}" if kind else ""
    title = f"{english.naming.field(kind, name)}{of}" if kind else pretty(identity)
    means = fill(formula.means, style) if formula.means != identity else ""
    if isinstance(formula.type, Boolean):
        return title, means, f"It is so if {english.condition(formula.body)}"
    return title, means, f"{'They are' if isinstance(formula.type, ListOf) else 'It is'} {english.value(formula.body)}"
