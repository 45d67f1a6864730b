"""German for `put`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    name_deck,
)
from rulewright.language.checked_steps import Step
from rulewright.language.types import ListOf

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    action, say = step.action, at.say
    cards = say.within(action.cards, ACCUSATIVE)
    deck = name_deck(say, action)
    several = isinstance(action.cards.type, ListOf)
    if action.place == "into":
        return Sentence("mische", f"{cards} in den {deck}")
    where, order = ("auf", "die erste zuoberst") if action.place == "onto" else ("unter", "die letzte zuunterst")
    return Sentence("lege", f"{cards} {where} den {deck}{f', {order}' if several else ''}")
