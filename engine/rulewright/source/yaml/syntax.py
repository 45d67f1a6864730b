"""From the YAML parser's complaint to a sentence about what its author most likely did.

Both of PyYAML's parsers complain at the same places in other words, so only what their words have in common is looked
at, and the text around the place decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.text_places import TextPlaces
from rulewright.source.yaml import syntax_between_lines as between_lines
from rulewright.source.yaml import syntax_in_a_line as in_a_line
from rulewright.source.yaml.syntax_codes import SYNTAX
from rulewright.source.yaml.syntax_failure import Failure

# The order matters: what stands first explains more.
_ATTEMPTS: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    in_a_line.tab,
    in_a_line.placeholder,
    in_a_line.quote,
    in_a_line.reserved,
    between_lines.colon,
    between_lines.missing_colon,
    between_lines.line_out_of_place,
    in_a_line.bracket,
    in_a_line.misplaced,
    in_a_line.after_a_value,
)


def explain(error: Any, places: TextPlaces, *, last_scalar: int | None, bracket: int | None) -> Diagnostic:
    """The diagnostic for a `yaml.MarkedYAMLError`.

    `last_scalar` and `bracket` are the offsets of the last scalar read and of the innermost open bracket.
    """
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(places.text)) if mark is not None else 0
    since = error.context_mark.index if error.context_mark is not None else at
    failure = Failure(places, error.problem or "", error.context or "", at, min(since, at), last_scalar, bracket)
    for attempt in _ATTEMPTS:
        if diagnostic := attempt(failure):
            return diagnostic
    what = f"{failure.context}: {failure.problem}" if failure.context else failure.problem
    return failure.diagnostic(SYNTAX, f"this cannot be read as YAML ({what})", at, at + 1)
