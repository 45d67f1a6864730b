"""Drawings of terms: every file that stands for one can be shown."""

from __future__ import annotations

from rulewright.ruleset.editions.icons import BAD_ICON, icons
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check the drawing of every term."""
    for identity, icon in icons(ruleset).items():
        if icon.fault is not None:
            diagnostics.add(BAD_ICON, f"the drawing of `{identity}` cannot be shown: {icon.fault}", icon.span)
