"""Parts of German sentences that several statements share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.book.languages.de.declension import Case, Noun
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.nominals import Clause, Looseness, Nominal, match_number
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import If, Items, Objects, Present, Typed

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence before its condition is known, which decides whether the verb or the subject comes first.

    Without a subject, it is an instruction and begins with its verb. `more` are further sentences. `own` is the
    condition of the sentence itself, which its step may have besides its own.
    """

    verb: str
    rest: str = ""
    subject: str = ""
    end: str = ""
    stop: str = "."
    more: str = ""
    own: str = ""

    def say(self, condition: str = "") -> str:
        """Return the sentence, after a condition if there is one."""
        first = condition or self.own
        lead = f"wenn {first}, " if first else ""
        if condition and self.own:
            lead = f"wenn {condition}, gilt: Wenn {self.own}, "
        return f"{lead}{self.words(inverted=bool(first))}{self.stop}{self.more}"

    def words(self, *, inverted: bool) -> str:
        """Return the words of the sentence alone, with the verb before the subject if `inverted`."""
        first = (self.verb, self.subject) if inverted else (self.subject, self.verb)
        return " ".join(filter(None, (*first, self.rest, self.end)))


def decide(held: Clause, clause: Clause) -> Sentence:
    """Return the sentence that says when something holds: `wenn …, ist der Antrag angenommen, sonst nicht`."""
    inverted = held.inverted
    if inverted is None or clause.listed:
        return Sentence("gilt", f"genau dann, wenn {clause.subordinate}", f"dass {held.subordinate},")
    verb, rest = inverted
    return Sentence(verb, f"{rest}, sonst nicht", own=clause.subordinate)


def name_result(at: StepVoice, step: Step) -> Noun | None:
    """Return the noun for the result of a step, or None if no later step uses it."""
    if step.slot is None or not at.used & set(step.slots):
        return None
    assert step.binds is not None
    return at.say.bound(step.id, step.binds)


def is_known_as(noun: Noun | None, what: Noun | None) -> bool:
    """Return whether a name is the noun for what it names, so that it needs no mention."""
    if noun is None:
        return True
    plain = noun.before in ((), ("neu",)) and not noun.after and noun.counted is None
    return what is not None and noun.word == what.word and plain


def describe_viewers(say: German, seen: Typed | None, what: str) -> str:
    """Return a sentence about the players who see a result, after a space. Empty if all of them do."""
    if seen is None or isinstance(seen, Objects):
        return ""
    if isinstance(seen, Items) and not seen.items:
        return f" Niemand sieht {what}."
    who = describe_watchers(say, seen)
    return f" Nur {who} {match_number(who, 'sieht/sehen')} {what}."


def name_deck(say: German, action: Any) -> str:
    """Return the deck of an action after an article, with its owner: `Stapel der Schätze`, `Stapel des Spielers`."""
    deck = say.words.deck(action.deck)
    if action.owner is None:
        return deck
    owner = say.inside(action.owner)
    say.use(owner)
    return f"{deck} {owner.genitive}"


def describe_watchers(say: German, seen: Typed) -> Nominal:
    """Return the players who see a result."""
    match seen:
        case Items(items=(one,)) | If(condition=Present(operand=one)):
            phrase = say.inside(one, Looseness.RELATIVE)
        case _:
            phrase = say.inside(seen, Looseness.RELATIVE)
    say.use(phrase)
    return phrase
