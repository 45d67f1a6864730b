"""What a host must know to make up what is hidden from a player, as `telling.guess` does: as plain data."""

from __future__ import annotations

from typing import Any

from rulewright.dice.text import text
from rulewright.language.types import Boolean, Choice, ListOf, RecordOf, Row, Thing, Type, present
from rulewright.program.rolled import Rolls, rolled
from rulewright.program.secrets import secrets_of
from rulewright.ruleset.ruleset import Ruleset


def guesses_of(ruleset: Ruleset) -> dict[str, Any] | None:
    """All of it; None where nothing is hidden.

    Fields are by kind and name, names of procedures by their slots. Of each there is what it may hold, and the rolls
    that it comes from, if it comes from nothing else. `sealed` are the answers that are hidden while others have still
    to choose: each slot with the one that says by what it holds that they have.
    """
    secrets, sources = secrets_of(ruleset), rolled(ruleset)
    if not secrets.any:
        return None
    declared = ruleset.declarations
    fields = {
        kind: {
            name: _guess(declared.kinds[kind].fields[name].type, sources.fields.get((kind, name), ()))
            for name in sorted(names - secrets.decks if kind == "game" else names)
        }
        for kind, names in secrets.fields.items()
        if names
    }
    procedures = {}
    for name, procedure in ruleset.procedures.items():
        always, sealed = secrets.slots(name), secrets.sealed(name)
        slots = {
            slot: _guess(procedure.types[slot], sources.slots.get((name, slot), ()))
            for slot in sorted(always | {slot for slot, _ in sealed})
        }
        if slots:
            procedures[name] = {
                "slots": {str(slot): each for slot, each in slots.items()},
                "always": sorted(always),
                "sealed": [list(each) for each in sealed],
            }
    decks = [
        {"table": deck.table, "cards": list(deck.cards), "fields": list(deck.fields)}
        for deck in declared.decks.values()
    ]
    return {"fields": fields, "procedures": procedures, "decks": decks}


def _guess(kind: Type, rolls: Rolls) -> dict[str, Any]:
    return {"may": _may(kind), **({"rolls": [text(roll) for roll in rolls]} if rolls else {})}


def _may(kind: Type) -> Any:
    """What a value of a type may be; None where there are no bounds to that."""
    match present(kind):
        case ListOf(inner=inner):
            return {"list": _may(inner)}
        case Row(table=table):
            return {"row": table}
        case RecordOf(parts=parts):
            return {"parts": [_may(part) for _, part in parts]}
        case Choice(ids=ids):
            return {"any": list(ids)}
        case Boolean():
            return {"any": [False, True]}
        case Thing(kind=name):
            return {"thing": name}
    return None
