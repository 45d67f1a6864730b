"""The values of a game as text, as the player at the terminal may see them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import FIRST_PLAYER, GAME, GAME_KIND, PLAYER_KIND
from rulewright.language.types import ListOf, Row
from rulewright.ruleset.ruleset import Ruleset

DecksLeft = Mapping[tuple[int, str], int]
"""The number of cards in each deck, by the seat of its owner (0 for the game) and its name."""

NO_DECKS: DecksLeft = MappingProxyType({})

MOST_LISTED = 12
"""The maximum number of a player's own objects on a line, and of other objects. The rest are counted."""


def describe_table(view: Mapping[str, Any], without: str = "", left: DecksLeft = NO_DECKS) -> list[str]:
    """Return a view as lines: one for each value of the game and each player, and one for the player's own objects.

    Other objects that are on no board have a line each. Values of the game that are hidden from the viewer are left
    out, and so are those that read as `without`. Of a hidden deck, the number of cards is shown, as in `left`.
    """
    known = (each for each in view["values"] if each["value"] != "hidden" or (0, each["name"]) in left)
    lines = [_describe_value(each, 0, left, ": ") for each in known if each["value"] != without]
    lines += describe_players(view, left)
    own = [each["label"] for each in view["yours"]]
    if own:
        more = f" and {len(own) - MOST_LISTED} more" if len(own) > MOST_LISTED else ""
        lines.append(f"Owned by {_name_viewer(view)}: {', '.join(own[:MOST_LISTED])}{more}")
    lines += [_describe_object(each) for each in view["objects"][:MOST_LISTED]]
    if len(view["objects"]) > MOST_LISTED:
        lines.append(f"and {len(view['objects']) - MOST_LISTED} more objects")
    return lines


def _describe_object(entry: Mapping[str, Any]) -> str:
    """Return an object with the values that the viewer sees."""
    values = (_describe_value(each, 0, NO_DECKS, " ") for each in entry["values"] if each["value"] != "hidden")
    return f"{capitalize(entry['label'])}: {'; '.join(values)}"


def describe_open_lists(view: Mapping[str, Any], ruleset: Ruleset) -> list[str]:
    """Return a line for each list of the game that lies open beside the board, such as a display of cards.

    Lists whose changes the log leaves out are only for the rules, and those of spaces are on the board.
    """
    declared, names = ruleset.declarations, Names(ruleset)
    names_of_lists = set()
    for field in declared.kinds[GAME_KIND].fields.values():
        match field.type:
            case ListOf(inner=Row(table=table)) if declared.tables[table].is_board:
                continue
            case ListOf() if "." not in field.name and (any(field.log.values()) or not field.log):
                names_of_lists.add(capitalize(names.name_field(GAME_KIND, field.name)))
    return [
        f"{each['name']}: {each['value']}"
        for each in view["values"]
        if each["name"] in names_of_lists and each["value"] != "hidden"
    ]


def describe_players(view: Mapping[str, Any], left: DecksLeft = NO_DECKS) -> list[str]:
    """Return a line with the values of each player that has any. Of a hidden deck, this is the number of cards."""
    return [
        f"{each['name']}: {'; '.join(_describe_value(value, each['seat'], left, ' ') for value in each['values'])}"
        for each in view["players"]
        if each["values"]
    ]


def count_decks(state: State) -> DecksLeft:
    """Return the number of cards in each deck of the game and of the players, which everybody may know."""
    layout, names = state.machine.layout, Names(state.machine.ruleset)
    owners = {GAME_KIND: [GAME], PLAYER_KIND: state.live[layout.kinds[PLAYER_KIND]]}
    return {
        (owner - FIRST_PLAYER + 1 if owner else 0, capitalize(names.name_field(deck.kind, deck.fields[0]))): sum(
            len(state.objects[owner][layout.places[deck.kind, field]]) for field in deck.fields
        )
        for deck in state.machine.ruleset.declarations.decks.values()
        for owner in owners.get(deck.kind, ())
    }


def _describe_value(named: Mapping[str, str], seat: int, left: DecksLeft, joint: str) -> str:
    """Return a value with its name. `seat` is that of its player, or 0 for a value of the game."""
    count = left.get((seat, named["name"])) if named["value"] == "hidden" else None
    return f"{named['name']}{joint}{named['value'] if count is None else f'{count} left'}"


def _name_viewer(view: Mapping[str, Any]) -> str:
    """Return the name of the player who looks."""
    return next((str(each["name"]) for each in view["players"] if each["seat"] == view["seat"]), "you")
