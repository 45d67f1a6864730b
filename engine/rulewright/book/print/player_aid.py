"""The player aid: the course of a game and every number that the pages use, short enough for the table.

Its content follows from the book. A number or table is on the page that displays and explains it, or else on the
first page that mentions it. Step-by-step instructions use the aid's own text of their section. Of a board, the aid has
the values of its spaces. Cards of decks and numbers that no page mentions are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.course_chart import CourseStage, build_course
from rulewright.book.parts.table_views import (
    TableView,
    build_places_view,
    build_table_view,
    list_boards,
    list_own_columns,
)
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill, format_value
from rulewright.book.style.rule_locations import AID, GENERATED, name_file
from rulewright.book.style.text_style import UnlinkedStyle
from rulewright.language.declarations import Table
from rulewright.language.types import Row, present
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.placeholder_meaning import NumberInWords, PlaceholderValue, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.sections.pages import Page, Section


@dataclass(frozen=True, slots=True)
class AidTable:
    """A table, with a link to its explanation in the book."""

    title: str
    href: str
    view: TableView


@dataclass(frozen=True, slots=True)
class AidList:
    """The lines of one section, with a link to it in the book."""

    title: str
    href: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AidChapter:
    """The aid's part of one page of the book. `figures` are meanings of numbers with their values."""

    icon: str
    title: str
    href: str
    lists: tuple[AidList, ...]
    figures: tuple[tuple[str, str], ...]
    tables: tuple[AidTable, ...]


@dataclass(frozen=True, slots=True)
class PieceView:
    """A kind of object on the board, with its description."""

    icon: str
    name: str
    href: str
    means: str


