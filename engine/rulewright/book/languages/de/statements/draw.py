"""German for `draw`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import BARE, Case, Gender, Noun
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.member_nouns import find_gender
from rulewright.book.languages.de.nominals import (
    Looseness,
    format_one,
    format_one_of,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    describe_viewers,
    is_known_as,
    name_deck,
    name_result,
)
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.language.checked_steps import Step
from rulewright.language.types import Row
from rulewright.ruleset.queries.guarded_draws import list_guarded_draws

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step.

    Raises `MissingWordsError` for several things drawn from a list.
    """
    action, say = step.action, at.say
    noun = name_result(at, step)
    if action.source is not None:
        if action.count is not None:
            raise MissingWordsError(what="several lots")
        several = say.inside(action.source, Looseness.RELATIVE)
        say.use(several)
        inner = action.source.type.inner
        gender = find_gender(several, say.words.member(inner))
        that = {Gender.MASCULINE: "er", Gender.FEMININE: "sie"}.get(gender, "es")
        known = is_known_as(noun, say.words.member(inner))
        name = "" if known or noun is None else f"; {that} ist {noun.say(NOMINATIVE)}"
        return Sentence(
            "bestimme",
            f"{format_one_of(gender, several, ACCUSATIVE)} durch das Los{name}",
            more=describe_viewers(say, action.viewers, that),
        )
    card = say.words.member(Row(say.words.declared.decks[action.deck].table)) or Noun("Karte", Gender.FEMININE)
    if action.count is None:
        name = "" if is_known_as(noun, card) or noun is None else f"; sie ist {noun.say(NOMINATIVE)}"
        what = format_one(card, ACCUSATIVE)
    else:
        cards = say.words.member(Row(say.words.declared.decks[action.deck].table), several=True)
        assert cards is not None
        number = say.inside(action.count)
        say.use(number)
        core = cards.core(ACCUSATIVE, BARE)
        what = (
            f"{number} {core}"
            if number.fixed
            else f"so viele {core}, wie {number} {match_number(number, 'beträgt/betragen')},"
        )
        name = f"; sie sind {noun.say(NOMINATIVE)}" if noun is not None else ""
    deck = name_deck(say, action)
    more = describe_viewers(say, action.viewers, "sie") + _refill(at, step)
    return Sentence("zieh", f"{what} vom {deck}{name}", more=more)


def _refill(at: StepVoice, step: Step) -> str:
    """Return the sentence about an empty deck, after a space.

    It is "" after the first time for a deck, and where the deck cannot be empty.
    """
    action, say = step.action, at.say
    if action.deck in at.refills or not action.is_refilled or step.rule in list_guarded_draws(say.translation.ruleset):
        return ""
    at.refills.add(action.deck)
    if action.refilled:
        pile = say.inside(action.refilled[0][1].source, Looseness.RELATIVE)
        say.use(pile)
        return f" Ist der Stapel leer, so mische zuerst {pile.say(ACCUSATIVE)} zu einem neuen."
    held = ""
    if action.held is not None:
        out = say.fit(say.phrase(action.held), Looseness.RELATIVE)
        say.use(out)
        held = f", außer {out.say(DATIVE)}"
    return f" Ist der Stapel leer, so mische zuerst wieder alle seine Karten{held}."
