"""The data a host needs about a module: everything in a ruleset except code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rulewright.ai import bots
from rulewright.base.errors import RulewrightError
from rulewright.base.resources import get_version
from rulewright.dice.format_notation import format_roll as notation
from rulewright.engine.game.decision import list_known_slots
from rulewright.engine.game.type_data import to_data, type_of
from rulewright.engine.narration.reporting_operations import (
    find_changed_name,
    find_element_type,
    find_object_kind,
    find_reporting_operation,
    find_signs,
    list_writing_operations,
)
from rulewright.engine.narration.rich_text import capitalize_term, to_text
from rulewright.engine.narration.ruleset_words import strip_article
from rulewright.engine.wasm_backend.codegen.debug_info import Site
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, BLOCK, KINDS_OF_ROLL, NONE, STATE
from rulewright.engine.wasm_backend.fault_messages import FAULTS
from rulewright.engine.wasm_backend.initial_state import InitialLayout
from rulewright.engine.wasm_backend.module_assembly import ModuleInfo
from rulewright.export.js_files import translate_log_messages
from rulewright.export.phrase_data import Phrases
from rulewright.export.wasm_module import RequestTable
from rulewright.ir.analyses.information_flow import Secrets, find_secrets
from rulewright.ir.analyses.suspension_points import find_stops
from rulewright.ir.frame_slots import find_slot_types
from rulewright.language import operations as op
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Field, Kind, Table
from rulewright.language.expressions.expression_cost import CROWD, LONGEST_LIST, MOST_IN_A_MOVE, MOST_OBJECTS
from rulewright.language.lowering import (
    answer_type,
    find_called_procedure,
    find_option_type,
    find_subsets,
    list_asks,
    list_offers,
    list_operations,
)
from rulewright.language.operations import MOST_OPTIONS, Operation
from rulewright.ruleset.prose.book_language import ENGLISH, find_language
from rulewright.ruleset.ruleset import Ruleset

_STEP_WORDS = {"title": "title", "ask": "ask", "none": "none", "log": "tells"}
"""The words of a step that are exported, each with its key in the data."""

FORMAT = 3
"""The version of the format."""


def build_interface(ruleset: Ruleset, module_info: ModuleInfo, requests: RequestTable) -> dict[str, Any]:
    """Return the interface data of a ruleset's module, as JSON data.

    `requests` are the requests that the module answers.
    """
    phrases = Phrases(ruleset)
    declared = ruleset.declarations
    secrets = find_secrets(ruleset)
    results = {
        "format": FORMAT,
        "engine": get_version(),
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "about": ruleset.about,
        "digest": ruleset.digest,
        "players": list(ruleset.players),
        "start": ruleset.start,
        "judged": ruleset.evaluate is not None,
        "hidden": secrets.any,
        "bots": _bots(ruleset),
        "weights": {name: [term.worth for term in each.terms.values()] for name, each in ruleset.weights.items()},
        "options": {
            each.id: {
                "title": phrases.add(each.title),
                "default": each.default,
                "choices": phrases.add_all(each.choices),
                "may_change": each.may_change,
            }
            for each in declared.options.values()
        },
        "simulations": dict(ruleset.simulations),
        "measures": list(ruleset.measures),
        "clocked": [each.id for each in ruleset.measures.values() if each.per is not None],
        "terms": {
            each.id: {"name": each.name, "plural": each.plural, "icon": each.icon, "means": each.means}
            for each in declared.terms.values()
        },
        "counted": {name: term.id for name, term in phrases.say.counted.items()},
        "tables": {name: _table(each, phrases) for name, each in declared.tables.items()},
        "records": {
            each.id: {
                "parts": [[part, type_of(kind)] for part, kind in each.type.parts],
                "label": phrases.label(each.label, [part for part, _ in each.type.parts]) if each.label else None,
                "said": phrases.add_all(each.wording),
                "called": phrases.add_all(each.called),
            }
            for each in declared.records.values()
        },
        "kinds": [
            _kind(declared.kinds[name], phrases, requests, secrets.fields[name]) for name in module_info.layout.kinds
        ],
        "decks": {each.id: {"title": each.title, "table": each.table} for each in declared.decks.values()},
        "procedures": [_procedure(ruleset, module_info, name, phrases) for name in module_info.order],
        "steps": {
            str(step.number): _step(ruleset, module_info, step, phrases, requests)
            for step in sorted(ruleset.steps.values(), key=lambda each: each.number)
        },
        "events": [_site(each, phrases, secrets) for each in module_info.sites.events],
        "dice": {str(at): die.name for at, die in module_info.layout.dice.items()},
        "rolls": {str(at): notation(roll) for at, roll in module_info.layout.rolls.items()},
        "kinds_of_roll": [kind.__name__.lower() for kind in KINDS_OF_ROLL],
        "words": list(module_info.layout.words),
        "faults": list(FAULTS),
        "layout": _layout(module_info),
        "fresh": _fresh(ruleset, module_info),
        "limits": {
            "work": MOST_IN_A_MOVE,
            "objects": MOST_OBJECTS,
            "list": LONGEST_LIST,
            "crowd": CROWD,
            "options": MOST_OPTIONS,
        },
    }
    return {**results, **_language(ruleset), "templates": phrases.templates, "named": phrases.named}


def _language(ruleset: Ruleset) -> dict[str, Any]:
    """Return the sentences of the log in the language of a translation, or nothing in English."""
    language = find_language(ruleset)
    if language is ENGLISH:
        return {}
    messages = translate_log_messages(language)
    return {"language": {"tag": language.tag, "and": language.conjunction, "messages": messages}}


def _bots(ruleset: Ruleset) -> dict[str, Any]:
    """Return the bots that can play inside the module, with the data needed to seat each of them.

    A bot is left out if the ruleset lacks its requirements.
    """
    results = {}
    for name in bots.list_names():
        try:
            bot = bots.inside(name, ruleset)
            bots.make(name, ruleset, seed=0, seat=1)
        except RulewrightError:
            continue
        if bot is not None:
            results[name] = {
                "does": bots.get_help(name),
                "number": bot.kind,
                "setting": bot.setting,
                "most": bots.find_limit(name),
                "judges": bots.judges_positions(name),
                "learned": name == bots.LEARNED,
            }
    return results


def _layout(module_info: ModuleInfo) -> dict[str, Any]:
    """Return the addresses, sizes and constants with which JavaScript reads the module's memory."""
    layout = module_info.layout
    return {
        "at": dict(AT),
        "state": STATE,
        "live": layout.live,
        "kept": layout.kept,
        "kept_words": layout.kept_words,
        "game": layout.game,
        "game_size": layout.game_size,
        "players": layout.players,
        "player_size": layout.player_size,
        "frames": layout.frames,
        "heap": layout.heap,
        "free": layout.end,
        # Too large for a JavaScript number, which would be rounded.
        "none": str(NONE),
        "block": str(BLOCK),
    }