@dataclass(frozen=True, slots=True)
class AidView:
    """The whole aid, ready for a template."""

    stages: tuple[CourseStage, ...]
    board: str
    pieces: tuple[PieceView, ...]
    chapters: tuple[AidChapter, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a player could want to look up."""
        return not (self.stages or self.pieces or self.chapters)


def render_aid_page(writer: PageWriter, aid: AidView) -> str:
    """Return the aid as a page."""
    title = writer.html.escape(writer.ruleset.title)
    about = writer.translate("Everything to look up during a game, for one sheet of paper.")
    body = render("aid.md.j2", writer.language, title=title, about=about, aid=aid)
    return writer.finished(writer.translate(GENERATED[AID].title), about, body, wide=True)


def build_aid_view(writer: PageWriter, pages: tuple[Page, ...]) -> AidView:
    """Return the content of the aid."""
    board, pieces = _pieces(writer, pages)
    return AidView(build_course(writer.html, writer.places), board, pieces, _chapters(writer, pages))


def _chapters(writer: PageWriter, pages: tuple[Page, ...]) -> tuple[AidChapter, ...]:
    """Return a chapter for each page, and one for tables that no page shows, without empty chapters."""
    spoken = {page.id: tuple(dict.fromkeys(_spoken_of(page, writer))) for page in pages}
    homes = _homes(pages, spoken)
    results = []
    for page in pages:
        paths = [path for path in spoken[page.id] if homes[path] == page.id]
        lists = tuple(_lists(writer, page))
        results.append(_chapter(writer, page.title, name_file(page), paths, page.icon.text if page.icon else "", lists))
    rest = [path for path in writer.places.unshown if path not in homes]
    results.append(_chapter(writer, writer.translate("More tables"), "", rest, "", ()))
    return tuple(chapter for chapter in results if chapter.lists or chapter.figures or chapter.tables)


def _homes(pages: tuple[Page, ...], spoken: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the id of the page on which the aid shows each number and table, by path.

    It is the first page that both mentions and explains it, because an introduction may mention it earlier, or else the
    first that mentions it. A page that explains it without mentioning it does not count. `spoken` has the paths that
    each page mentions.
    """
    results: dict[str, str] = {}
    explained = set()
    for page in pages:
        explains = {rule for section in page.sections for rule in section.rules}
        for path in spoken[page.id]:
            results.setdefault(path, page.id)
            if path in explains and path not in explained:
                explained.add(path)
                results[path] = page.id
    return results


def _lists(writer: PageWriter, page: Page) -> Iterator[AidList]:
    """Yield the lists for the aid that the sections of a page have."""
    bare = UnlinkedStyle(writer.ruleset)
    for section in page.sections:
        if section.aid:
            lines = tuple(fill(line, bare) for line in section.aid)
            yield AidList(fill(section.title, bare), f"{name_file(page)}#{section.id}", lines)


def _chapter(
    writer: PageWriter, title: str, href: str, paths: list[str], icon: str, lists: tuple[AidList, ...]
) -> AidChapter:
    """Return a chapter with those of `paths` that the aid shows: numbers with a meaning, and tables to look up."""
    declared = writer.ruleset.declarations
    bare = UnlinkedStyle(writer.ruleset)
    rolled = UnlinkedStyle(writer.ruleset, writer.html.odds)
    numbers, tables = [], []
    for path in paths:
        section, _, identity = path.partition(".")
        if section == "numbers" and declared.numbers[identity].means:
            number = declared.numbers[identity]
            label = fill(number.means, bare).rstrip(".")
            numbers.append((label, format_value(number.value, number.type, rolled)))
        elif section == "tables" and _is_looked_up(declared.tables[identity], writer):
            table = declared.tables[identity]
            view = build_places_view(table, rolled) if table.is_board else build_table_view(table, rolled)
            if view is not None:
                tables.append(AidTable(fill(table.title, bare), writer.link(path) or "", view))
    return AidChapter(writer.icon(icon), fill(title, bare), href, lists, tuple(numbers), tuple(tables))


def _is_looked_up(table: Table, writer: PageWriter) -> bool:
    is_deck = any(deck.table == table.id for deck in writer.ruleset.declarations.decks.values())
    columns = list_own_columns(table) if table.is_board else table.columns
    return bool(table.rows) and bool(table.roll is not None or columns) and not is_deck


def _spoken_of(page: Page, writer: PageWriter) -> Iterator[str]:
    """Yield the paths of the numbers and tables of a page, in the order in which its sections name them.

    A path may be repeated.
    """
    for section in page.sections:
        yield from _list_names(section, writer)
        below = [path.text for path in section.show]
        for path in (*section.rules, *below):
            kind, _, identity = path.partition(".")
            if ((kind == "tables" and path in below) or kind == "numbers") and _is_declared(kind, identity, writer):
                yield path


def _list_names(section: Section, writer: PageWriter) -> Iterator[str]:
    """Yield the paths of the numbers that the text and the notes of a section name. A path may be repeated."""
    for words in (section.text, *(note.text for note in section.notes)):
        for part in parse_parts(words):
            if isinstance(part, Placeholder) and isinstance(
                resolve_placeholder(part.body, writer.ruleset), PlaceholderValue | NumberInWords
            ):
                path = part.body.partition(":")[0].rstrip()
                kind, _, identity = path.partition(".")
                if kind == "numbers" and _is_declared(kind, identity, writer):
                    yield path


def _is_declared(kind: str, identity: str, writer: PageWriter) -> bool:
    """Return whether a number or a table exists and is not internal."""
    declared = writer.ruleset.declarations
    is_there = identity in (declared.numbers if kind == "numbers" else declared.tables)
    return is_there and f"{kind}.{identity}" not in list_internal_rules(writer.ruleset)


def _pieces(writer: PageWriter, pages: tuple[Page, ...]) -> tuple[str, tuple[PieceView, ...]]:
    """Return the title of the first board, or an empty string, and every kind of object that can be on a board.

    Kinds without a term are left out.
    """
    declared = writer.ruleset.declarations
    bare = UnlinkedStyle(writer.ruleset, writer.html.odds)
    boards = list_boards(writer.ruleset)
    tiles = [Row(table.id) for table in boards]
    homes = {page.icon.text: name_file(page) for page in pages if page.icon is not None}
    results: dict[str, PieceView] = {}
    for kind in declared.kinds.values():
        term = declared.terms.get(kind.term)
        if term is None or not any(present(field.type) in tiles for field in kind.fields.values()):
            continue
        href = homes.get(term.id) or writer.link(f"terms.{term.id}") or ""
        results[term.id] = PieceView(writer.icon(term.id), bare.escape(term.title), href, fill(term.means, bare))
    return fill(boards[0].title, bare) if boards else "", tuple(results.values())
