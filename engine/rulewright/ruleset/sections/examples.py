"""Executable examples, as data; `rulewright.play.examples.judging` runs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.ruleset.elaborate.read import entries, items, text
from rulewright.ruleset.sections.odds_claims import BadClaim, Claim, read_claims
from rulewright.source.nodes import Mapping, Node
from rulewright.source.span import Span
from rulewright.source.yaml.numerals import whole_number


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
