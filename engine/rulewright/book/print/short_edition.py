"""The short edition: only the rules, set in small type for paper, for use at the table.

It has the text of every section, with its reminders and exceptions, every table, board and setting, and every
procedure in condensed form: its steps are at the end in smaller type, and the values they compute are explained once
for all of them. Examples, tips, rulings, odds and histories are only in the book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulewright.book.english.naming import humanize
from rulewright.book.pages.page import NOTES, PageWriter
from rulewright.book.parts.course_chart import build_course
from rulewright.book.parts.example_maps import LegendView, build_printed_legend, draw_empty_board
from rulewright.book.parts.step_sentences import format_title, list_formulas
from rulewright.book.parts.table_views import TableView, build_places_view, build_table_view
from rulewright.book.parts.template_loader import render
from rulewright.book.print.whole_book import quote_for_css
from rulewright.book.style.assets import build_sprite
from rulewright.book.style.content_security import FILES
from rulewright.book.style.fill_placeholders import fill, format_value
from rulewright.book.style.prose_html import render_prose
from rulewright.book.style.rule_locations import HOLDINGS, SHORT, build_anchor, name_file
from rulewright.book.style.text_style import Link, UnlinkedStyle
from rulewright.language.checked_steps import Procedure
from rulewright.ruleset.prose.book_language import describe_players
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.pages import Page, Section

LABEL_SIZE = 18
"""The font size of the labels on boards, which are drawn smaller than on a screen."""

KEPT = ("reminder", "special")
"""The types of notes that are rules. Tips, for example, are only advice."""


class CitationStyle(UnlinkedStyle):
    """HTML for paper: mentions of rules end with the number that they are found by, and steps are numbered in short."""

    def __init__(self, ruleset: Ruleset, link: Link, numbers: Mapping[str, str], within: str = "") -> None:
        super().__init__(ruleset)
        self.link = link
        self.numbers = numbers
        self.within = within
        """The number of the current procedure, with which the numbers of its steps begin."""

    def rule(self, path: str, text: str) -> str:
        href, number = self.link(path), self.numbers.get(path, "")
        if href is None:
            return text
        return f'<a class="rw-rule" href="{self.escape(href)}">{text}{f" ({number})" if number else ""}</a>'

    def steps(self, items: Sequence[tuple[str, str]]) -> str:
        listed = "".join(f"<li>{self._cite(rule)}{text}</li>" for rule, text in items)
        return f'<ol class="rw-steps">{listed}</ol>'

    def only_step(self, rule: str, text: str) -> str:
        return text

    def _cite(self, rule: str) -> str:
        number = self.numbers.get(f"steps.{rule}", "").removeprefix(f"{self.within}.")
        return f"<b>{number}</b> " if number else ""


@dataclass(frozen=True, slots=True)
class ShortTable:
    """A table or, with a drawing, a board."""

    id: str
    title: str
    view: TableView | None = None
    drawing: str = ""
    legend: tuple[LegendView, ...] = ()


@dataclass(frozen=True, slots=True)
class ShortProcedure:
    """A condensed procedure with its purpose, its steps, and its results."""

    id: str
    number: str
    title: str
    means: str
    steps: str
    gives: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShortSetting:
    """A setting with its choices, and whether each of them is the default."""

    id: str
    title: str
    means: str
    choices: tuple[tuple[str, bool], ...]
    may_change: str | None


@dataclass(frozen=True, slots=True)
class ShortSection:
    """A section. `steps` is the link to the first procedure with its details, or empty."""

    id: str
    number: str
    title: str
    text: str
    notes: tuple[tuple[str, str], ...]
    tables: tuple[ShortTable, ...]
    settings: tuple[ShortSetting, ...]
    values: tuple[tuple[str, str, str], ...]
    steps: str


@dataclass(frozen=True, slots=True)
class ShortChapter:
    """A page of the book."""

    id: str
    letter: str
    icon: str
    title: str
    sections: tuple[ShortSection, ...]
    procedures: tuple[ShortProcedure, ...]


def render_short_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Return the short edition as one HTML file."""
    ruleset = writer.ruleset
    short = _Short(writer, pages)
    chapters = [short.chapter(page) for page in pages]
    rest = short.rest()
    title = writer.html.escape(ruleset.title)
    body = render(
        "short.html.j2",
        writer.language,
        policy=FILES,
        assets=writer.assets,
        title=title,
        said=quote_for_css(ruleset.title),
        about=render_prose(ruleset.about, short.style),
        players=describe_players(ruleset),
        version=ruleset.version,
        stages=build_course(short.style, writer.places),
        chapters=chapters,
        rest=rest,
        is_told=any(chapter.procedures for chapter in [*chapters, rest]),
        meanings=short.meanings(),
    )
    return body.replace("<!-- sprite -->", build_sprite(body, writer.pictures))


