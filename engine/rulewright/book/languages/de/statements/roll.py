"""German for `roll`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    describe_viewers,
    name_result,
)
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step.

    Raises `MissingWordsError` for several rolls.
    """
    action, say = step.action, at.say
    if action.count is not None:
        raise MissingWordsError(what="several rolls")
    noun = name_result(at, step)
    what = f"auf der Tabelle {say.words.title('tables', action.table)}" if action.table else _thrown(say, action.dice)
    result = f"; das Ergebnis ist {noun.say(NOMINATIVE)}" if noun is not None else ""
    more = describe_viewers(say, action.viewers, "das Ergebnis")
    if action.by is None:
        return Sentence("würfle", f"{what}{result}", more=more)
    by = say.inside(action.by, Looseness.RELATIVE)
    say.use(by)
    return Sentence(match_number(by, "würfelt/würfeln"), f"{what}{result}", str(by), more=more)


def _thrown(say: German, dice: Typed) -> str:
    """Return the dice of a roll: `1d6`, or `mit dem Wurf der Siedlung`, because a phrase needs a preposition."""
    phrase = say.inside(dice, Looseness.RELATIVE)
    say.use(phrase)
    return str(phrase) if phrase.fixed else phrase.say(ACCUSATIVE)
