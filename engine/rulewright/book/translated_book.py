"""The book of an edition in another language, with only the pages that are completely translated.

A page shows texts, tables, and the steps that the planner of the language has sentences for. It links to the English
book, which is in the parent folder, for everything else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from rulewright.base.incremental.reads import note_read
from rulewright.base.incremental.traces import Traces
from rulewright.base.plugins import report_failure
from rulewright.book.english.grammar import capitalize
from rulewright.book.languages import Planner, find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.languages.original_words import Answers
from rulewright.book.made_pages import MadePages
from rulewright.book.page_traces import TranslationTraces
from rulewright.book.pages.appendix import (
    render_glossary_page,
    render_odds_page,
    render_rulings_page,
    render_settings_page,
)
from rulewright.book.pages.example_files import EXAMPLES, build_examples_file
from rulewright.book.pages.faq_page import render_faq_page
from rulewright.book.pages.front_page import render_front_page
from rulewright.book.pages.index_page import index_page
from rulewright.book.pages.page import PageWriter, RuleBlock
from rulewright.book.pages.play_page_shell import play_page
from rulewright.book.pages.procedure_html import render_example, render_procedure, render_sample
from rulewright.book.parts.odds_charts import Rolls
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.step_sentences import list_formulas
from rulewright.book.parts.table_views import list_boards
from rulewright.book.parts.template_loader import render
from rulewright.book.play_page.play_data import TABLE, build_table_file
from rulewright.book.print.board_sheets import render_board_page
from rulewright.book.print.card_sheets import render_cards_page
from rulewright.book.print.player_aid import build_aid_view, render_aid_page
from rulewright.book.print.short_edition import render_short_page
from rulewright.book.print.whole_book import render_whole_page
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import (
    AID,
    BOARD,
    CARDS,
    FAQ,
    FRONT,
    GENERATED,
    GLOSSARY,
    INDEX,
    LISTED,
    ODDS,
    PLAY,
    RULINGS,
    SETTINGS,
    SHORT,
    TABLES,
    WHOLE,
    RuleLocations,
    RulingEntry,
    build_anchor,
    find_places,
    list_book_pages,
    name_file,
    number_rulings,
)
from rulewright.book.style.text_style import ORIGINAL, Style, UnlinkedStyle
from rulewright.book.translated_examples import (
    build_translated_chances,
    build_translated_example,
    build_translated_sample,
    can_log,
    list_given,
    list_results,
)
from rulewright.language.checked_steps import Procedure
from rulewright.ruleset.cache.tracked_declarations import WHOLE as WHOLE_RULESET
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.sections.pages import Page, Section
from rulewright.ruleset.translation.required_texts import is_table_translated, is_translated
from rulewright.ruleset.translation.translation import Translation


def render_translation(
    translation: Translation, traces: Traces | None = None, *, weigh: Weigh | None = None, pdf: str = ""
) -> dict[str, str]:
    """Return the files of the book by path: the front page, and every page that is completely translated.

    Pages have the same format as in English. A rule on them that is not translated is a link to the English book.
    `traces` has the results of earlier builds, and `weigh` computes the odds of examples, which are otherwise left out.
    `pdf` is the file that will hold the book as a PDF if it is complete.
    """
    shared, ruleset, tag = TranslationTraces(translation, traces), translation.ruleset, translation.language.tag
    read = {name_file(page): page for page in list_book_pages(ruleset)}
    original = find_places(ruleset, tuple(read.values()))
    # Links to the English book use its English titles, which readers see after they follow the link.
    titles = shared.track("titles", Answers(PageWriter(translation.original, FRONT, original, {}, {}).title))
    pictures = shared.track("pictures", build_drawings(ruleset))
    rulings = shared.track("rulings", number_rulings(ruleset))
    pages, translation = shared.track("pages", read), shared.translation
    english = shared.track_places(original, "english ")
    frame = shared.fetch(("translation", tag), lambda: _find_frame(translation, tuple(pages.values()), english))
    files, tables = (shared.track(name, dict.fromkeys(each)) for name, each in zip(_FRAME, frame[:2], strict=True))
    places = shared.track_places(replace(original, homes=frame[2]))
    book = MadePages(shared)
    result: dict[str, str] = {FRONT: ""}

    def list_told() -> tuple[Page, ...]:
        return tuple(page for file, page in pages.items() if file in files)

    def list_shown() -> tuple[Page, ...]:
        paths = {page: (("pages", page.id, key) for key in _HEAD) for page in pages.values()}
        return tuple(page for page, needed in paths.items() if all(is_translated(translation, each) for each in needed))

    def write(file: str) -> PageWriter:
        page = TranslatedPage(translation, file, places, pictures, rulings, titles, book.rolls, weigh)
        page.play = PLAY if PLAY in files else f"{ORIGINAL}play.html"
        book.writers[file] = page
        return page

    render: dict[str, Callable[[PageWriter], str]] = {
        PLAY: play_page,
        FAQ: lambda page: render_faq_page(page, list_told()),
        TABLES: lambda page: _tables_page(page, translation, tuple(pages.values()), english.homes, list(tables)),
        SETTINGS: render_settings_page,
        RULINGS: render_rulings_page,
        GLOSSARY: lambda page: render_glossary_page(page, list_told()),
        INDEX: lambda page: index_page(page, list_told()),
        AID: lambda page: render_aid_page(page, build_aid_view(page, list_told())),
        CARDS: render_cards_page,
        BOARD: render_board_page,
        SHORT: lambda page: render_short_page(page, list_told()),
        TABLE: lambda page: build_table_file(ruleset, places, pictures=pictures),
        EXAMPLES: build_examples_file,
    }

    def make(file: str, work: Callable[[PageWriter], str], *which: str) -> None:
        text = book.make_page(file, lambda: work(write(file)), tag, *which)
        if text:
            result[file] = text

    for file in files:
        if file not in _LATE:
            make(file, render[file] if file in render else lambda page, file=file: page.page(pages[file]))  # type: ignore[misc]
    there = shared.track("there", dict.fromkeys([*files, *([ODDS] if book.rolls.all() else [])]))
    pdf = pdf if WHOLE in files and SHORT in files else ""
    make(FRONT, lambda page: render_front_page(page, list_shown(), there=there, pdf=pdf), pdf)
    if book.rolls.all():
        make(ODDS, render_odds_page, json.dumps([(roll, [*used.items()]) for roll, used in book.rolls.used.items()]))
    if WHOLE in files:
        bodies = shared.track("bodies", {file: book.bodies[file] for file in result if file.endswith(".md")})
        make(WHOLE, lambda page: render_whole_page(page, bodies))
    return result


_FRAME = ("files", "tables")
_LATE = (FRONT, WHOLE)
"""The files that depend on the others."""


def _find_frame(
    translation: Translation, pages: tuple[Page, ...], english: RuleLocations
) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the files of the book, the paths of its tables, and the address of every rule.

    `english` are the addresses in the English book.
    """
    translated = tuple(page for page in pages if is_translated(translation, ("pages", page.id)))
    tables = _tables(translation)
    ruleset, declared = translation.ruleset, translation.ruleset.declarations
    files = [FRONT, *map(name_file, translated)]
    # Texts of a whole section belong to one page, or to one file to print.
    listed = {SETTINGS: declared.options, RULINGS: ruleset.rulings, FAQ: ruleset.faq, GLOSSARY: declared.terms}
    lists = [file for file, entries in listed.items() if entries and is_translated(translation, (LISTED[file].key,))]
    if ruleset.start is not None and translation.get_or_make(can_log) and is_translated(translation, ("options",)):
        files += [PLAY, TABLE, *([EXAMPLES] if _has_all(translation, "procedures") else [])]
    files += [TABLES] if tables else []
    files += [file for file in GENERATED if file in lists]
    decks = declared.decks.values()
    if decks and all(_mentions(translation, f"decks.{deck.id}") for deck in decks) and _has_cards(translation):
        files.append(CARDS)
    if list_boards(ruleset) and all(is_translated(translation, ("tables", each.id)) for each in list_boards(ruleset)):
        files.append(BOARD)
    if translated and len(translated) == len(pages):
        files += [INDEX, WHOLE]
        if is_translated(translation, ("numbers",)) and is_translated(translation, ("terms",)):
            files.append(AID)
        if _has_all(translation, "procedures"):
            files.append(SHORT)
    return files, tables, _here(english, files, translation, tables)