def _fresh(ruleset: Ruleset, module_info: ModuleInfo) -> dict[str, list[str]]:
    """Return the initial memory words of a new game, by number of players. Empty for a ruleset without `start`.

    They are texts, because many JSON readers cannot represent such large numbers.
    """
    if ruleset.start is None:
        return {}
    beginning = InitialLayout.for_module(module_info)
    fewest, most = ruleset.players
    return {str(seats): [str(word) for word in beginning.build_words(seats)] for seats in range(fewest, most + 1)}


def _table(table: Table, phrases: Phrases) -> dict[str, Any]:
    """Return the data of a table. The titles of its rows go to `phrases`."""
    return {
        "title": table.title,
        "roll": None if table.roll is None else notation(table.roll),
        "columns": {name: type_of(kind) for name, kind in table.columns.items()},
        "rows": [
            {
                "id": row.id,
                "title": phrases.add(row.title),
                "cells": {name: to_data(cell) for name, cell in row.cells.items()},
            }
            for row in table.rows.values()
        ],
        "faces": {str(face): row for face, row in table.by_face.items()},
        "placements": None if table.placements is None else asdict(table.placements),
    }


def _kind(kind: Kind, phrases: Phrases, requests: RequestTable, secret: Iterable[str]) -> dict[str, Any]:
    """Return the data of an object type. Its texts go to `phrases`. `secret` has the names of its hidden fields."""
    hidden = frozenset(secret)
    return {
        "id": kind.id,
        "term": kind.term,
        "means": kind.means,
        "labels": phrases.add_all(kind.labels),
        "said": phrases.add_all(
            {name: strip_article(noun, phrases.language) for name, noun in kind.wording.items()}
            or {"several": kind.plural.replace("_", " ")}
        ),
        "tells": phrases.add_all(kind.log),
        "fields": [_field(each, kind.id, phrases, requests, each.name in hidden) for each in kind.fields.values()],
    }


