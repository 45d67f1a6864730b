"""The values of a game as text, as the player at the terminal may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.engine.narration.plain_names import capitalize

MOST_LISTED = 12
"""The maximum number of a player's own objects on a line, and of other objects. The rest are counted."""


def describe_table(view: Mapping[str, Any], without: str = "") -> list[str]:
    """Return a view as lines: one for each value of the game and each player, and one for the player's own objects.

    Other objects that are on no board have a line each. Values of the game that are hidden from the viewer are left
    out, and so are those that read as `without`.
    """
    lines = [f"{each['name']}: {each['value']}" for each in view["values"] if each["value"] not in ("hidden", without)]
    lines += describe_players(view)
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
    values = _join([each for each in entry["values"] if each["value"] != "hidden"])
    return f"{capitalize(entry['label'])}: {values}"


def describe_players(view: Mapping[str, Any]) -> list[str]:
    """Return a line with the values of each player that has any."""
    return [f"{each['name']}: {_join(each['values'])}" for each in view["players"] if each["values"]]


def _join(values: Sequence[Mapping[str, str]]) -> str:
    return "; ".join(f"{each['name']} {each['value']}" for each in values)


def _name_viewer(view: Mapping[str, Any]) -> str:
    """Return the name of the player who looks."""
    return next((str(each["name"]) for each in view["players"] if each["seat"] == view["seat"]), "you")