class _Short:
    def __init__(self, writer: PageWriter, pages: tuple[Page, ...]) -> None:
        self.writer = writer
        self.files = frozenset(name_file(page) for page in pages)
        sections = {f"pages.{page.id}.{section.id}": section.number for page in pages for section in page.sections}
        self.numbers = {**writer.places.numbers, **sections}
        self.style = CitationStyle(writer.ruleset, self._link, self.numbers)
        self.bare = UnlinkedStyle(writer.ruleset)
        self._told: set[str] = set()
        self._used: dict[str, None] = {}

    def _link(self, path: str) -> str | None:
        """Return the address of a rule within this page, or None for content that is only in the book.

        The address of an icon, `icons.ID`, is empty.
        """
        section, _, identity = path.partition(".")
        if section == "icons":
            return "" if identity in self.writer.pictures else None
        home = self.writer.places.homes.get(path)
        declared = load_sections().get(section)
        printed = declared is not None and declared.printed
        if home is None or not (printed or section in ("pages", "sections")):
            return None
        file, _, fragment = home.partition("#")
        if file == HOLDINGS:
            return None
        if path.count(".") == 1 and printed and fragment == build_anchor(path):
            return f"#{fragment}" if section in ("tables", "procedures", "options") else None
        return f"#{_id(file, fragment)}" if file in self.files else None

    # -- chapters --------------------------------------------------------------------------
    def chapter(self, page: Page) -> ShortChapter:
        """Return a page of the rules as a chapter, without illustrations.

        Call it in the order of the book: a rule that an earlier section has shown is left out.
        """
        procedures: list[ShortProcedure] = []
        sections = tuple(self._section(page, each, procedures) for each in page.sections if not is_illustration(each))
        icon = self.writer.icon(page.icon.text) if page.icon is not None else ""
        title = fill(page.title, self.bare)
        return ShortChapter(_id(name_file(page)), page.letter, icon, title, sections, tuple(procedures))

    def rest(self) -> ShortChapter:
        """Return the content that no section shows: tables and settings as one last section, and procedures.

        Call it after all chapters.
        """
        declared = self.writer.ruleset.declarations
        paths = [*self.writer.places.unshown, *(f"options.{identity}" for identity in declared.options)]
        left = [path for path in paths if path not in self._told]
        tables, settings, procedures = self._tables(left), self._settings(left), self._procedures(left)
        section = ShortSection("", "", "", "", (), tables, settings, (), "")
        return ShortChapter("rest", "", "", "More", (section,) if tables or settings else (), procedures)

    def _section(self, page: Page, section: Section, procedures: list[ShortProcedure]) -> ShortSection:
        """Return a section with the rules that no earlier section has shown, and append its procedures to `procedures`.

        Call it in the order of the book, because it remembers the rules as shown.
        """
        ruleset = self.writer.ruleset
        paths = [
            path.text
            for path in section.show
            if path.text not in self._told and find_rule_entry(path.text, ruleset) is not None
        ]
        self._told.update(paths)
        result = self._procedures(paths)
        procedures.extend(result)
        return ShortSection(
            _id(name_file(page), section.id),
            section.number,
            fill(section.title, self.bare),
            render_prose(section.text, self.style),
            tuple(
                (self.writer.translate(NOTES[note.kind]), render_prose(note.text, self.style))
                for note in section.notes
                if note.kind in KEPT
            ),
            self._tables(paths),
            self._settings(paths),
            tuple(value for path in paths if (value := self._value(path)) is not None),
            result[0].id if result else "",
        )

    # -- rendering ---------------------------------------------------------------------------
    def _tables(self, paths: Iterable[str]) -> tuple[ShortTable, ...]:
        """Return the tables among `paths`. Boards have a drawing, and may have no table."""
        tables = self.writer.ruleset.declarations.tables
        results = []
        for identity in _name("tables", paths):
            table, id_, title = (
                tables[identity],
                build_anchor(f"tables.{identity}"),
                fill(tables[identity].title, self.bare),
            )
            if table.is_board:
                drawing = draw_empty_board(table, self.writer.plain, label_size=LABEL_SIZE)
                legend = build_printed_legend(table, self.bare)
                results.append(ShortTable(id_, title, build_places_view(table, self.bare), drawing, legend))
            else:
                results.append(ShortTable(id_, title, build_table_view(table, self.bare)))
        return tuple(results)

    def _settings(self, paths: Iterable[str]) -> tuple[ShortSetting, ...]:
        """Return the settings among `paths`, with their choices."""
        results = []
        for identity in _name("options", paths):
            option = self.writer.ruleset.declarations.options[identity]
            choices = tuple((fill(words, self.style), id_ == option.default) for id_, words in option.choices.items())
            title, means = fill(option.title, self.bare), fill(option.means, self.style)
            results.append(ShortSetting(build_anchor(f"options.{identity}"), title, means, choices, option.may_change))
        return tuple(results)

    def _value(self, path: str) -> tuple[str, str, str] | None:
        """Return the name, the value and the meaning of a number, a formula or a die, or None for any other rule."""
        section, _, identity = path.partition(".")
        declared = self.writer.ruleset.declarations
        if section == "numbers":
            number = declared.numbers[identity]
            value = format_value(number.value, number.type, self.style)
            return humanize(identity).capitalize(), value, fill(number.means, self.style)
        if section == "dice":
            return identity, declared.describe_die(identity), self.writer.about(path)
        described = self.writer.describe_formula(identity, self.style) if section == "formulas" else None
        return (described[0], described[2], described[1]) if described is not None else None

    def _procedures(self, paths: Iterable[str]) -> tuple[ShortProcedure, ...]:
        return tuple(
            self._procedure(self.writer.ruleset.procedures[identity]) for identity in _name("procedures", paths)
        )

    def _procedure(self, procedure: Procedure) -> ShortProcedure:
        """Return a procedure with its steps and results, and note the formulas that it uses."""
        path = f"procedures.{procedure.id}"
        number = self.numbers.get(path, "")
        style = CitationStyle(self.writer.ruleset, self._link, self.numbers, number)
        self._used.update(dict.fromkeys(list_formulas(procedure, self.writer.ruleset)))
        return ShortProcedure(
            build_anchor(path),
            number,
            fill(format_title(procedure), self.bare),
            fill(procedure.words.get("means", ""), self.bare),
            self.writer.describe_steps(procedure, style),
            tuple(self.writer.list_outcomes(procedure, style)),
        )

    def meanings(self) -> list[tuple[str, str, str]]:
        """Return the values that the steps of all procedures compute, once each: name, meaning and formula."""
        results = {self.writer.describe_formula(formula, self.style) for formula in self._used}
        return sorted(filter(None, results), key=lambda meaning: meaning[0].casefold())


def is_illustration(section: Section) -> bool:
    """Return whether a section only shows illustrations, such as sample games or overviews.

    A section that explains a rule is none.
    """
    sections = [load_sections().get(path.text.partition(".")[0]) for path in section.show]
    return bool(sections) and all(each is not None and each.illustrates for each in sections) and not section.rules


def _name(section: str, paths: Iterable[str]) -> list[str]:
    """Return the ids of the rules of a section among `paths`, without duplicates."""
    return list(dict.fromkeys(path.partition(".")[2] for path in paths if path.partition(".")[0] == section))


def _id(file: str, fragment: str = "") -> str:
    """Return the fragment for a page or a part of it, in the same form as in the whole book."""
    stem = file.removesuffix(".md").removesuffix(SHORT)
    return f"{stem}.{fragment}" if fragment else stem
