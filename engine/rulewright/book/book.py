"""The whole book of one ruleset: a pure function from the resolved rules, and the templates, to pages of Markdown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from rulewright.book.pages.appendix import (
    glossary_page,
    holdings_page,
    news_page,
    odds_page,
    reference_page,
    rulings_page,
    section_page,
    settings_page,
)
from rulewright.book.pages.data import DATA, SCHEMA, data_schema, rules_data
from rulewright.book.pages.examples import EXAMPLES, examples_file
from rulewright.book.pages.faq import faq_page
from rulewright.book.pages.front import front_page
from rulewright.book.pages.index_page import index_page
from rulewright.book.pages.marks import Marks
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.play import play_page
from rulewright.book.pages.plays import plays_page, trusted_answers
from rulewright.book.paper.aid import aid_page, aid_view
from rulewright.book.paper.board import board_page
from rulewright.book.paper.cards import cards_page
from rulewright.book.paper.short import short_page
from rulewright.book.paper.whole import whole_page
from rulewright.book.parts.chances import Weigh
from rulewright.book.parts.holdings import has_holdings
from rulewright.book.parts.odds import Rolls
from rulewright.book.style.assets import drawings
from rulewright.book.style.places import (
    AID,
    BOARD,
    CARDS,
    FAQ,
    FRONT,
    GENERATED,
    GLOSSARY,
    HOLDINGS,
    INDEX,
    LISTED,
    NEWS,
    ODDS,
    PLAY,
    PLAYS,
    REFERENCE,
    RULINGS,
    SETTINGS,
    SHORT,
    WHOLE,
    book_pages,
    file_of,
    find_places,
    numbered,
)
from rulewright.book.table.data import TABLE, table_file
from rulewright.book.table.homes import ENTRIES, entries_file
from rulewright.book.table.what_if import WHAT_IF, Vary, what_if_file
from rulewright.ruleset.elaborate.read import entries
from rulewright.ruleset.lints.icons import lint as lint_icons
from rulewright.ruleset.queries.played import kept_answers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import RulesSection
from rulewright.ruleset.words.lint import lint_words
from rulewright.source.diagnostics.collected import Diagnostics


class Book:
    """The book of one ruleset, page by page: what a page looks like depends on no other but where `render_site` says.

    With `marks`, each rule tells what became of it since the edition before, and the book leads to what lies beside it:
    the comparisons, and the schema, which all books share. `weigh` works out the odds that examples speak of; without
    it they are left out. `vary` makes the module in which readers try other figures; without it none can be tried.
    """

    def __init__(
        self, ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None, vary: Vary | None = None
    ) -> None:
        self.ruleset = ruleset
        self.marks = marks
        self.weigh = weigh
        self.pages = book_pages(ruleset)
        self.places = find_places(ruleset, self.pages)
        self.pictures = drawings(ruleset)
        self.rulings = numbered(ruleset)
        self.rolls = Rolls()
        self.writers: dict[str, PageWriter] = {}
        self.varying = vary(ruleset) if vary is not None else None
        self._rules = {file_of(page): page for page in self.pages}

    def writer(self, file: str) -> PageWriter:
        """Who writes a page anew, as if nobody had."""
        self.writers[file] = PageWriter(
            self.ruleset,
            file,
            self.places,
            self.pictures,
            self.rulings,
            self.marks,
            self.rolls,
            self.weigh,
            self.varying,
        )
        return self.writers[file]

    def page(self, file: str) -> str:
        """A page of the rules, or one that is no designer's, but for the first and that of the odds.

        Raises `KeyError` where the book has none of that name.
        """
        if file in self._rules:
            return self.writer(file).page(self._rules[file])
        return self._own[file](self.writer(file))

    def files(self) -> list[str]:
        """The files of these pages, in the order of the book."""
        return [*self._rules, *(file for file in GENERATED if file in self._own)]

    @cached_property
    def _own(self) -> dict[str, Callable[[PageWriter], str]]:
        """Who writes each page that is no designer's, of those that this book has."""
        ruleset, pages, places = self.ruleset, self.pages, self.places
        aid = aid_view(self.writer(AID), pages)
        news = self.marks if self.marks is not None and self.marks.previous is not None else None
        own: dict[str, Callable[[PageWriter], str]] = {
            FAQ: lambda page: faq_page(page, pages),
            SETTINGS: settings_page,
            RULINGS: rulings_page,
            GLOSSARY: lambda page: glossary_page(page, pages),
        }
        if ruleset.start is not None:
            own[PLAY] = play_page
        if not aid.is_empty:
            own[AID] = lambda page: aid_page(page, aid)
        if news is not None:
            own[NEWS] = lambda page: news_page(page, news)
        if places.unshown:
            own[REFERENCE] = lambda page: reference_page(page, places.unshown)
        if has_holdings(ruleset):
            own[HOLDINGS] = holdings_page
        kept = kept_answers(ruleset)
        shown = {**kept, "answers": trusted_answers(kept, ruleset)} if kept is not None else {}
        if shown.get("answers"):
            own[PLAYS] = lambda page: plays_page(page, shown)
        if pages:
            own[INDEX] = lambda page: index_page(page, pages)
        for file, section in LISTED.items():
            if not any(entries(ruleset.resolved.rules.get(section.key))):
                own.pop(file, None)
            else:
                own.setdefault(file, partial(_listed, section))
        return own


