"""The alphabetical index: every word, section, table, procedure and setting of a book, and where it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.book.page import PageWriter
from rulewright.book.places import file_of
from rulewright.book.style import Style
from rulewright.book.synonyms import synonyms
from rulewright.book.templates import render
from rulewright.book.words import fill, row_words
from rulewright.play.board import is_board
from rulewright.ruleset.words.pages import Page

INDEXED = ("tables", "procedures", "options", "decks")
"""The sections of the rules whose titles are looked up, besides those of the book."""

_WEAK = ("the ", "a ", "an ", "how ", "what ", "when ", "where ", "your ")
"""Words a title may begin with that nobody looks under."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line: what is looked for, where that is, the number to cite, and, for another word, the word of this book."""

    title: str
    href: str
    number: str
    see: str = ""


def index_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Every entry under its first letter."""
    letters: dict[str, list[Entry]] = {}
    for entry in sorted(_entries(writer, pages), key=lambda entry: (_key(entry.title), entry.number)):
        letters.setdefault(_key(entry.title)[:1].upper(), []).append(entry)
    about = "Everything this book tells of, from A to Z."
    return writer.finished("Index", about, render("index_page.md.j2", about=about, letters=letters))


def _entries(writer: PageWriter, pages: tuple[Page, ...]) -> set[Entry]:
    found: set[Entry] = set()
    ruleset = writer.ruleset
    for page in pages:
        found.add(Entry(_plain(writer, page.title), file_of(page), page.letter))
        for section in page.sections:
            found.add(Entry(_plain(writer, section.title), f"{file_of(page)}#{section.id}", section.number))
    for name in INDEXED:
        for path, home in writer.places.homes.items():
            if path.startswith(f"{name}.") and path.count(".") == 1:
                title = writer.title(path)
                found.add(Entry(title, home, writer.places.numbers.get(path, "")))
    for term in ruleset.declarations.terms.values():
        home = writer.places.homes[f"terms.{term.id}"]
        name = writer.html.escape(term.name)
        found.add(Entry(name, home, ""))
        for word in synonyms(term, writer.others):
            if any(sign.isalpha() for sign in word):
                found.add(Entry(writer.html.escape(word[:1].upper() + word[1:]), home, "", see=name))
    found |= set(_rows(writer))
    # One title may be a section's and a procedure's: the section tells both.
    told = {(entry.title, entry.number) for entry in found if entry.number and "#" in entry.href}
    sections = {file_of(page) + "#" + section.id for page in pages for section in page.sections}
    return {e for e in found if (e.title, e.number) not in told or e.href in sections or not _twice(e, found, sections)}


def _rows(writer: PageWriter) -> Iterable[Entry]:
    """The rows of tables that are looked up by name, and what other editions call them."""
    plain = writer.plain
    for table in writer.ruleset.declarations.tables.values():
        path = f"tables.{table.id}"
        if table.roll is not None or is_board(table) or path not in writer.places.homes:
            continue
        home, number = writer.places.homes[path], writer.places.numbers.get(path, "")
        for row in table.rows.values():
            name = writer.html.escape(row_words(row, plain))
            yield Entry(name, home, number)
            for other in writer.others:
                there = other.declarations.tables.get(table.id)
                if there is not None and row.id in there.rows:
                    word = writer.html.escape(row_words(there.rows[row.id], Style(other)))
                    if word.casefold() != name.casefold():
                        yield Entry(word, home, "", see=name)


def _twice(entry: Entry, found: set[Entry], sections: set[str]) -> bool:
    """Whether a section has the same title and number as a rule that it shows."""
    return any(other.href in sections and (other.title, other.number) == (entry.title, entry.number) for other in found)


def _plain(writer: PageWriter, words: str) -> str:
    return writer.html.escape(fill(words, writer.plain))


def _key(title: str) -> str:
    """What a title is sorted by: its letters alone, without a weak first word."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", title).casefold() if sign.isalnum() or sign == " ")
    bare = bare.strip()
    weak = next((word for word in _WEAK if bare.startswith(word)), "")
    return bare.removeprefix(weak) or bare
