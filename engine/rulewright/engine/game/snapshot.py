"""The state of a game as named data: complete snapshots for programs, short views for players."""

from __future__ import annotations

from typing import Any

from rulewright.engine.boards.board_contents import Board, list_boards
from rulewright.engine.game.decision import Decision, Result, build_decision, describe_source, find_seat
from rulewright.engine.narration.plain_names import Names, capitalize, list_fields, to_plain
from rulewright.engine.narration.redaction import HIDDEN, Seat, redact_value
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND, SEEN
from rulewright.language.types import PLAYER, ListOf, MapOf, RecordOf, Type, Unknown, present
from rulewright.language.visibility import SHOWN

FORMAT = 1
"""The version of snapshots and views. Keys may be added; existing keys never change their meaning or disappear."""


def take_snapshot(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the whole state by name: values of the game, objects with their fields, running procedures.

    With a seat, values hidden from that player are left out. Seat 0 is a spectator.
    """
    whole, ruleset, layout = state, state.machine.ruleset, state.machine.layout
    if seat is not None:
        state = redact_value(state, find_viewer(seat))
    names = Names.for_state(state)
    # Settings are fields of the game object, but the snapshot lists them under `options`.
    values = list_fields(ruleset.declarations, layout, GAME_KIND, state.objects[0])
    objects = {}
    for number, kind in enumerate(layout.names):
        if kind != GAME_KIND:
            objects[kind] = [
                {
                    "id": f"{kind}-{item}",
                    "label": names.name_entity(kind, item),
                    "fields": list_fields(ruleset.declarations, layout, kind, state.objects[item]),
                }
                for item in state.live[number]
            ]
    return {
        "format": FORMAT,
        "ruleset": ruleset.reference,
        "digest": ruleset.digest,
        "players": len(state.live[layout.kinds[PLAYER_KIND]]),
        "options": {name.partition(".")[2]: value for name, value in values.items() if name.startswith("options.")},
        **_stop(whole, seat),
        "values": {name: value for name, value in values.items() if not name.startswith("options.")},
        "objects": objects,
        "under_way": _under_way(whole, all_of_it=seat is None),
    }


def find_viewer(seat: int | None) -> Seat:
    """Return the object number of the player in a seat. None and seat 0 give None, a spectator."""
    return seat + FIRST_PLAYER - 1 if seat else None


EVERYTHING = "everything"
"""The value to pass instead of a seat for a view of everything."""


def view(state: State, viewer: int | str | None) -> dict[str, Any]:
    """Return the state in words, as a player in seat `viewer` sees it, from 1. None and 0 are a spectator.

    Only the deciding player, spectators and `EVERYTHING` get the options of a decision. `viewer` is not checked;
    `Game.view` does that.
    """
    ruleset = state.machine.ruleset
    seat = viewer if isinstance(viewer, int) and viewer else None
    stop = _stop(state, None if viewer == EVERYTHING else seat or 0)
    if viewer != EVERYTHING:
        state = redact_value(state, find_viewer(seat))
    names = Names.for_state(state)
    if seat is not None and stop["decision"] is not None and stop["decision"]["player"] != seat:
        stop["decision"]["options"] = []
    seats = [number - FIRST_PLAYER + 1 for number in state.live[state.machine.layout.kinds[PLAYER_KIND]]]
    boards = list_boards(state)
    yours = [] if seat is None else _list_owned(state, seat, names)
    listed = {each["id"] for each in yours}
    listed |= {f"{piece.kind}-{piece.entity}" for board in boards for each in board.pieces.values() for piece in each}
    return {
        "format": FORMAT,
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "seat": viewer or None,
        "your_turn": stop["decision"] is not None and stop["decision"]["player"] == seat,
        **stop,
        "values": _in_words(state, GAME_KIND, 0, names),
        "players": [
            {
                "seat": each,
                "name": names.name_player(each + FIRST_PLAYER - 1),
                "values": _in_words(state, PLAYER_KIND, each + FIRST_PLAYER - 1, names),
            }
            for each in seats
        ],
        "boards": [_board(board) for board in boards],
        "yours": yours,
        "objects": _list_loose(state, listed, names),
    }


def _stop(state: State, seat: int | None) -> dict[str, Any]:
    """Return the members `decision`, `chance` and `result` of the view. Those that do not apply are None.

    Without a seat, nothing is hidden. Options that would reveal a secret are listed for the deciding player only.
    """
    chance = None
    if state.mode == CHANCE:
        step = state.machine.step(state)
        chance = {"rule": step.rule if step is not None else "", "roll": describe_source(state.roll)}
        if seat is not None and step is not None and find_secrets(state.machine.ruleset).has_secret_rolls(step.number):
            chance["roll"] = "dice"
    winners = [find_seat(winner) for winner in state.winners or ()]
    decision = None
    if state.mode == DECISION:
        others = seat is not None and seat != find_seat(state.who)
        decision = (build_decision(state, find_viewer(seat)) if others else build_decision(state)).to_json()
    if decision is not None and seat not in (None, decision["player"]):
        step = state.machine.step(state)
        if step is not None and find_secrets(state.machine.ruleset).has_secret_offers(step):
            decision["options"] = []
    return {
        "decision": decision,
        "chance": chance,
        "result": {"winners": winners} if state.mode == OVER else None,
    }


def _under_way(state: State, *, all_of_it: bool) -> list[dict[str, Any]]:
    """Return the running procedures, outermost first: the current step of each, and its local names with their values.

    Names without a value are left out and, unless `all_of_it`, those with secret values.
    """
    ruleset = state.machine.ruleset
    results = []
    for procedure, frame, step in state.machine.iterate_frames(state):
        known = ruleset.procedures[procedure]
        secret = frozenset[int]() if all_of_it else find_secrets(ruleset).find_hidden_slots(procedure, frame)
        value = {
            name: to_plain(frame[slot], known.types.get(slot, Unknown()), ruleset.declarations)
            for slot, name in known.names.items()
            if "(" not in name and frame[slot] is not None and slot not in secret
        }
        results.append({"procedure": procedure, "step": step.id if step is not None else None, "names": value})
    return results


def _in_words(state: State, kind: str, entity: int, names: Names, *, without: str = "") -> list[dict[str, str]]:
    """Return the non-empty fields of an object, except `without`, by name and in words.

    Players and the game also list numbers that are 0. Settings and long lists are left out.
    """
    layout = state.machine.layout
    results = []
    for field in state.machine.ruleset.declarations.kinds[kind].fields.values():
        value = state.objects[entity][layout.places[kind, field.name]]
        counted = type(value) is int and kind in (GAME_KIND, PLAYER_KIND)
        if field.name.startswith(("options.", SHOWN, SEEN)) or field.name == without or not (value or counted):
            continue
        if isinstance(value, tuple) and _is_long(value, field.type):
            continue
        results.append(
            {"name": capitalize(names.name_field(kind, field.name)), "value": names.format_value(value, field.type)}
        )
    return results


def _is_long(value: tuple[Any, ...], type_: Type) -> bool:
    """Return whether a value is too long to read: a long list, or a list of maps, which only the rules look back at."""
    of_maps = isinstance(type_, ListOf) and isinstance(type_.inner, MapOf)
    return of_maps or (len(value) > MOST_LISTED and not isinstance(type_, MapOf | RecordOf))


MOST_LISTED = 12
"""The maximum length of a list in a view. Longer lists, mostly decks, are left out."""


def _list_owned(state: State, seat: int, names: Names) -> list[dict[str, Any]]:
    """Return the objects owned by a seat. The owner of an object is the first of its fields that holds a player."""
    layout, kinds = state.machine.layout, state.machine.ruleset.declarations.kinds
    player = seat + FIRST_PLAYER - 1
    results = []
    for number, kind in enumerate(layout.names):
        if kind in (GAME_KIND, PLAYER_KIND):
            continue
        owner = next((field.name for field in kinds[kind].fields.values() if present(field.type) == PLAYER), None)
        if owner is None:
            continue
        for item in state.live[number]:
            if state.objects[item][layout.places[kind, owner]] == player:
                label, value = names.name_entity(kind, item), _in_words(state, kind, item, names, without=owner)
                results.append({"id": f"{kind}-{item}", "kind": names.name_kind(kind), "label": label, "values": value})
    return results


def _list_loose(state: State, listed: set[str], names: Names) -> list[dict[str, Any]]:
    """Return the objects that the view does not list elsewhere, if the viewer sees a value of them."""
    layout, kinds = state.machine.layout, state.machine.ruleset.declarations.kinds
    results = []
    for number, kind in enumerate(layout.names):
        if kind in (GAME_KIND, PLAYER_KIND):
            continue
        places = [layout.places[kind, name] for name in kinds[kind].fields if not name.startswith((SHOWN, SEEN))]
        for item in state.live[number]:
            identity, values = f"{kind}-{item}", state.objects[item]
            if identity in listed or not any(values[place] is not HIDDEN and values[place] for place in places):
                continue
            if words := _in_words(state, kind, item, names):
                label = names.name_entity(kind, item)
                results.append({"id": identity, "kind": names.name_kind(kind), "label": label, "values": words})
    return results


def _board(board: Board) -> dict[str, Any]:
    """Return a board as JSON data, with its tiles in rows and the objects on them."""
    pieces = [
        {
            "tile": tile,
            "id": f"{piece.kind}-{piece.entity}",
            "label": piece.label,
            "icon": piece.icon,
            "name": piece.name,
            "seat": piece.seat,
        }
        for tile, standing in board.pieces.items()
        for piece in standing
    ]
    return {
        "table": board.table,
        "shape": board.shape.name,
        "tiles": [list(row) for row in board.tiles],
        "pieces": pieces,
    }


def render_html(state: State, decision: Decision | None, result: Result | None) -> str:
    """Return the boards of a state as pictures, and its pending decision or its result, as HTML."""
    from html import escape

    from rulewright.engine.boards.nongrid_svg import draw_nongrid_board

    pictures = [draw_nongrid_board(board, title=state.machine.ruleset.title) for board in list_boards(state)]
    if decision is not None:
        options = ", ".join(option.label for option in decision.options[:8])
        text = f"Player {decision.player}: {decision.ask} ({options})"
    elif result is None:
        text = "The next step is a roll or a draw."
    else:
        text = f"Won by {result.winners}." if result.winners else "A draw."
    return "".join([*pictures, f"<p>{escape(text)}</p>"])
