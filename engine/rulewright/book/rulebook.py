"""The complete book of one ruleset: Markdown pages computed from the resolved rules and the templates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from rulewright.base.incremental.reads import note_reads, record_reads
from rulewright.base.incremental.traces import Traces
from rulewright.base.lazy import lazy_property
from rulewright.base.plugins import Failure, attempt
from rulewright.book.made_pages import MadePages
from rulewright.book.page_traces import PageTraces
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
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.table_views import list_printed_boards
from rulewright.book.play_page.play_data import TABLE, build_table_file
from rulewright.book.play_page.step_links import ENTRIES, build_entries_file
from rulewright.book.play_page.what_if_data import WHAT_IF, Vary, WhatIfModule, build_what_if_file
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
    strip_texts,
)
from rulewright.book.style.text_style import escape
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.lints.unused_icons import lint as lint_icons
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.queries.fairness_results import read_results
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import RulesSection
from rulewright.ruleset.sections.pages import Page
from rulewright.source.diagnostics.collector import Diagnostics

T = TypeVar("T")

NOT_MADE = "This page could not be made."
"""The text of a page that failed."""

Report = Callable[[Failure], object]
"""A function that is called with each failure of a part of the book."""


class Book(MadePages):
    """The book of one ruleset, page by page. Pages do not depend on each other except in `render_site`.

    With `marks`, rules show how they changed since the previous edition, and pages link to comparisons and to the
    schema that all books share. `weigh` computes the odds in examples, which are otherwise left out. `vary` builds the
    module with which readers try other parameters, which is otherwise left out. `traces` has the results of earlier
    builds with the same functions.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        marks: Marks | None = None,
        *,
        weigh: Weigh | None = None,
        vary: Vary | None = None,
        traces: Traces | None = None,
    ) -> None:
        """Find the places, pictures and rulings of the book, and build the module for other parameters with `vary`."""
        super().__init__(shared := PageTraces(ruleset, traces))
        self.ruleset = shared.ruleset
        self.marks = shared.track_marks(marks) if marks is not None else None
        self.weigh = weigh
        pages = list_book_pages(ruleset)
        places = find_places(ruleset, pages)
        self.places = shared.track_places(places)
        self.pictures = shared.track("pictures", build_drawings(ruleset))
        self.rulings = shared.track("rulings", number_rulings(ruleset))

        self.varying = self._build_varying(vary)
        self._adjustable = shared.track("adjustable", self.varying.adjustable if self.varying is not None else {})
        self._rules = shared.track("pages", {name_file(page): page for page in pages})
        self._outlines = shared.track("outlines", {name_file(page): strip_texts(page) for page in pages})

    def _build_varying(self, vary: Vary | None) -> WhatIfModule | None:
        """Return the module for other parameters, or None without `vary` or without adjustable parameters."""
        if vary is None:
            return None
        if self.ruleset.is_tracked:

            def build() -> list[Any] | None:
                module = vary(self.ruleset)
                return module.to_data() if module is not None else None

            stored = self.traces.fetch(("what if",), build)
            return WhatIfModule.from_data(stored) if stored is not None else None
        return vary(self.ruleset)

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages of the rules."""
        return tuple(self._rules.values())

    @property
    def outlines(self) -> tuple[Page, ...]:
        """The pages of the rules without the texts of their sections."""
        return tuple(self._outlines.values())

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
            self._adjustable,
        )
        return self.writers[file]

    def render_page(self, file: str) -> str:
        """Return a page of the rules or a generated page, which is one of `list_files`.

        Raises `KeyError` for any other file, such as the front page, the odds page and the files for printing.
        """
        if file in self._rules:
            return self.make_writer(file).page(self._rules[file])
        return self._own[file](self.make_writer(file))

    def track(self, name: str, entries: Mapping[str, T]) -> Mapping[str, T]:
        """Return a mapping that all pages may read, and that notes which entries each of them reads."""
        return self.traces.track(name, entries)

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
        ruleset, places = self.ruleset, self.places
        with record_reads() as aid_reads:
            aid = build_aid_view(self.make_writer(AID), self.pages)

        def render_aid(page: PageWriter) -> str:
            note_reads(aid_reads)
            return render_aid_page(page, aid)

        news = self.marks if self.marks is not None and self.marks.previous is not None else None
        own: dict[str, Callable[[PageWriter], str]] = {
            FAQ: lambda page: render_faq_page(page, self.outlines),
            SETTINGS: render_settings_page,
            RULINGS: render_rulings_page,
            GLOSSARY: lambda page: render_glossary_page(page, self.pages),
        }
        if ruleset.start is not None:
            own[PLAY] = play_page
        if not aid.is_empty:
            own[AID] = render_aid
        if news is not None:
            own[NEWS] = lambda page: render_news_page(page, news)
        if places.unshown:
            own[REFERENCE] = lambda page: render_reference_page(page, places.unshown)
        if has_holdings(ruleset) or list_internal_rules(ruleset):
            own[HOLDINGS] = render_holdings_page
        results = read_results(ruleset)
        if results is not None and (answers := select_trusted(results, ruleset)):
            plays = self.traces.track("plays", {**results, "answers": answers})
            own[PLAYS] = lambda page: render_balance_page(page, dict(plays.items()))
        if self.pages:
            own[INDEX] = lambda page: index_page(page, self.outlines)
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
    traces: Traces | None = None,
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
        traces: The results of earlier builds, as in `Book`.
    """
    book = Book(ruleset, marks, weigh=weigh, vary=vary, traces=traces)
    ruleset, writer, places = book.ruleset, book.make_writer, book.places
    varying = book.track("varying", {"module": book.varying} if book.varying is not None else {})
    site = {FRONT: ""}

    def make(file: str, render: Callable[[], str], *which: str) -> None:
        """Add a file to the site, unless it is empty. `which` is that of `Book.make_page`."""
        work = partial(book.make_page, file, render, *which)
        result = work() if report is None else attempt(f"the page `{file}`", ruleset.reference, work, report)
        if result is None:
            result = book.render_failure(file)
            book.bodies[file] = book.writers[file].body
        if result:
            site[file] = result

    for file in book.list_files():
        make(file, partial(book.render_page, file))
    # The front page links to the other pages, so it is rendered after them.
    printed = [SHORT, WHOLE]
    printed += [CARDS] if ruleset.declarations.decks else []
    printed += [BOARD] if list_printed_boards(ruleset) else []
    there = book.track("files", dict.fromkeys([*site, *([ODDS] if book.rolls.all() else []), *printed]))
    make(FRONT, lambda: render_front_page(writer(FRONT), book.outlines, there=there, pdf=pdf), pdf)
    if book.rolls.all():
        used = json.dumps([(roll, [*there.items()]) for roll, there in book.rolls.used.items()])
        make(ODDS, lambda: render_odds_page(writer(ODDS)), used)
    bodies = book.track("bodies", {file: book.bodies[file] for file in site if file.endswith(".md")})
    make(WHOLE, lambda: render_whole_page(writer(WHOLE), bodies))
    make(SHORT, lambda: render_short_page(writer(SHORT), book.pages))
    if ruleset.declarations.decks:
        make(CARDS, lambda: render_cards_page(writer(CARDS)))
    if PLAY in site or varying:

        def render_table() -> str:
            played = varying["module"].played if varying else None
            return build_table_file(ruleset, places, played, pictures=book.pictures)

        make(TABLE, render_table)
    if PLAY in site:
        make(EXAMPLES, lambda: build_examples_file(writer(PLAY)))
    if list_printed_boards(ruleset):
        make(BOARD, lambda: render_board_page(writer(BOARD)))
    if varying:
        make(WHAT_IF, lambda: build_what_if_file(ruleset, varying["module"], places))
    make(DATA, lambda: build_rules_data(ruleset, shared=marks is not None))
    if marks is not None:
        make(ENTRIES, lambda: build_entries_file(places))
    else:
        make(SCHEMA, build_data_schema)
    return site


def render_sound_site(
    ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None, traces: Traces | None = None
) -> dict[str, str]:
    """Return the result of `render_site`, after checking all placeholders and icons.

    Raises `DiagnosticError` if a check fails, and what fails in `render_site`.
    """
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    lint_icons(ruleset, diagnostics)
    diagnostics.raise_if_errors()
    return render_site(ruleset, marks, weigh=weigh, traces=traces)
