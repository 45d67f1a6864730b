"""What players call the things and values of a game, as plain text; and those values as plain data."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnlyMapping
from collections.abc import Sequence
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import text as notation
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.narration.render_values import Saying, identity
from rulewright.engine.narration.rich_text import text
from rulewright.engine.state.game_state import State
from rulewright.ir.program import Layout
from rulewright.language.declarations import Declarations
from rulewright.language.types import ListOf, MapOf, Optional, RecordOf, Thing, Type
from rulewright.ruleset.ruleset import Ruleset

__all__ = ["Names", "capital", "faces_rolled", "identity"]


class Names:
    """The phrases of `Saying`, each as plain text; `say` has them in parts."""

    def __init__(
        self, ruleset: Ruleset, layout: Layout | None = None, objects: ReadOnlyMapping[int, list[Any]] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.say = Saying(ruleset, layout, objects)

    @classmethod
    def at(cls, state: State) -> Names:
        """Return the names of things as they are in `state`."""
        objects = {number: thing for number, thing in enumerate(state.objects) if thing is not None}
        return cls(state.machine.ruleset, state.machine.layout, objects)

    def words(self, written: str) -> str:
        """Text for readers, with its placeholders filled in."""
        return text(self.say.words(written))

    def player(self, thing: int) -> str:
        """Return a player, by seat from 1."""
        return text(self.say.player(thing))

    def kind(self, kind: str) -> str:
        """Return what a kind is called."""
        return text(self.say.kind(kind))

    def thing(self, kind: str, thing: int) -> str:
        """Return an object."""
        return text(self.say.thing(kind, thing))

    def row(self, table: str, row: str) -> str:
        """Return a row of a table."""
        return text(self.say.row(table, row))

    def value(self, value: Any, kind: Type) -> str:
        """Any value of a type."""
        return text(self.say.value(value, kind))

    def choice(self, value: str) -> str:
        """Return an option of a step that has no words of its own: the term of that id, or the id made readable."""
        return text(self.say.choice(value))

    def procedure(self, procedure: str) -> str:
        """Return a procedure's title."""
        return text(self.say.procedure(procedure))

    def amount(self, number: int, name: str) -> str:
        """So many of something: of a term, or of whatever the rules call by that name."""
        return text(self.say.amount(number, name))

    def field_name(self, kind: str, name: str) -> str:
        """Return what a field is called, as within a sentence."""
        return text(self.say.field_name(kind, name))

    def field_in_words(self, kind: str, thing: int, name: str) -> str:
        """Return what an object holds in a field, with the field's name, as one thing among others.

        `no owner`, `3 Points`.
        """
        return text(self.say.field_in_words(kind, thing, name))


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return words[:1].upper() + words[1:]


def faces_rolled(faces: Sequence[Sequence[int]] | None) -> str:
    """Return the faces that came up, as the game writes them."""
    if not faces:
        return ""
    return " + ".join(f"🎲[{' + '.join(str(face) for face in pool)}]" for pool in faces)


def plain(value: Any, kind: Type, declarations: Declarations) -> Any:
    """Return a value: objects by their ids (`player-1` is the player in seat 1), rolls by their notation.

    Nothing as None.

    A map is one from the ids of the rows, a record one from the names of its parts.
    """
    match kind, value:
        case _, None:
            return None
        case Optional(inner=inner), _:
            return plain(value, inner, declarations)
        case Thing(), int():
            return identity(value, kind)
        case ListOf(inner=inner), tuple():
            return [plain(item, inner, declarations) for item in value]
        case MapOf(table=table, inner=inner), tuple():
            rows = declarations.tables[table].rows
            return {row: plain(item, inner, declarations) for row, item in zip(rows, value, strict=True)}
        case RecordOf(parts=parts), tuple():
            return {name: plain(item, part, declarations) for (name, part), item in zip(parts, value, strict=True)}
        case _, Roll():
            return notation(value)
    return value


def fields_of(declarations: Declarations, layout: Layout, kind: str, thing: Sequence[Any]) -> dict[str, Any]:
    """Return the fields of an object (`[kind, field, …]`) by name, but for those that are hidden from whoever looks."""
    fields = declarations.kinds[kind].fields.values()
    values = ((field, thing[layout.places[kind, field.name]]) for field in fields)
    return {field.name: plain(value, field.type, declarations) for field, value in values if value is not HIDDEN}
