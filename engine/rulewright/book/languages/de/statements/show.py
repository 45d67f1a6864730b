"""German for `show`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    describe_watchers,
)
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Objects

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    action, say = step.action, at.say
    who = "allen" if isinstance(action.to, Objects) else describe_watchers(say, action.to).say(DATIVE)
    return Sentence("zeige", f"{who} {say.within(action.what, ACCUSATIVE)}")
