"""What readers may take away from an edition's book: each file, and what it is."""

from __future__ import annotations

from rulewright.book.page import PageWriter
from rulewright.book.places import AID, CARDS, WHOLE


def takeaways(writer: PageWriter, *, has_aid: bool, pdf: str) -> list[tuple[str, str, str]]:
    """The address, the name and the use of each. `pdf` is the file of the PDF, empty where none is made."""
    offered = [
        (AID, "Player aid", "everything to look up, on one sheet of paper", has_aid),
        (WHOLE, "The whole book", "every chapter on one page, to read in one go or to print", True),
        (pdf, "The book as a PDF", "with bookmarks and page numbers", bool(pdf)),
        (CARDS, "Cards", "nine to a sheet, to print and cut out", bool(writer.ruleset.declarations.decks)),
    ]
    return [(file, title, use) for file, title, use, there in offered if there]
