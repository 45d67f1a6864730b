"""Phrases: what the fold over expressions returns. A tree of words, rendered last.

A sentence has no brackets. Where one thing said inside another could be misread, the inner one is listed below the
sentence, or it gets a letter there and is told behind it: `A divided by 2, where A is left plus room`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from rulewright.book.style.text_style import Style


class Bond(IntEnum):
    """How firmly a phrase holds together, and so where it may stand without being misread."""

    WORD = 0
    """A name, a value, what something owns: it may stand anywhere."""
    NOUN = 1
    """A noun with what it is of, `the number of Beds`: not in front of what could be taken for a part of it."""
    RELATIVE = 2
    """It ends with a clause about its members, `the Beds whose owner is the player`."""
    OPEN = 3
    """What follows could be taken for a part of it, `season plus 1`: it ends its sentence."""


class Lead(StrEnum):
    """What a phrase begins with, where a sentence may want to begin it otherwise. A name that begins so has none."""

    NONE = ""
    THE = "the "
    ALL = "all "
    WHAT = "what "
    IT = "it"
    ITS = "its "
    IT_IS = "it is "
    IT_HAS = "it has "
    WHOSE = "whose "
    THAT_ARE = "that are "
    THAT_HAVE = "that have "
    THAT_IS = "that is "
    THAT_HAS = "that has "
    WHO_ARE = "who are "
    WHO_HAVE = "who have "
    WHO_IS = "who is "
    WHO_HAS = "who has "


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words, what is listed below them, and what the letters in them stand for.

    `joint` is the word that joins clauses at its top, `and` or `or`; `lead` what the words begin with. `owner` says
    that somebody’s own is spoken of in it, `the player’s Cards`, and `again` that `its` is said behind its beginning.
    `tail` says that it ends with a clause about members: one that is joined behind it could be taken to belong to them.
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

    @property
    def rest(self) -> str:
        """The words behind the lead."""
        return self.words[len(self.lead) :]

    def led(self, lead: Lead) -> Phrase:
        """Return the same with another lead."""
        return replace(self, words=lead + self.rest, lead=lead)

    def bound(self, bond: Bond) -> Phrase:
        """Return the same words, no firmer than `bond`."""
        return replace(self, bond=max(self.bond, bond))


def add_article(noun: str, bond: Bond = Bond.WORD) -> Phrase:
    """Return a noun with its article."""
    return Phrase(f"the {noun}", bond, lead=Lead.THE)


def build_clause(subject: Phrase, verb: str, *rest: str | Phrase, bond: Bond | None = None) -> Phrase:
    """Return a clause: of whom or what it is, a verb such as `is`, and what follows."""
    found = build(subject, f" {verb} ", *rest, bond=bond)
    lead = {"is": Lead.IT_IS, "has": Lead.IT_HAS}.get(verb)
    # Only `it` alone: what follows is then said of it, and nothing else.
    return replace(found, lead=lead) if lead and subject.lead == Lead.IT else found


def build(*pieces: str | Phrase, bond: Bond | None = None, joint: str = "", lead: Lead = Lead.NONE) -> Phrase:
    """Return pieces in one phrase, by default as loose as the loosest of them. Only the last may have a list below it.

    It leads as its first piece does; `lead` says how, where that is a text.
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
            raise ValueError(f"{words!r} goes on behind a list")
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
    last = pieces[-1] if pieces else ""
    tail = isinstance(last, Phrase) and last.tail
    return Phrase(words, bond, items, tuple(where), joint, lead, owner, again, tail)


def build_list(words: str, items: list[Phrase], *, joint: str = "") -> Phrase:
    """Return `words`, and below them a list."""
    return Phrase(f"{words}:", Bond.OPEN, tuple(items), (), joint)


def join_phrases(pieces: list[Phrase], joint: str = "and") -> Phrase:
    """Return `a`, `a and b`, `a, b and c`, each firm enough to stand there."""
    parts: list[str | Phrase] = []
    for place, piece in enumerate(pieces):
        if place:
            parts.append(f" {joint} " if place == len(pieces) - 1 else ", ")
        parts.append(piece)
    return build(*parts, joint=joint if len(pieces) > 1 else pieces[0].joint if pieces else "")


def render(phrase: Phrase, style: Style) -> str:
    """Return the words of a phrase, with its lists below it, in a style."""
    said = phrase.words
    if phrase.items:
        said += style.parts([render(item, style) for item in phrase.items])
    return said + describe_letters(phrase.where, style, ", where ")


def describe_letters(where: tuple[tuple[str, Phrase], ...], style: Style, lead: str) -> str:
    """Return what letters stand for, behind the sentence that has them."""
    said = [f"{style.name(letter)} is {render(replace(meant, where=()), style)}" for letter, meant in _all(where)]
    if len(said) < 2:
        return "".join(f"{lead}{each}" for each in said)
    return f"{lead.rstrip()}:{style.parts(said)}" if said else ""


def _all(where: tuple[tuple[str, Phrase], ...]) -> list[tuple[str, Phrase]]:
    """Return letters with what they stand for, those they speak of before them: nobody reads `where` within `where`."""
    return [each for letter, meant in where for each in (*_all(meant.where), (letter, meant))]
