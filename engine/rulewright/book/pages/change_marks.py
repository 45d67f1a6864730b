"""Marks for the rules that are new or changed since the previous edition, and the history of each rule."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from rulewright.book.changes.change import SECTIONS, RuleChange
from rulewright.book.changes.compare_rulesets import select_gameplay
from rulewright.book.changes.edition_history import Comparisons, PublishedEdition, build_address, build_fragment
from rulewright.book.pages.comparison_pages import find_rule_address, shorten_line
from rulewright.book.pages.source_pages import SourceLine, Sources
from rulewright.book.parts.template_loader import render
from rulewright.book.search.search_index import list_names
from rulewright.book.style.fill_placeholders import name_row
from rulewright.book.style.rule_locations import RuleLocations, find_places, list_book_pages
from rulewright.book.style.text_style import Style, escape
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose.explained_rules import find_rule_entry, list_internal_rules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections

ROOT = "../"
"""Relative path from a page of a book to the root of the site."""

FATES = {"added": "New", "removed": "Gone", "changed": "Changed", "renamed": "Renamed"}
"""The word on the mark for each type of change."""


@dataclass(frozen=True, slots=True)
class HistoryStage:
    """One edition in the history of a rule, with links to the rule (`href`) and to its change (`change`).

    `present` says whether the edition has the rule, and `here` whether it is the edition of this book. `fate` is the
    change in a word or two.
    """

    title: str
    href: str
    present: bool
    here: bool
    fate: str
    change: str


@dataclass(frozen=True, slots=True)
class ComparedEdition:
    """Another edition, with the page that compares it with this one."""

    title: str
    href: str


@dataclass(slots=True, eq=False)
class Marks:
    """The marks for the book of one edition."""

    item: PublishedEdition
    comparisons: Comparisons
    previous: PublishedEdition | None = field(init=False)
    _places: dict[str, RuleLocations] = field(default_factory=dict)
    sources: Sources = field(init=False)

    def __post_init__(self) -> None:
        self.sources = Sources(self.item)
        self.previous = self.comparisons.find_previous(self.item)

    def mark(self, path: str, title: str = "") -> str:
        """Return the HTML for the mark of a rule and its folded history, after `title` if it is not empty.

        A rule that plays as before has only the history. Return an empty string if the rule carries no mark, or if the
        game has a single edition.
        """
        view = self.view(path)
        return render("mark.j2", title=title, **view) if view is not None else ""

    def view(self, path: str) -> dict[str, Any] | None:
        """Return what the mark of a rule shows, or None if it carries no mark."""
        game = self.comparisons.list_game(self.item)
        if not is_marked(path) or len(game) < 2:
            return None
        change = self.change(path)
        return {
            "fate": FATES[change.what] if change is not None else "",
            "since": escape(self.comparisons.build_title(self.previous)) if self.previous is not None else "",
            "href": self._entry(self.previous, self.item, change) if self.previous is not None else "",
            "stages": self._stages(path, game),
        }

    def digest_others(self) -> str:
        """Return a digest of everything about other editions that the book of this one can show.

        That is its marks, its news, its links to comparisons, and what the other editions call its terms and rows. As
        long as the digest and the edition's own files are the same, so is the book.
        """
        ruleset = self.item.ruleset
        paths = [
            f"{key}.{name}"
            for key, section in iterate_entries(ruleset.resolved.rules)
            for name, _ in iterate_entries(section.value)
        ]
        for page in list_book_pages(ruleset):
            for part in page.sections:
                paths += [*part.rules, *(path.text for path in part.show)]
        previous = self.comparisons.build_title(self.previous) if self.previous is not None else None
        parts = (
            self.item.folder,
            self.previous.folder if self.previous is not None else None,
            previous,
            [(path, self.view(path), self.has_changed(path)) for path in dict.fromkeys(paths)],
            self.list_news(),
            self.list_compared(),
            self.list_other_names(),
        )
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def list_other_names(self) -> tuple[Any, ...]:
        """Return what the other editions call the terms and the rows of this one."""
        declared, others = self.item.ruleset.declarations, self.list_other_rulesets()
        return (
            [(term.id, list_names(term, others)) for term in declared.terms.values()],
            [
                (table.id, row.id, [find_row_name(other, table.id, row.id) for other in others])
                for table in declared.tables.values()
                for row in table.rows.values()
            ],
        )

    def has_changed(self, path: str) -> bool:
        """Return whether a rule plays otherwise than in the previous edition."""
        return self.change(path) is not None

    def list_places(self, path: str) -> list[SourceLine]:
        """Return the source lines of a rule, as `Sources.list_places` does."""
        return self.sources.list_places(path)

    def describe_previous(self) -> tuple[str, str]:
        """Return the title of the previous edition, which must exist, and the address of the comparison with it."""
        assert self.previous is not None
        address = f"{ROOT}{build_address(self.previous, self.item)}/index.html"
        return self.comparisons.build_title(self.previous), address

    def change(self, path: str) -> RuleChange | None:
        """Return how a rule changed since the previous edition, or None if it plays the same."""
        result = self.comparisons.change(self.previous, self.item, path) if self.previous is not None else None
        return result if result is not None and result.played else None

    def list_news(self) -> list[tuple[str, list[dict[str, object]]]]:
        """Return the changes to gameplay since the previous edition, grouped by the title of their section.

        The last group has the changed texts of the book. The list is empty if there is no previous edition. Each
        change is a dictionary for the template. Changes to gameplay are without lines about wording.
        """
        if self.previous is None:
            return []
        changes = self.comparisons.compare(self.previous, self.item)
        gameplay = select_gameplay(changes)
        internal = list_internal_rules(self.item.ruleset)
        groups = []
        for section, title in SECTIONS.items():
            entries = [
                self._news(change)
                for change in gameplay
                if change.section == section and change.played and change.path not in internal
            ]
            if entries:
                groups.append((title, entries))
        texts = [
            self._news(change) | {"sentences": [escape(shorten_line(line)) for line in change.lines]}
            for change in changes
            if change.section == "pages"
        ]
        return [*groups, ("Texts of the book", texts)] if texts else groups

    def list_other_rulesets(self) -> tuple[Ruleset, ...]:
        """Return the rulesets of the game's other editions."""
        return tuple(other.ruleset for other in self.comparisons.list_game(self.item) if other is not self.item)

    def list_compared(self) -> list[ComparedEdition]:
        """Return the other editions of the game, with links to the pages that compare them with this one."""
        return [
            ComparedEdition(
                escape(self.comparisons.build_title(after if before is self.item else before)),
                f"{ROOT}{build_address(before, after)}/index.html",
            )
            for before, after in self.comparisons.list_pairs(self.item)
        ]

    def _news(self, change: RuleChange) -> dict[str, object]:
        """Return a change since the previous edition, which must exist, as data for the template."""
        assert self.previous is not None
        return {
            "title": escape(change.title),
            "fate": FATES[change.what],
            "what": change.what,
            "href": self._home(self.item, change.path),
            "entry": self._entry(self.previous, self.item, change),
            "sentences": [escape(sentence) for sentence in change.sentences],
        }

    def _stages(self, path: str, game: list[PublishedEdition]) -> list[HistoryStage]:
        """Return the history of a rule, one stage for each edition of the game."""
        stages = []
        before: PublishedEdition | None = None
        for item in game:
            present = find_rule_entry(path, item.ruleset) is not None
            change = self.comparisons.change(before, item, path) if before is not None else None
            stages.append(
                HistoryStage(
                    escape(self.comparisons.build_title(item)),
                    self._home(item, path) if present else "",
                    present,
                    item is self.item,
                    _fate(change),
                    self._entry(before, item, change) if before is not None else "",
                )
            )
            before = item
        return stages

    def _home(self, item: PublishedEdition, path: str) -> str:
        if item.folder not in self._places:
            self._places[item.folder] = find_places(item.ruleset, list_book_pages(item.ruleset))
        return find_rule_address(path, item, self._places[item.folder], ROOT)

    def _entry(self, before: PublishedEdition, after: PublishedEdition, change: RuleChange | None) -> str:
        return f"{ROOT}{build_address(before, after)}/index.html#{build_fragment(change)}" if change is not None else ""


def find_row_name(ruleset: Ruleset, table: str, row: str) -> str:
    """Return what an edition calls a row of a table, or an empty string if it has none like that."""
    there = ruleset.declarations.tables.get(table)
    return name_row(there.rows[row], Style(ruleset)) if there is not None and row in there.rows else ""


def is_marked(path: str) -> bool:
    """Return whether a rule carries a mark in the book, which is so for visible sections that affect gameplay."""
    section = load_sections().get(path.partition(".")[0])
    return section is not None and section.on_pages and section.gameplay


def _fate(change: RuleChange | None) -> str:
    """Return a change in a word or two, or an empty string if the rule did not change."""
    if change is None:
        return ""
    return FATES[change.what].lower() + (" in words" if change.words and change.what == "changed" else "")
