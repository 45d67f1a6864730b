"""The planner of German sentences: steps, results, formulas and examples."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import NameWords
from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.examples import describe_answer, describe_question, list_results
from rulewright.book.languages.de.german_steps import GermanSteps, strip_clause_commas
from rulewright.book.languages.de.german_writer import GermanWriter
from rulewright.book.languages.de.sentence_parts import decide
from rulewright.book.languages.de.value_nouns import find_formula_path
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import split_column
from rulewright.language.expressions.typed_ast import Invoke, Local, Typed, Variable
from rulewright.language.types import Boolean, present
from rulewright.ruleset.translation.translation import Translation

__all__ = [
    "describe_answer",
    "describe_formula",
    "describe_question",
    "describe_steps",
    "list_outcomes",
    "list_results",
]


def describe_steps(translation: Translation, procedure: Procedure, style: Style) -> str:
    """Return the steps of a procedure as a list."""
    return GermanSteps(translation, procedure, style).all()


def list_outcomes(translation: Translation, procedure: Procedure, style: Style) -> list[tuple[str, str]]:
    """Return the results of a procedure, each as a name and a sentence, without plain names of its steps.

    Raises `MissingWordsError` for what German or the translation has no words for.
    """
    say = GermanSteps(translation, procedure, style).say
    return [
        (say.bound(name, value.type).say(Case.NOMINATIVE), _describe_result(say, value))
        for name, value in procedure.gives.items()
        if not (isinstance(value, Local) and value.name in (name, f"{value.name.partition('.')[0]}.{name}"))
    ]


def _describe_result(say: GermanWriter, value: Typed) -> str:
    if isinstance(present(value.type), Boolean):
        return _finish(say, f"Es sagt, ob {say.fact(value)}")
    return _finish(say, f"Das ist {say.last(say.phrase(value), Case.NOMINATIVE)}")


def describe_formula(translation: Translation, formula: str, style: Style) -> tuple[str, str, str]:
    """Return the name of a formula, its description, which may be empty, and its definition as a sentence.

    The name of a boolean formula is its description, if it has one. Raises `MissingWordsError` for what German or the
    translation has no words for.
    """
    declared = translation.ruleset.declarations.formulas[formula]
    kind, _, name = formula.rpartition(".")
    say = GermanWriter(translation, style, NameWords.in_formula(declared), find_formula_path(formula))
    path = ("kinds", kind, "derived", name, "means") if kind else (*find_formula_path(formula), "means")
    means = say.words.fill(say.words.find(*path))
    given = tuple(Variable(type_, parameter) for parameter, type_ in declared.parameters.items())
    called = Invoke(declared.type, formula, given)
    table, column = split_column(formula)
    if table:
        title = say.words.fill(say.words.require("tables", table, "title"))
        what = f"ob {say.fact(called)}" if isinstance(declared.type, Boolean) else ""
        what = f", {what}" if what else f" {say.last(say.phrase(called), Case.ACCUSATIVE)}"
        return capitalize(column.replace("_", " ")), means, _finish(say, f"die Tabelle „{title}“ zeigt{what}")
    if isinstance(declared.type, Boolean):
        held = say.clause(called)
        clause = say.clause(declared.body)
        say.use(held, clause)
        return means.rstrip(".") or held.subordinate, "", _finish(say, replace(decide(held, clause), stop="").say())
    subject = say.phrase(called)
    value = say.phrase(declared.body)
    say.use(subject, value)
    be = "sind" if subject.several else "ist"
    return strip_clause_commas(str(subject)), means, _finish(say, f"{subject} {be} {value}{value.listed}")


def _finish(say: GermanWriter, text: str) -> str:
    """Return a text and the definitions of its letters as sentences. The last one has no full stop."""
    where = say.where(stop="")
    return strip_clause_commas(capitalize(text) + (f".{where}" if where else ""))
