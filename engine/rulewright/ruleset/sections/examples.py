"""Executable examples, as data; `rulewright.play.examples.judging` runs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Record, Shape, expression, optional, required, words
from rulewright.ruleset.elaborate.odds_claims import BadClaim, Claim, read_claims
from rulewright.ruleset.elaborate.read import entries, items, text
from rulewright.ruleset.schema.shapes import DICE, VALUE
from rulewright.ruleset.section import RulesSection
from rulewright.source.nodes import Mapping, Node
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import whole_number

EXAMPLE = Record(
    "An executable example.",
    members={
        "title": required(words("What it shows.")),
        "text": optional(words("What a reader should know first.")),
        "of": optional(Leaf("The procedure that is carried out.", format="reference")),
        "value": optional(expression("An expression that is worked out.")),
        "roll": optional(DICE),
        "given": optional(
            MapOf("What there is at the start.", inner=Shape("A value, an object or a list of objects."))
        ),
        "players": optional(Leaf("How many play (default the fewest).", format="integer")),
        "options": optional(MapOf("Settings that are not at their default.", inner=Leaf("A choice.", format="id"))),
        "dice": optional(
            ListOf("Results, in the order rolled: a total before the bonus, or a list of faces.", inner=Shape())
        ),
        "choose": optional(ListOf("Options taken, in order.", inner=Shape())),
        "until": optional(Leaf("Stop when this step is done.", format="reference")),
        "expect": optional(
            ByForm(
                "What must hold at the end.",
                scalar=VALUE,
                sequence=ListOf("", inner=VALUE),
                mapping=MapOf("Each expression with its value.", inner=Shape()),
            )
        ),
        "policy": optional(
            ListOf("How decisions are settled, as `odds --policy` takes it: `random`, `strike=most`.", inner=words(""))
        ),
        "expect_odds": optional(
            MapOf(
                "Each expression with its chance (`70 %`, `60-65 %`, `7/10`), the chance of each answer, or its mean.",
                inner=ByForm(
                    "What the odds must be.",
                    scalar=words("The chance that it is true."),
                    mapping=MapOf("The chance of each answer, or `mean`.", inner=Shape("A chance, or a mean.")),
                ),
            )
        ),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One example.

    It carries out the procedure `of`, or works out `value`, or makes the roll `roll`. `dice` are results in the order
    rolled (a total before the bonus, or a list of faces), `choose` the options taken; `until` names the step after
    which to stop. `expect` maps expressions to values, or is the one value expected. With `claims`, it is not one run
    but all of them: the odds of the procedure, where `policy` says how decisions are settled.
    """

    id: str
    title: str
    text: str
    of: str
    value: Node | None
    roll: Node | None
    given: Mapping | None
    players: int | None
    options: dict[str, str]
    dice: tuple[Any, ...]
    choose: tuple[Any, ...]
    until: str
    expect: Node | None
    policy: tuple[str, ...]
    claims: tuple[Claim, ...]
    bad_claims: tuple[BadClaim, ...]
    node: Mapping
    span: Span


def read_examples(rules: Mapping) -> dict[str, Example]:
    """Every example, in order."""
    found = {}
    for identity, entry in entries(rules.get("examples")):
        node = entry.value
        assert isinstance(node, Mapping)
        given = node.get("given")
        players = text(node.get("players"))
        claims = tuple(read_claims(node.get("expect_odds")))
        found[identity] = Example(
            identity,
            text(node.get("title")),
            text(node.get("text")),
            text(node.get("of")),
            node.get("value"),
            node.get("roll"),
            given if isinstance(given, Mapping) else None,
            whole_number(players),
            {name: text(choice.value) for name, choice in entries(node.get("options"))},
            tuple(item.plain() for item in items(node.get("dice"))),
            tuple(item.plain() for item in items(node.get("choose"))),
            text(node.get("until")),
            node.get("expect"),
            tuple(text(item) for item in items(node.get("policy"))),
            tuple(claim for claim in claims if isinstance(claim, Claim)),
            tuple(claim for claim in claims if isinstance(claim, BadClaim)),
            node,
            entry.key.span,
        )
    return found


EXAMPLES = RulesSection(
    key="examples",
    place=130,
    doc="Executable examples.",
    entry=EXAMPLE,
    one="example",
    gameplay=False,
    read=lambda work: read_examples(work.rules),
    figureless=("title", "text"),
    title="Examples",
    heading="title",
    told={"title": "Title", "text": "Told as"},
    anchor="example-",
    report=160,
)
