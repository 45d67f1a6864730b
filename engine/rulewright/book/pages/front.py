"""The front page of an edition's book."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.takeaways import takeaways
from rulewright.book.parts.sequence import course
from rulewright.book.parts.templates import render
from rulewright.book.style.places import FAQ, GLOSSARY, INDEX, NEWS, ODDS, REFERENCE, RULINGS, SETTINGS, file_of
from rulewright.book.style.prose import plain_prose, prose
from rulewright.ruleset.words.pages import Page


def front_page(writer: PageWriter, pages: tuple[Page, ...], *, has_aid: bool, has_odds: bool, pdf: str = "") -> str:
    """What the edition is, and a way into each of its pages."""
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
    appendix = [
        (NEWS, "What is new", marks is not None and marks.previous is not None),
        (FAQ, "Questions and answers", bool(ruleset.faq)),
        (SETTINGS, "Settings", bool(ruleset.declarations.options)),
        (REFERENCE, "Behind the scenes", bool(writer.places.unshown)),
        (RULINGS, "Rulings", bool(ruleset.rulings)),
        (GLOSSARY, "Glossary", bool(ruleset.declarations.terms)),
        (INDEX, "Index", bool(pages)),
        (ODDS, "Odds", has_odds),
    ]
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
        takeaways=takeaways(writer, has_aid=has_aid, pdf=pdf),
        appendix=[(file, title) for file, title, there in appendix if there],
    )
    return writer.finished(ruleset.title, plain_prose(ruleset.about, writer.plain), body)
