"""stub"""

from __future__ import annotations

from typing import Any

from rulewright.source.diagnostic import Code
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.text_places import TextPlaces

SYNTAX = Code("yaml-syntax", "Text that is not YAML", "The file cannot be read past this place.", "Mend it.")


def explain(error: Any, places: TextPlaces, found: Diagnostics, *, last_scalar: tuple[int, int, bool] | None) -> None:
    """Stub."""
    mark = error.problem_mark or error.context_mark
    found.add(SYNTAX, str(error.problem), places.span(mark.index, mark.index + 1))