def _field(field: Field, kind: str, phrases: Phrases, requests: RequestTable, hidden: bool) -> dict[str, Any]:
    """Return the data of a field of the object type `kind`. Its texts go to `phrases`.

    `hidden` says whether some players may not see it.
    """
    return {
        "name": field.name,
        "type": type_of(field.type),
        "default": to_data(field.default),
        "minimum": field.minimum,
        "said": phrases.add(field.wording),
        "unit": phrases.add(field.unit),
        "one": phrases.add(field.unit_of_one),
        "clauses": phrases.add_all(field.clauses),
        "tells": phrases.add_all(field.log),
        "hidden": hidden,
        "viewers": requests.find_viewer(kind, field.name),
    }


def _procedure(ruleset: Ruleset, module_info: ModuleInfo, name: str, phrases: Phrases) -> dict[str, Any]:
    """Return the data of a procedure: its slots, results and the names of its secrets. Its texts go to `phrases`."""
    procedure, routines = ruleset.procedures[name], module_info.layout.program.routines
    routine = routines[name]
    secret = find_secrets(ruleset).find_slots(name)
    return {
        "id": name,
        "title": phrases.add(procedure.words.get("title", "")),
        "size": routine.size,
        "parameters": [parameter for parameter, _ in routine.parameters],
        "slots": {str(slot): type_of(kind) for slot, kind in sorted(find_slot_types(routine, routines).items())},
        "names": {str(slot): each for slot, each in procedure.names.items()},
        "called": phrases.add_all(procedure.called),
        "clauses": {each: phrases.add_all(clauses) for each, clauses in procedure.clauses.items()},
        "gives": [[each, type_of(value.type)] for each, value in routine.gives],
        "hidden": sorted({procedure.names[slot] for slot in secret if slot in procedure.names}),
    }


def _step(
    ruleset: Ruleset, module_info: ModuleInfo, step: Step, phrases: Phrases, requests: RequestTable
) -> dict[str, Any]:
    """Return the data of a step with its pause points and, if it asks a player, the question.

    Its texts go to `phrases`.
    """
    routine = module_info.layout.program.routines[step.procedure]
    stops = zip(
        find_stops(routine).get(step.number, ()), [each for each in list_operations(step) if each.suspends], strict=True
    )
    words = {_STEP_WORDS[name]: phrases.add(each) for name, each in step.words.items() if name in _STEP_WORDS}
    results: dict[str, Any] = {
        "id": step.id,
        "rule": step.rule,
        "procedure": step.procedure,
        "verb": step.verb.name,
        "words": words,
        "hidden": step.hidden,
        "calls": find_called_procedure(step),
        "stops": [_stop(compiled, plain, phrases, requests, find_secrets(ruleset)) for compiled, plain in stops],
    }
    if list_asks(step):
        say = phrases.say
        prompt = say.render_words(step.words.get("ask", "")) or say.render_words(step.words.get("title", ""))
        results["ask"] = to_text(capitalize_term(prompt)) or step.id
        results["ids"] = type_of(find_option_type(step))
        results["about"] = [[slot, name, type_of(kind)] for slot, name, kind in list_known_slots(ruleset, step)]
    return results