def _has_all(translation: Translation, section: str) -> bool:
    """Return whether the book can show every entry of a section, without the steps of rows."""
    names = translation.ruleset.procedures
    return all(_mentions(translation, f"{section}.{name}") for name in names if names[name].cell is None)


_LISTS = {"options": SETTINGS, "decks": CARDS}
"""The pages that only list entries of a section, which other pages show as well."""

_HEAD = ("title", "about")
"""The texts of a page that the front page shows."""


class TranslatedPage(PageWriter):
    """Writer of one file of a book in another language."""

    def __init__(
        self,
        translation: Translation,
        file: str,
        places: RuleLocations,
        pictures: Mapping[str, str],
        rulings: Mapping[str, RulingEntry],
        titles: Mapping[tuple[str], str],
        rolls: Rolls,
        weigh: Weigh | None = None,
    ) -> None:
        """Create a writer. `titles` are those of rules in the English book, by path."""
        super().__init__(translation.ruleset, file, places, pictures, rulings, rolls=rolls, weigh=weigh)
        self.translation = translation
        self._titles = titles
        self.previews.tells = lambda path: is_translated(translation, tuple(path.split(".")))

    def render_entry(self, section: str, identity: str) -> str:
        """Return an entry in the view of its section, in the language.

        The translation must be able to show a procedure, an example, or a sample game.
        """
        if section == "examples":
            example = build_translated_example(self.translation, identity, self.close)
            assert example is not None
            declared = self.ruleset.examples[identity]
            odds = build_translated_chances(self.translation, declared, self.weigh, self.html)
            return render_example(self, example, self.play, odds)
        if section == "samples":
            sample = build_translated_sample(self.translation, identity, self.close)
            assert sample is not None
            return render_sample(self, identity, sample, self.play)
        if section != "procedures":
            return super().render_entry(section, identity)
        view = _describe_procedure(self.translation, identity, self.close)
        assert view is not None
        return render_procedure(self, identity, view.steps, view.outcomes, view.formulas.get)

    def title(self, path: str) -> str:
        """Return the escaped title of a rule. A formula without a title has its name in sentences."""
        section, _, identity = path.partition(".")
        described = self.describe_formula(identity, self.plain) if section == "formulas" else None
        return self.html.escape(capitalize(described[0])) if described is not None else super().title(path)

    def describe_steps(self, procedure: Procedure, style: Style) -> str:
        return self._planner.describe_steps(self.translation, procedure, style)

    def list_outcomes(self, procedure: Procedure, style: Style) -> list[tuple[str, str]]:
        return self._planner.list_outcomes(self.translation, procedure, style)

    def describe_formula(self, formula: str, style: Style) -> tuple[str, str, str] | None:
        # The steps name a formula even if the language cannot define it.
        with suppress(MissingWordsError):
            return self._planner.describe_formula(self.translation, formula, style)
        return None

    def list_given(self, example: Example, style: Style) -> list[str]:
        return list_given(self.translation, example, style)

    def list_results(self, example: Example, style: Style) -> list[str]:
        return list_results(self.translation, example, style)

    @property
    def _planner(self) -> Planner:
        """The planner of the language. Only pages with sentences ask for it, and those need one."""
        planner = find_planner(self.translation)
        assert planner is not None
        return planner

    def below(self, section: Section) -> list[RuleBlock]:
        """Return the rules of a section that are translated, followed by links to the others in the English book."""
        blocks = [self.show_below(path.text) for path in section.show if _mentions(self.translation, path.text)]
        others = [path.text for path in section.show if not _mentions(self.translation, path.text)]
        there = [(home, self._titles[path,]) for path in others if (home := self.places.homes.get(path, ""))]
        return [*blocks, RuleBlock(render("told.j2", self.language, links=there))] if there else blocks


