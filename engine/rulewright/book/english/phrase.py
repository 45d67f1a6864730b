"""The trees of words that visitors of expressions return, rendered last.

A sentence has no brackets. A nested phrase that could be misread becomes a list below the sentence, or a letter that
the end of the sentence defines: `A divided by 2, where A is left plus room`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from rulewright.book.style.text_style import Style


class Bond(IntEnum):
    """Binding strength of a phrase: the places in which it can appear without being misread."""

    WORD = 0
    """A name, a value or a possession. It can appear anywhere."""
    NOUN = 1
    """A noun with a complement, `the number of Beds`. No words may follow that could belong to the complement."""
    RELATIVE = 2
    """A phrase that ends with a relative clause about members, `the Beds whose owner is the player`."""
    OPEN = 3
    """A phrase that would absorb the words after it, `season plus 1`. It ends its sentence."""


class Lead(StrEnum):
    """Opening words of a phrase that a sentence may replace. A name that begins with such words has no lead."""

    NONE = ""
    THE = "the "
    A = "a "
    AN = "an "
    THAT = "that "
    ALL = "all "
    WHAT = "what "
    IT = "it"
    ITS = "its "
    IT_IS = "it is "
    IT_HAS = "it has "
    IT_CAN = "it can"
    IT_MAY = "it may "
    WHOSE = "whose "
    THAT_ARE = "that are "
    THAT_HAVE = "that have "
    THAT_IS = "that is "
    THAT_HAS = "that has "
    WHO_ARE = "who are "
    WHO_HAVE = "who have "
    WHO_IS = "who is "
    WHO_HAS = "who has "
    THAT_CAN = "that can"
    THAT_MAY = "that may "
    WHO_CAN = "who can"
    WHO_MAY = "who may "


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words, the list below them, and the definitions of their letters.

    `joint` is the word that joins the clauses of the phrase, `and` or `or`. `lead` holds the opening words. `owner`
    says that the phrase contains a possessive, `the player’s Cards`. `again` says that `its` appears after the opening
    words. `tail` says that the phrase ends with a clause about members, which would absorb a clause joined to it.
    `command` says that it tells readers to do something, and not what is so.
    """

    words: str
    bond: Bond = Bond.WORD
    items: tuple[Phrase, ...] = ()
    where: tuple[tuple[str, Phrase], ...] = ()
    joint: str = ""
    lead: Lead = Lead.NONE
    owner: bool = False
    again: bool = False
    tail: bool = False
    command: bool = False

    @property
    def rest(self) -> str:
        """The words after the lead."""
        return self.words[len(self.lead) :]

    def led(self, lead: Lead) -> Phrase:
        """Return the phrase with another lead."""
        return replace(self, words=lead + self.rest, lead=lead)

    def bound(self, bond: Bond) -> Phrase:
        """Return the phrase with a bond that is at least as loose as `bond`."""
        return replace(self, bond=max(self.bond, bond))


def add_article(noun: str, bond: Bond = Bond.WORD) -> Phrase:
    """Return a noun with `the`."""
    return Phrase(f"the {noun}", bond, lead=Lead.THE)


def build_clause(subject: Phrase, verb: str, *rest: str | Phrase, bond: Bond | None = None) -> Phrase:
    """Return a clause from a subject, a verb such as `is`, and the words after it."""
    result = build(subject, f" {verb} ", *rest, bond=bond)
    lead = {"is": Lead.IT_IS, "has": Lead.IT_HAS}.get(verb)
    # The lead applies only if the subject is just `it`.
    return replace(result, lead=lead) if lead and subject.lead == Lead.IT else result


def build(*pieces: str | Phrase, bond: Bond | None = None, joint: str = "", lead: Lead = Lead.NONE) -> Phrase:
    """Return a phrase made of pieces, by default as loose as the loosest of them.

    A phrase with a list is always `Bond.OPEN`. The lead is that of the first piece, or `lead` if the first piece is a
    string. It is a command if the first piece is one. Raises `ValueError` if a piece with a list is not the last one.
    """
    words = ""
    owner = again = False
    where: list[tuple[str, Phrase]] = []
    items: tuple[Phrase, ...] = ()
    loosest = Bond.WORD
    for piece in pieces:
        if isinstance(piece, str):
            words += piece
            continue
        if items:
            raise ValueError(f"the phrase {words!r} continues after a list")
        owner = owner or piece.owner
        again = again or piece.again or bool(words and piece.lead == Lead.ITS)
        if not words:
            lead = piece.lead
        words += piece.words
        where += piece.where
        items = piece.items
        loosest = max(loosest, piece.bond)
    bond = Bond.OPEN if items else loosest if bond is None else bond
    if lead == Lead.IT != words:
        lead = Lead.NONE
    first, last = (pieces[0], pieces[-1]) if pieces else ("", "")
    tail = isinstance(last, Phrase) and last.tail
    command = isinstance(first, Phrase) and first.command
    return Phrase(words, bond, items, tuple(where), joint, lead, owner, again, tail, command)


def build_command(verb: str, *rest: str | Phrase, bond: Bond | None = None) -> Phrase:
    """Return a clause that tells readers to do something. `verb` ends with a space, such as `set `."""
    return replace(build(verb, *rest, bond=bond), command=True)


def build_list(words: str, items: list[Phrase], *, joint: str = "") -> Phrase:
    """Return `words`, a colon, and a list below them."""
    return Phrase(f"{words}:", Bond.OPEN, tuple(items), (), joint)


def join_phrases(pieces: list[Phrase], joint: str = "and") -> Phrase:
    """Return the pieces as `a`, `a and b` or `a, b and c`, or an empty phrase for no pieces.

    The caller ensures that each is tight enough to be joined. Raises `ValueError` if a piece other than the last has a
    list.
    """
    parts: list[str | Phrase] = []
    for place, piece in enumerate(pieces):
        if place:
            parts.append(f" {joint} " if place == len(pieces) - 1 else ", ")
        parts.append(piece)
    return build(*parts, joint=joint if len(pieces) > 1 else pieces[0].joint if pieces else "")


def render(phrase: Phrase, style: Style) -> str:
    """Return a phrase as text in a style, with its list and the definitions of its letters."""
    text = phrase.words
    if phrase.items:
        text += style.parts([render(item, style) for item in phrase.items])
    return text + describe_letters(phrase.where, style, ", where ")


def describe_letters(where: tuple[tuple[str, Phrase], ...], style: Style, lead: str) -> str:
    """Return the definitions of letters, to follow their sentence, or an empty string if there are none.

    A single definition follows `lead`. Several definitions form a list.
    """
    lines = [f"{style.name(letter)} is {render(replace(phrase, where=()), style)}" for letter, phrase in _all(where)]
    if len(lines) < 2:
        return "".join(f"{lead}{each}" for each in lines)
    return f"{lead.rstrip()}:{style.parts(lines)}" if lines else ""


def _all(where: tuple[tuple[str, Phrase], ...]) -> list[tuple[str, Phrase]]:
    """Return all letters with their phrases, those of nested phrases first, so that no `where` is inside another."""
    return [each for letter, phrase in where for each in (*_all(phrase.where), (letter, phrase))]
