"""Two sections that are nowhere but in tests: who made a game, and what it hands to those who are new to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.language.declarations import Scope
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
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
from rulewright.language.types import INTEGER
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.section import BookPage, RulesSection
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


@dataclass(frozen=True, slots=True, eq=False)
class Credit:
    """Somebody who made the game, and what they did."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Gift:
    """What somebody begins with besides: `amount`, which comes to `worth`."""

    id: str
    amount: Typed
    worth: int


def _credits(work: Elaboration) -> Mapping[str, Credit]:
    by_identity = {}
    for identity, entry in iterate_entries(work.rules.get("credits")):
        assert isinstance(entry.value, MappingNode)
        by_identity[identity] = Credit(identity, read_text(entry.value.get("name")), read_text(entry.value.get("text")))
    return by_identity


def _gifts(work: Elaboration) -> Mapping[str, Gift]:
    by_identity = {}
    for identity, entry in iterate_entries(work.rules.get("gifts")):
        assert isinstance(entry.value, MappingNode)
        written = entry.value.get("is")
        assert isinstance(written, Scalar)
        amount = check_expression(written, Scope(work.declarations), work.diagnostics, expected=INTEGER)
        if not work.diagnostics.errors:
            by_identity[identity] = Gift(identity, amount, Evaluate(work.declarations).value(amount))
    return by_identity


CREDITS = RulesSection(
    key="credits",
    place=190,
    doc="Who made the game.",
    entry=Record(
        "Somebody who made the game.",
        members={
            "name": required(words("Their name.")),
            "text": required(words("What they did, with markup and placeholders.")),
            "about": optional(Leaf("The rule they wrote.", format="reference")),
            "since": optional(Leaf("The year they began.", format="integer")),
            "works": optional(MapOf("What they made.", inner=words("What it is."))),
        },
    ),
    one="credit",
    gameplay=False,
    parts=("works",),
    names={"about": ""},
    read=_credits,
    prose=("text",),
    marked_up=("text",),
    title="Credits",
    heading="name",
    labels={"name": "Their name", "text": "What they did"},
    anchor="credit-",
    page=BookPage(
        file="credits.md", title="Who made it", about="With thanks to all.", place=65, on_front=55, in_menu=65
    ),
    indexed=True,
    linked=True,
    report=145,
    gist="text",
    bookkeeping=("since", "works"),
)

GIFTS = RulesSection(
    key="gifts",
    place=35,
    doc="What somebody who is new to the game begins with besides.",
    entry=Record(
        "A gift.",
        members={
            "is": required(expression("How much it is.")),
            "means": optional(words("What it is.")),
        },
        short="is",
    ),
    one="gift",
    gameplay=True,
    read=_gifts,
    reads=lambda gift: [gift.amount],
    at_once=True,
    title="Gifts",
    labels={"means": "Described as"},
    anchor="gift-",
    report=45,
    gist="means",
    weight=(7, 9),
)