def _stop(
    compiled: Operation[Any], plain: Operation[Any], phrases: Phrases, requests: RequestTable, secrets: Secrets
) -> dict[str, Any]:
    """Return the data of a pause point: its kind, and the types of its options and answer, or of the cards drawn from.

    A decision also has its labels, which are added to `phrases`, and its costs by request number, without those that
    depend on a secret.

    Args:
        compiled: The operation of the program, which has the types.
        plain: The same operation of the checked step, which has the offers.
        phrases: The phrases of the module, which grow.
        requests: The numbered requests of the module.
        secrets: The secret names of the rules.
    """
    results: dict[str, Any] = {"is": type(plain).__name__.lower()}
    match compiled, plain:
        case op.Ask(options=options), op.Ask() as ask:
            results["options"] = type_of(options.type)
            results["answer"] = type_of(answer_type(ask))
            if (subsets := find_subsets(ask)) is not None:
                results["subset"] = "in_order" if subsets.in_order else True
            results["offers"] = {offer.id: phrases.add(offer.label) for offer in list_offers(ask) if offer.label}
            results["costs"] = _costs(ask, ask.costs, requests, secrets)
            costs = {offer.id: offer.costs for offer in list_offers(ask) if offer.costs}
            results["costs_of"] = {each: _costs(ask, own, requests, secrets) for each, own in costs.items()}
        case op.Draw(among=among), op.Draw():
            results["among"] = type_of(among.type)
    return results


def _costs(ask: op.Ask[Any], costs: op.Costs, requests: RequestTable, secrets: Secrets) -> list[list[Any]]:
    """Return the costs as pairs of name and request number, without those that depend on a secret."""
    return [
        [name, requests.find_cost(amount)]
        for name, amount in costs
        if not secrets.reads_secret(amount, ask.step.procedure)
    ]


def _site(site: Site, phrases: Phrases, secrets: Secrets) -> dict[str, Any]:
    """Return the data of an event site: its step, its details, and the texts and types of its event.

    The labels of options are added to `phrases`.
    """
    compiled, step = site.operation, site.operation.step
    results: dict[str, Any] = {
        "step": step.number,
        "event": compiled.event_kind,
        "details": [type_of(kind) for kind in site.details],
        "seen": getattr(compiled, "viewers", None) is not None,
    }
    if isinstance(compiled, op.Write | op.Bind):
        results["name"] = name = find_changed_name(compiled)
        results["thing"] = isinstance(compiled, op.Write)
        kind = compiled.kind if isinstance(compiled, op.Write) else None
        several = list_writing_operations(step, kind, name, of_row=compiled.row is not None)
        plain: Operation[Any] = several[0]
        results["by"] = find_signs(several)
    else:
        plain = find_reporting_operation(step, compiled.event_kind, find_object_kind(compiled))
    match plain:
        case op.Ask():
            results["type"] = type_of(find_element_type(plain.options.type))
            results["offers"] = {offer.id: phrases.add(offer.label) for offer in list_offers(plain)}
        case op.Chance(table=table):
            results["table"], results["secret"] = table, secrets.has_secret_rolls(step.number)
        case op.Draw(among=among, deck=deck):
            results["type"], results["deck"] = type_of(find_element_type(among.type)), bool(deck)
        case op.Create(kind=kind):
            results["kind"] = kind
        case op.Remove(entity=entity):
            results["type"] = type_of(find_element_type(entity.type))
        case op.Write(kind=kind, type=type_, table=table):
            results.update(kind=kind, type=type_of(type_), table=table)
            results["secret"] = secrets.has_secret_object(step.number, kind, name)
        case op.Bind(type=type_, table=table):
            results.update(kind="", type=type_of(type_), table=table)
        case op.Reveal(answers=answers):
            results["type"] = type_of(answers.type)
            ask = list_asks(step)[0]
            results["asked"] = {
                "type": type_of(find_element_type(ask.options.type)),
                "offers": {offer.id: phrases.add(offer.label) for offer in list_offers(ask)},
            }
        case op.Announce(text=text, names=names, given=given):
            results["text"], results["names"] = phrases.add(text), list(names)
            results["secrets"] = [secrets.reads_secret(value, step.procedure) for value in given]
        case op.Call(procedure=procedure):
            results["procedure"] = procedure
    return results
