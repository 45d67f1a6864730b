"""German for the results of examples and for the questions of their odds."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rulewright.book.english.grammar import capitalize
from rulewright.book.languages.de.condition_clauses import describe_count
from rulewright.book.languages.de.declension import BARE, Case
from rulewright.book.languages.de.german_steps import GermanSteps, strip_clause_commas
from rulewright.book.languages.de.german_writer import GermanWriter
from rulewright.book.languages.de.nominals import Looseness, build_fixed
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.parts.example_runs import format_narration
from rulewright.book.parts.odds_examples import check_question
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Arithmetic, Present, Typed
from rulewright.language.types import BOOLEAN, Boolean, Dice, Integer, Optional, present
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.testing.run_examples import ExampleResult, ExampleRun
from rulewright.testing.starting_position import end_scope


def list_results(translation: Translation, ran: ExampleRun, style: Style) -> list[str]:
    """Return sentences about the results of an example that has run a procedure, as they came out.

    Results that German or the translation has no words for are left out.
    """
    lines = []
    for expected in ran.expectations:
        with suppress(MissingWordsError):
            lines.append(_describe_result(translation, ran, expected, style))
    return lines


def _describe_result(translation: Translation, ran: ExampleRun, expected: ExampleResult, style: Style) -> str:
    """Return the sentence for an expected value, as it was at the end of the run.

    Raises `MissingWordsError` for what German or the translation has no words for, and also if the example ran no
    procedure, or if the expression is invalid.
    """
    if ran.finished is None or ran.finished.procedure is None:
        raise MissingWordsError(what="an example without a procedure")
    procedure, diagnostics = ran.finished.procedure, Diagnostics()
    node = Scalar(expected.expression, expected.expression, ran.example.span)
    typed = check_expression(node, end_scope(procedure, translation.ruleset.declarations), diagnostics)
    if diagnostics.errors:
        raise MissingWordsError(what=f"the expectation `{expected.expression}`")
    say = GermanSteps(translation, procedure, style).say
    return _equal(say, typed, expected.value, style.value(format_narration(expected.phrase, Style(style.ruleset))))


def describe_answer(translation: Translation, typed: Typed, value: Any, answer: str, style: Style) -> str:
    """Return the sentence that an expression has a value, which `answer` gives in words.

    Raises `MissingWordsError` for what German or the translation has no words for.
    """
    return _equal(GermanWriter(translation, style), typed, value, answer)


def _equal(say: GermanWriter, typed: Typed, value: Any, answer: str) -> str:
    if isinstance(value, bool):
        clause = say.clause(typed, holds=value)
    elif value is None and isinstance(typed.type, Optional):
        clause = say.clause(Present(BOOLEAN, typed), holds=False)
    elif type(value) is int and (counted := describe_count(say, typed, value)) is not None:
        clause = counted
    elif (phrase := say.phrase(typed)).looseness > Looseness.RELATIVE and isinstance(
        present(typed.type), Integer | Dice
    ):
        if isinstance(typed, Arithmetic) and not phrase.listed:
            say.use(phrase)
            return strip_clause_commas(f"{capitalize(str(phrase))} ergibt {answer}.{say.where()}")
        return strip_clause_commas(f"{capitalize(answer)} ist {say.last(phrase, Case.NOMINATIVE)}.{say.where()}")
    else:
        subject = say.fit(phrase)
        say.use(subject)
        text = f"{subject} {'sind' if subject.several else 'ist'} {build_fixed(answer)}"
        return strip_clause_commas(f"{capitalize(text)}.{say.where()}")
    say.use(clause)
    return strip_clause_commas(f"{capitalize(clause.main)}.{say.where()}")


def describe_question(translation: Translation, example: Example, expression: str, style: Style) -> tuple[str, bool]:
    """Return an expression as it is at the end of an example as a question of odds, and whether it is a boolean.

    The bare name of a player field means the amount gained. Raises `MissingWordsError` for what German or the
    translation has no words for.
    """
    procedure = translation.ruleset.procedures[example.of]
    typed = check_question(expression, example, translation.ruleset)
    say = GermanSteps(translation, procedure, style).say
    if typed is None:
        return f"Gewinn an {say.words.unit(PLAYER_KIND, expression).core(Case.DATIVE, BARE)}", False
    if isinstance(present(typed.type), Boolean):
        return f"Chance, dass {say.fact(typed)}", True
    return strip_clause_commas(capitalize(say.last(say.phrase(typed), Case.NOMINATIVE))), False
