"""Whoever adds a statement or a question adds a test that uses it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright.analysis.fairness.questions import load_questions
from rulewright.language.statement import load_statements

TESTS = Path(__file__).parents[1]


@cache
def read_tests() -> str:
    """Return the text of all test modules."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(TESTS.glob("*/**/test_*.py")))


@pytest.mark.parametrize("verb", load_statements())
def test_a_test_has_a_step_of_each_statement(verb: str) -> None:
    assert f"{verb}: " in read_tests()


@pytest.mark.parametrize("question", [question.id for question in load_questions()])
def test_a_test_names_each_question(question: str) -> None:
    assert f'"{question}"' in read_tests()
