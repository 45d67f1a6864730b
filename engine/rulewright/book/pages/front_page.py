"""The front page of an edition's book, and the files that readers can print or download."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.book.pages.components import list_components
from rulewright.book.pages.data_files import build_schema_path
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.picture_legend import build_legend
from rulewright.book.parts.course_chart import build_course
from rulewright.book.parts.template_loader import render
from rulewright.book.style.prose_html import render_plain_prose, render_prose
from rulewright.book.style.rule_locations import (
    AID,
    BOARD,
    CARDS,
    GENERATED,
    GLOSSARY,
    HOLDINGS,
    LEGEND,
    PLAY,
    SHORT,
    TABLES,
    WHOLE,
)
from rulewright.book.style.text_style import ORIGINAL
from rulewright.ruleset.editions.icons import COVER_ID
from rulewright.ruleset.prose.book_language import ENGLISH, describe_players
from rulewright.ruleset.sections.pages import Page


def render_front_page(writer: PageWriter, pages: tuple[Page, ...], *, there: Collection[str], pdf: str = "") -> str:
    """Return the front page, with a description of the edition and links to its pages.

    In another language, the page leaves out parts that the book lacks, and may link to the book in English.

    Args:
        writer: The writer of the page.
        pages: The pages of the rules.
        there: The generated files that the book has.
        pdf: The file of the whole book as a PDF, or empty if there is none.
    """
    original = ORIGINAL if writer.language is not ENGLISH else ""
    ruleset = writer.ruleset
    cards = [
        {
            "href": (href := writer.places.homes[f"pages.{page.id}"]),
            "abroad": writer.html.abroad(href),
            "icon": writer.icon(page.icon.text if page.icon is not None else ""),
            "title": writer.escaped(page.title),
            "about": writer.escaped(page.about),
            "letter": page.letter,
        }
        for page in pages
    ]
    marks = writer.marks
    linked = sorted((page for page in GENERATED.values() if page.on_front), key=lambda page: page.on_front)
    body = render(
        "index.md.j2",
        writer.language,
        original=f"{original}index.html" if original and WHOLE not in there else "",
        data=original,
        keep=not original,
        title=writer.html.escape(ruleset.title),
        cover=COVER_ID if COVER_ID in writer.pictures else "",
        about=render_prose(ruleset.about, writer.html),
        players=describe_players(ruleset),
        version=ruleset.version,
        digest=ruleset.digest,
        schema=original + build_schema_path(shared=marks is not None or bool(original)),
        reference=ruleset.reference,
        cards=cards,
        components=list_components(writer),
        holdings=HOLDINGS if HOLDINGS in there else "",
        stages=build_course(writer.html, writer.places),
        compared=marks.list_compared() if marks is not None else [],
        takeaways=list_takeaways(writer, there, pdf=pdf),
        table=PLAY if PLAY in there else "",
        appendix=[
            *([(TABLES, writer.translate("Tables"))] if TABLES in there else []),
            *((page.file, writer.translate(page.title)) for page in linked if page.file in there),
            *_legend(writer),
        ],
    )
    return writer.finished(ruleset.title, render_plain_prose(ruleset.about, writer.plain), body)


def _legend(writer: PageWriter) -> list[tuple[str, str]]:
    return [(f"{GLOSSARY}#{LEGEND}", writer.translate("Icon legend"))] if build_legend(writer) else []


def name_short_pdf(pdf: str) -> str:
    """Return the name of the PDF of the short edition, derived from `pdf`, the PDF of the whole book."""
    return f"{pdf.removesuffix('.pdf')}-short.pdf"


def list_takeaways(writer: PageWriter, there: Collection[str], *, pdf: str) -> list[tuple[str, str, str]]:
    """Return the address, name and purpose of each file to print or download.

    `there` are the files of the book, and `pdf` is that of the whole book as a PDF, or empty if there is none.
    """
    offered = [
        (AID, "Player aid", "everything to look up, on one sheet of paper", AID in there),
        (
            SHORT,
            "The rules in short",
            "the rules alone, without examples, to print and take to the table",
            SHORT in there,
        ),
        (WHOLE, "The whole book", "every chapter on one page, to read in one go or to print", WHOLE in there),
        (pdf, "The book as a PDF", "with bookmarks and page numbers", bool(pdf)),
        (name_short_pdf(pdf), "The rules in short as a PDF", "the same rules alone, for the printer", bool(pdf)),
        (CARDS, "Cards", "nine to a sheet, to print and cut out", CARDS in there),
        (BOARD, "The board", "on several sheets, to print and glue together", BOARD in there),
    ]
    return [
        (file, writer.translate(title), writer.translate(use)) for file, title, use, is_there in offered if is_there
    ]
