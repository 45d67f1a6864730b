"""German for `stop`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
)
from rulewright.language.checked_steps import Step

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    if step.action.loop:
        outer = " und die um sie herum" if step.action.outer else ""
        return Sentence("beende", f"diese Wiederholung{outer}")
    return Sentence("endet", "hier", at.title())
