"""What readers may take away from an edition's book: each file, and what it is."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.places import AID, CARDS, SHORT, WHOLE


def short_of(pdf: str) -> str:
    """The file of the short edition as a PDF, beside the whole book in `pdf`."""
    return f"{pdf.removesuffix('.pdf')}-short.pdf"


def takeaways(writer: PageWriter, *, has_aid: bool, pdf: str) -> list[tuple[str, str, str]]:
    """The address, the name and the use of each. `pdf` is the file of the whole book, empty where none is made."""
    offered = [
        (AID, "Player aid", "everything to look up, on one sheet of paper", has_aid),
        (SHORT, "The rules in short", "the rules alone, without examples, to print and take to the table", True),
        (WHOLE, "The whole book", "every chapter on one page, to read in one go or to print", True),
        (pdf, "The book as a PDF", "with bookmarks and page numbers", bool(pdf)),
        (short_of(pdf), "The rules in short as a PDF", "the same rules alone, for the printer", bool(pdf)),
        (CARDS, "Cards", "nine to a sheet, to print and cut out", bool(writer.ruleset.declarations.decks)),
    ]
    return [(file, title, use) for file, title, use, there in offered if there]
