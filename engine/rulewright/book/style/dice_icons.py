"""Dice as drawings: by how many sides they have, in the line of the icons, under names that no term can have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rulewright.dice.ast import Die, Roll
from rulewright.dice.sampling.roll_dice import list_pools

ANY = "-die"
"""The icon of any roll."""


def _die(outline: str, inside: str = "") -> str:
    return f'<path d="{outline}" fill="currentColor" fill-opacity=".16"/>' + (f'<path d="{inside}"/>' if inside else "")


_CUBE = "M6.5 3.5h11a3 3 0 0 1 3 3v11a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3v-11a3 3 0 0 1 3-3z"
_KITE = "M12 2 21 10v4l-9 8-9-8v-4z"

_SHAPES: Mapping[str, str] = {
    ANY: _die(_CUBE) + '<path d="M8 8h.01M16 8h.01M12 12h.01M8 16h.01M16 16h.01" stroke-width="2.6"/>',
    "-d2": '<circle cx="12" cy="12" r="9" fill="currentColor" fill-opacity=".16"/><path d="M12 3v18M7 9v6"/>',
    "-d4": _die("M12 2.5 22 20H2z", "M12 2.5 14.5 14 22 20M14.5 14 2 20"),
    "-d6": _die(_CUBE) + '<path d="M8 7.5h.01M8 12h.01M8 16.5h.01M16 7.5h.01M16 12h.01M16 16.5h.01" '
    'stroke-width="2.6"/>',
    "-d8": _die("M12 2 21 8v8l-9 6-9-6V8z", "M12 2 3 16h18z"),
    "-d10": _die(_KITE, "M12 2 6.5 12 12 16l5.5-4zM6.5 12 3 14M17.5 12l3.5 2M12 16v6"),
    "-d12": _die(
        "M12 2l5.9 1.9L21.5 9v6l-3.6 5.1L12 22l-5.9-1.9L2.5 15V9l3.6-5.1z",
        "M12 7l4.8 3.5L15 16.1H9L7.2 10.5zM12 7V2M16.8 10.5 21.5 9M15 16.1l2.9 4M9 16.1l-2.9 4M7.2 10.5 2.5 9",
    ),
    "-d20": _die(
        "M12 2l8.7 5v10L12 22l-8.7-5V7z",
        "M12 7 7 15.5h10zM12 7V2M12 7l8.7 0M12 7 3.3 7M7 15.5 3.3 7"
        "M7 15.5 3.3 17M7 15.5 12 22M17 15.5 20.7 7M17 15.5l3.7 1.5M17 15.5 12 22",
    ),
    "-d100": _die(
        "M8 2.5 14 8v3l-6 5.5L2 11V8zM16.5 8.5 22 13.5v3l-5.5 5-5.5-5v-3z",
        "M8 2.5 4.8 9.3 8 12l3.2-2.7z",
    ),
}
_SIDES = {2: "-d2", 4: "-d4", 6: "-d6", 8: "-d8", 10: "-d10", 12: "-d12", 20: "-d20", 100: "-d100"}

_LOOKS = 'fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'

DICE: Mapping[str, str] = MappingProxyType(
    {
        name: f'<symbol id="i-{name}" viewBox="0 0 24 24"><g {_LOOKS}>{shapes}</g></symbol>'
        for name, shapes in _SHAPES.items()
    }
)
"""Every drawing of a die, by name, as a symbol for a sprite."""


def name_die_icon(die: Die) -> str:
    """Return the name of the icon of a die, by its number of sides if there is such a die."""
    return _SIDES.get(len((die.made_of or die).faces), ANY)


def roll_picture(roll: Roll | None) -> str:
    """Return the name of the icon of a roll: of its dice if they are all equal, or else a general one."""
    result = {name_die_icon(pool.die) for pool in list_pools(roll)} if roll is not None else set()
    return result.pop() if len(result) == 1 else ANY
