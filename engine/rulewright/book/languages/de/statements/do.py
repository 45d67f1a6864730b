"""German for `do`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import BARE, Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.nominals import (
    Looseness,
    join_words,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    is_known_as,
    name_result,
)
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.expressions.typed_ast import Constant, Local
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import Boolean, present

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step.

    Raises `MissingWordsError` for the steps of a row.
    """
    say = at.say
    identity = find_called_procedure(step)
    procedure = say.translation.ruleset.procedures[identity]
    if procedure.cell is not None:
        raise MissingWordsError(what="the steps of a row")
    title = say.words.title("procedures", identity)
    plain, others = _arguments(at, step, procedure)
    text = title
    if plain:
        text += f" für {join_words(plain)}"
    if others:
        text += f"{',' if plain else ''} mit {join_words(others)}"
    noun = name_result(at, step)
    result = f"; das Ergebnis ist {noun.say(NOMINATIVE)}" if noun is not None else ""
    return Sentence("führe", f"{text}{',' if plain and others else ''} aus{result}")


def _arguments(at: StepVoice, step: Step, procedure: Procedure) -> tuple[list[str], list[str]]:
    """Return the arguments of a call that need no role, and the others with the role that they have there.

    Raises `MissingWordsError` for a condition that is no constant.
    """
    theirs = at.writer_of(procedure)
    given = list(zip(procedure.parameters.items(), step.action.arguments, strict=True))
    kinds = [present(type_) for (_, type_), _ in given]
    plain: list[str] = []
    others: list[str] = []
    for ((name, type_), value), kind in zip(given, kinds, strict=True):
        if isinstance(kind, Boolean):
            predicate = theirs.clause(Local(kind, 0, name), holds=bool(getattr(value, "value", True)))
            if not isinstance(value, Constant):
                raise MissingWordsError(what="a condition as an argument")
            others.append(f"der Vorgabe, dass {predicate.subordinate},")
            continue
        role = theirs.bound(name, type_)
        say = theirs if isinstance(value, Constant) else at.say
        phrase = say.inside(value, Looseness.RELATIVE)
        at.say.use(phrase)
        same = phrase.noun is not None and phrase.noun.word == role.word and phrase.noun.before == role.before
        if not isinstance(value, Constant) and kinds.count(kind) == 1 and is_known_as(role, theirs.words.member(kind)):
            plain.append(phrase.say(ACCUSATIVE))
        elif same:
            others.append(phrase.say(DATIVE))
        else:
            others.append(f"{phrase.say(DATIVE)} als {role.say(DATIVE, BARE)}")
    return plain, others