def _mentions(translation: Translation, path: str) -> bool:
    """Return whether the translated book can show a rule. It cannot if the rule needs English sentences."""
    return translation.get_or_make(_can_show, path)


def _can_show(translation: Translation, path: str) -> bool:
    section, _, identity = path.partition(".")
    declared = load_sections().get(section)
    if section == "procedures":
        return _describe_procedure(translation, identity, Style(translation.ruleset)) is not None
    if section == "examples":
        return build_translated_example(translation, identity, UnlinkedStyle(translation.ruleset)) is not None
    if section == "samples":
        return build_translated_sample(translation, identity, UnlinkedStyle(translation.ruleset)) is not None
    if declared is None or declared.wordy:
        return False
    if section == "tables":
        return is_table_translated(translation, identity)
    if section == "overviews":
        overview = translation.ruleset.overviews.get(identity)
        if overview is None or not is_table_translated(translation, overview.down.table):
            return False
    return is_translated(translation, (section, identity))


@dataclass(frozen=True, slots=True)
class ProcedureSentences:
    """The sentences of a procedure: its steps, its results, and the formulas that it uses by id."""

    steps: str
    outcomes: list[tuple[str, str]]
    formulas: Mapping[str, tuple[str, str, str]]


def _describe_procedure(translation: Translation, identity: str, style: Style) -> ProcedureSentences | None:
    """Return the sentences of a procedure in the language, or None if it lacks words for some of them.

    A plug-in that fails for one of them is reported on stderr.
    """
    planner = find_planner(translation)
    procedure = translation.ruleset.procedures.get(identity)
    paths = ((*("procedures", identity), key) for key in ("title", "means"))
    if planner is None or procedure is None or not all(is_translated(translation, path) for path in paths):
        return None
    formulas: dict[str, tuple[str, str, str]] = {}
    for formula in list_formulas(procedure, translation.ruleset):
        # The steps name a formula even if the language cannot define it.
        with suppress(MissingWordsError):
            formulas[formula] = planner.describe_formula(translation, formula, style)
    try:
        return ProcedureSentences(
            planner.describe_steps(translation, procedure, style),
            planner.list_outcomes(translation, procedure, style),
            formulas,
        )
    except MissingWordsError as missing:
        if missing.failure is not None:
            report_failure(missing.failure)
            note_read(WHOLE_RULESET)  # so that the next build reports it, too
        return None


