"""The section `weights:`, learned position evaluations, as written by `rulewright train`."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from math import isfinite

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import (
    Leaf,
    MapOf,
    Record,
    expression,
    optional,
    required,
    words,
)
from rulewright.language.types import INTEGER, PLAYER
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

WHO = "who"
"""The name, in expressions, for the player whose position is evaluated."""

TERM = Record(
    "A feature of a position, and its weight.",
    members={
        "is": required(expression(f"The amount of the feature that the player `{WHO}` has: a number.")),
        "worth": required(Leaf("The weight, such as `31` or `-0.5`.", format="value")),
        "means": optional(words("A description of the feature.")),
    },
)

JUDGEMENT = Record(
    "An evaluation of positions: the weighted sum of a player's features.",
    members={
        "learned_for": optional(
            Leaf("The gameplay digest of the rules with which the weights were learned.", format="value", cosmetic=True)
        ),
        "means": optional(words("How it was learned.")),
        "terms": required(MapOf("The features, each under a name of your choice.", inner=TERM, ordered=True)),
    },
)

MOST_TERMS = 256
"""The maximum number of features in one evaluation."""

_NUMBER = re.compile(r"[-+]?\d{1,12}(\.\d{1,12})?")


@dataclass(frozen=True, slots=True, eq=False)
class WeightTerm:
    """A feature of a position: `value` is how much of it a player has, `worth` its weight per unit."""

    id: str
    value: Typed
    worth: float
    means: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A linear evaluation of positions. `learned_for` is the gameplay digest it was trained with, or empty."""

    id: str
    learned_for: str
    means: str
    terms: MappingType[str, WeightTerm]
    span: Span


def read_weights(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> dict[str, Weights]:
    """Return every evaluation by id. Errors go to `diagnostics`, and features without a valid weight are left out."""
    from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text

    weights = {}
    for identity, entry in iterate_entries(rules.get("weights")):
        node = entry.value
        if not isinstance(node, Mapping):
            continue
        terms = {}
        for name, term in iterate_entries(node.get("terms")):
            read = _term(name, term.value, term.key.span, declarations, diagnostics)
            if read is not None:
                terms[name] = read
        learned = read_text(node.get("learned_for"))
        weights[identity] = Weights(identity, learned, read_text(node.get("means")), terms, entry.key.span)
    return weights


def _term(
    name: str, node: object, span: Span, declarations: Declarations, diagnostics: Diagnostics
) -> WeightTerm | None:
    """Return a term of an evaluation, or None if its shape is wrong or its weight is no finite number.

    Only the weight and the expression are reported here. A term with an invalid expression is returned.
    """
    from rulewright.language.expressions.type_checker import check_expression
    from rulewright.ruleset.elaborate.node_readers import read_text

    if not isinstance(node, Mapping):
        return None
    written, weight = node.get("is"), node.get("worth")
    if not isinstance(written, Scalar) or not isinstance(weight, Scalar):
        return None
    value = check_expression(written, Scope(declarations, variables={WHO: PLAYER}), diagnostics, expected=INTEGER)
    if not _NUMBER.fullmatch(weight.text) or not isfinite(float(weight.text)):
        message = f"`{weight.text}` is not a weight"
        diagnostics.add(
            language_codes.WRONG_TYPE, message, weight.span, suggestion="write a number, such as `31` or `-0.5`"
        )
        return None
    return WeightTerm(name, value, float(weight.text), read_text(node.get("means")), span)


WEIGHTS = RulesSection(
    key="weights",
    place=122,
    doc="How good a position is for bots that have learned by play; `rulewright train` writes it.",
    entry=JUDGEMENT,
    one="judgement",
    gameplay=False,
    parts=("terms",),
    read=lambda work: read_weights(work.rules, work.declarations, work.diagnostics),
    reads=lambda weights: [term.value for term in weights.terms.values()],
    at_once=True,
    title="What bots have learned",
    labels={"means": "How it was learned"},
    anchor="weights-",
    on_pages=False,
    citable=False,
    report=190,
    bookkeeping=("learned_for", "terms.*.worth"),
)
