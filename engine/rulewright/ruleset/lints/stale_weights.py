"""Report learned weights that were trained with other rules."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

STALE_WEIGHTS = Code(
    "stale-weights",
    "Weights that bots learned under other rules",
    "Position values may have changed: bots with these weights may play badly, and their statistics may mislead.",
    "Continue training with `rulewright train`.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report evaluations that were learned under another gameplay digest. Evaluations without a digest are skipped.

    The position of an inherited evaluation is the manifest of the edition.
    """
    for weights in ruleset.weights.values():
        if weights.learned_for and weights.learned_for != ruleset.digest:
            message = (
                f"`weights.{weights.id}` was learned under other rules: their gameplay digest is "
                f"{weights.learned_for}, but that of {ruleset.reference} is {ruleset.digest}"
            )
            hint = f"run `rulewright train {ruleset.name}`"
            top = ruleset.resolved.layers[-1]
            own = Path(weights.span.file).is_relative_to(top.folder)
            span = weights.span if own else top.manifest.entries["ruleset"].value.span
            diagnostics.add(STALE_WEIGHTS, message, span, suggestion=hint)