def _listed(section: RulesSection, page: PageWriter) -> str:
    return section_page(page, section)


def render_site(
    ruleset: Ruleset,
    marks: Marks | None = None,
    *,
    pdf: str = "",
    weigh: Weigh | None = None,
    vary: Vary | None = None,
) -> dict[str, str]:
    """Every page of the book, by path, in the order of the book; and the resolved rules as JSON with their schema.

    Pages are Markdown with HTML in it and front matter before it. They link to each other by their paths (`.md`), so
    they can be read as they are, and any site generator can take them over. `marks`, `weigh` and `vary` are as `Book`
    has them. What is to be printed is HTML, ready as it is. `pdf` is the file that will hold the whole book as a PDF,
    empty where none is made.
    """
    book = Book(ruleset, marks, weigh=weigh, vary=vary)
    writer, pages, places, varying = book.writer, book.pages, book.places, book.varying
    site = {FRONT: ""}
    for file in book.files():
        site[file] = book.page(file)
    # The first page says which others there are.
    there = {*site, *([ODDS] if book.rolls.all() else [])}
    site[FRONT] = front_page(writer(FRONT), pages, there=there, pdf=pdf)
    if book.rolls.all():
        site[ODDS] = odds_page(writer(ODDS))
    bodies = {file: book.writers[file].body for file in site if file.endswith(".md")}
    site[WHOLE] = whole_page(writer(WHOLE), bodies)
    site[SHORT] = short_page(writer(SHORT), pages)
    if ruleset.declarations.decks:
        site[CARDS] = cards_page(writer(CARDS))
    if PLAY in site or varying is not None:
        site[TABLE] = table_file(ruleset, places, varying.played if varying is not None else None)
    if PLAY in site and (examples := examples_file(writer(PLAY))):
        site[EXAMPLES] = examples
    if any(table.is_board for table in ruleset.declarations.tables.values()):
        site[BOARD] = board_page(writer(BOARD))
    if varying is not None:
        site[WHAT_IF] = what_if_file(ruleset, varying, places)
    site[DATA] = rules_data(ruleset, shared=marks is not None)
    if marks is not None:
        site[ENTRIES] = entries_file(places)
    else:
        site[SCHEMA] = data_schema()
    return site


def sound_site(ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None) -> dict[str, str]:
    """`render_site`, once every placeholder and every rule a page shows is known to be there.

    Raises `DiagnosticError` where one is not.
    """
    found = Diagnostics()
    lint_words(ruleset, found)
    lint_icons(ruleset, found)
    found.raise_if_errors()
    return render_site(ruleset, marks, weigh=weigh)
