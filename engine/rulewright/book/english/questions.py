"""Prompts, labels and clauses of the rules as parts of a sentence: “Where do you dig?” becomes `where to dig`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.book.english.grammar import begins_with_noun, is_same_noun, lower_first, pluralize, strip_markup

_STOPS = re.compile(r"[.;:!?“”()]")
_DO_YOU = re.compile(r"\bdo you\b", re.IGNORECASE)
_ASKS = re.compile(r"(?:to |from |with |for )?(?:which|what|where|when|who|whom|how)\b", re.IGNORECASE)
_ASKS_SUBJECT = re.compile(r"(?:which|who|how many|how much)\b", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:do|does|did|is|are|was|were|can|may|must|will|shall|should|would|could|has|have)\b")
_PERSON = re.compile(r"\b(?:you|yours|yourself|I|me|my|we|us|our)\b")
_WANT_TO = re.compile(r"^want to ")
_YOUR = re.compile(r"\byour\b")
_LABEL = re.compile(r"(?!I\b)[^\W\d_][^\W\d_A-Z]*(?: [^\W\d_A-Z][\w’'-]*)*")
"""A label that needs no quotation marks in a sentence: only its first letter is a capital."""
_CLAUSE = frozenset(("for", "may", "that", "to", "where", "which", "who", "whom", "whose"))
"""Words of a list with a clause, which would run into the verb of a question."""
_PARTICIPLES = ("d", "ed", "n")
"""The ends of regular participles, and of `taken`."""
_WHETHER, _WHICH, _THAT = "whether to ", "which ", " that "


@dataclass(frozen=True, slots=True)
class IndirectQuestion:
    """A prompt as an indirect question without a question mark, such as `which card to play`. Empty words are none."""

    words: str = ""

    @property
    def is_whether(self) -> bool:
        """Whether it is answered by yes or no: `whether to take the card`."""
        return self.words.startswith(_WHETHER)

    def is_answered_by(self, clause: str) -> bool:
        """Return whether a clause says yes to it, as `the player takes the card` does to `whether to take the card`."""
        verb, _, rest = self.words.removeprefix(_WHETHER).partition(" ")
        return self.is_whether and clause.endswith(f" {pluralize(verb)}{' ' if rest else ''}{rest}")

    def ask_which(self, member: str, source: str, *, heap: bool) -> str:
        """Return the question about a member of a list, or empty text if the list has no place in it.

        It is `which card to play` for all cards, without a `source`; `which card from their hand to play` for a heap
        such as a hand; and `which of their Squads to lose` for other lists, if they have no clause. `member` is the
        noun, which may be empty.
        """
        if not self.words.startswith(_WHICH):
            return ""
        noun, _, rest = self.words.removeprefix(_WHICH).partition(" ")
        if member and self.words.startswith(f"{_WHICH}{member} "):
            noun, rest = member, self.words[len(f"{_WHICH}{member} ") :]
        if not source or heap:
            fits = bool(rest) and is_same_noun(noun, member)
            return (f"{_WHICH}{noun} from {source} {rest}" if source else self.words) if fits else ""
        plain = strip_markup(source)
        if _CLAUSE.intersection(plain.casefold().split()):
            return ""
        if strip_markup(self.words).startswith(f"{_WHICH}of {plain} "):
            return self.words
        single = strip_markup(noun)
        fits = bool(rest) and not {pluralize(single), f"{single}es"}.isdisjoint(plain.casefold().split())
        return f"{_WHICH}of {source} {rest}" if fits else ""

    def ask_which_of(self, many: str, members: str, source: str) -> str:
        """Return the question about some members of a heap, `which 2 cards from their hand to pass`, or empty text."""
        question = f"{_WHICH}{members} "
        if not members or not self.words.startswith(question):
            return ""
        return f"{_WHICH}{many} {members} from {source} {self.words.removeprefix(question)}"

    def names(self, noun: str) -> bool:
        """Return whether a noun says the same, as `the card that is played` does after `which card is played`.

        After `which card to play`, it is `the card that plays`, `the card that is played` or `the card played`.
        """
        head, that, rest = strip_markup(noun).partition(_THAT)
        question = self.words.removeprefix(_WHICH)
        if that and is_same_noun(f"{head} {rest}", question):
            return True
        subject, to, done = question.partition(" to ")
        verb, _, more = done.partition(" ")
        after = f" {more}" if more else ""
        participles = [f"{verb}{end}{after}" for end in _PARTICIPLES]
        clauses = [f"{pluralize(verb)}{after}", *(f"is {each}" for each in participles)]
        ways = [*(f"{_THAT}{each}" for each in clauses), *(f" {each}" for each in participles)]
        return bool(to) and any(is_same_noun(noun, f"the {subject}{way}") for way in ways)

    def asks_for(self, noun: str) -> bool:
        """Return whether a noun begins with what is asked for, as `the cards sent` does after `which cards to pass`."""
        noun_sought = self.words.removeprefix(_WHICH).partition(" ")[0]
        return self.words.startswith(_WHICH) and begins_with_noun(strip_markup(noun).removeprefix("the "), noun_sought)

    def introduce(self, what: str) -> str:
        """Return the question with its possible answers: `where to dig: one of their Beds`."""
        return f"{self.words}{', ' if self.words.endswith(' to') else ': '}{what}"

    def introduce_member(self, words: str, source: str) -> str:
        """Return the question with the list that an answer is from: `where to dig, from among their Beds`.

        `words` are those for one member, and `source` those for a list that needs no other words, or empty.
        """
        return f"{self.words}, from among {source}" if source and not self.is_whether else self.introduce(words)


def is_single_question(prompt: str) -> bool:
    """Return whether a prompt is empty or a single question, which says nothing else."""
    return not prompt or (prompt.endswith("?") and not _STOPS.search(strip_markup(prompt)[:-1]))


def embed_question(prompt: str) -> IndirectQuestion:
    """Return a prompt as an indirect question, which is empty if the prompt has another form.

    The player is third person there: “Do you take your card?” becomes `whether to take their card`. Only questions with
    `do you`, and those about their subject, such as “Which Bed is dry?”, keep their word order.
    """
    plain = strip_markup(prompt)
    if not prompt or not is_single_question(prompt):
        return IndirectQuestion()
    first, *rest = (part.strip() for part in _DO_YOU.split(prompt[:-1]))
    if rest:
        if first and not _ASKS.match(strip_markup(first)):
            return IndirectQuestion()
        clause = " ".join([lower_first(first) or "whether", *(f"to {_WANT_TO.sub('', part)}" for part in rest)])
    elif _ASKS_SUBJECT.match(plain) and not _AUXILIARY.search(plain):
        clause = lower_first(first)
    else:
        return IndirectQuestion()
    clause = _YOUR.sub("their", clause)
    return IndirectQuestion("" if _PERSON.search(strip_markup(clause)) else clause)


def fits_unquoted(label: str) -> bool:
    """Return whether a label can be part of a sentence without quotation marks."""
    plain = strip_markup(label)
    return _LABEL.fullmatch(plain) is not None and not _PERSON.search(plain) and not _YOUR.search(plain)


def is_noun_for_nothing(label: str) -> bool:
    """Return whether a label for choosing nothing fits into a list of nouns, such as `Nothing more`."""
    return label.startswith("No")


def split_object(clause: str, noun: str) -> str:
    """Return the words before a noun with `a` that ends a clause: `discards` of `discards a card`, or empty text."""
    verb, _, last = clause.rpartition(" a ")
    return verb if is_same_noun(last, noun) else ""
