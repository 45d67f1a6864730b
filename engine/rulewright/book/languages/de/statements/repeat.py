"""German for `repeat`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.language.checked_steps import Step
from rulewright.language.control_flow import ends_before
from rulewright.language.expressions.typed_ast import Not

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps, after its condition if there is one."""
    return Sentence(_rounds(at, step), stop=at.open_block(blocks[0])).say(condition)


def _rounds(at: StepVoice, step: Step) -> str:
    """Return the start of a loop: how often it runs, and until when or as long as what."""
    action, say = step.action, at.say
    text = "wiederhole"
    if action.at_most is not None:
        exactly = action.going is None and not ends_before(step)
        times = say.inside(action.at_most, Looseness.RELATIVE)
        say.use(times)
        most = "" if exactly else "höchstens "
        if times.fixed:
            text += f" {most}{times}-mal"
        else:
            text += f" {most}so oft, wie {times} {match_number(times, 'ausmacht/ausmachen')}"
    if action.going is not None:
        until = isinstance(action.going, Not)
        word = "bis" if until else "solange"
        text += f", {word} {say.fact(action.going, holds=not until)}"
    return text
