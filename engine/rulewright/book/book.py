"""The whole book of one ruleset: a pure function from the resolved rules, and the templates, to pages of Markdown."""

from __future__ import annotations

from rulewright.book.pages.appendix import glossary_page, reference_page, rulings_page, settings_page
from rulewright.book.pages.data import DATA, SCHEMA, data_schema, rules_data
from rulewright.book.pages.faq import faq_page
from rulewright.book.pages.front import front_page
from rulewright.book.pages.index_page import index_page
from rulewright.book.pages.marks import Marks
from rulewright.book.pages.news import news_page
from rulewright.book.pages.odds import odds_page
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.rules import book_pages
from rulewright.book.paper.aid import aid_page, aid_view
from rulewright.book.paper.cards import cards_page
from rulewright.book.paper.short import short_page
from rulewright.book.paper.whole import whole_page
from rulewright.book.parts.chances import Weigh
from rulewright.book.parts.rolls import Rolls
from rulewright.book.parts.rulings import numbered
from rulewright.book.style.icons import drawings
from rulewright.book.style.places import (
    AID,
    CARDS,
    FAQ,
    FRONT,
    GLOSSARY,
    INDEX,
    NEWS,
    ODDS,
    REFERENCE,
    RULINGS,
    SETTINGS,
    SHORT,
    WHOLE,
    file_of,
    find_places,
)
from rulewright.ruleset.ruleset import Ruleset


def render_site(
    ruleset: Ruleset, marks: Marks | None = None, *, pdf: str = "", weigh: Weigh | None = None
) -> dict[str, str]:
    """Every page of the book, by path, in the order of the book; and the resolved rules as JSON with their schema.

    Pages are Markdown with HTML in it and front matter before it. They link to each other by their paths (`.md`), so
    they can be read as they are, and any site generator can take them over. With `marks`, each rule tells what became
    of it since the edition before, and pages link to the comparisons that lie beside the book. What is to be printed
    is HTML, ready as it is. `pdf` is the file that will hold the whole book as a PDF, empty where none is made.
    `weigh` works out the odds that examples speak of; without it they are left out.
    """
    pages = book_pages(ruleset)
    places = find_places(ruleset, pages)
    pictures = drawings(ruleset)
    rulings = numbered(ruleset)
    rolls = Rolls()

    def writer(file: str) -> PageWriter:
        return PageWriter(ruleset, file, places, pictures, rulings, marks, rolls, weigh)

    aid = aid_view(writer(AID), pages)
    site = {FRONT: ""}
    for page in pages:
        site[file_of(page)] = writer(file_of(page)).page(page)
    if ruleset.faq:
        site[FAQ] = faq_page(writer(FAQ), pages)
    if not aid.is_empty:
        site[AID] = aid_page(writer(AID), aid)
    if marks is not None and marks.previous is not None:
        site[NEWS] = news_page(writer(NEWS), marks)
    if ruleset.declarations.options:
        site[SETTINGS] = settings_page(writer(SETTINGS))
    if places.unshown:
        site[REFERENCE] = reference_page(writer(REFERENCE), places.unshown)
    if rulings:
        site[RULINGS] = rulings_page(writer(RULINGS))
    if ruleset.declarations.terms:
        site[GLOSSARY] = glossary_page(writer(GLOSSARY), pages)
    if pages:
        site[INDEX] = index_page(writer(INDEX), pages)
    # The first page says which others there are.
    site[FRONT] = front_page(writer(FRONT), pages, has_aid=not aid.is_empty, has_odds=bool(rolls.all()), pdf=pdf)
    if rolls.all():
        site[ODDS] = odds_page(writer(ODDS))
    site[WHOLE] = whole_page(writer(WHOLE), site)
    site[SHORT] = short_page(writer(SHORT), pages)
    if ruleset.declarations.decks:
        site[CARDS] = cards_page(writer(CARDS))
    site[DATA] = rules_data(ruleset)
    site[SCHEMA] = data_schema()
    return site
