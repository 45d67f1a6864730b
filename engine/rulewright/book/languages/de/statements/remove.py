"""German for `remove`."""

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
    phrase = at.say.phrase(step.action.what)
    if phrase.listed:
        phrase = at.say.letter(phrase)
    at.say.use(phrase)
    return Sentence("nimm", f"{phrase.say(ACCUSATIVE)} aus dem Spiel")
