"""The section `measures:`, metrics of finished games that simulations report."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Record, expression, optional, required, words
from rulewright.language.types import INTEGER
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

MEASURE = Record(
    "A number of a finished game that simulations report.",
    members={
        "is": required(expression("The value: a number.")),
        "per": optional(
            expression("A number that grows during a game; the measure is also reported for each of its values."),
            "over",
        ),
        "title": optional(words("Its name in reports.")),
        "means": optional(words("What it measures.")),
    },
    short="is",
)


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A metric. `value` is evaluated when a game ends and, if there is a `per`, whenever that number changes."""

    id: str
    title: str
    means: str
    value: Typed
    span: Span
    per: Typed | None = None


def read_measures(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> dict[str, Measure]:
    """Return every measure by id, in the order of the rules. Errors go to `diagnostics`.

    A measure that is not an expression at all is left out. Others stay, even if their expression is invalid.
    """
    # Imported here because a cached ruleset already has its measures.
    from rulewright.language.expressions.type_checker import check_expression
    from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_text

    measures = {}
    for identity, entry in iterate_entries(rules.get("measures")):
        node = entry.value
        written = node.get("is") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or written is None:
            continue
        if not isinstance(written, Scalar):
            message = f"an expression is needed here, not {written.kind}"
            diagnostics.add(language_codes.WRONG_TYPE, message, written.span)
            continue
        value = check_expression(written, Scope(declarations), diagnostics, expected=INTEGER)
        name = read_text(node.get("title")) or make_title(identity)
        clock = node.get("per")
        per = None
        if isinstance(clock, Scalar):
            per = check_expression(clock, Scope(declarations), diagnostics, expected=INTEGER)
        measures[identity] = Measure(identity, name, read_text(node.get("means")), value, entry.span, per)
    return measures


MEASURES = RulesSection(
    key="measures",
    place=120,
    doc="Measures: numbers of finished games, for simulations.",
    entry=MEASURE,
    one="measure",
    gameplay=False,
    read=lambda work: read_measures(work.rules, work.declarations, work.diagnostics),
    reads=lambda measure: [measure.value, *([measure.per] if measure.per is not None else [])],
    at_once=True,
    title="Measures for bots and simulations",
    heading="title",
    labels={"means": "Described as", "title": "Title"},
    anchor="measures-",
    shown=False,
    citable=False,
    report=180,
)
