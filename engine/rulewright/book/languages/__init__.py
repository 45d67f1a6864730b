"""The languages of the book besides English: a folder for each, with its words and the planner of its sentences.

A folder is called like the tag of its language. It has the file `words.yaml` with the texts of the book, and may have
a module `planner` with the sentences that a `Planner` has. Without one, the book in this language leaves out steps,
examples and samples, and links to them in the English book.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from rulewright.base.lazy import compute_once
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Procedure
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.translation import Translation
from rulewright.testing.run_examples import ExampleRun


class Planner(Protocol):
    """The module that plans the sentences of a language. Functions raise `MissingWordsError` if they have no words."""

    def describe_steps(self, translation: Translation, procedure: Procedure, style: Style) -> str:
        """Return the steps of a procedure as a list."""

    def list_outcomes(self, translation: Translation, procedure: Procedure, style: Style) -> list[tuple[str, str]]:
        """Return the results of a procedure, each as a name and a sentence, without plain names of its steps."""

    def describe_formula(self, translation: Translation, formula: str, style: Style) -> tuple[str, str, str]:
        """Return the name of a formula, its description, which may be empty, and its definition as a sentence."""

    def list_results(self, translation: Translation, ran: ExampleRun, style: Style) -> list[str]:
        """Return sentences about the results of an example that has run a procedure, without those it cannot say."""

    def describe_answer(self, translation: Translation, typed: Typed, value: Any, answer: str, style: Style) -> str:
        """Return the sentence that an expression has a value, which `answer` gives in words."""

    def describe_question(
        self, translation: Translation, example: Example, expression: str, style: Style
    ) -> tuple[str, bool]:
        """Return an expression as it is at the end of an example as a question of odds, and whether it is a boolean."""


@compute_once
def load_planners() -> dict[str, Planner]:
    """Return the planner of each language that has one, by tag. Computed once."""
    from rulewright.ruleset.prose.book_language import load_languages

    names = {tag: f"{__name__}.{tag}.planner" for tag in load_languages() if tag.isidentifier()}
    there = {tag: name for tag, name in names.items() if _exists(name)}
    return {tag: cast(Planner, import_module(name)) for tag, name in there.items()}


def _exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def find_planner(translation: Translation) -> Planner | None:
    """Return the planner of a translation's language, or None if it has none."""
    return load_planners().get(translation.language.tag)
