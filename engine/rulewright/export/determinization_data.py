"""What a host must know to make up what is hidden from a player, as `telling.guess` does: as plain data."""

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
    """Return all of it; None where nothing is hidden.

    Fields are by kind and name, names of procedures by their slots. Of each there is what it may hold, and the rolls
    that it comes from, if it comes from nothing else. `sealed` are the answers that are hidden while others have still
    to choose: each slot with the one that says by what it holds that they have. `known` says by slot and step what
    must have been seen to know a name (`program.knowledge`), `passed` by step which slots are handed to the procedure
    that it calls, each with the slot that holds it there, and `own` which slots hold an answer of every player.
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
    for name, procedure in ruleset.procedures.items():
        always, sealed = secrets.find_slots(name), secrets.list_sealed_answers(name)
        stops = knowledge.list_stops(name)
        slots = {
            slot: guess(procedure.types[slot], sources.slots.get((name, slot), ()))
            for slot in sorted(always | {slot for slot, _ in sealed})
        }
        if slots:
            procedures[name] = {
                "slots": {str(slot): each for slot, each in slots.items()},
                "always": sorted(always),
                "sealed": [list(each) for each in sealed],
                "known": {str(slot): found for slot in slots if (found := _known(knowledge, name, slot))},
                "passed": {str(step): passed for step in stops if (passed := knowledge.list_passed_slots(name, step))},
                "own": knowledge.list_shared_answers(name),
            }
    decks = [
        {"table": deck.table, "cards": list(deck.cards), "fields": list(deck.fields)}
        for deck in declared.decks.values()
    ]
    return {"fields": fields, "procedures": procedures, "decks": decks}


def _known(knowledge: Knowledge, procedure: str, slot: int) -> dict[str, list[Source]]:
    """Return what must have been seen to know a name, by the step that is under way."""
    found = {str(step): knowledge.find_sources(procedure, slot, step) for step in knowledge.list_stops(procedure)}
    return {step: sources for step, sources in found.items() if sources is not None}


def _guess(roll: Roll | None, kind: Type, rolls: Rolls) -> dict[str, Any]:
    return {"may": _may(kind, roll), **({"rolls": [format_roll(each) for each in rolls]} if rolls else {})}


def _may(kind: Type, roll: Roll | None) -> Any:
    """Return what a value of a type may be; None where there are no bounds to that. `roll` is any of the rules' own."""
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
