"""German for `sample_contest`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.language.checked_steps import Step
from rulewright.language.types import PLAYER

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps."""
    action, say = step.action, at.say
    first, second = (say.within(who, NOMINATIVE) for who in (action.first, action.second))
    roll = Sentence("würfeln", say.within(action.dice, ACCUSATIVE), f"{first} und {second}")
    winner = say.bound(action.name, PLAYER).say(NOMINATIVE)
    return f"{roll.say(condition)}{say.where()} Wer mehr hat, ist {winner}{at.open_block(blocks[0])}"
