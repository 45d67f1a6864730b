"""Values of a game as plain data, each by its type: what JSON can hold, and nothing that only this program can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.dice.text import text
from rulewright.dice.tree import Roll
from rulewright.language.declarations import Declarations
from rulewright.language.types import ListOf, Optional, Thing, Type
from rulewright.play.telling.names import identity
from rulewright.program.program import Layout


def plain(value: Any, kind: Type) -> Any:
    """A value: objects by their ids (`player-1` is the player in seat 1), rolls by their notation, nothing as None."""
    match kind, value:
        case _, None:
            return None
        case Optional(inner=inner), _:
            return plain(value, inner)
        case Thing(), int():
            return identity(value, kind)
        case ListOf(inner=inner), tuple():
            return [plain(item, inner) for item in value]
        case _, Roll():
            return text(value)
    return value


def fields_of(declarations: Declarations, layout: Layout, kind: str, thing: Sequence[Any]) -> dict[str, Any]:
    """The fields of an object (`[kind, field, …]`) by name."""
    fields = declarations.kinds[kind].fields.values()
    return {field.name: plain(thing[layout.places[kind, field.name]], field.type) for field in fields}
