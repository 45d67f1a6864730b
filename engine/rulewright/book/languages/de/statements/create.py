"""German for `create`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import INDEFINITE, Case, Gender, Noun
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.nominals import Clause
from rulewright.book.languages.de.pronouns import choose_possessive
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    is_known_as,
    name_result,
)
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Constant, Items, Typed
from rulewright.language.types import Boolean, ListOf, Row, present

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    action, say = step.action, at.say
    kind = say.words.kind(action.kind)
    declared = say.words.declared
    places = [
        name
        for name, value in action.values.items()
        if isinstance(present(value.type), Row) and declared.tables[present(value.type).table].is_board  # type: ignore[attr-defined]
    ]
    place = places[0] if len(places) == 1 else ""
    noun = name_result(at, step)
    new = kind.with_adjective("neu") if not kind.before else kind
    called = "" if noun is None or is_known_as(noun, kind) else f", {noun.say(ACCUSATIVE)}"
    given = [_begins(say, action.kind, kind, name, value) for name, value in action.values.items() if name != place]
    text = f"{new.say(ACCUSATIVE, INDEFINITE)}"
    if place:
        where = say.within(action.values[place], ACCUSATIVE)
        text = f"{text} auf {where}{called}"
        verb, end = "lege", ""
    else:
        verb, end = "füge", ""
        text = f"{text} hinzu{called}"
    if not given:
        return Sentence(verb, text, end=end)
    if len(given) > 2:
        return Sentence(verb, f"{text}:{say.style.parts(given)}", stop="")
    return Sentence(verb, f"{text}: {'; '.join(given)}")


def _begins(say: German, kind: str, owner: Noun, name: str, value: Typed) -> str:
    """Return the clause for an initial value of a new object."""
    stem = choose_possessive(owner.gender)
    pronoun = {Gender.MASCULINE: "er", Gender.FEMININE: "sie"}.get(owner.gender, "es")
    field = say.words.declared.kinds[kind].fields[name]
    type_ = field.type
    if isinstance(present(type_), Boolean):
        if field.clauses:
            return _begins_with_clause(say, kind, pronoun, name, value)
        predicate = say.words.predicate(kind, name)
        if isinstance(value, Constant):
            return f"{pronoun} ist {'' if value.value else 'nicht '}{predicate}"
        clause = say.clause(value)
        say.use(clause)
        return f"{pronoun} ist genau dann {predicate}, wenn {clause.subordinate}"
    noun = say.words.field(kind, name)
    own = noun.say(NOMINATIVE, stem)
    if noun.counted is not None:
        own = f"die Zahl {noun.counted.say(GENITIVE, stem)}"
    phrase = say.phrase(value)
    if phrase.listed:
        phrase = say.letter(phrase)
    say.use(phrase)
    be = "sind" if noun.gender is Gender.PLURAL else "ist"
    single = "nur " if isinstance(value, Items) and isinstance(type_, ListOf) and len(value.items) == 1 else ""
    return f"{own} {be} {single}{phrase}"


def _begins_with_clause(say: German, kind: str, pronoun: str, name: str, value: Typed) -> str:
    """Return the clause for an initial value of a boolean field that the rules word as clauses."""
    case = "if_false" if isinstance(value, Constant) and not value.value else "if_true"
    words = say.words.require("kinds", kind, "fields", name, "wording", case)
    clause = Clause(say.words.fill(words.replace("{self}", pronoun)))
    if isinstance(value, Constant):
        return clause.main
    condition = say.clause(value)
    say.use(condition)
    return f"es gilt genau dann, dass {clause.subordinate}, wenn {condition.subordinate}"