def _has_cards(translation: Translation) -> bool:
    """Return whether the tables that cards and their states use are completely translated."""
    declared = translation.ruleset.declarations
    return all(
        is_table_translated(translation, table)
        for deck in declared.decks.values()
        for table in (deck.table, *deck.states)
    )


def _tables(translation: Translation) -> list[str]:
    """Return the paths of the tables and overviews that are translated, in the order of the book, without boards."""
    declared = translation.ruleset.declarations
    results = [f"tables.{name}" for name, table in declared.tables.items() if not table.is_board]
    results += [f"overviews.{name}" for name in translation.ruleset.overviews]
    internal = list_internal_rules(translation.ruleset)
    return [path for path in results if path not in internal and _mentions(translation, path)]


def _here(places: RuleLocations, files: list[str], translation: Translation, tables: list[str]) -> dict[str, str]:
    """Return the addresses of all rules, as seen from the translated book.

    Rules that it does not show have addresses in the English book.
    """
    homes = {}
    for path, home in places.homes.items():
        file, mark, fragment = home.partition("#")
        # A rule that a translated page only links to keeps its address in the English book.
        untold = fragment == build_anchor(path) and file != GLOSSARY and not _mentions(translation, path)
        if path.startswith("steps."):
            untold = not _mentions(translation, f"procedures.{path.split('.')[1]}")
        listed = _LISTS.get(path.partition(".")[0], "")
        if file in files and not untold:
            homes[path] = home
        elif listed in files:
            homes[path] = f"{listed}#{build_anchor(path)}"
        elif path in tables:
            homes[path] = f"{TABLES}#{build_anchor(path)}"
        else:
            homes[path] = f"{ORIGINAL}{file.removesuffix('.md')}.html{mark}{fragment}"
    return homes


def _tables_page(
    writer: PageWriter, translation: Translation, pages: tuple[Page, ...], english: Mapping[str, str], tables: list[str]
) -> str:
    """Return the page of all translated tables, grouped by the page that shows them in the English book.

    The tables of other pages, and of pages without a translated title, form a last group. `english` has the addresses
    in the English book.
    """
    groups = []
    left = list(tables)
    for page in pages:
        here = [path for path in left if english.get(path, "").partition("#")[0] == name_file(page)]
        if here and is_translated(translation, ("pages", page.id, "title")):
            left = [path for path in left if path not in here]
            href = writer.places.homes[f"pages.{page.id}"]
            icon = writer.icon(page.icon.text if page.icon is not None else "")
            title = writer.html.escape(fill(page.title, writer.plain))
            table_html = [writer.render_rule(path) for path in here]
            groups.append((page.id, title, icon, href if href.startswith(ORIGINAL) else "", table_html))
    if left:
        groups.append(("more", writer.translate("More tables"), "", "", [writer.render_rule(path) for path in left]))
    title, about = writer.translate("Tables"), writer.translate("Every table of the game, to look up while you play.")
    body = render("tables.md.j2", writer.language, title=title, about=about, groups=groups)
    return writer.finished(title, about, body)
