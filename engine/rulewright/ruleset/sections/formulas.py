"""The section `formulas:`, named expressions with parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    ByForm,
    MapOf,
    Record,
    expression,
    optional,
    required,
    words,
)
from rulewright.ruleset.section import CLAUSES, INTERNAL, NAMES, PHRASE, TYPE, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


FORMULA = Record(
    "A named expression.",
    members={
        "given": optional(MapOf("Its parameters and their types.", inner=TYPE, ordered=True, ranked=True)),
        "is": required(expression("The expression for its value.")),
        "means": optional(words("A description of the formula.")),
        "internal": INTERNAL,
        "wording": optional(
            ByForm(
                "The phrase for it in sentences: a noun with its article, and `{given.name}` for each parameter.",
                scalar=PHRASE,
                mapping=CLAUSES,
                cosmetic=True,
            ),
            "said",
        ),
        "text": optional(words("The whole definition in words, instead of the generated sentence.")),
        "names": optional(NAMES),
        "type": optional(TYPE),
    },
    short="is",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.formula_declarations import declare_formulas

    declare_formulas(work.rules, work.declarations, work.diagnostics, work.trail)


FORMULAS = RulesSection(
    key="formulas",
    place=90,
    doc="Calculations with a name, such as an income, that rules and book share.",
    entry=FORMULA,
    one="formula",
    sort="function",
    gameplay=True,
    declare=_declare,
    worded={"is": ("means", "text", "wording")},
    untranslated=("text",),
    title="Formulas",
    labels={"means": "Described as"},
    guide="reference/values.md",
    anchor="formula-",
    printed=True,
    report=100,
    gist="means",
    weight=(4, 8),
)
