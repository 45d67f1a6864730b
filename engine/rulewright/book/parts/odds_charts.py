"""The rolls of a book with their odds, as numbers in words and as bars of a chart."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from types import MappingProxyType

from rulewright.base.lazy import lazy_property
from rulewright.book.style.rule_locations import ODDS
from rulewright.book.style.text_style import format_integer, format_range, translate_number
from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.dice.serialize import number, to_data
from rulewright.ruleset.prose.book_language import ENGLISH, Language

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
        least, greatest = format_integer(self.least), format_integer(self.greatest)
        return least if least == greatest else f"{least}–{greatest}"


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a roll, with its mean and variance, and its bars over one denominator.

    `usual` has the bars of the totals within one standard deviation of the mean, or all bars if there are none.
    """

    mean: Fraction
    variance: Fraction
    bars: tuple[Bar, ...]
    usual: tuple[Bar, ...]
    denominator: int

    @property
    def is_even(self) -> bool:
        """Whether every result is as likely as any other, so that a chart would say nothing."""
        return len({bar.count for bar in self.bars}) == 1 and all(bar.least == bar.greatest for bar in self.bars)


@dataclass(frozen=True, slots=True)
class BarView:
    """A bar with its outline in the drawing and its texts. `mark` is the label below it, which may be empty."""

    label: str
    outline: str
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
        mean,
        variance,
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


def describe_results(page_roll: PageRoll, language: Language = ENGLISH) -> str:
    """Return the range of a roll, or its first two and its last result if equally likely results are not neighbours."""
    leasts = [bar.least for bar in page_roll.odds.bars]
    step = leasts[1] - leasts[0] if page_roll.odds.is_even and len(leasts) > 3 else 1
    if step == 1 or leasts != list(range(leasts[0], leasts[-1] + 1, step)):
        return format_range(page_roll.roll, language)
    return f"{format_integer(leasts[0])}, {format_integer(leasts[1])}, …, {format_integer(leasts[-1])}"


def describe_mean(odds: Odds, language: Language = ENGLISH) -> str:
    """Return the mean in decimals. It begins with `about` if four decimals are not exact."""
    number = f"{float(odds.mean):.4f}".rstrip("0").rstrip(".")
    mean = translate_number(number, language)
    return mean if Fraction(number) == odds.mean else language.translate("about %(mean)s", mean=mean)


def build_bar_views(odds: Odds, language: Language = ENGLISH) -> tuple[BarView, ...]:
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
                f"M{place * slot + slot * 0.1:.4g} {HEIGHT}V{HEIGHT - height:.4g}h{slot * 0.8:.4g}V{HEIGHT}",
                format_integer(bar.least) if place % stride == 0 else "",
                f"{place * slot + slot / 2:.4g}",
                format_chance(bar.count, odds.denominator, language),
                str(Fraction(bar.count, odds.denominator)),
                format_chance(bar.or_more, odds.denominator, language),
                bar in usual,
            )
        )
    return tuple(views)


def describe_usual(odds: Odds, language: Language = ENGLISH) -> str:
    """Return the totals that most rolls are, with their chance: `5 to 9: 67 %`."""
    usual = odds.usual
    share = format_chance(sum(bar.count for bar in usual), odds.denominator, language)
    low, high = format_integer(usual[0].least), format_integer(usual[-1].greatest)
    return f"{low if low == high else language.translate('%(low)s to %(high)s', low=low, high=high)}: {share}"


def format_chance(count: int, denominator: int, language: Language = ENGLISH) -> str:
    """Return a chance in percent with two decimals, rounded half up.

    A positive chance is never shown as 0, and an uncertain one never as 100.
    """
    hundredths = (count * 20_000 + denominator) // (2 * denominator)
    if hundredths == 0 and count > 0:
        return language.translate("under %(chance)s %%", chance=translate_number("0.01", language))
    if hundredths == 10_000 and count < denominator:
        return language.translate("over %(chance)s %%", chance=translate_number("99.99", language))
    return translate_number(f"{hundredths // 100}.{hundredths % 100:02} %", language)


_NAMES = str.maketrans({" ": "", ">": "gt", "<": "lt"})


class PageRoll:
    """A roll of the book. `id` is its anchor on the odds page."""

    def __init__(self, id: str, roll: Roll) -> None:
        self.id = id
        self.text = dice_text(roll)
        self.roll = roll

    @lazy_property
    def odds(self) -> Odds:
        """Compute the odds on first use. Raises `DiceError` if they exceed the limits of exact odds."""
        return compute_odds(self.roll)


