"""German for `choose`."""

from __future__ import annotations

from typing import Any

from rulewright.book.languages.de.declension import BARE, INDEFINITE, Case, Gender
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.member_nouns import find_gender
from rulewright.book.languages.de.nominals import (
    Looseness,
    format_each_of,
    format_one,
    format_one_of,
    match_number,
)
from rulewright.book.languages.de.sentence_parts import (
    Sentence,
    is_known_as,
    name_result,
)
from rulewright.book.languages.de.value_nouns import format_option
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Local, Objects, Typed
from rulewright.language.types import PLAYER

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case

PRESENCE = "gewählt wurde"


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    action, say = step.action, at.say
    subject, verb, own = _chooser(at, action)
    noun = name_result(at, step)
    prompt = f"„{say.words.fill(step.words['ask'])}“" if "ask" in step.words else ""
    nothing = f"„{say.words.fill(step.words['none'])}“" if "none" in step.words else "nichts"
    secret = "geheim " if action.chooser_slot is not None and action.others is None else ""
    more = " Dann werden alle Antworten aufgedeckt." if secret else ""
    if action.form == "from":
        what = "" if prompt else "eines davon"
        if noun is not None:
            what = f"als {noun.say(ACCUSATIVE, BARE)}" if noun.before else noun.say(ACCUSATIVE, INDEFINITE)
        options = [_offer(say, offer, step) for offer in action.offers]
        if action.or_none:
            options.append(_conditional(say, nothing, action.none_when))
        lead = f" {prompt}" if prompt else ""
        listed = say.style.parts(options)
        return Sentence(verb, f"{secret}{what}".rstrip(), subject, stop=f":{lead}{listed}", more=more)
    as_ = f" als {noun.say(ACCUSATIVE, BARE)}" if noun is not None else ""
    match action.form:
        case "one_of":
            inner = action.source.type.inner
            member = say.words.member(inner)
            if is_known_as(noun, member):
                as_ = ""
            if isinstance(action.source, Objects) and member is not None:
                what = format_one(member, ACCUSATIVE)
            else:
                several = own.inside(action.source, Looseness.RELATIVE)
                say.use(several)
                what = format_one_of(find_gender(several, member), several, ACCUSATIVE)
        case "some_of":
            several = own.inside(action.source, Looseness.RELATIVE)
            say.use(several)
            what = f"{'der Reihe nach ' if action.in_order else ''}{_range(own, action)} {several.genitive}"
        case _:
            low, high = own.inside(action.low), own.inside(action.high)
            say.use(low, high)
            to = f"bis {high}" if high.fixed else f"bis {high.after('zu')}"
            what = f"eine Zahl von {low.say(DATIVE)} {to}"
    if action.or_none:
        when = f", wenn {say.fact(action.none_when)}" if action.none_when is not None else ""
        what += f", oder {nothing}{when}{',' if as_ else ''}"
    if action.such_that is not None:
        clause = say.clause(action.such_that)
        say.use(clause)
        as_ += f", sodass {clause.subordinate}{',' if prompt else ''}"
    return Sentence(verb, f"{secret}{what}{as_}", subject, stop=f": {prompt}" if prompt else ".", more=more)


def _range(own: German, action: Any) -> str:
    """Return how many may be chosen: `beliebig viele`, `genau 2`, `1 bis 3`, `mindestens 1` or `höchstens 3`."""
    low = None if action.low is None else own.within(action.low, ACCUSATIVE)
    high = None if action.high is None else own.within(action.high, ACCUSATIVE)
    if not low and not high:
        return "beliebig viele"
    if not high:
        return f"mindestens {low}"
    if not low or low == "0":
        return f"höchstens {high}"
    return f"genau {low}" if low == high else f"{low} bis {high}"


def _chooser(at: StepVoice, action: Any) -> tuple[str, str, German]:
    """Return who chooses, the verb for it, and a writer that has the chooser as the subject."""
    say = at.say
    if action.chooser_slot is None:
        who = say.inside(action.who, Looseness.RELATIVE)
        say.use(who)
        return str(who), match_number(who, "wählt/wählen"), say.owning(action.who, who.gender)
    own = say.owning(Local(PLAYER, action.chooser_slot, ""))
    if isinstance(action.who, Objects):
        return "jeder Spieler", "wählt", own
    who = say.inside(action.who, Looseness.RELATIVE)
    say.use(who)
    return format_each_of(Gender.MASCULINE, who, NOMINATIVE), "wählt", own


def _offer(say: German, offer: Any, step: Step) -> str:
    label = f"„{say.words.fill(offer.label)}“" if offer.label else format_option(say, offer.id)
    return _conditional(say, label, offer.when)


def _conditional(say: German, label: str, when: Typed | None) -> str:
    """Return an option with the condition under which it is available, if it has one."""
    if when is None or say.always(when):
        return label
    clause = say.clause(when)
    say.use(clause)
    return f"{label}, nur wenn {clause.subordinate}"
