"""When enough is known: the figure whose interval is to be narrow, and how narrow."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from rulewright.ruleset.reference import argument
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.counts import Counts
from rulewright.simulate.figures import Figure, figures, leading, named
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic

BAD_UNTIL = Code(
    "bad-until",
    "A width that cannot be read",
    "A run stops as soon as the interval of a figure is narrower than a width.",
    "Write `0.02` for the win rate of the first bot, or `<figure>=<width>`, such as `decisions=1.5`.",
)


@dataclass(frozen=True, slots=True)
class Until:
    """Stop when the interval of `figure` (empty: the win rate the run is about) is no wider than `width`."""

    figure: str
    width: float

    def reached(self, counts: Counts, ruleset: Ruleset, policies: tuple[str, ...]) -> tuple[bool, Figure]:
        """Whether it is, and the figure. Raises `RulewrightError` if there is no such figure."""
        found = named(figures(counts, ruleset), self.figure or leading(policies))
        if found.share:
            _refuse_above_one(self.width, f"{self.width:g}", f"{self.figure}=" if self.figure else "")
        return found.width <= self.width, found


def parse_until(text: str) -> Until:
    """What is written as `WIDTH` or `FIGURE=WIDTH`. Raises `DiagnosticError` with the code `bad-until`.

    >>> parse_until("decisions=1.5")
    Until(figure='decisions', width=1.5)

    The width of a share is a share itself, which `5` is not: a percentage may have been meant.
    """
    figure, _, written = text.rpartition("=")
    try:
        width = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        width = 0.0
    if not (isfinite(width) and width > 0):
        offset = len(text) - len(written)
        span = argument(text).position(offset, len(written) or 1)
        raise DiagnosticError([Diagnostic(BAD_UNTIL, f"`{written}` is no width above 0", span)])
    if not figure:
        _refuse_above_one(width, written)
    return Until(figure.strip(), width)


def _refuse_above_one(width: float, written: str, figure: str = "") -> None:
    """Refuse the width of a share that is more than all there is. Raises `DiagnosticError`."""
    if width <= 1:
        return
    percent = f"write `{figure}{width:g}%` or `{figure}{width / 100:g}`" if width <= 100 else None
    message = f"`{written}` is no width of a share: those are above 0 and at most 1"
    span = argument(figure + written).position(len(figure), len(written))
    raise DiagnosticError([Diagnostic(BAD_UNTIL, message, span, (), percent)])
