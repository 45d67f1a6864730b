"""Changes of the book's own words."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.queries.difference import Difference
from rulewright.source.nodes import Mapping, Node


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The page's title and picture, then its sections."""
    yield from text_lines(pair, group)
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
            case ("sections", section, "notes"):
                yield from _notes(pair, identity, section, difference)
            case ("sections", section, "notes", _):
                node = difference.before if difference.what == "removed" else difference.after
                yield _note(pair, identity, section, node, difference)


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


def _notes(pair: Pair, page: str, section: str, difference: Difference) -> Iterator[Line]:
    """All the notes of a section that had none, or has none any more; or another order of them."""
    whole = difference.before if difference.what == "removed" else difference.after
    if difference.what == "moved":
        sentence = f"The notes to “{_title(pair.after, page, section)}” stand in another order."
        yield said("changed", sentence, covers=[difference.path], words=True)
    elif isinstance(whole, Mapping):
        for entry in whole.entries.values():
            yield _note(pair, page, section, entry.value, difference)


def _note(pair: Pair, page: str, section: str, note: Node | None, difference: Difference) -> Line:
    side = pair.side(difference.what)
    text = _of(side, note, "text")
    before, after = (text, "") if difference.what == "removed" else ("", text)
    label = f"Note to “{_title(side, page, section)}”"
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
