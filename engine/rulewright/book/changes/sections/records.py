"""Changes of records."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize, join_list
from rulewright.ruleset.queries.tree_difference import Difference


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a record: its texts, its parts and their order, its label, and its nouns."""
    yield from compare_texts(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("parts", name):
                before, after = (_type(side, identity, name) for side in (pair.before, pair.after))
                named = pair.choose_side(difference.what).naming.part_of_record(identity, name)
                yield build_line(difference.what, capitalize(named), before, after, covers=[difference.path])
            case ("parts",):
                before, after = (join_list(_names(side, identity)) for side in (pair.before, pair.after))
                yield build_line("changed", "Order of its parts", before, after, covers=[difference.path])
    for key, label in (("label", "What players call one"), ("wording", "What sentences call it")):
        covers = [difference.path for difference in group if difference.path[2] == key]
        if covers:
            words = [_words(side, identity, key) for side in (pair.before, pair.after)]
            yield build_line("changed", label, *words, covers=covers, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a record on only one side: its description and its parts."""
    sentences = [
        side.render_words(side.find_node("records", identity).get("means")),
        f"It is made of {_parts(side, identity)}.",
    ]
    yield build_sentence_line(difference.what, " ".join(filter(None, sentences)), covers=[difference.path])


def _names(side: Side, identity: str) -> list[str]:
    return [side.naming.part_of_record(identity, name) for name, _ in side.declared.records[identity].type.parts]


def _parts(side: Side, identity: str) -> str:
    parts = side.declared.records[identity].type.parts
    named = zip(_names(side, identity), parts, strict=True)
    return join_list([f"{name} ({side.type(kind)})" for name, (_, kind) in named])


def _type(side: Side, identity: str, name: str) -> str:
    kind = dict(side.declared.records[identity].type.parts).get(name)
    return "" if kind is None else side.type(kind)


def _words(side: Side, identity: str, key: str) -> str:
    """Return what sentences call a record if `key` is `wording`, and otherwise its label or `by its parts`."""
    declared = side.declared.records[identity]
    if key == "wording":
        return " / ".join(declared.wording.values()) or identity.replace("_", " ")
    text = declared.label
    for name, _ in declared.type.parts:
        text = text.replace(f"{{self.{name}}}", f"⟨{side.naming.part_of_record(identity, name)}⟩")
    return text or "by its parts"


TELLERS = {"records": Teller(lines, whole)}
