"""German for `finish`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
)
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Items

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    winners, say = step.action.winners, at.say
    if isinstance(winners, Items) and not winners.items:
        return Sentence("endet", "unentschieden", "das Spiel")
    phrase = say.fit(say.phrase(winners), Looseness.RELATIVE)
    say.use(phrase)
    several = phrase.several
    return Sentence("ist", f"zu Ende, und {phrase} {'gewinnen' if several else 'gewinnt'}", "das Spiel")
