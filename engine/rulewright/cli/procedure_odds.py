"""The odds of a whole procedure, as `rulewright odds` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from rulewright.cli.chart import MOST_ROWS, bar, between, chart, number, percent
from rulewright.cli.terminal import can_show, width

if TYPE_CHECKING:
    from rulewright.odds.procedure_odds import ProcedureOdds
    from rulewright.odds.questions import Answer

QUANTILES = (5, 50, 95)
"""Percentages of which the quantiles are told."""


def told(odds: ProcedureOdds, title: str) -> Iterator[str]:
    """The lines of a report."""
    yield title
    if odds.exact:
        yield f"exact: {odds.branches:,} branches, {odds.positions:,} positions"
    else:
        yield f"too large for exact odds: {odds.too_large}"
        yield f"sampled: {odds.samples:,} runs; the true chance lies in its interval 95 times of 100"
        if not odds.precise:
            ended = "interrupted" if odds.interrupted else "stopped early"
            yield f"{ended}: an interval is {odds.width:.2g} wide, and {odds.precision:g} was asked for"
    for answer in odds.answers:
        yield ""
        yield from _answer(answer)


def data(odds: ProcedureOdds) -> dict[str, Any]:
    """The same as data: probabilities as reduced fractions."""
    return {
        "exact": odds.exact,
        "branches": odds.branches,
        "positions": odds.positions,
        "samples": odds.samples,
        "too_large": odds.too_large or None,
        "precise": odds.precise,
        "answers": [_data(answer) for answer in odds.answers],
    }


def _answer(answer: Answer) -> Iterator[str]:
    from rulewright.language.types import Boolean, present
    from rulewright.odds.interval import wilson

    blocks, samples = can_show("█▏–"), answer.samples
    yes_no = isinstance(present(answer.question.type), Boolean)
    yield answer.question.written + (" (gained)" if answer.question.gain is not None else "")
    spread = answer.distribution
    if spread is None:
        yield from _bars(answer, blocks=blocks)
        return
    if not yes_no:
        within = "" if answer.mean_within is None else f" (within {answer.mean_within:.3f})"
        least, most = spread.outcomes[0], spread.outcomes[-1]
        reach = f"always {least}" if least == most else f"{least} to {most}"
        yield f"{reach}, mean {number(spread.mean)}{within}, deviation {sqrt(spread.variance):.2f}"
        yield "quantiles: " + ", ".join(f"{n} % {spread.quantile(n / 100)}" for n in QUANTILES)
    interval = None if samples is None else lambda chance: wilson(int(chance * samples), samples)
    yield from chart(spread, width=width(), blocks=blocks, yes_no=yes_no, interval=interval)


def _bars(answer: Answer, *, blocks: bool) -> Iterator[str]:
    """A bar for each answer; of many, the most likely ones."""
    shown = dict(list(answer.chances.items())[:MOST_ROWS])
    labels = {each: answer.words[each] for each in shown}
    room = max(map(len, labels.values()))
    space = max(8, width() - room - (12 if answer.samples is None else 29))
    most = max(shown.values())
    for each, chance in shown.items():
        line = f"{labels[each]:>{room}}  {bar(chance / most, space, blocks=blocks):{space}}  {percent(chance):>7}"
        interval = answer.interval(each)
        yield line if interval is None else f"{line}  {between(interval):>15}"
    if len(shown) < len(answer.chances):
        rest = 1 - sum(shown.values(), Fraction(0))
        yield f"and {len(answer.chances) - len(shown):,} more, with {percent(rest)} together"


def _data(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {
        "expression": answer.question.written,
        "gained": answer.question.gain is not None,
        "outcomes": {each: str(chance) for each, chance in answer.chances.items()},
        "words": dict(answer.words),
    }
    spread = answer.distribution
    if spread is not None:
        found |= {
            "min": spread.outcomes[0],
            "max": spread.outcomes[-1],
            "mean": str(spread.mean),
            "variance": str(spread.variance),
            "quantiles": {str(n): spread.quantile(n / 100) for n in QUANTILES},
        }
    if answer.samples is not None:
        found["intervals"] = {each: answer.interval(each) for each in answer.chances}
        found["mean_within"] = answer.mean_within
    return found
