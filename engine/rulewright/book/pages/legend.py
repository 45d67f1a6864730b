"""The legend of the pictures: each drawing of the book with its name, what it means, and where that is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.dice_pictures import ANY, die_picture
from rulewright.book.style.placeholders import fill, first_sentence, row_words
from rulewright.book.style.style import Unlinked, escape, use
from rulewright.ruleset.queries.dice_needed import needed


@dataclass(frozen=True, slots=True)
class Entry:
    """A picture, the name of what it stands for with the address of that, and what it means in short."""

    picture: str
    name: str
    href: str
    means: str


@dataclass(frozen=True, slots=True)
class Group:
    """Pictures of one kind: of words, of the rows of one table, or of dice."""

    title: str
    href: str
    entries: tuple[Entry, ...]


def has_legend(writer: PageWriter) -> bool:
    """Whether the game has any drawing of its own."""
    return any(not name.startswith("-") for name in writer.pictures)


def legend_page(writer: PageWriter) -> str:
    """Every picture that the book may show, in groups."""
    groups = [_words(writer), *_tables(writer), _dice(writer)]
    return writer.generated("legend.md.j2", groups=[group for group in groups if group.entries])


def _words(writer: PageWriter) -> Group:
    bare = Unlinked(writer.ruleset)
    terms = sorted(writer.ruleset.declarations.terms.values(), key=lambda term: term.name.casefold())
    drawn = (term for term in terms if term.id in writer.pictures)
    return Group(
        "Words of the game",
        "",
        tuple(
            Entry(
                use(term.id),
                writer.html.escape(term.name),
                writer.link(f"terms.{term.id}") or "",
                fill(first_sentence(term.means), bare) + "." if term.means else "",
            )
            for term in drawn
        ),
    )


def _tables(writer: PageWriter) -> Iterator[Group]:
    """Tables with drawings of their own: what shares those of others is told there."""
    plain = Unlinked(writer.ruleset)
    for table in writer.ruleset.declarations.tables.values():
        href = writer.link(f"tables.{table.id}") or ""
        drawn = (row for row in table.rows.values() if f"{table.id}.{row.id}" in writer.pictures)
        entries = tuple(Entry(use(f"{table.id}.{row.id}"), row_words(row, plain), "", "") for row in drawn)
        yield Group(fill(table.title, plain), href, entries)


def _dice(writer: PageWriter) -> Group:
    shown = ((die, die_picture(die)) for die, _ in needed(writer.ruleset))
    return Group("Dice", "", tuple(Entry(use(name), escape(die.name), "", "") for die, name in shown if name != ANY))
