"""Who may see what: the players that a value, or what comes of a step, is told to."""

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
"""The type of those who may see something."""

EVERYBODY, NOBODY = "everybody", "nobody"

SHOWN = "shown."
"""What the name of the field begins with that holds who was shown the value of another one: `shown.card`."""


def describe_viewers_key(doc: str) -> Member:
    """Return the key that says who sees something."""
    return optional(Leaf(f"{doc}: a player, a list of players, `nobody`, or `everybody`.", format="expression"))


Report = Callable[[Code, str, Span, str | None], None]


def check_viewers(node: Node | None, value: Callable[[Node], Typed], report: Report) -> Typed | None:
    """Return the list of those who see something, as `seen_by` says it; None where that is everybody, as it is unsaid.

    `value` is the typed expression of what is written.
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
    message = f"who sees something is a player, or a list of players; this is {typed.type}"
    report(language_diagnostics.WRONG_TYPE, message, node.span, "say who, or write `nobody` or `everybody`")
    return Items(SEERS, ())


def find_viewers_of(thing: Typed, kind: str, field: str) -> Typed:
    """Return those to whom the value of a field was shown, whoever may see it besides."""
    return Stored(SEERS, thing, kind, f"{SHOWN}{field}")


def join_viewers(known: Typed, others: Typed) -> Typed:
    """Return those who know, and those of `others` who do not yet, behind them."""
    one = Variable(PLAYER, "one")
    new = Aggregate(SEERS, "list", one, "one", others, Membership(BOOLEAN, one, known, True), None)
    return Arithmetic(SEERS, "+", known, new)
