"""The rolls of a book with their odds, as numbers in words and as bars of a chart."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from types import MappingProxyType

from rulewright.book.style.rule_locations import ODDS
from rulewright.book.style.text_style import format_range
from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.dice.serialize import number, to_data

MOST_BARS = 60
"""Maximum number of bars. With more outcomes, each bar covers a range of equal length."""

WIDTH, HEIGHT = 480, 120
"""The size of a chart in SVG units."""

_MOST_LABELS = 9
"""Maximum number of labels below a chart."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, for the totals from `least` to `greatest`.

    `count` is the number of ways to roll them. `or_more` is the number of ways to roll at least `least`.
    """

    least: int
    greatest: int
    count: int
    or_more: int

    @property
    def label(self) -> str:
        """The totals as text, such as `7` or `7–9`."""
        return str(self.least) if self.least == self.greatest else f"{self.least}–{self.greatest}"


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a roll, with its range, mean and standard deviation as text, and its bars over one denominator.

    `usual` has the bars of the totals within one standard deviation of the mean, or all bars if there are none.
    """

    range: str
    mean: str
    deviation: str
    bars: tuple[Bar, ...]
    usual: tuple[Bar, ...]
    denominator: int

    @property
    def is_even(self) -> bool:
        """Whether every result is as likely as any other, so that a chart would say nothing."""
        return len({bar.count for bar in self.bars}) == 1 and all(bar.least == bar.greatest for bar in self.bars)


@dataclass(frozen=True, slots=True)
class BarView:
    """A bar with its position in the drawing and its texts. `mark` is the label below it, which may be empty."""

    label: str
    x: str
    width: str
    y: str
    height: str
    mark: str
    middle: str
    chance: str
    fraction: str
    at_least: str
    is_usual: bool


def compute_odds(roll: Roll) -> Odds:
    """Return the exact odds of `roll`.

    Raises `DiceError` if they exceed the limits of exact odds.
    """
    distribution = compute_distribution(roll)
    mean, variance = distribution.mean, distribution.variance
    bars = _bars(distribution.outcomes, distribution.counts)
    usual = tuple(bar for bar in bars if (Fraction(bar.least + bar.greatest, 2) - mean) ** 2 <= variance)
    return Odds(
        format_range(roll),
        _mean(mean),
        f"{sqrt(variance):.2f}",
        bars,
        usual or bars,
        distribution.denominator,
    )


