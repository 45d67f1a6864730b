"""German for `sample_stake`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import Sentence, describe_viewers, name_result
from rulewright.language.checked_steps import Step


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentences of the step with its nested steps, after its condition if there is one."""
    who, dice, viewers, _ = step.action
    player = at.say.within(who, Case.NOMINATIVE)
    passes = f"„{at.say.words.fill(step.words['none'])}“"
    first = Sentence("nennt", f"eine Zahl von 1 bis 6 oder {passes}", player).say(condition)
    first += describe_viewers(at.say, viewers, "die Zahl")
    result = name_result(at, step)
    named = f" ({result.say(Case.NOMINATIVE)})" if result else ""
    first += f" Wer eine Zahl nennt, würfelt {at.say.within(dice, Case.ACCUSATIVE)}{named}."
    return f"{first} Wenn der Wurf mindestens so hoch ist{at.open_block(blocks[0])}"
