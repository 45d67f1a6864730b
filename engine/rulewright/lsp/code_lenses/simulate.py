"""Simulate the base edition and this one with the same bots and the same dice."""

from __future__ import annotations

from rulewright.analysis.simulation.paired_comparison import Move, Pairs, compare, compare_metrics
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.base.errors import RulewrightError
from rulewright.lsp.features.code_lens import LensResult, LensTarget, Work
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

PLACE = 40

GAMES = 200
"""The number of games of each ruleset: enough to see large effects quickly."""


def title(good: Good, section: str, id: str) -> str | None:
    """Return the title above the first line of files in an edition that extends another and can be played.

    Returns None elsewhere.
    """
    layers = good.ruleset.resolved.layers
    below = layers[-2].manifest.get("status") if len(layers) > 1 else None
    if (
        section
        or len(layers) < 2
        or good.ruleset.start is None
        or (below is not None and below.to_plain() == "abstract")
    ):
        return None
    return f"simulate before and after ({layers[-2].name})"


def begin(clicked: LensTarget) -> Work:
    """Return the work of the lens.

    It simulates the edition below in its current state, with unsaved text, and this one. Checks the edition below
    if it has changed.

    Raises `RulewrightError` if the edition below cannot be read or has errors.
    """
    workspace, after = clicked.workspace, clicked.good.ruleset
    try:
        *_, edition, _ = workspace.get_catalogue().chain(clicked.good.edition)
    except (DiagnosticError, ValueError):
        raise RulewrightError("the edition that it extends cannot be read") from None
    below = workspace.check_standing(edition).sound
    if below is None:
        raise RulewrightError(f"{edition.id} has errors, so it cannot be played")
    before = below.ruleset

    def work() -> LensResult:
        """Play the games, and return the comparison as a page of Markdown."""
        runs = begin_run(before), begin_run(after)
        pairs = Pairs((runs[0].counts, runs[1].counts))
        for _ in compare((before, after), runs, pairs, games=GAMES):
            pass
        return LensResult("before and after", "\n".join(_describe(before, after, compare_metrics(pairs, after))) + "\n")

    return work


def _describe(before: Ruleset, after: Ruleset, moves: list[Move]) -> list[str]:
    """Return the comparison as lines of Markdown. Statistics that changed significantly come first and are bold."""
    head = [f"# {before.reference} and {after.reference}", "", f"{GAMES} games of random bots with the same dice", ""]
    rows = ["| statistic | before | after | difference | 95 % interval |", "|---|---:|---:|---:|---|"]
    for move in sorted(moves, key=lambda each: (not each.moved, each.adjusted)):
        low, high = move.interval
        name = f"**{move.title}**" if move.moved else move.title
        figures = (_number(move.first), _number(move.second), f"{move.difference:+.3g}")
        rows.append(f"| {name} | {' | '.join(figures)} | {low:+.3g} to {high:+.3g} |")
    moved = sum(move.moved for move in moves)
    text = "No value changed significantly." if not moved else "Bold values changed significantly."
    return [*head, *rows, "", text]


def _number(value: float) -> str:
    return f"{value:.4g}"
