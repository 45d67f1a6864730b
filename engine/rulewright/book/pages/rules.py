"""The pages of a book as readers get them: those of the rules, each section with everything that belongs to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Page, Section


def book_pages(ruleset: Ruleset) -> tuple[Page, ...]:
    """Every page. A procedure or table that no section shows is shown by the first that explains it."""
    pages = tuple(ruleset.pages.values())
    declared = {f"procedures.{identity}" for identity in ruleset.procedures}
    declared |= {f"tables.{identity}" for identity in ruleset.declarations.tables}
    left = declared - {path.text for page in pages for section in page.sections for path in section.show}
    return tuple(replace(page, sections=tuple(_sections(page.sections, left))) for page in pages)


def _sections(sections: Iterable[Section], left: set[str]) -> Iterable[Section]:
    for section in sections:
        taken = [rule for rule in section.rules if rule in left]
        left.difference_update(taken)
        named = {path.text.partition(":")[0]: path for path in section.explains}
        more = [replace(named.get(rule, section.explains[0]), text=rule, value=rule) for rule in taken]
        yield replace(section, show=(*section.show, *more)) if more else section