@dataclass(frozen=True, slots=True)
class PageRolls:
    """The title of a page, and the rolls whose odds it links to."""

    title: str
    rolls: tuple[Roll, ...]


class Rolls:
    """The rolls of one book, in the order in which its pages first show them."""

    def __init__(self) -> None:
        self._page_rolls: dict[str, PageRoll | None] = {}
        self._used: dict[str, dict[str, str]] = {}
        self._linked: dict[str, dict[str, PageRoll]] = {}
        self._titles: dict[str, str] = {}

    def linker(self, file: str) -> Callable[[Roll], str | None]:
        """Return a function that links the page in `file` to the odds of a roll and registers the roll.

        The function returns None if the odds exceed the limits.
        """
        page = "" if file == ODDS else ODDS
        linked = self._linked.setdefault(file, {})

        def link(roll: Roll) -> str | None:
            page_roll = self._find(roll)
            if page_roll is None:
                return None
            linked.setdefault(page_roll.id, page_roll)
            return f"{page}#{page_roll.id}"

        return link

    def _find(self, roll: Roll) -> PageRoll | None:
        """Return a roll with its odds, computed once, or None if the odds exceed the limits."""
        identity = _name_roll(roll)
        if identity not in self._page_rolls:
            page_roll = PageRoll(identity, roll)
            try:
                _ = page_roll.odds
                self._page_rolls[identity] = page_roll
            except DiceError:
                self._page_rolls[identity] = None
        return self._page_rolls[identity]

    def on(self, file: str) -> tuple[PageRoll, ...]:
        """Return the rolls whose odds the page in `file` links to.

        Raises `KeyError` if no linker exists for the page.
        """
        return tuple(self._linked[file].values())

    def note(self, file: str, title: str) -> None:
        """Record the title of the page in `file` for all rolls whose odds it links to."""
        self._titles[file] = title
        for page_roll in self.on(file):
            self._used.setdefault(page_roll.id, {})[file] = title

    def get_page(self, file: str) -> PageRolls | None:
        """Return what `note` has recorded of a page, or None if it has recorded nothing."""
        if file not in self._titles:
            return None
        return PageRolls(self._titles[file], tuple(page_roll.roll for page_roll in self.on(file)))

    def add_page(self, file: str, page: PageRolls) -> None:
        """Record the rolls of a page that was rendered earlier, which are known to have odds."""
        linked = self._linked.setdefault(file, {})
        for roll in page.rolls:
            identity = _name_roll(roll)
            page_roll = self._page_rolls.get(identity) or PageRoll(identity, roll)
            linked[identity] = self._page_rolls[identity] = page_roll
        self.note(file, page.title)

    @property
    def used(self) -> Mapping[str, Mapping[str, str]]:
        """The titles of the pages that show each roll, by the id of the roll and the file of the page."""
        return MappingProxyType(self._used)

    def all(self) -> tuple[PageRoll, ...]:
        """Return every roll that a recorded page shows."""
        return tuple(
            page_roll for page_roll in self._page_rolls.values() if page_roll is not None and page_roll.id in self._used
        )


def _name_roll(roll: Roll) -> str:
    """Return the anchor of a roll on the odds page."""
    return f"roll-{dice_text(roll).translate(_NAMES)}"


def build_data_island(rolls: tuple[PageRoll, ...], language: Language) -> str:
    """Return the HTML element with the data for drawing and rolling dice, or an empty string without rolls."""
    if not rolls:
        return ""
    # A `<` in the data could end the element early.
    plain = json.dumps([_plain(page_roll, language) for page_roll in rolls], ensure_ascii=False, separators=(",", ":"))
    return f'<script type="application/json" id="rw-rolls">{plain.replace("<", chr(92) + "u003c")}</script>'


def _plain(page_roll: PageRoll, language: Language) -> list[object]:
    """Return the data of a roll as the script of the page expects it.

    It has the id, the text, the roll, the range, the mean, the deviation and the bars. These have their lowest totals,
    their counts, the denominator and, if bars join several totals, their highest totals.
    """
    odds = page_roll.odds
    leasts, greatests = [number(bar.least) for bar in odds.bars], [number(bar.greatest) for bar in odds.bars]
    counts = [number(bar.count) for bar in odds.bars]
    bars = [leasts, counts, number(odds.denominator), *([greatests] if greatests != leasts else [])]
    deviation = translate_number(f"{sqrt(odds.variance):.2f}", language)
    summary = (format_range(page_roll.roll, language), describe_mean(odds, language), deviation)
    return [page_roll.id, page_roll.text, to_data(page_roll.roll), *summary, bars]
