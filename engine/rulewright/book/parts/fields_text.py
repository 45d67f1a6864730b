"""The fields of players, kinds and the game, the parts of records, and dice, as readers see them before a game."""

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
    """A field, a part of a record or a die.

    `usual` is its type and default value, `means` its description, and `fragment` its anchor, which may be empty.
    """

    name: str
    usual: str
    means: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """A kind, a record or the game, with its fields or parts."""

    fragment: str
    title: str
    means: str
    held: tuple[Held, ...]


def has_holdings(ruleset: Ruleset) -> bool:
    """Return whether the rules declare any fields, records or dice."""
    declared = ruleset.declarations
    kinds = any(kind.fields for name, kind in declared.kinds.items() if name != GAME_KIND)
    return (
        kinds
        or bool(declared.records)
        or any(iterate_entries(ruleset.resolved.rules.get("state")))
        or bool(_dice(ruleset))
    )


def list_holders(ruleset: Ruleset, style: Style) -> Iterator[Holder]:
    """Yield players first, then the game, all other kinds, and records. Kinds without fields are left out."""
    words = _Words(ruleset, style)
    kinds = ruleset.declarations.kinds
    ordered = [PLAYER_KIND, GAME_KIND, *(name for name in kinds if name not in (PLAYER_KIND, GAME_KIND))]
    for name in ordered:
        if name in kinds and (result := words.kind(name)).held:
            yield result
    for name in ruleset.declarations.records:
        yield words.record(name)


def list_dice(ruleset: Ruleset, style: Style) -> Iterator[Held]:
    """Yield every die that the rules define, and every named roll."""
    for identity, node in _dice(ruleset):
        text = style.escape(ruleset.declarations.describe_die(identity))
        yield Held(style.escape(identity), text, _means(node, style), build_anchor(f"dice.{identity}"))


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
        """Return the fields of a kind or of the game."""
        is_game = identity == GAME_KIND
        node = self._node("kinds", identity)
        fields = self.ruleset.resolved.rules.get("state") if is_game else _get(node, "fields")
        value = tuple(self._field(identity, name, entry.value) for name, entry in iterate_entries(fields))
        title = "The game" if is_game else capitalize(self.style.escape(self.plain.kind(identity)))
        return Holder(build_anchor(f"kinds.{identity}"), title, _means(node, self.style), value)

    def record(self, identity: str) -> Holder:
        """Return the parts of a record."""
        parts = self.declared.records[identity].type.parts
        value = tuple(
            Held(capitalize(self.naming.part_of_record(identity, name)), capitalize(self.holding.type(kind)), "")
            for name, kind in parts
        )
        node = self._node("records", identity)
        return Holder(
            build_anchor(f"records.{identity}"),
            capitalize(self.style.escape(self.plain.record(identity))),
            _means(node, self.style),
            value,
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
