"""The menu of a book with its pages in groups."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.book.style.rule_locations import AID, BOARD, CARDS, FRONT, GENERATED, SHORT, TABLES, WHOLE
from rulewright.ruleset.prose.book_language import ENGLISH, Language

OVERVIEW = "Overview"
RULES = "Rules"
LOOK_UP = "Reference"
PRINT = "To print"

_GROUPS = {
    LOOK_UP: (
        TABLES,
        *(page.file for page in sorted(GENERATED.values(), key=lambda page: page.in_menu) if page.in_menu),
    ),
    PRINT: (AID,),
}
PAPER = {SHORT: "The rules in short", WHOLE: "The whole book", CARDS: "Cards", BOARD: "The board"}
"""The titles of HTML pages for printing, by file."""


def build_menu(pages: Collection[str], language: Language = ENGLISH) -> list[object]:
    """Return the menu for MkDocs: the front page, then the groups that have pages or links.

    A site without a book, such as the chooser, has no groups.
    """
    files = [page for page in pages if page.endswith(".md")]
    if WHOLE not in pages and language is ENGLISH:
        return [{OVERVIEW: files[0]}, *files[1:]]
    # Pages that are only for designers are in no group.
    grouped = {*GENERATED, *(file for group in _GROUPS.values() for file in group)}
    rules = [file for file in files if file not in grouped and file != FRONT]
    groups = {RULES: rules} | {name: [file for file in group if file in files] for name, group in _GROUPS.items()}
    saved = {
        name: group for name, group in groups.items() if group or list_links(language.translate(name), pages, language)
    }
    return [
        {language.translate(OVERVIEW): FRONT},
        *({language.translate(name): group} for name, group in saved.items()),
    ]


def list_links(group: str, pages: Collection[str], language: Language = ENGLISH) -> list[tuple[str, str]]:
    """Return the titles and files of a group's links to files other than Markdown."""
    if group != language.translate(PRINT):
        return []
    return [(language.translate(title), file) for file, title in PAPER.items() if file in pages]
