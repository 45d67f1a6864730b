"""The book of an edition in another language, with only the pages that are completely translated.

A page shows texts, tables, and the steps that the planner of the language has sentences for. It links to the English
book, which is in the parent folder, for everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from rulewright.base.plugins import report_failure
from rulewright.book.languages import find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.pages.appendix import render_glossary_page, render_settings_page
from rulewright.book.pages.front_page import render_front_page
from rulewright.book.pages.page import PageWriter, RuleBlock
from rulewright.book.pages.procedure_html import render_example, render_procedure, render_sample
from rulewright.book.parts.step_sentences import list_formulas
from rulewright.book.parts.template_loader import render
from rulewright.book.print.card_sheets import render_cards_page
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import (
    CARDS,
    FRONT,
    GLOSSARY,
    SETTINGS,
    TABLES,
    RuleLocations,
    build_anchor,
    find_places,
    list_book_pages,
    name_file,
    number_rulings,
)
from rulewright.book.style.text_style import ORIGINAL, Style, UnlinkedStyle
from rulewright.book.translated_examples import build_translated_example, build_translated_sample
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.pages import Page, Section
from rulewright.ruleset.translation.required_texts import is_table_translated, is_translated
from rulewright.ruleset.translation.translation import Translation


def render_translation(translation: Translation) -> dict[str, str]:
    """Return the front page and every other page that is completely translated, by path.

    Pages have the same format as in English. A rule on them that is not translated is a link to the English book.
    """
    ruleset = translation.ruleset
    pages = list_book_pages(ruleset)
    told = tuple(page for page in pages if is_translated(translation, ("pages", page.id)))
    tables = _tables(translation)
    files = [FRONT, *map(name_file, told)]
    if tables:
        files.append(TABLES)
    if ruleset.declarations.options and is_translated(translation, ("options",)):
        files.append(SETTINGS)
    if is_translated(translation, ("terms",)):
        files.append(GLOSSARY)
    decks = ruleset.declarations.decks.values()
    if decks and all(_mentions(translation, f"decks.{deck.id}") for deck in decks) and _has_cards(translation):
        files.append(CARDS)
    places = _here(find_places(ruleset, pages), files, translation, tables)
    pictures, rulings = build_drawings(ruleset), number_rulings(ruleset)

    def writer(file: str) -> PageWriter:
        return TranslatedPage(translation, file, places, pictures, rulings)

    site = {FRONT: ""}
    for page in told:
        site[name_file(page)] = writer(name_file(page)).page(page)
    if TABLES in files:
        site[TABLES] = _tables_page(writer(TABLES), translation, pages, places, tables)
    if SETTINGS in files:
        site[SETTINGS] = render_settings_page(writer(SETTINGS))
    if GLOSSARY in files:
        site[GLOSSARY] = render_glossary_page(writer(GLOSSARY), told)
    if CARDS in files:
        site[CARDS] = render_cards_page(writer(CARDS))
    shown = tuple(page for page in pages if all(is_translated(translation, ("pages", page.id, key)) for key in _HEAD))
    site[FRONT] = render_front_page(writer(FRONT), shown, there=files)
    return site


_LISTS = {"options": SETTINGS, "decks": CARDS}
"""The pages that only list entries of a section, which other pages show as well."""

_PLAY = f"{ORIGINAL}play.html"
"""The Play page, which is only in the English book."""

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
        rulings: Mapping[str, object],
    ) -> None:
        super().__init__(translation.ruleset, file, places, pictures, rulings)  # type: ignore[arg-type]
        self.translation = translation
        # Links to the English book use its English titles, which readers see after they follow the link.
        self._original = PageWriter(translation.original, file, places, pictures, {})
        self.previews.tells = lambda path: is_translated(translation, tuple(path.split(".")))

    def made(self, section: str, identity: str) -> str:
        """Return an entry in the view of its section, in the language.

        The translation must be able to show a procedure, an example, or a sample game.
        """
        if section == "examples":
            example = build_translated_example(self.translation, identity, self.close)
            assert example is not None
            return render_example(self, example, _PLAY)
        if section == "samples":
            sample = build_translated_sample(self.translation, identity, self.close)
            assert sample is not None
            return render_sample(self, identity, sample, _PLAY)
        if section != "procedures":
            return super().made(section, identity)
        view = _describe_procedure(self.translation, identity, self.close)
        assert view is not None
        return render_procedure(self, identity, view.steps, view.outcomes, view.formulas.get)

    def below(self, section: Section) -> list[RuleBlock]:
        """Return the rules of a section that are translated, followed by links to the others in the English book."""
        shown = [self.show_below(path.text) for path in section.show if _mentions(self.translation, path.text)]
        others = [path.text for path in section.show if not _mentions(self.translation, path.text)]
        there = [(home, self._original.title(path)) for path in others if (home := self.places.homes.get(path, ""))]
        return [*shown, RuleBlock(render("told.j2", self.language, links=there))] if there else shown


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
    told = ((*("procedures", identity), key) for key in ("title", "means"))
    if planner is None or procedure is None or not all(is_translated(translation, path) for path in told):
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
    internal = list_internal_rules(translation.original)
    return [path for path in results if path not in internal and _mentions(translation, path)]


def _here(places: RuleLocations, files: list[str], translation: Translation, tables: list[str]) -> RuleLocations:
    """Return the addresses of all rules, as seen from the translated book.

    Rules that it does not show have addresses in the English book.
    """
    homes = {}
    for path, home in places.homes.items():
        file, mark, fragment = home.partition("#")
        # A rule that a translated page only links to keeps its address in the English book.
        untold = fragment == build_anchor(path) and file != GLOSSARY and not _mentions(translation, path)
        listed = _LISTS.get(path.partition(".")[0], "")
        if file in files and not untold:
            homes[path] = home
        elif listed in files:
            homes[path] = f"{listed}#{build_anchor(path)}"
        elif path in tables:
            homes[path] = f"{TABLES}#{build_anchor(path)}"
        else:
            homes[path] = f"{ORIGINAL}{file.removesuffix('.md')}.html{mark}{fragment}"
    return replace(places, homes=homes)


def _tables_page(
    writer: PageWriter, translation: Translation, pages: tuple[Page, ...], places: RuleLocations, tables: list[str]
) -> str:
    """Return the page of all translated tables, grouped by the page that shows them in the English book.

    The tables of other pages, and of pages without a translated title, form a last group.
    """
    original = find_places(translation.original, pages).homes
    groups = []
    left = list(tables)
    for page in pages:
        here = [path for path in left if original.get(path, "").partition("#")[0] == name_file(page)]
        if here and is_translated(translation, ("pages", page.id, "title")):
            left = [path for path in left if path not in here]
            href = places.homes[f"pages.{page.id}"]
            icon = writer.icon(page.icon.text if page.icon is not None else "")
            title = writer.html.escape(fill(page.title, writer.plain))
            shown = [writer.shown(path) for path in here]
            groups.append((page.id, title, icon, href if href.startswith(ORIGINAL) else "", shown))
    if left:
        groups.append(("more", writer.said("More tables"), "", "", [writer.shown(path) for path in left]))
    title, about = writer.said("Tables"), writer.said("Every table of the game, to look up while you play.")
    body = render("tables.md.j2", writer.language, title=title, about=about, groups=groups)
    return writer.finished(title, about, body)
