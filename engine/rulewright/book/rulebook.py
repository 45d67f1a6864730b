"""The complete book of one ruleset: Markdown pages computed from the resolved rules and the templates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.base.lazy import lazy_property
from rulewright.base.plugins import Failure, attempt
from rulewright.book.pages.appendix import (
    render_glossary_page,
    render_holdings_page,
    render_news_page,
    render_odds_page,
    render_reference_page,
    render_rulings_page,
    render_section_page,
    render_settings_page,
)
from rulewright.book.pages.balance_page import render_balance_page, select_trusted
from rulewright.book.pages.change_marks import Marks
from rulewright.book.pages.data_files import DATA, SCHEMA, build_data_schema, build_rules_data
from rulewright.book.pages.example_files import EXAMPLES, build_examples_file
from rulewright.book.pages.faq_page import render_faq_page
from rulewright.book.pages.front_page import render_front_page
from rulewright.book.pages.index_page import index_page
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.play_page_shell import play_page
from rulewright.book.parts.fields_text import has_holdings
from rulewright.book.parts.odds_charts import Rolls
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.table_views import list_boards
from rulewright.book.play_page.play_data import TABLE, build_table_file
from rulewright.book.play_page.step_links import ENTRIES, build_entries_file
from rulewright.book.play_page.what_if_data import WHAT_IF, Vary, build_what_if_file
from rulewright.book.print.board_sheets import render_board_page
from rulewright.book.print.card_sheets import render_cards_page
from rulewright.book.print.player_aid import build_aid_view, render_aid_page
from rulewright.book.print.short_edition import render_short_page
from rulewright.book.print.whole_book import render_whole_page
from rulewright.book.style.assets import build_drawings
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
    find_places,
    list_book_pages,
    name_file,
    number_rulings,
)
from rulewright.book.style.text_style import escape
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.lints.unused_icons import lint as lint_icons
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.queries.fairness_results import read_results
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics

NOT_MADE = "This page could not be made."
"""The text of a page that failed."""

Report = Callable[[Failure], object]
"""A function that is called with each failure of a part of the book."""


class Book:
    """The book of one ruleset, page by page. Pages do not depend on each other except in `render_site`.

    With `marks`, rules show how they changed since the previous edition, and pages link to comparisons and to the
    schema that all books share. `weigh` computes the odds in examples, which are otherwise left out. `vary` builds the
    module with which readers try other parameters, which is otherwise left out.
    """

    def __init__(
        self, ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None, vary: Vary | None = None
    ) -> None:
        """Find the places, pictures and rulings of the book, and build the module for other parameters with `vary`."""
        self.ruleset = ruleset
        self.marks = marks
        self.weigh = weigh
        self.pages = list_book_pages(ruleset)
        self.places = find_places(ruleset, self.pages)
        self.pictures = build_drawings(ruleset)
        self.rulings = number_rulings(ruleset)
        self.rolls = Rolls()
        self.writers: dict[str, PageWriter] = {}
        self.varying = vary(ruleset) if vary is not None else None
        self._rules = {name_file(page): page for page in self.pages}

    def make_writer(self, file: str) -> PageWriter:
        """Return a new writer for a page. It replaces any earlier writer of this page."""
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

    def render_page(self, file: str) -> str:
        """Return a page of the rules or a generated page, which is one of `list_files`.

        Raises `KeyError` for any other file, such as the front page, the odds page and the files for printing.
        """
        if file in self._rules:
            return self.make_writer(file).page(self._rules[file])
        return self._own[file](self.make_writer(file))

    def render_failure(self, file: str) -> str:
        """Return the replacement for a page that failed, or an empty string for a file that is not a page."""
        page = self._rules.get(file) or GENERATED.get(file)
        title = page.title if page is not None else file.partition(".")[0].capitalize()
        if file.endswith(".md"):
            writer = self.make_writer(file)
            text = writer.escaped(title)
            return writer.finished(title, "", f"# {text}\n\n{NOT_MADE}\n")
        if file.endswith(".html"):
            return f"<!doctype html><html lang='en'><title>{escape(title)}</title><p>{NOT_MADE}</p></html>\n"
        return ""

    def list_files(self) -> list[str]:
        """Return the files that `render_page` can write, in the order of the book.

        Raises `DiagnosticError` for a file of saved answers that cannot be read.
        """
        return [*self._rules, *(file for file in GENERATED if file in self._own)]

    @lazy_property
    def _own(self) -> dict[str, Callable[[PageWriter], str]]:
        """Map the file of each generated page in this book to the function that renders it.

        Raises `DiagnosticError` for a file of saved answers that cannot be read.
        """
        ruleset, pages, places = self.ruleset, self.pages, self.places
        aid = build_aid_view(self.make_writer(AID), pages)
        news = self.marks if self.marks is not None and self.marks.previous is not None else None
        own: dict[str, Callable[[PageWriter], str]] = {
            FAQ: lambda page: render_faq_page(page, pages),
            SETTINGS: render_settings_page,
            RULINGS: render_rulings_page,
            GLOSSARY: lambda page: render_glossary_page(page, pages),
        }
        if ruleset.start is not None:
            own[PLAY] = play_page
        if not aid.is_empty:
            own[AID] = lambda page: render_aid_page(page, aid)
        if news is not None:
            own[NEWS] = lambda page: render_news_page(page, news)
        if places.unshown:
            own[REFERENCE] = lambda page: render_reference_page(page, places.unshown)
        if has_holdings(ruleset) or list_internal_rules(ruleset):
            own[HOLDINGS] = render_holdings_page
        results = read_results(ruleset)
        if results is not None and (answers := select_trusted(results, ruleset)):
            plays = {**results, "answers": answers}
            own[PLAYS] = lambda page: render_balance_page(page, plays)
        if pages:
            own[INDEX] = lambda page: index_page(page, pages)
        for file, section in LISTED.items():
            if not any(iterate_entries(ruleset.resolved.rules.get(section.key))):
                own.pop(file, None)
            else:
                own.setdefault(file, partial(_list, section))
        return own


def _list(section: RulesSection, page: PageWriter) -> str:
    return render_section_page(page, section)


def render_site(
    ruleset: Ruleset,
    marks: Marks | None = None,
    *,
    pdf: str = "",
    weigh: Weigh | None = None,
    vary: Vary | None = None,
    report: Report | None = None,
) -> dict[str, str]:
    """Return every file of the book by path, in the order of the book, except empty ones.

    Besides the pages, the result holds the scripts with the data of the pages, the resolved rules as JSON and, without
    `marks`, their schema. Pages are Markdown with embedded HTML and front matter. They link to each other by their
    `.md` paths, so that any site generator can process them. Files for printing are complete HTML. Raises
    `DiagnosticError` for a file of saved answers that cannot be read, even with `report`.

    Args:
        ruleset: The rules of the book.
        marks: The changes since the previous edition, as in `Book`.
        pdf: The file that will hold the whole book as a PDF, or empty if there will be none.
        weigh: Computes the odds in examples, as in `Book`.
        vary: Builds the module for trying other parameters, as in `Book`.
        report: Receives the failure of each file. A short notice then replaces a page, and other files are left out.
            Without it, failures are raised.
    """
    book = Book(ruleset, marks, weigh=weigh, vary=vary)
    writer, pages, places, varying = book.make_writer, book.pages, book.places, book.varying
    site = {FRONT: ""}

    def make(file: str, work: Callable[[], str]) -> None:
        """Add a file to the site, unless it is empty."""
        result = work() if report is None else attempt(f"the page `{file}`", ruleset.reference, work, report)
        result = book.render_failure(file) if result is None else result
        if result:
            site[file] = result

    for file in book.list_files():
        make(file, partial(book.render_page, file))
    # The front page links to the other pages, so it is rendered after them.
    there = {*site, *([ODDS] if book.rolls.all() else [])}
    make(FRONT, lambda: render_front_page(writer(FRONT), pages, there=there, pdf=pdf))
    if book.rolls.all():
        make(ODDS, lambda: render_odds_page(writer(ODDS)))
    bodies = {file: book.writers[file].body for file in site if file.endswith(".md")}
    make(WHOLE, lambda: render_whole_page(writer(WHOLE), bodies))
    make(SHORT, lambda: render_short_page(writer(SHORT), pages))
    if ruleset.declarations.decks:
        make(CARDS, lambda: render_cards_page(writer(CARDS)))
    if PLAY in site or varying is not None:
        make(TABLE, lambda: build_table_file(ruleset, places, varying.played if varying is not None else None))
    if PLAY in site:
        make(EXAMPLES, lambda: build_examples_file(writer(PLAY)))
    if list_boards(ruleset):
        make(BOARD, lambda: render_board_page(writer(BOARD)))
    if varying is not None:
        make(WHAT_IF, partial(build_what_if_file, ruleset, varying, places))
    make(DATA, lambda: build_rules_data(ruleset, shared=marks is not None))
    if marks is not None:
        make(ENTRIES, lambda: build_entries_file(places))
    else:
        make(SCHEMA, build_data_schema)
    return site


def render_sound_site(ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None) -> dict[str, str]:
    """Return the result of `render_site`, after checking all placeholders and icons.

    Raises `DiagnosticError` if a check fails, and what fails in `render_site`.
    """
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    lint_icons(ruleset, diagnostics)
    diagnostics.raise_if_errors()
    return render_site(ruleset, marks, weigh=weigh)
