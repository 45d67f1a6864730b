"""The alphabetical index of a book, with all its terms, sections, tables, procedures and settings."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.book.pages.change_marks import find_row_name
from rulewright.book.pages.page import PageWriter
from rulewright.book.search.search_index import list_names
from rulewright.book.style.fill_placeholders import fill, name_row
from rulewright.book.style.rule_locations import name_file
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.pages import Page

_ARTICLES = ("the ", "a ", "an ", "your ")
"""Leading words of a title that the alphabetical order ignores."""


@dataclass(slots=True)
class IndexEntry:
    """A line of the index.

    `places` maps addresses to the numbers that are cited, which may be empty. `see` is the word that this book uses
    instead, for a word that only other editions use.
    """

    title: str
    places: dict[str, str] = field(default_factory=dict)
    see: str = ""


def index_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Return the page of all index entries, grouped by first letter."""
    entries: dict[tuple[str, str], IndexEntry] = {}
    for title, href, number, see in _list_places(writer, pages):
        entry = entries.setdefault((title.casefold(), see), IndexEntry(title, see=see))
        # A section and the rule that it shows have the same number. One link is enough.
        if not number or number not in entry.places.values():
            entry.places.setdefault(href, number)
    letters: dict[str, list[IndexEntry]] = {}
    for entry in sorted(entries.values(), key=lambda entry: (_key(entry.title), entry.see)):
        letters.setdefault(_key(entry.title)[:1].upper(), []).append(entry)
    return writer.generated("index_page.md.j2", letters=letters)


def _list_places(writer: PageWriter, pages: tuple[Page, ...]) -> Iterator[tuple[str, str, str, str]]:
    """Yield title, address, number and preferred word of everything that the index lists."""
    for page in pages:
        yield _plain(writer, page.title), name_file(page), page.letter, ""
        for section in page.sections:
            yield _plain(writer, section.title), f"{name_file(page)}#{section.id}", section.number, ""
    for term in writer.ruleset.declarations.terms.values():
        home = writer.places.homes[f"terms.{term.id}"]
        name = writer.html.escape(term.title)
        yield name, home, "", ""
        for word in list_names(term, writer.others):
            yield writer.html.escape(word[:1].upper() + word[1:]), home, "", name
    internal = list_internal_rules(writer.ruleset)
    for path, home in writer.places.homes.items():
        declared = load_sections().get(path.partition(".")[0])
        if declared is not None and declared.indexed and path.count(".") == 1 and path not in internal:
            yield writer.title(path), home, writer.places.numbers.get(path, ""), ""
    yield from _rows(writer)


def _rows(writer: PageWriter) -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of tables that are not rolled on, and the names that other editions give them.

    The tuples are those of `_list_places`. Boards, internal tables, and tables without an address are left out.
    """
    internal = list_internal_rules(writer.ruleset)
    for table in writer.ruleset.declarations.tables.values():
        path = f"tables.{table.id}"
        if table.roll is not None or table.is_board or path in internal or path not in writer.places.homes:
            continue
        home, number = writer.places.homes[path], writer.places.numbers.get(path, "")
        for row in table.rows.values():
            name = writer.html.escape(name_row(row, writer.plain))
            yield name, home, number, ""
            for other in writer.others:
                word = find_row_name(other, table.id, row.id)
                if word and writer.html.escape(word).casefold() != name.casefold():
                    yield writer.html.escape(word), home, "", name


def _plain(writer: PageWriter, words: str) -> str:
    return writer.html.escape(fill(words, writer.plain))


def _key(title: str) -> str:
    """Return the sort key of a title, which is its letters, digits and spaces without a leading article."""
    signs = unicodedata.normalize("NFKD", title).casefold()
    bare = "".join(sign for sign in signs if sign.isalnum() or sign == " ").strip()
    article = next((word for word in _ARTICLES if bare.startswith(word)), "")
    return bare.removeprefix(article) or bare
