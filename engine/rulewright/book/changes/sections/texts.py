"""Changes of texts: of entries, of terms, of questions and answers (FAQ), and of the book's own pages.

A renamed entry is the same entry. Each section decides which texts of its entries are reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line, end_sentence
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.search.search_index import name_icon
from rulewright.language.declarations import Term
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence


def compare_texts(pair: RulesetPair, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield a line for each difference of a text of the entry itself that its section reports.

    Other differences are left to the caller.
    """
    for difference in group:
        label = load_sections()[difference.path[0]].labels.get(difference.path[-1])
        if label is None or len(difference.path) != 3:
            continue
        before, after = (
            ", ".join(side.render_words(item) for item in node.items)
            if isinstance(node, Sequence)
            else side.render_words(node)
            for side, node in ((pair.before, difference.before), (pair.after, difference.after))
            if node is None or isinstance(node, (Scalar, Sequence))
        )
        yield build_line(difference.what, label, before, after, covers=[difference.path], words=difference.words)


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the changed texts of an entry, for sections without other changes."""
    yield from compare_texts(pair, group)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the description of an entry that only one side has."""
    section = load_sections()[difference.path[0]]
    gist = None if section.illustrates else side.find_node(section.key, identity).get(section.gist)
    sentence = side.render_words(gist) or side.find_title(section.key, identity)
    yield build_sentence_line(difference.what, sentence, covers=[difference.path], words=difference.words)


def compare_page(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a page: its texts, and then its sections with their order, texts and notes."""
    yield from compare_texts(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("sections",):
                before, after = (_titles(side, identity) for side in (pair.before, pair.after))
                yield build_line(
                    "changed", "Order of the sections", before, after, covers=[difference.path], words=True
                )
            case ("sections", section):
                side = pair.choose_side(difference.what)
                node = difference.before if difference.what == "removed" else difference.after
                words = _of(side, node, "text") or "nothing but what it shows"
                label = f"Section “{_of(side, node, 'title') or section}”"
                before, after = (words, "") if difference.what == "removed" else ("", words)
                yield build_line(difference.what, label, before, after, covers=[difference.path], words=True)
            case ("sections", section, *rest) if rest[-1] in ("title", "text", "kind"):
                yield _inside(pair, identity, section, difference)
            case ("sections", section, "notes"):
                yield from _notes(pair, identity, section, difference)
            case ("sections", section, "notes", _):
                node = difference.before if difference.what == "removed" else difference.after
                yield _note(pair, identity, section, node, difference)


def whole_page(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the subject of the page."""
    about = side.render_words(side.find_node("pages", identity).get("about"))
    yield build_sentence_line(difference.what, about or "A page of the book.", covers=[difference.path], words=True)


def _inside(pair: RulesetPair, page: str, section: str, difference: Difference) -> ChangeLine:
    """Return the line of a heading, a text or a kind of note in a section or in one of its notes."""
    label = {"title": "Heading", "kind": "Kind of note"}.get(difference.path[-1], "")
    label = "Note" if "notes" in difference.path and not label else label
    place = f"“{_title(pair.after, page, section)}”"
    before, after = pair.before.render_words(difference.before), pair.after.render_words(difference.after)
    covers = [difference.path]
    return build_line(
        difference.what, f"{label} of {place}" if label else place, before, after, covers=covers, words=True
    )


def _notes(pair: RulesetPair, page: str, section: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield all notes of a section that had none before or has none now, or a line for a changed order of notes."""
    whole = difference.before if difference.what == "removed" else difference.after
    if difference.what == "moved":
        sentence = f"The notes to “{_title(pair.after, page, section)}” are in another order."
        yield build_sentence_line("changed", sentence, covers=[difference.path], words=True)
    elif isinstance(whole, Mapping):
        for entry in whole.entries.values():
            yield _note(pair, page, section, entry.value, difference)


def _note(pair: RulesetPair, page: str, section: str, note: Node | None, difference: Difference) -> ChangeLine:
    """Return the line of a note in a section, as added or removed by the difference."""
    side = pair.choose_side(difference.what)
    text = _of(side, note, "text")
    before, after = (text, "") if difference.what == "removed" else ("", text)
    label = f"Note to “{_title(side, page, section)}”"
    return build_line(difference.what, label, before, after, covers=[difference.path], words=True)


def _of(side: Side, node: Node | None, key: str) -> str:
    return side.render_words(node.get(key)) if isinstance(node, Mapping) else ""


def _section(side: Side, page: str, section: str) -> Node | None:
    sections = side.find_node("pages", page).get("sections")
    return sections.get(section) if isinstance(sections, Mapping) else None


def _title(side: Side, page: str, section: str) -> str:
    return _of(side, _section(side, page, section), "title")


def _titles(side: Side, page: str) -> str:
    sections = side.find_node("pages", page).get("sections")
    names = sections.entries if isinstance(sections, Mapping) else ()
    return ", ".join(_title(side, page, name) for name in names)


def compare_term(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield a line for a change of the name or plural of a term, one for its picture, and one for each other text."""
    before, after = (side.declared.terms[identity] for side in (pair.before, pair.after))
    covers = {difference.path[2]: difference.path for difference in group if len(difference.path) > 2}
    naming = [covers[key] for key in ("name", "plural") if key in covers]
    if before.name != after.name:
        yield _renamed(before.name, after.name, f"{before.title} is now called {after.name}", naming)
    elif before.plural != after.plural:
        sentence = f"Several of them are now called {after.plural}, and no longer {before.plural}"
        yield _renamed(before.plural, after.plural, sentence, naming)
    elif naming:
        yield build_line("changed", "Name", before.plural, after.plural, covers=naming, words=True)
    if "icon" in covers:
        yield build_line("changed", "Picture", _pictured(before), _pictured(after), covers=[covers["icon"]], words=True)
    yield from compare_texts(pair, group)


def whole_term(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the definition of the word."""
    term = side.declared.terms[identity]
    means = side.render_words(term.means)
    sentence = end_sentence(means) if means else f"The word {term.name}."
    yield build_sentence_line(difference.what, sentence, covers=[difference.path], words=True)


def _pictured(term: Term) -> str:
    """Return the name of the icon, because not every device has a font with the icon itself."""
    return name_icon(term.icon) or term.icon or "none"


def _renamed(before: str, after: str, sentence: str, covers: list[tuple[str, ...]]) -> ChangeLine:
    return ChangeLine("renamed", "Name", before, after, f"{sentence}.", True, tuple(covers))


TELLERS = {"terms": Teller(compare_term, whole_term), "pages": Teller(compare_page, whole_page)}

PLAIN = Teller(lines, whole)
"""The describer of sections with changes of texts only."""
