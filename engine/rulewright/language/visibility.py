"""Visibility: which players may see a value or the result of a step."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.language import language_diagnostics
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    If,
    Items,
    Membership,
    Present,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.schema_shapes import Leaf, Member, optional
from rulewright.language.types import BOOLEAN, PLAYER, ListOf, Optional, Unknown
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span

SEERS = ListOf(PLAYER)
"""Type of a list of viewers."""

EVERYBODY, NOBODY = "everybody", "nobody"

SHOWN = "shown."
"""Prefix of the hidden field that lists the players who were shown another field: `shown.card` for `card`."""


def describe_viewers_key(doc: str) -> Member:
    """Return the member of a step or field that lists its viewers. `doc` begins its description."""
    return optional(Leaf(f"{doc}: a player, a list of players, `nobody`, or `everybody`.", format="expression"))


Report = Callable[[Code, str, Span, str | None], None]


def check_viewers(node: Node | None, value: Callable[[Node], Typed], report: Report) -> Typed | None:
    """Return the viewers that `seen_by` lists, or None if everybody may see the value (also if `node` is None).

    An expression that is not a player or a list of players is reported, and the result is then an empty list.

    Args:
        node: The value of `seen_by`.
        value: Checks an expression and returns it typed.
        report: Receives a diagnostic: code, message, span and suggestion.
    """
    if node is None or (isinstance(node, Scalar) and node.text == EVERYBODY):
        return None
    if isinstance(node, Scalar) and node.text == NOBODY:
        return Items(SEERS, ())
    typed = value(node)
    match typed.type:
        case Unknown():
            return Items(SEERS, ())
        case Optional(inner=inner) if inner == PLAYER:
            return If(SEERS, Present(BOOLEAN, typed), Items(SEERS, (typed,)), Items(SEERS, ()))
        case ListOf(inner=Unknown()):
            return Items(SEERS, ())
        case kind if kind == PLAYER:
            return Items(SEERS, (typed,))
        case kind if kind == SEERS:
            return typed
    message = f"viewers must be a player or a list of players, not {typed.type}"
    report(language_diagnostics.WRONG_TYPE, message, node.span, "name players, or write `nobody` or `everybody`")
    return Items(SEERS, ())


def find_viewers_of(entity: Typed, kind: str, field: str) -> Typed:
    """Return the expression for the players who have seen a field through `show`. It ignores the field's `seen_by`.

    Args:
        entity: The object.
        kind: The id of its kind.
        field: The name of the field.
    """
    return Stored(SEERS, entity, kind, f"{SHOWN}{field}")


def join_viewers(typed: Typed, others: Typed) -> Typed:
    """Return the expression for the players in `typed`, followed by those in `others` that are not in `typed`."""
    one = Variable(PLAYER, "one")
    new = Aggregate(SEERS, "list", one, "one", others, Membership(BOOLEAN, one, typed, True), None)
    return Arithmetic(SEERS, "+", typed, new)
