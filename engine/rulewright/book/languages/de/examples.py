"""German for the start of an example and for its results."""

from __future__ import annotations

from rulewright.book.english.grammar import capitalize
from rulewright.book.languages.de.declension import BARE, Case
from rulewright.book.languages.de.german_steps import GermanSteps, strip_clause_commas
from rulewright.book.languages.de.german_writer import GermanWriter
from rulewright.book.languages.de.nominals import build_fixed
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.style.text_style import Style
from rulewright.engine.narration.rich_text import to_text
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Present
from rulewright.language.types import BOOLEAN, Integer, Optional, present
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.testing.run_examples import ExampleResult, ExampleRun
from rulewright.testing.starting_position import end_scope


def list_given(translation: Translation, example: Example, style: Style) -> list[str]:
    """Return what an example starts with, a clause for each setting and each object.

    Raises `MissingWordsError` for anything else, and for what the translation has no words for.
    """
    say = GermanWriter(translation, style, own=("procedures", example.of))
    declared = translation.ruleset.declarations
    lines = []
    for option, choice in example.options.items():
        chosen = say.words.fill(say.words.require("options", option, "choices", choice))
        lines.append(f"{say.words.title('options', option)}: {chosen}")
    plurals = declared.map_plurals()
    for name, entry in (example.given.entries if example.given is not None else {}).items():
        kind = plurals.get(name)
        if kind is None or not isinstance(entry.value, Sequence):
            raise MissingWordsError(what=f"the start `{name}`")
        several = len(entry.value.items) > 1
        one = say.words.kind(kind)
        for place, item in enumerate(entry.value.items, start=1):
            numbered = several or kind == PLAYER_KIND
            heading = one.core(Case.NOMINATIVE, BARE) + (f" {place}" if numbered else "")
            lines.append(f"{heading}: {_describe_fields(say, kind, item)}")
    return lines


def _describe_fields(say: GermanWriter, kind: str, node: Node) -> str:
    """Return the fields of an object, each as a number with its unit, or `nichts` without any.

    Raises `MissingWordsError` for a field that is no number.
    """
    if not isinstance(node, Mapping):
        raise MissingWordsError(what="an object of an example")
    parts = []
    for name, entry in node.entries.items():
        field = say.words.declared.kinds[kind].fields.get(name)
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        if field is None or not isinstance(present(field.type), Integer) or not isinstance(value, int):
            raise MissingWordsError(what=f"the start of `{name}`")
        unit = say.words.unit(kind, name, one=value == 1)
        parts.append(f"{value} {unit.core(Case.NOMINATIVE, BARE)}")
    return ", ".join(parts) or "nichts"


def list_results(translation: Translation, ran: ExampleRun, style: Style) -> list[str]:
    """Return sentences about the results of an example that has run a procedure, as they came out."""
    return [_describe_result(translation, ran, expected, style) for expected in ran.expectations]


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
    if isinstance(expected.value, bool):
        clause = say.clause(typed, holds=expected.value)
    elif expected.value is None and isinstance(typed.type, Optional):
        clause = say.clause(Present(BOOLEAN, typed), holds=False)
    else:
        subject = say.fit(say.phrase(typed))
        say.use(subject)
        answer = build_fixed(style.value(to_text(expected.said, symbol=False)))
        text = f"{subject} {'sind' if subject.several else 'ist'} {answer}"
        return strip_clause_commas(f"{capitalize(text)}.{say.where()}")
    say.use(clause)
    return strip_clause_commas(f"{capitalize(clause.main)}.{say.where()}")
