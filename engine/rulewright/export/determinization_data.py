"""The data a host needs to determinize hidden information, as `narration.determinize` does."""

from __future__ import annotations

from functools import partial
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.ir.analyses.knowledge import Knowledge, Source, analyze_knowledge
from rulewright.ir.analyses.roll_provenance import Rolls, analyze_rolls, find_any_roll
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    ListOf,
    MapOf,
    Ratio,
    RecordOf,
    Row,
    Type,
    present,
)
from rulewright.ruleset.ruleset import Ruleset


def build_guess_data(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return the determinization data of a ruleset, or None if nothing is hidden.

    `fields` has the hidden fields by kind and name, `decks` the table, cards and fields of each deck, and `procedures`
    has by id those with hidden names. Such a procedure has its `slots`, and says of them: `always`, those that are
    always hidden; `sealed`, each answer that is hidden while others have still to choose, with the slot that marks the
    end of that; `known`, by slot and step, the sources that a player must have seen to know a name
    (`ir.analyses.knowledge`); `passed`, by step, the slots that are passed to the called procedure, with their slots
    there; and `own`, the slots with an answer of every player. A field or slot has its possible values, and the rolls
    it comes from if it has no other source.
    """
    secrets, sources = find_secrets(ruleset), analyze_rolls(ruleset)
    if not secrets.any:
        return None
    declared = ruleset.declarations
    guess = partial(_guess, find_any_roll(ruleset))
    fields = {
        kind: {
            name: guess(declared.kinds[kind].fields[name].type, sources.fields.get((kind, name), ()))
            for name in sorted(names - secrets.decks if kind == "game" else names)
        }
        for kind, names in secrets.fields.items()
        if names
    }
    procedures = {}
    knowledge = analyze_knowledge(ruleset)
    for name in ruleset.procedures:
        always, sealed = secrets.find_slots(name), secrets.list_sealed_answers(name)
        stops = knowledge.list_stops(name)
        slots = {
            slot: guess(knowledge.find_type(name, slot), sources.slots.get((name, slot), ()))
            for slot in sorted(always | {slot for slot, _ in sealed})
        }
        if slots:
            procedures[name] = {
                "slots": {str(slot): each for slot, each in slots.items()},
                "always": sorted(always),
                "sealed": [list(each) for each in sealed],
                "known": {str(slot): result for slot in slots if (result := _list_sources(knowledge, name, slot))},
                "passed": {str(step): passed for step in stops if (passed := knowledge.list_passed_slots(name, step))},
                "own": knowledge.list_shared_answers(name),
            }
    decks = [
        {"table": deck.table, "cards": list(deck.cards), "fields": list(deck.fields)}
        for deck in declared.decks.values()
    ]
    return {"fields": fields, "procedures": procedures, "decks": decks}


def _list_sources(knowledge: Knowledge, procedure: str, slot: int) -> dict[str, list[Source]]:
    """Return the sources a player must have seen to know a name, by the running step."""
    results = {str(step): knowledge.find_sources(procedure, slot, step) for step in knowledge.list_stops(procedure)}
    return {step: sources for step, sources in results.items() if sources is not None}


def _guess(roll: Roll | None, kind: Type, rolls: Rolls) -> dict[str, Any]:
    return {"may": _may(kind, roll), **({"rolls": [format_roll(each) for each in rolls]} if rolls else {})}


def _may(kind: Type, roll: Roll | None) -> Any:
    """Return the possible values of a type as data, or None if they are unbounded.

    `roll` is any roll of the rules, which stands for the values of a dice type, or None if the rules have none.
    """
    match present(kind):
        case ListOf(inner=inner):
            return {"list": _may(inner, roll)}
        case MapOf(inner=inner):
            return {"map": _may(inner, roll)}
        case Dice() if roll is not None:
            return {"dice": format_roll(roll)}
        case Ratio():
            return {"ratio": True}
        case Row(table=table):
            return {"row": table}
        case RecordOf(parts=parts):
            return {"parts": [_may(part, roll) for _, part in parts]}
        case Choice(ids=ids):
            return {"any": list(ids)}
        case Boolean():
            return {"any": [False, True]}
        case Entity(kind=name):
            return {"thing": name}
    return None
