"""Examples of odds, with the chance of every answer.

The book does not depend on the package that computes odds. Its callers pass in a function for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.parts.table_views import format_percent
from rulewright.book.style.text_style import HtmlStyle, Style, translate_number
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Boolean, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.testing.starting_position import build_result_scope

MOST_ROWS = 40
"""Maximum number of answers with a row of their own. The others share a last row."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The exact odds of one expression, with all answers as text, and the mean if they are numbers."""

    expression: str
    answers: tuple[tuple[str, Fraction], ...]
    mean: Fraction | None = None


Weigh = Callable[[Ruleset, Example], Sequence[Chances]]
"""A function that computes the odds in an example."""


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """An answer, its chance as text, and the length of its bar as a percentage."""

    answer: str
    chance: str
    share: str


@dataclass(frozen=True, slots=True)
class ChancesView:
    """Odds, ready for a template. A boolean has a single row with the chance that it is true."""

    question: str
    rows: tuple[ChanceRow, ...]
    mean: str


def build_chances_views(example: Example, weigh: Weigh | None, style: HtmlStyle) -> list[ChancesView]:
    """Return the odds in an example. The list is empty if it states no odds or if `weigh` is None."""
    if weigh is None or not example.claims:
        return []
    chances_views = []
    for result in weigh(style.ruleset, example):
        question, yes_no = describe_question(result.expression, example, style)
        chances_views.append(build_chances_view(result, question, style, yes_no=yes_no))
    return chances_views


def build_chances_view(chances: Chances, question: str, style: HtmlStyle, *, yes_no: bool) -> ChancesView:
    """Return the odds of an expression. If it is `yes_no`, they have one row.

    The rows above `MOST_ROWS` are joined to one. `question` is the expression as a question.
    """
    answers = chances.answers
    if yes_no:
        answers = (("", dict(answers).get(style.language.translate("yes"), Fraction(0))),)
    most = max(chance for _, chance in answers) or Fraction(1)
    rows = [_row(answer, chance, Fraction(1) if yes_no else most, style) for answer, chance in answers[:MOST_ROWS]]
    if len(answers) > MOST_ROWS:
        rest = sum((chance for _, chance in answers[MOST_ROWS:]), Fraction(0))
        rows.append(_row(style.language.translate("anything else"), rest, max(most, rest), style))
    mean = (
        ""
        if chances.mean is None or yes_no
        else translate_number(f"{float(chances.mean):.2f}".rstrip("0").rstrip("."), style.language)
    )
    return ChancesView(question, tuple(rows), mean)


def _row(answer: str, chance: Fraction, most: Fraction, style: HtmlStyle) -> ChanceRow:
    return ChanceRow(style.escape(answer), format_percent(chance, style.language), f"{float(chance / most) * 100:.4g}%")


def check_question(expression: str, example: Example, ruleset: Ruleset) -> Typed | None:
    """Return an expression at the end of the procedure that an example runs, or None if it is not valid there."""
    scope, diagnostics = build_result_scope(ruleset.procedures[example.of], ruleset.declarations), Diagnostics()
    typed = check_expression(Scalar(expression, expression, example.span), scope, diagnostics)
    return None if diagnostics.errors else typed


def describe_question(expression: str, example: Example, style: Style) -> tuple[str, bool]:
    """Return an expression as a question in English, and whether it is a boolean.

    The expression counts at the end of the procedure that the example runs. One that is not valid there is read as the
    name of a player field whose gain is computed: `Points gained`.
    """
    typed = check_question(expression, example, style.ruleset)
    if typed is None:
        # The bare name of a player field means the amount gained.
        return f"{style.escape(capitalize(humanize(expression)))} gained", False
    english = English(style, NameWords.in_procedure(style.ruleset.procedures[example.of]))
    if isinstance(present(typed.type), Boolean):
        return f"Chance that {english.condition(typed, holds=True)}", True
    return capitalize(english.value(typed)), False
