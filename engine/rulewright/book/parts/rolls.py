"""The rolls that a book shows: each once, with its odds, for the page of odds and for the pages that can roll it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulewright.book.parts.odds import Odds, odds_of
from rulewright.book.style.places import ODDS
from rulewright.dice.data import data, number
from rulewright.dice.errors import DiceError
from rulewright.dice.text import text as dice_text
from rulewright.dice.tree import Roll

_NAMES = str.maketrans({" ": "", ">": "gt", "<": "lt"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A roll of the book, with its odds; `id` is its fragment on the page of odds."""

    id: str
    text: str
    roll: Roll
    odds: Odds


class Rolls:
    """The rolls of one book, in the order in which its pages first show them."""

    def __init__(self) -> None:
        self._shown: dict[str, Shown | None] = {}
        self._used: dict[str, dict[str, str]] = {}
        self._linked: dict[str, dict[str, Shown]] = {}

    def linker(self, file: str) -> Callable[[Roll], str | None]:
        """How the page in `file` links to the odds of a roll; None for odds that would be too large to show."""
        page = "" if file == ODDS else ODDS
        linked = self._linked.setdefault(file, {})

        def link(roll: Roll) -> str | None:
            shown = self._find(roll)
            if shown is None:
                return None
            linked.setdefault(shown.id, shown)
            return f"{page}#{shown.id}"

        return link

    def _find(self, roll: Roll) -> Shown | None:
        identity = f"roll-{dice_text(roll).translate(_NAMES)}"
        if identity not in self._shown:
            try:
                self._shown[identity] = Shown(identity, dice_text(roll), roll, odds_of(roll))
            except DiceError:
                self._shown[identity] = None
        return self._shown[identity]

    def on(self, file: str) -> tuple[Shown, ...]:
        """The rolls whose odds the page in `file` links to."""
        return tuple(self._linked[file].values())

    def note(self, file: str, title: str) -> None:
        """Remember that the page in `file` shows the rolls whose odds it links to."""
        for shown in self.on(file):
            self._used.setdefault(shown.id, {})[file] = title

    @property
    def used(self) -> Mapping[str, Mapping[str, str]]:
        """By the id of each roll that a page shows: the title of every such page, by its file."""
        return MappingProxyType(self._used)

    def all(self) -> tuple[Shown, ...]:
        """Every roll that a page shows."""
        return tuple(shown for shown in self._shown.values() if shown is not None and shown.id in self._used)


def island(rolls: tuple[Shown, ...]) -> str:
    """The data with which a page draws and rolls its dice; empty if it shows none."""
    if not rolls:
        return ""
    # A `<` could end the element early.
    plain = json.dumps([_plain(shown) for shown in rolls], ensure_ascii=False, separators=(",", ":"))
    return f'<script type="application/json" id="rw-rolls">{plain.replace("<", chr(92) + "u003c")}</script>'


def _plain(shown: Shown) -> list[object]:
    odds = shown.odds
    leasts, greatests = [number(bar.least) for bar in odds.bars], [number(bar.greatest) for bar in odds.bars]
    counts = [number(bar.count) for bar in odds.bars]
    bars = [leasts, counts, number(odds.denominator), *([greatests] if greatests != leasts else [])]
    return [shown.id, shown.text, data(shown.roll), odds.range, odds.mean, odds.deviation, bars]
