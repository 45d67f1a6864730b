"""The players' names for the objects and values of a game as plain text, and those values as plain data."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnlyMapping
from collections.abc import Sequence
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll as notation
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import capitalize_term, to_text
from rulewright.engine.state.game_state import State
from rulewright.ir.program import StateLayout
from rulewright.language.declarations import Declarations
from rulewright.language.types import Entity, ListOf, MapOf, Optional, RecordOf, Type
from rulewright.ruleset.ruleset import Ruleset

__all__ = ["Names", "build_option_id", "capitalize", "format_faces"]


class Names:
    """The phrases of `ValueRenderer` as plain text. `say` has them in parts."""

    def __init__(
        self,
        ruleset: Ruleset,
        layout: StateLayout | None = None,
        objects: ReadOnlyMapping[int, list[Any]] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.say = ValueRenderer(ruleset, layout, objects)

    @classmethod
    def for_state(cls, state: State) -> Names:
        """Return the names of the objects and values in `state`."""
        objects = {number: item for number, item in enumerate(state.objects) if item is not None}
        return cls(state.machine.ruleset, state.machine.layout, objects)

    def format_words(self, written: str) -> str:
        """Return text for readers, with its placeholders filled in."""
        return to_text(capitalize_term(self.say.render_words(written)))

    def name_player(self, entity: int) -> str:
        """Return the name of a player, by seat from 1."""
        return to_text(self.say.render_player(entity))

    def name_kind(self, kind: str) -> str:
        """Return the name of a kind."""
        return to_text(self.say.render_kind(kind))

    def name_entity(self, kind: str, entity: int) -> str:
        """Return an object on its own, such as an option."""
        return to_text(self.say.render_title(kind, entity))

    def name_row(self, table: str, row: str) -> str:
        """Return a row of a table."""
        return to_text(self.say.render_row(table, row))

    def format_value(self, value: Any, kind: Type) -> str:
        """Return a value of any type as text."""
        return to_text(self.say.render_value(value, kind))

    def name_choice(self, value: str) -> str:
        """Return an option of a step that has no words of its own: the term of that id, or the id made readable."""
        return to_text(self.say.render_choice(value))

    def name_procedure(self, procedure: str) -> str:
        """Return a procedure's title."""
        return to_text(self.say.render_procedure(procedure))

    def format_amount(self, number: int, name: str) -> str:
        """Return an amount of a term, or of another name of the rules."""
        return to_text(self.say.render_amount(number, name))

    def name_field(self, kind: str, name: str) -> str:
        """Return the name of a field for the middle of a sentence."""
        return to_text(self.say.render_field_name(kind, name))

    def describe_field(self, kind: str, entity: int, name: str) -> str:
        """Return the value of a field with its name, as an item of a list: `no owner`, `Points 3`."""
        return to_text(self.say.render_field(kind, entity, name))


def capitalize(words: str) -> str:
    """Return words with a capital first letter."""
    return words[:1].upper() + words[1:]


def format_faces(faces: Sequence[Sequence[int]] | None) -> str:
    """Return the rolled faces by pool as text, empty if there are none."""
    if not faces:
        return ""
    return " + ".join(f"🎲[{' + '.join(str(face) for face in pool)}]" for pool in faces)


def to_plain(value: Any, kind: Type, declarations: Declarations) -> Any:
    """Return a value of the game as JSON data.

    Objects become their ids (`player-1` is the player in seat 1), rolls their notation, maps dictionaries by the ids of
    the rows, and records dictionaries by the names of their parts. Other values stay as they are, and so does None.
    """
    match kind, value:
        case _, None:
            return None
        case Optional(inner=inner), _:
            return to_plain(value, inner, declarations)
        case Entity(), int():
            return build_option_id(value, kind)
        case ListOf(inner=inner), tuple():
            return [to_plain(item, inner, declarations) for item in value]
        case MapOf(table=table, inner=inner), tuple():
            rows = declarations.tables[table].rows
            return {row: to_plain(item, inner, declarations) for row, item in zip(rows, value, strict=True)}
        case RecordOf(parts=parts), tuple():
            return {name: to_plain(item, part, declarations) for (name, part), item in zip(parts, value, strict=True)}
        case _, Roll():
            return notation(value)
    return value


def list_fields(declarations: Declarations, layout: StateLayout, kind: str, entity: Sequence[Any]) -> dict[str, Any]:
    """Return the fields of an object (`[kind, field, …]`) by name, without hidden fields."""
    fields = declarations.kinds[kind].fields.values()
    values = ((field, entity[layout.places[kind, field.name]]) for field in fields)
    return {field.name: to_plain(value, field.type, declarations) for field, value in values if value is not HIDDEN}


def build_option_id(value: Any, kind: Type) -> str:
    """Return the id of a value as an option: stable, and the same in every run of the same game.

    None is `none`, and an empty list `nothing`. The elements of a list are joined by `+`, and the parts of a record by
    `/`.
    """
    match kind, value:
        case _, None:
            return "none"
        case Optional(inner=inner), _:
            return build_option_id(value, inner)
        case Entity(kind=name), int():
            return f"{name}-{value}"
        case ListOf(inner=inner), tuple():
            return "+".join(build_option_id(item, inner) for item in value) or "nothing"
        case RecordOf(parts=parts), tuple():
            return "/".join(build_option_id(item, part) for (_, part), item in zip(parts, value, strict=True))
    return str(value)
