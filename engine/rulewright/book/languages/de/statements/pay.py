"""German for `pay`."""

from __future__ import annotations

from rulewright.book.languages.de.change_sentences import describe_amounts
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.language.checked_steps import Step


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    return describe_amounts(at, step, "zahlt/zahlen")
