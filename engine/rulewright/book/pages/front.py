"""The front page of an edition's book."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.takeaways import takeaways
from rulewright.book.parts.sequence import course
from rulewright.book.parts.templates import render
from rulewright.book.style.places import AID, GENERATED, file_of
from rulewright.book.style.prose import plain_prose, prose
from rulewright.ruleset.sections.pages import Page


def front_page(writer: PageWriter, pages: tuple[Page, ...], *, there: Collection[str], pdf: str = "") -> str:
    """What the edition is, and a way into each of its pages. `there` are the files of those that no designer wrote."""
    ruleset = writer.ruleset
    fewest, most = ruleset.players
    cards = [
        {
            "href": file_of(page),
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
        title=writer.html.escape(ruleset.title),
        about=prose(ruleset.about, writer.html),
        players=str(fewest) if fewest == most else f"{fewest} to {most}",
        version=ruleset.version,
        status=ruleset.status,
        digest=ruleset.digest,
        reference=ruleset.reference,
        cards=cards,
        stages=course(writer.html, writer.places),
        compared=marks.compared() if marks is not None else [],
        takeaways=takeaways(writer, has_aid=AID in there, pdf=pdf),
        appendix=[(page.file, page.title) for page in linked if page.file in there],
    )
    return writer.finished(ruleset.title, plain_prose(ruleset.about, writer.plain), body)
