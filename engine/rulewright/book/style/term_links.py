"""Links of terms: one in each section, so that a page is not dotted with them."""

from __future__ import annotations

from collections.abc import Set

from rulewright.book.style.html_elements import Element, HtmlText

SECTIONS = frozenset({"h1", "h2", "h3", "h4", "h5"})
"""The elements that begin a section."""

_ON_SCREEN = SECTIONS | {"dt", "summary", "td", "th"}
"""The elements that begin what a reader on a screen sees by itself: a section, an entry, a table cell."""


def link_terms_once(html: str) -> str:
    """Return HTML with a link only at the first mention of a term in each section, entry and cell.

    Its icon is only at the first mention in each section.
    """
    page = HtmlText(html)
    keep_first_links(page, _ON_SCREEN)
    return page.changed()


def keep_first_links(page: HtmlText, starts: Set[str] = SECTIONS) -> None:
    """Remove the links of terms from `page`, except at the first mention after each element in `starts`.

    Their icons are removed except at the first mention in each section.
    """
    linked: set[str | None] = set()
    drawn: set[str | None] = set()
    for element in page.elements:
        if element.name in SECTIONS:
            drawn.clear()
        if element.name in starts:
            linked.clear()
        elif element.name == "a" and element.has("class", "rw-term"):
            href = element.get("href")
            if href in linked:
                page.unwrap(element)
            if href in drawn:
                for each in page.within(element):
                    if _is_drawing(each):
                        page.leave_out(each)
            linked.add(href)
            drawn.add(href)


def _is_drawing(element: Element) -> bool:
    """Return whether an element is the icon of a term, which repeats the word next to it."""
    return (element.name == "svg" and element.has("class", "rw-icon")) or (
        element.name == "span" and element.has("class", "rw-emoji")
    )
