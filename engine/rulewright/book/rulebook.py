"""The whole book of one ruleset: a pure function from the resolved rules, and the templates, to pages of Markdown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.base.lazy import lazy_property
from rulewright.base.plugins import Failure, attempt
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
from rulewright.book.pages.balance_page import plays_page, trusted_answers
from rulewright.book.pages.change_marks import Marks
from rulewright.book.pages.data_files import DATA, SCHEMA, data_schema, rules_data
from rulewright.book.pages.example_files import EXAMPLES, examples_file
from rulewright.book.pages.faq_page import faq_page
from rulewright.book.pages.front_page import front_page
from rulewright.book.pages.index_page import index_page
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.play_page_shell import play_page
from rulewright.book.parts.fields_text import has_holdings
from rulewright.book.parts.odds_charts import Rolls
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.play_page.play_data import TABLE, table_file
from rulewright.book.play_page.step_links import ENTRIES, entries_file
from rulewright.book.play_page.what_if_data import WHAT_IF, Vary, what_if_file
from rulewright.book.print.board_sheets import board_page
from rulewright.book.print.card_sheets import cards_page
from rulewright.book.print.player_aid import aid_page, aid_view
from rulewright.book.print.short_edition import short_page
from rulewright.book.print.whole_book import whole_page
from rulewright.book.style.assets import drawings
from rulewright.book.style.rule_locations import (
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
from rulewright.book.style.text_style import escape
from rulewright.ruleset.elaborate.node_readers import entries
from rulewright.ruleset.lints.unused_icons import lint as lint_icons
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.queries.fairness_results import kept_answers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics

NOT_MADE = "This page could not be made."

Report = Callable[[Failure], object]
"""Takes the failure of a part of the book."""


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
        """Return a page of the rules, or one that is no designer's, but for the first and that of the odds.

        Raises `KeyError` where the book has none of that name.
        """
        if file in self._rules:
            return self.writer(file).page(self._rules[file])
        return self._own[file](self.writer(file))

    def stand_in(self, file: str) -> str:
        """Return what stands in the place of a page that could not be made; nothing for a file that is no page."""
        page = self._rules.get(file) or GENERATED.get(file)
        title = page.title if page is not None else file.partition(".")[0].capitalize()
        if file.endswith(".md"):
            writer = self.writer(file)
            said = writer.escaped(title)
            return writer.finished(title, "", f"# {said}\n\n{NOT_MADE}\n")
        if file.endswith(".html"):
            return f"<!doctype html><html lang='en'><title>{escape(title)}</title><p>{NOT_MADE}</p></html>\n"
        return ""

    def files(self) -> list[str]:
        """Return the files of these pages, in the order of the book."""
        return [*self._rules, *(file for file in GENERATED if file in self._own)]

    @lazy_property
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
        if kept is not None and (answers := trusted_answers(kept, ruleset)):
            plays = {**kept, "answers": answers}
            own[PLAYS] = lambda page: plays_page(page, plays)
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
    report: Report | None = None,
) -> dict[str, str]:
    """Every page of the book, by path, in the order of the book; and the resolved rules as JSON with their schema.

    Pages are Markdown with HTML in it and front matter before it. They link to each other by their paths (`.md`), so
    they can be read as they are, and any site generator can take them over. `marks`, `weigh` and `vary` are as `Book`
    has them. What is to be printed is HTML, ready as it is. `pdf` is the file that will hold the whole book as a PDF,
    empty where none is made. A page that fails is given to `report`, and one that says so stands in its place; without
    `report`, it raises.
    """
    book = Book(ruleset, marks, weigh=weigh, vary=vary)
    writer, pages, places, varying = book.writer, book.pages, book.places, book.varying
    site = {FRONT: ""}

    def make(file: str, work: Callable[[], str]) -> None:
        """Put a file into the site, unless it comes to nothing."""
        made = work() if report is None else attempt(f"the page `{file}`", ruleset.reference, work, report)
        made = book.stand_in(file) if made is None else made
        if made:
            site[file] = made

    for file in book.files():
        make(file, partial(book.page, file))
    # The first page says which others there are.
    there = {*site, *([ODDS] if book.rolls.all() else [])}
    make(FRONT, lambda: front_page(writer(FRONT), pages, there=there, pdf=pdf))
    if book.rolls.all():
        make(ODDS, lambda: odds_page(writer(ODDS)))
    bodies = {file: book.writers[file].body for file in site if file.endswith(".md")}
    make(WHOLE, lambda: whole_page(writer(WHOLE), bodies))
    make(SHORT, lambda: short_page(writer(SHORT), pages))
    if ruleset.declarations.decks:
        make(CARDS, lambda: cards_page(writer(CARDS)))
    if PLAY in site or varying is not None:
        make(TABLE, lambda: table_file(ruleset, places, varying.played if varying is not None else None))
    if PLAY in site:
        make(EXAMPLES, lambda: examples_file(writer(PLAY)))
    if any(table.is_board for table in ruleset.declarations.tables.values()):
        make(BOARD, lambda: board_page(writer(BOARD)))
    if varying is not None:
        make(WHAT_IF, partial(what_if_file, ruleset, varying, places))
    make(DATA, lambda: rules_data(ruleset, shared=marks is not None))
    if marks is not None:
        make(ENTRIES, lambda: entries_file(places))
    else:
        make(SCHEMA, data_schema)
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