def _bars(outcomes: Sequence[int], counts: Sequence[int]) -> tuple[Bar, ...]:
    """Return at most `MOST_BARS` bars for the outcomes of a roll, each for one or for several neighbouring outcomes."""
    together = -(-len(outcomes) // MOST_BARS)
    starts = range(0, len(outcomes), together)
    joined = [sum(counts[start : start + together]) for start in starts]
    above = [*accumulate(reversed(joined))][::-1]
    return tuple(
        Bar(outcomes[start], outcomes[min(start + together, len(outcomes)) - 1], count, more)
        for start, count, more in zip(starts, joined, above, strict=True)
    )


def _mean(value: Fraction) -> str:
    """Return the mean in decimals. It begins with `about` if four decimals are not exact."""
    shown = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return shown if Fraction(shown) == value else f"about {shown}"


def build_bar_views(odds: Odds) -> tuple[BarView, ...]:
    """Return the bars, placed in a chart of `WIDTH` by `HEIGHT`. The script of the page uses the same layout."""
    slot = WIDTH / len(odds.bars)
    most = max(bar.count for bar in odds.bars)
    stride = -(-len(odds.bars) // _MOST_LABELS)
    usual = frozenset(odds.usual)
    views = []
    for place, bar in enumerate(odds.bars):
        height = HEIGHT * bar.count / most
        views.append(
            BarView(
                bar.label,
                f"{place * slot + slot * 0.1:.4g}",
                f"{slot * 0.8:.4g}",
                f"{HEIGHT - height:.4g}",
                f"{height:.4g}",
                str(bar.least) if place % stride == 0 else "",
                f"{place * slot + slot / 2:.4g}",
                format_chance(bar.count, odds.denominator),
                str(Fraction(bar.count, odds.denominator)),
                format_chance(bar.or_more, odds.denominator),
                bar in usual,
            )
        )
    return tuple(views)


def describe_usual(odds: Odds) -> str:
    """Return the totals that most rolls are, with their chance: `5 to 9: 67 %`."""
    usual = odds.usual
    share = format_chance(sum(bar.count for bar in usual), odds.denominator)
    least, greatest = usual[0].least, usual[-1].greatest
    return f"{least} to {greatest}: {share}" if least != greatest else f"{least}: {share}"


def format_chance(count: int, denominator: int) -> str:
    """Return a chance in percent with two decimals, rounded half up.

    A positive chance is never shown as 0, and an uncertain one never as 100.
    """
    hundredths = (count * 20_000 + denominator) // (2 * denominator)
    if hundredths == 0 and count > 0:
        return "under 0.01 %"
    if hundredths == 10_000 and count < denominator:
        return "over 99.99 %"
    return f"{hundredths // 100}.{hundredths % 100:02} %"


_NAMES = str.maketrans({" ": "", ">": "gt", "<": "lt"})


@dataclass(frozen=True, slots=True)
class PageRoll:
    """A roll of the book with its odds. `id` is its anchor on the odds page."""

    id: str
    text: str
    roll: Roll
    odds: Odds


class Rolls:
    """The rolls of one book, in the order in which its pages first show them."""

    def __init__(self) -> None:
        self._shown: dict[str, PageRoll | None] = {}
        self._used: dict[str, dict[str, str]] = {}
        self._linked: dict[str, dict[str, PageRoll]] = {}

    def linker(self, file: str) -> Callable[[Roll], str | None]:
        """Return a function that links the page in `file` to the odds of a roll and registers the roll.

        The function returns None if the odds exceed the limits.
        """
        page = "" if file == ODDS else ODDS
        linked = self._linked.setdefault(file, {})

        def link(roll: Roll) -> str | None:
            shown = self._find(roll)
            if shown is None:
                return None
            linked.setdefault(shown.id, shown)
            return f"{page}#{shown.id}"

        return link

    def _find(self, roll: Roll) -> PageRoll | None:
        """Return a roll with its odds, computed once, or None if the odds exceed the limits."""
        identity = f"roll-{dice_text(roll).translate(_NAMES)}"
        if identity not in self._shown:
            try:
                self._shown[identity] = PageRoll(identity, dice_text(roll), roll, compute_odds(roll))
            except DiceError:
                self._shown[identity] = None
        return self._shown[identity]

    def on(self, file: str) -> tuple[PageRoll, ...]:
        """Return the rolls whose odds the page in `file` links to.

        Raises `KeyError` if no linker exists for the page.
        """
        return tuple(self._linked[file].values())

    def note(self, file: str, title: str) -> None:
        """Record the title of the page in `file` for all rolls whose odds it links to."""
        for shown in self.on(file):
            self._used.setdefault(shown.id, {})[file] = title

    @property
    def used(self) -> Mapping[str, Mapping[str, str]]:
        """The titles of the pages that show each roll, by the id of the roll and the file of the page."""
        return MappingProxyType(self._used)

    def all(self) -> tuple[PageRoll, ...]:
        """Return every roll that a recorded page shows."""
        return tuple(shown for shown in self._shown.values() if shown is not None and shown.id in self._used)


def build_data_island(rolls: tuple[PageRoll, ...]) -> str:
    """Return the HTML element with the data for drawing and rolling dice, or an empty string without rolls."""
    if not rolls:
        return ""
    # A `<` in the data could end the element early.
    plain = json.dumps([_plain(shown) for shown in rolls], ensure_ascii=False, separators=(",", ":"))
    return f'<script type="application/json" id="rw-rolls">{plain.replace("<", chr(92) + "u003c")}</script>'


def _plain(shown: PageRoll) -> list[object]:
    """Return the data of a roll as the script of the page expects it.

    It has the id, the text, the roll, the range, the mean, the deviation and the bars. These have their lowest totals,
    their counts, the denominator and, if bars join several totals, their highest totals.
    """
    odds = shown.odds
    leasts, greatests = [number(bar.least) for bar in odds.bars], [number(bar.greatest) for bar in odds.bars]
    counts = [number(bar.count) for bar in odds.bars]
    bars = [leasts, counts, number(odds.denominator), *([greatests] if greatests != leasts else [])]
    return [shown.id, shown.text, to_data(shown.roll), odds.range, odds.mean, odds.deviation, bars]
