"""Phrases: what the fold over expressions returns. A tree of words, rendered last.

A sentence has no brackets. Where one thing said inside another could be misread, the inner one is listed below the
sentence, or it gets a letter there and is told behind it: `A divided by 2, where A is left plus room`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from rulewright.book.style.style import Style


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


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words, what is listed below them, and what the letters in them stand for.

    `joint` is the word that joins clauses at its top, `and` or `or`.
    """

    words: str
    bond: Bond = Bond.WORD
    items: tuple[Phrase, ...] = ()
    where: tuple[tuple[str, Phrase], ...] = ()
    joint: str = ""

    def bound(self, bond: Bond) -> Phrase:
        """The same words, no firmer than `bond`."""
        return replace(self, bond=max(self.bond, bond))


def build(*pieces: str | Phrase, bond: Bond | None = None, joint: str = "") -> Phrase:
    """Pieces in one phrase, by default as loose as the loosest of them. Only the last may have a list below it."""
    words = ""
    where: list[tuple[str, Phrase]] = []
    items: tuple[Phrase, ...] = ()
    loosest = Bond.WORD
    for piece in pieces:
        if isinstance(piece, str):
            words += piece
            continue
        if items:
            raise ValueError(f"{words!r} goes on behind a list")
        words += piece.words
        where += piece.where
        items = piece.items
        loosest = max(loosest, piece.bond)
    bond = Bond.OPEN if items else loosest if bond is None else bond
    return Phrase(words, bond, items, tuple(where), joint)


def these(words: str, items: list[Phrase], *, joint: str = "") -> Phrase:
    """`words`, and below them a list."""
    return Phrase(f"{words}:", Bond.OPEN, tuple(items), (), joint)


def joined(pieces: list[Phrase], joint: str = "and") -> Phrase:
    """`a`, `a and b`, `a, b and c`, each firm enough to stand there."""
    parts: list[str | Phrase] = []
    for place, piece in enumerate(pieces):
        if place:
            parts.append(f" {joint} " if place == len(pieces) - 1 else ", ")
        parts.append(piece)
    return build(*parts, joint=joint if len(pieces) > 1 else pieces[0].joint if pieces else "")


def render(phrase: Phrase, style: Style) -> str:
    """The words of a phrase, with its lists below it, in a style."""
    said = phrase.words
    if phrase.items:
        said += style.parts([render(item, style) for item in phrase.items])
    return said + told(phrase.where, style, ", where ")


def told(where: tuple[tuple[str, Phrase], ...], style: Style, lead: str) -> str:
    """What letters stand for, behind the sentence that has them."""
    said = [f"{style.name(letter)} is {render(meant, style)}" for letter, meant in where]
    if len(said) < 2:
        return "".join(f"{lead}{each}" for each in said)
    return f"{lead.rstrip()}:{style.parts(said)}" if said else ""
