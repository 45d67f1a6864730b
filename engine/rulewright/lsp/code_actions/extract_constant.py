"""Code action: name a number of a rule, so that it can be explained, varied and overridden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.expressions.untyped_ast import Literal
from rulewright.lsp.features.available_actions import ActionRequest, CodeAction
from rulewright.lsp.features.hover import find_reading
from rulewright.lsp.features.workspace import Good
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.span import Span

PLACE = 40

_FORMS = frozenset({"steps", "rows", "fields", "is", "given", "default", "with", "when", "then", "else"})
"""The keys for a syntactic form, which are not useful in a name."""


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action that names the whole number in the range, if it is in an expression of a rule."""
    at, good = asked.symbol, asked.good
    if at is None or good is None or at.way[0] == "numbers" or not _plays(at.way[0]):
        return
    layer = asked.find_own_layer(good)
    literal = _literal(asked)
    if layer is None or literal is None:
        return
    span, value = literal
    name = _free(at.way, good)
    declared = build_value_edit(layer, ("numbers", name), str(value))
    if declared is not None:
        yield CodeAction(f"Name this number: `{name}`, to be renamed and explained", (Edit(span, name), declared))


def _plays(section: str) -> bool:
    known = load_sections().get(section)
    return known is not None and known.gameplay


def _literal(asked: ActionRequest) -> tuple[Span, int] | None:
    """Return the position and the value of the whole number at the start of the range, or None.

    None also if the lines have moved since the last check.
    """
    result = find_reading(asked.workspace, asked.path, asked.place.line, asked.place.column)
    if result is None or result[1]:  # the rules have changed since the last check
        return None
    place = (asked.place.line, asked.place.column)
    for node, _ in result[0].parts:
        if isinstance(node, Literal) and type(node.value) is int:
            span = result[0].scalar.position(node.start, max(1, node.end - node.start))
            if (span.line, span.column) <= place <= (span.end_line, span.end_column):
                return span, node.value
    return None


def _free(way: Sequence[str], good: Good) -> str:
    """Return an unused name, derived from the entry that contains the number."""
    about = [part for part in way[1:] if part not in _FORMS and part.isidentifier()][-2:]
    base = "_".join(about) or "figure"
    taken = {path[-1] for path in good.mentions.by_path} | {
        *list_functions_of_values(),
        *list_functions(),
        *list_walks(),
    }
    names = [base, f"{base}_number", *(f"{base}_{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)
