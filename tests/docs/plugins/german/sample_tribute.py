"""German for `sample_tribute`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.language.checked_steps import Step
from rulewright.language.types import PLAYER

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of a step without nested steps."""
    action, say = step.action, at.say
    giver, gift = say.bound(action.name, PLAYER), say.bound(action.gift_name, action.kind)
    label = f" oder „{say.words.fill(step.words['none'])}“" if "none" in step.words else ""
    able = f", wenn {say.fact(action.may_pass)}" if action.may_pass is not None else ""
    more = f" Zur Wahl stehen {say.within(action.offered, NOMINATIVE)}."
    return Sentence(
        "wählt",
        f"{gift.say(ACCUSATIVE)} für {say.within(action.taker, ACCUSATIVE)}{label}{able}",
        f"{giver.say(NOMINATIVE)}, nacheinander,",
        more=more,
    )


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of a step with nested steps."""
    return f"{describe(at, step).say(condition)}{at.say.where()} Danach{at.open_block(blocks[0])}"
