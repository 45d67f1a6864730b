"""German for `reshuffle`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    name_deck,
)
from rulewright.language.checked_steps import Step

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    action, say = step.action, at.say
    object_ = say.within(action.less, ACCUSATIVE) if action.less is not None else ""
    deck = name_deck(say, action)
    more = f" zusammen mit {say.within(action.more, DATIVE)}" if action.more is not None else ""
    if action.less is not None:
        return Sentence("nimm", f"{object_} aus dem {deck} und mische ihn{more}")
    return Sentence("mische", f"den {deck}{more}")
