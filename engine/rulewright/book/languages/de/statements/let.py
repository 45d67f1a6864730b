"""German for `let`."""

from __future__ import annotations

from rulewright.book.english.grammar import strip_markup
from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
    build_definite,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    decide,
)
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Constant, Items, Local
from rulewright.language.types import Boolean, Integer, Optional, present

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    say, value = at.say, step.action.value
    kind = present(value.type)
    if isinstance(kind, Boolean):
        held = say.clause(Local(kind, step.slot or 0, step.id), holds=True)
        if isinstance(value, Constant):
            held = say.clause(Local(kind, step.slot or 0, step.id), holds=bool(value.value))
            return Sentence("merke,", f"dass {held.subordinate}")
        clause = say.clause(value)
        say.use(held, clause)
        return decide(held, clause)
    noun = say.bound(step.id, value.type)
    name = build_definite(noun)
    be = match_number(name, "ist/sind")
    if isinstance(value, Items) and not value.items:
        return Sentence("gibt", f"noch {noun.say(ACCUSATIVE, 'kein')}", "es")
    phrase = say.phrase(value)
    say.use(phrase)
    if strip_markup(str(phrase)) == strip_markup(str(name)):
        return Sentence("merke", f"dir {name.say(ACCUSATIVE)}")
    if isinstance(value, Constant) and isinstance(kind, Integer) and step.slot in at.changed:
        return Sentence(match_number(name, "beginnt/beginnen"), f"bei {phrase}", str(name))
    maybe = ""
    if isinstance(value.type, Optional) and not phrase.listed and phrase.looseness <= Looseness.RELATIVE:
        maybe = ", falls vorhanden"
    return Sentence(be, f"{phrase}{phrase.listed}{maybe}", str(name))
