"""Changes of kinds of things, and of the values of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize, join_list
from rulewright.language.declarations import GAME_KIND
from rulewright.ruleset.prose.own_values import SELF
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.source.nodes import Mapping, Node, Scalar

PARTS = ("fields", "derived")


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a kind: its texts, its fields and computed values, its label, and its term."""
    yield from compare_texts(pair, group)
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
        yield build_line("changed", "What players call one of them", before, after, covers=labels, words=True)
    term = [difference.path for difference in group if difference.path[2:] == ("term",)]
    if term:
        before, after = (side.naming.kind(identity) for side in (pair.before, pair.after))
        yield build_line("changed", "The word for it", before, after, covers=term, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a kind on only one side: its description, and the names of its fields and computed values."""
    kind = side.declared.kinds[identity]
    means = side.render_words(side.find_node("kinds", identity).get("means"))
    value = join_list([_name(side, identity, name) for name in kind.named_fields])
    worked_out = join_list([_name(side, identity, name) for name in kind.derived])
    sentences = [means, f"Each has {value}." if value else "", f"Worked out of it: {worked_out}." if worked_out else ""]
    yield build_sentence_line(
        difference.what, " ".join(filter(None, sentences)) or "It holds nothing.", covers=[difference.path]
    )


def state_lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of the value's type and initial value."""
    if not identity:
        return
    yield from compare_texts(pair, group)
    yield from _types(pair, GAME_KIND, identity, "", [d for d in group if d.path[-1] != "means"])


def whole_state(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a value of the game on only one side: its description, its type and its initial value."""
    field = side.declared.kinds[GAME_KIND].fields[identity]
    means = side.render_words(side.find_node("state", identity).get("means"))
    yield build_sentence_line(
        difference.what, f"{means} {capitalize(side.render_field(field))}.".strip(), covers=[difference.path]
    )


def _part(pair: RulesetPair, kind: str, key: str, name: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the lines of one field or computed value, from its differences `group`, of which there must be one.

    An added or removed part has a single line. Others have a line for a changed description, and one for the type or
    the formula. `key` is `fields` or `derived`.
    """
    what, path = group[0].what, group[0].path
    if what in ("added", "removed") and len(path) == 4:
        side = pair.choose_side(what)
        described = _described(side, kind, key, name)
        before, after = (described, "") if what == "removed" else ("", described)
        yield build_line(what, capitalize(_name(side, kind, name)), before, after, covers=[path])
        return
    label = capitalize(_name(pair.after, kind, name))
    means = [d for d in group if d.path[-1] == "means"]
    for difference in means:
        before, after = pair.before.render_words(difference.before), pair.after.render_words(difference.after)
        yield build_line(difference.what, f"{label}, what it is", before, after, covers=[difference.path], words=True)
    rest = [d for d in group if d not in means]
    if rest and key == "fields":
        yield from _types(pair, kind, name, label, rest)
    elif rest:
        was, now = (side.render(partial(_formula, side, kind, name)) for side in (pair.before, pair.after))
        yield build_line("changed", f"{label} is worked out as", was, now, covers=[d.path for d in rest])


def _all_of(pair: RulesetPair, kind: str, key: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield a line for each entry of a part that a kind gains or loses as a whole.

    `key` is the part: `fields` or `derived`. `difference` must add or remove the whole part; this is not checked.
    """
    side = pair.choose_side(difference.what)
    declared = side.declared.kinds[kind]
    for name in declared.named_fields if key == "fields" else declared.derived:
        described = _described(side, kind, key, name)
        before, after = (described, "") if difference.what == "removed" else ("", described)
        yield build_line(difference.what, capitalize(_name(side, kind, name)), before, after, covers=[difference.path])


def _types(pair: RulesetPair, kind: str, name: str, label: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield a line with the old and the new type of a field, or nothing if `group` is empty."""
    if group:
        before, after = (
            side.render_field(side.declared.kinds[kind].fields[name]) for side in (pair.before, pair.after)
        )
        yield build_line("changed", label, before, after, covers=[d.path for d in group])


def _described(side: Side, kind: str, key: str, name: str) -> str:
    means = side.render_words(_entry(side, kind, key, name))
    usual = side.render_field(side.declared.kinds[kind].fields[name]) if key == "fields" else _formula(side, kind, name)
    return f"{means} {capitalize(usual)}." if means else usual


def _entry(side: Side, kind: str, key: str, name: str) -> Node | None:
    part = side.find_node("kinds", kind).get(key)
    entry = part.get(name) if isinstance(part, Mapping) else None
    return entry.get("means") if isinstance(entry, Mapping) else None


def _formula(side: Side, kind: str, name: str) -> str:
    formula = side.declared.formulas[side.declared.kinds[kind].derived[name]]
    return side.english.value(formula.body)


def _name(side: Side, kind: str, name: str) -> str:
    return side.naming.field(kind, name)


def _label(side: Side, kind: str) -> str:
    """Return what players call an object of a kind, with alternatives after ` / `, or `by its kind alone`."""
    node = side.find_node("kinds", kind).get("label")
    results = [node] if isinstance(node, Scalar) else []
    if isinstance(node, Mapping):
        results = [entry.value for entry in node.entries.values() if isinstance(entry.value, Scalar)]
    return " / ".join(_own(side, kind, scalar) for scalar in results) or "by its kind alone"


def _own(side: Side, kind: str, scalar: Scalar) -> str:
    text, fields = scalar.text, side.declared.kinds[kind].named_fields
    for part in parse_parts(text):
        head, *path = part.body.split(".") if isinstance(part, Placeholder) else [""]
        if isinstance(part, Placeholder) and head == SELF and path and path[0] in fields:
            # Columns and parts may follow, as in `{self.tile.worth}`.
            noun = " ".join([_name(side, kind, path[0]), *path[1:]])
            text = text.replace(f"{{{part.body}}}", f"⟨{noun}⟩")
    return side.render_words(text)


TELLERS = {"kinds": Teller(lines, whole), "state": Teller(state_lines, whole_state)}
