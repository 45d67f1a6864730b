"""German for `set`."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.languages.de.change_sentences import describe_assignments
from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
)
from rulewright.language.checked_steps import Step

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    first, *others = describe_assignments(at.say, step.action.changes, apart=step.when is None)
    more = "".join(f" {each.say()[:1].upper()}{each.say()[1:]}" for each in others)
    return replace(first, more=more)
