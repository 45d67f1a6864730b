"""An SVG chart of odds, with bars for one roll and a line for each of several rolls."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from rulewright.dice.exact.compute_distribution import Distribution

WIDTH, HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 40, 32
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that colour-blind readers can distinguish. Source: M. Okabe and K. Ito, Color Universal Design (2008)."""
_MOST_MARKS = 12
_SAID = {"chance": "chance", "least": "chance of at least this", "most": "chance of at most this"}


class OddsChart(Protocol):
    """A roll with a name and odds."""

    @property
    def name(self) -> str: ...

    @property
    def odds(self) -> Distribution: ...


def draw_odds(odds_charts: Sequence[OddsChart], view: str) -> str:
    """Return one SVG chart of all rolls. `view` selects its values: `chance`, `least` or `most`."""
    low = min(each.odds.outcomes[0] for each in odds_charts)
    high = max(each.odds.outcomes[-1] for each in odds_charts)
    points = [_points(each.odds, view) for each in odds_charts]
    most = max(share for line in points for _, share in line) or 1.0
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    slot = wide / (high - low + 1)

    def across(outcome: int) -> float:
        return _LEFT + (outcome - low + 0.5) * slot

    def up(share: float) -> float:
        return _TOP + tall * (1 - share / most)

    title = ", ".join(each.name for each in odds_charts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12">',
        f"<title>{escape(f'The {_SAID[view]}: {title}')}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for quarter in range(5):
        share = most * quarter / 4
        lines.append(f'<path d="M{_LEFT} {up(share):.4g}H{WIDTH - _RIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{up(share) + 4:.4g}" text-anchor="end">{share * 100:.3g}%</text>')
    stride = -(-(high - low + 1) // _MOST_MARKS)
    for outcome in range(low, high + 1, stride):
        lines.append(f'<text x="{across(outcome):.5g}" y="{HEIGHT - 12}" text-anchor="middle">{outcome}</text>')
    for place, (each, line) in enumerate(zip(odds_charts, points, strict=True)):
        colour = _COLOURS[place % len(_COLOURS)]
        if len(odds_charts) == 1:
            bar = max(slot * 0.8, 0.5)
            lines += [
                f'<rect x="{across(outcome) - bar / 2:.5g}" y="{up(share):.5g}" width="{bar:.4g}" '
                f'height="{_TOP + tall - up(share):.5g}" fill="{colour}"><title>{outcome}: {share * 100:.4g}%</title>'
                "</rect>"
                for outcome, share in line
            ]
        else:
            way = "L".join(f"{across(outcome):.5g} {up(share):.5g}" for outcome, share in line)
            lines.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
            if len(line) <= 4 * _MOST_MARKS:
                lines += [
                    f'<circle cx="{across(outcome):.5g}" cy="{up(share):.5g}" r="2.5" fill="{colour}"/>'
                    for outcome, share in line
                ]
        y = 18 + 14 * place if len(odds_charts) > 1 else 24
        lines.append(f'<text x="{WIDTH - _RIGHT}" y="{y}" text-anchor="end" fill="{colour}">{escape(each.name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _points(odds: Distribution, view: str) -> list[tuple[int, float]]:
    """Return each outcome with the probability of the outcome, of at least it or of at most it."""
    if view == "chance":
        return [(outcome, float(chance)) for outcome, chance in odds.iterate_items()]
    if view == "least":
        return [(outcome, float(odds.compute_at_least(outcome))) for outcome in odds.outcomes]
    return [(outcome, float(1 - odds.compute_at_least(outcome + 1))) for outcome in odds.outcomes]
