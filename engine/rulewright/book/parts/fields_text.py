"""What players, things and the game hold, what records are made of, and dice: what is there before anybody plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.english.expression_english import English
from rulewright.book.english.field_phrases import FieldWriter
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import Naming
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import build_anchor
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class Held:
    """A value: what it is called, what it may be and starts as, and what it is for; and its own fragment, if any."""

    name: str
    usual: str
    means: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody or something that holds values, or is made of them."""

    fragment: str
    title: str
    means: str
    held: tuple[Held, ...]


def has_holdings(ruleset: Ruleset) -> bool:
    """Return whether there is anything to tell."""
    declared = ruleset.declarations
    kinds = any(kind.fields for name, kind in declared.kinds.items() if name != GAME_KIND)
    return (
        kinds
        or bool(declared.records)
        or any(iterate_entries(ruleset.resolved.rules.get("state")))
        or bool(_dice(ruleset))
    )


def list_holders(ruleset: Ruleset, style: Style) -> Iterator[Holder]:
    """Yield players first, then the game, every kind of thing, and records."""
    words = _Words(ruleset, style)
    kinds = ruleset.declarations.kinds
    ordered = [PLAYER_KIND, GAME_KIND, *(name for name in kinds if name not in (PLAYER_KIND, GAME_KIND))]
    for name in ordered:
        if name in kinds and (found := words.kind(name)).held:
            yield found
    for name in ruleset.declarations.records:
        yield words.record(name)


def list_dice(ruleset: Ruleset, style: Style) -> Iterator[Held]:
    """Yield every die of the game's own, and every roll that has a name."""
    for identity, node in _dice(ruleset):
        said = style.escape(ruleset.declarations.describe_die(identity))
        yield Held(style.escape(identity), said, _means(node, style), build_anchor(f"dice.{identity}"))


def _dice(ruleset: Ruleset) -> list[tuple[str, Node]]:
    return [(name, entry.value) for name, entry in iterate_entries(ruleset.resolved.rules.get("dice"))]


class _Words:
    def __init__(self, ruleset: Ruleset, style: Style) -> None:
        self.ruleset = ruleset
        self.style = style
        self.declared = ruleset.declarations
        self.holding = FieldWriter(English(style))
        self.naming = self.holding.naming
        self.plain = Naming(Style(ruleset))

    def kind(self, identity: str) -> Holder:
        """Return a kind, or the game."""
        is_game = identity == GAME_KIND
        node = self._node("kinds", identity)
        fields = self.ruleset.resolved.rules.get("state") if is_game else _get(node, "fields")
        held = tuple(self._field(identity, name, entry.value) for name, entry in iterate_entries(fields))
        title = "The game" if is_game else capitalize(self.style.escape(self.plain.kind(identity)))
        return Holder(build_anchor(f"kinds.{identity}"), title, _means(node, self.style), held)

    def record(self, identity: str) -> Holder:
        """Return a record, and its parts."""
        parts = self.declared.records[identity].type.parts
        held = tuple(
            Held(capitalize(self.naming.part_of_record(identity, name)), capitalize(self.holding.type(kind)), "")
            for name, kind in parts
        )
        node = self._node("records", identity)
        return Holder(
            build_anchor(f"records.{identity}"),
            capitalize(self.style.escape(self.plain.record(identity))),
            _means(node, self.style),
            held,
        )

    def _field(self, kind: str, name: str, node: Node) -> Held:
        field = self.declared.kinds[kind].fields[name]
        return Held(
            capitalize(self.naming.field(kind, name)), capitalize(self.holding.field(field)), _means(node, self.style)
        )

    def _node(self, section: str, identity: str) -> Node | None:
        return _get(self.ruleset.resolved.rules.get(section), identity)


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _means(node: Node | None, style: Style) -> str:
    means = _get(node, "means")
    return fill(means.text.strip(), style) if isinstance(means, Scalar) else ""
