"""Changes of kinds of things, and of the values of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.compared_side import Pair, Side, Teller
from rulewright.book.changes.sections.texts import text_lines
from rulewright.book.english.grammar import capital, listed
from rulewright.language.declarations import GAME_KIND
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.source.nodes import Mapping, Node, Scalar

PARTS = ("fields", "derived")


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield what one of them holds, what is worked out of it, what it is called."""
    yield from text_lines(pair, group)
    for key in PARTS:
        names: dict[str, list[Difference]] = {}
        for difference in group:
            if len(difference.path) > 3 and difference.path[2] == key:
                names.setdefault(difference.path[3], []).append(difference)
        for name, inner in names.items():
            yield from _part(pair, identity, key, name, inner)
        for difference in group:
            if difference.path[2:] == (key,) and difference.what in ("added", "removed"):
                yield from _all_of(pair, identity, key, difference)
    labels = [difference.path for difference in group if difference.path[2] == "label"]
    if labels:
        before, after = (_label(side, identity) for side in (pair.before, pair.after))
        yield line("changed", "What players call one of them", before, after, covers=labels, words=True)
    term = [difference.path for difference in group if difference.path[2:] == ("term",)]
    if term:
        before, after = (side.naming.kind(identity) for side in (pair.before, pair.after))
        yield line("changed", "The word for it", before, after, covers=term, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what one of them is and holds."""
    kind = side.declared.kinds[identity]
    means = side.words(side.node("kinds", identity).get("means"))
    held = listed([_name(side, identity, name) for name in kind.fields])
    worked_out = listed([_name(side, identity, name) for name in kind.derived])
    sentences = [means, f"Each has {held}." if held else "", f"Worked out of it: {worked_out}." if worked_out else ""]
    yield said(difference.what, " ".join(filter(None, sentences)) or "It holds nothing.", covers=[difference.path])


def state_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield what the value may be, and what it starts as."""
    if not identity:
        return
    yield from text_lines(pair, group)
    yield from _types(pair, GAME_KIND, identity, "", [d for d in group if d.path[-1] != "means"])


def whole_state(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what the value is."""
    field = side.declared.kinds[GAME_KIND].fields[identity]
    means = side.words(side.node("state", identity).get("means"))
    yield said(difference.what, f"{means} {capital(side.field(field))}.".strip(), covers=[difference.path])


def _part(pair: Pair, kind: str, key: str, name: str, group: list[Difference]) -> Iterator[Line]:
    what, path = group[0].what, group[0].path
    if what in ("added", "removed") and len(path) == 4:
        side = pair.side(what)
        described = _described(side, kind, key, name)
        before, after = (described, "") if what == "removed" else ("", described)
        yield line(what, capital(_name(side, kind, name)), before, after, covers=[path])
        return
    label = capital(_name(pair.after, kind, name))
    means = [d for d in group if d.path[-1] == "means"]
    for difference in means:
        before, after = pair.before.words(difference.before), pair.after.words(difference.after)
        yield line(difference.what, f"{label}, what it is", before, after, covers=[difference.path], words=True)
    rest = [d for d in group if d not in means]
    if rest and key == "fields":
        yield from _types(pair, kind, name, label, rest)
    elif rest:
        was, now = (side.told(partial(_formula, side, kind, name)) for side in (pair.before, pair.after))
        yield line("changed", f"{label} is worked out as", was, now, covers=[d.path for d in rest])


def _all_of(pair: Pair, kind: str, key: str, difference: Difference) -> Iterator[Line]:
    """Yield the first that a kind has of a part, or the last that it had."""
    side = pair.side(difference.what)
    declared = side.declared.kinds[kind]
    for name in declared.fields if key == "fields" else declared.derived:
        described = _described(side, kind, key, name)
        before, after = (described, "") if difference.what == "removed" else ("", described)
        yield line(difference.what, capital(_name(side, kind, name)), before, after, covers=[difference.path])


def _types(pair: Pair, kind: str, name: str, label: str, group: list[Difference]) -> Iterator[Line]:
    if group:
        before, after = (side.field(side.declared.kinds[kind].fields[name]) for side in (pair.before, pair.after))
        yield line("changed", label, before, after, covers=[d.path for d in group])


def _described(side: Side, kind: str, key: str, name: str) -> str:
    means = side.words(_entry(side, kind, key, name))
    usual = side.field(side.declared.kinds[kind].fields[name]) if key == "fields" else _formula(side, kind, name)
    return f"{means} {capital(usual)}." if means else usual


def _entry(side: Side, kind: str, key: str, name: str) -> Node | None:
    part = side.node("kinds", kind).get(key)
    entry = part.get(name) if isinstance(part, Mapping) else None
    return entry.get("means") if isinstance(entry, Mapping) else None


def _formula(side: Side, kind: str, name: str) -> str:
    formula = side.declared.formulas[side.declared.kinds[kind].derived[name]]
    return side.english.value(formula.body)


def _name(side: Side, kind: str, name: str) -> str:
    return side.naming.field(kind, name)


def _label(side: Side, kind: str) -> str:
    node = side.node("kinds", kind).get("label")
    found = [node] if isinstance(node, Scalar) else []
    if isinstance(node, Mapping):
        found = [entry.value for entry in node.entries.values() if isinstance(entry.value, Scalar)]
    return " / ".join(_own(side, kind, scalar) for scalar in found) or "by its kind alone"


def _own(side: Side, kind: str, scalar: Scalar) -> str:
    text = scalar.text
    for name in side.declared.kinds[kind].fields:
        text = text.replace(f"{{self.{name}}}", f"⟨{_name(side, kind, name)}⟩")
    return side.words(text)


TELLERS = {"kinds": Teller(lines, whole), "state": Teller(state_lines, whole_state)}
