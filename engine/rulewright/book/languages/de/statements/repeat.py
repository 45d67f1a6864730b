"""German for `repeat`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.language.checked_steps import Step
from rulewright.language.control_flow import ends_before
from rulewright.language.expressions.typed_ast import Constant, If, Not, Typed

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps, after its condition if there is one."""
    return Sentence(_rounds(at, step), stop=at.open_block(blocks[0])).say(condition)


def _rounds(at: StepVoice, step: Step) -> str:
    """Return the start of a loop: how often it runs, and until when or as long as what."""
    action, say = step.action, at.say
    text = "wiederhole"
    if action.at_most is not None:
        most = "" if action.going is None and not ends_before(step) else "höchstens "
        text += f" {_limit(say, action.at_most, most, alone=action.going is None)}"
    if action.going is not None:
        until = isinstance(action.going, Not)
        word = "bis" if until else "solange"
        text += f", {word} {say.fact(action.going, holds=not until)}"
    return text


def _limit(say: German, limit: Typed, most: str, *, alone: bool) -> str:
    """Return how often a loop runs, on a condition if nothing else ends it: `dreimal, wenn …, sonst zweimal`."""
    match limit:
        case If(condition=condition, then=Constant() as then, otherwise=Constant() as otherwise) if alone:
            clause = say.clause(condition)
            if not clause.listed:
                say.use(clause)
                return f"{most}{_times(say, then)}, wenn {clause.subordinate}, sonst {most}{_times(say, otherwise)}"
    return f"{most}{_times(say, limit)}"


def _times(say: German, many: Typed) -> str:
    """Return how often: `dreimal`, `20-mal` or `so oft, wie … beträgt`."""
    times = say.inside(many, Looseness.RELATIVE)
    say.use(times)
    if not times.fixed:
        return f"so oft, wie {times} {match_number(times, 'beträgt/betragen')}"
    number = many.value if isinstance(many, Constant) else -1
    word = say.translation.language.spell_number(number)
    return f"{word}mal" if number > 0 and not word.isdigit() else f"{times}-mal"
