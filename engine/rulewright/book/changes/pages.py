"""Changes of the book's own words."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.difference import Difference
from rulewright.source.nodes import Mapping, Node

LABELS = {"title": "Title", "about": "Described as", "icon": "Picture"}


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The page's title and picture, then its sections."""
    yield from text_lines(pair, group, LABELS)
    for difference in group:
        match difference.path[2:]:
            case ("sections",):
                before, after = (_titles(side, identity) for side in (pair.before, pair.after))
                yield line("changed", "Order of the sections", before, after, covers=[difference.path], words=True)
            case ("sections", section):
                side = pair.side(difference.what)
                node = difference.before if difference.what == "removed" else difference.after
                words = _of(side, node, "text") or "nothing but what it shows"
                label = f"Section “{_of(side, node, 'title') or section}”"
                before, after = (words, "") if difference.what == "removed" else ("", words)
                yield line(difference.what, label, before, after, covers=[difference.path], words=True)
            case ("sections", section, *rest) if rest[-1] in ("title", "text", "kind"):
                yield _inside(pair, identity, section, difference)
            case ("sections", section, "notes", note):
                yield _note(pair, identity, section, note, difference)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What the page is about."""
    about = side.words(side.node("pages", identity).get("about"))
    yield said(difference.what, about or "A page of the book.", covers=[difference.path], words=True)


def _inside(pair: Pair, page: str, section: str, difference: Difference) -> Line:
    label = {"title": "Heading", "kind": "Kind of note"}.get(difference.path[-1], "")
    label = "Note" if "notes" in difference.path and not label else label
    place = f"“{_title(pair.after, page, section)}”"
    before, after = pair.before.words(difference.before), pair.after.words(difference.after)
    covers = [difference.path]
    return line(difference.what, f"{label} of {place}" if label else place, before, after, covers=covers, words=True)


def _note(pair: Pair, page: str, section: str, note: str, difference: Difference) -> Line:
    label = f"Note to “{_title(pair.side(difference.what), page, section)}”"
    before, after = _of(pair.before, difference.before, "text"), _of(pair.after, difference.after, "text")
    return line(difference.what, label, before, after, covers=[difference.path], words=True)


def _of(side: Side, node: Node | None, key: str) -> str:
    return side.words(node.get(key)) if isinstance(node, Mapping) else ""


def _section(side: Side, page: str, section: str) -> Node | None:
    sections = side.node("pages", page).get("sections")
    return sections.get(section) if isinstance(sections, Mapping) else None


def _title(side: Side, page: str, section: str) -> str:
    return _of(side, _section(side, page, section), "title")


def _titles(side: Side, page: str) -> str:
    sections = side.node("pages", page).get("sections")
    names = sections.entries if isinstance(sections, Mapping) else ()
    return ", ".join(_title(side, page, name) for name in names)
