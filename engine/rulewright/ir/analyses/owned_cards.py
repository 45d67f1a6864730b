"""The fields with cards from decks that objects have of their own, and where the owner of these cards stands."""

from __future__ import annotations

from typing import Final

from rulewright.language.declarations import Declarations
from rulewright.language.types import Entity, ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset

ITSELF: Final = ""
"""The owner of cards in fields of the object that has the deck."""


def list_owned_cards(ruleset: Ruleset) -> dict[tuple[str, str], str]:
    """Return the fields of objects with such cards, and for each the field that holds the owner, or `ITSELF`.

    The owner of an object is the first of its fields that holds an object of the kind with the deck. A field whose
    owner may be hidden is left out.
    """
    declared = ruleset.declarations
    kinds: dict[str, str] = {}
    for deck in declared.decks.values():
        if deck.is_owned:
            kinds.setdefault(deck.table, deck.kind)
    results: dict[tuple[str, str], str] = {}
    for kind in declared.kinds.values() if kinds else ():
        for field in kind.fields.values():
            owning = next((kinds[table] for table in _list_tables(field.type) if table in kinds), None)
            owner = None if owning is None or "." in field.name else _find_owner(declared, kind.id, owning)
            if owner is not None:
                results[kind.id, field.name] = owner
    return results


def _list_tables(type_: Type) -> tuple[str, ...]:
    """Return the tables whose rows the values of a type hold, in order."""
    match present(type_):
        case Row(table=table):
            return (table,)
        case ListOf(inner=inner) | MapOf(inner=inner):
            return _list_tables(inner)
        case RecordOf(parts=parts):
            return tuple(table for _, part in parts for table in _list_tables(part))
    return ()


def _find_owner(declared: Declarations, kind: str, owning: str) -> str | None:
    """Return the field of a kind that holds the owner, an object of the kind `owning`, or None if there is none."""
    if kind == owning:
        return ITSELF
    fields = declared.kinds[kind].fields.values()
    field = next((field for field in fields if present(field.type) == Entity(owning)), None)
    return field.name if field is not None and field.seen_by is None else None
