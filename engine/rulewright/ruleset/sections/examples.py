"""The section `examples:`, executable tests of the rules, and their expected odds.

`rulewright.testing.run_examples` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    Shape,
    expression,
    optional,
    required,
    words,
)
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import DICE, VALUE, RulesSection
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number

EXAMPLE = Record(
    "An executable example.",
    members={
        "title": required(words("What the example shows.")),
        "text": optional(words("An introduction for the reader.")),
        "reviewed": optional(
            Leaf(
                "The signature of the results with which an author last compared inherited texts.",
                format="value",
                cosmetic=True,
            )
        ),
        "of": optional(Leaf("The procedure to run, or the formula to compute.", format="reference")),
        "value": optional(expression("The expression to compute.")),
        "roll": optional(DICE),
        "given": optional(MapOf("The initial state.", inner=Shape("A value, an object or a list of objects."))),
        "players": optional(Leaf("The number of players (default: the minimum).", format="integer")),
        "options": optional(MapOf("Settings that differ from their defaults.", inner=Leaf("A choice.", format="id"))),
        "dice": optional(
            ListOf(
                "The results of rolls and draws, in order: each a total without the bonus, a list of faces, a card, "
                "the seat of a player, or `#2` for the second element of a list.",
                inner=Shape(),
            )
        ),
        "choose": optional(ListOf("Options taken, in order.", inner=Shape())),
        "until": optional(
            Leaf("Stop after this step: its id, or `procedure.step` if it is in another procedure.", format="reference")
        ),
        "expect": optional(
            ByForm(
                "The expected values at the end of the run.",
                scalar=VALUE,
                sequence=ListOf("", inner=VALUE),
                mapping=MapOf("Each expression with its value.", inner=Shape()),
            )
        ),
        "policy": optional(
            ListOf(
                "The policies for decisions, as in `odds --policy`: `random`, `strike=most`.",
                inner=words(""),
            )
        ),
        "expect_odds": optional(
            MapOf(
                "Each expression with its probability (`70 %`, `60-65 %`, `7/10`), the probabilities of its values, or "
                "its mean.",
                inner=ByForm(
                    "The expected odds.",
                    scalar=words("The probability that it is true."),
                    mapping=MapOf("The probability of each value, or `mean`.", inner=Shape("A probability or a mean.")),
                ),
            )
        ),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A test: it runs the procedure `of`, or evaluates the formula of that name, or `value`, or makes the roll `roll`.

    `dice` are results in the order rolled, each the total before the bonus or a list of faces. `choose` are the options
    taken. The run stops after the step `until`. `expect` maps expressions to values, or is the one expected value. If
    there are `claims`, they are about the odds over all runs, with decisions made according to `policy`.
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
    """Return every example by id, in the order of the rules. Values are not checked.

    Invalid claims are in `bad_claims`. Nothing is reported here.
    """
    examples = {}
    for identity, entry in iterate_entries(rules.get("examples")):
        node = entry.value
        assert isinstance(node, Mapping)
        given = node.get("given")
        players = read_text(node.get("players"))
        claims = tuple(read_claims(node.get("expect_odds")))
        examples[identity] = Example(
            identity,
            read_text(node.get("title")),
            read_text(node.get("text")),
            read_text(node.get("of")),
            node.get("value"),
            node.get("roll"),
            given if isinstance(given, Mapping) else None,
            parse_whole_number(players),
            {name: read_text(choice.value) for name, choice in iterate_entries(node.get("options"))},
            tuple(item.to_plain() for item in list_items(node.get("dice"))),
            tuple(item.to_plain() for item in list_items(node.get("choose"))),
            read_text(node.get("until")),
            node.get("expect"),
            tuple(read_text(item) for item in list_items(node.get("policy"))),
            tuple(claim for claim in claims if isinstance(claim, Claim)),
            tuple(claim for claim in claims if isinstance(claim, BadClaim)),
            node,
            entry.key.span,
        )
    return examples


EXAMPLES = RulesSection(
    key="examples",
    place=130,
    doc="Examples of the rules with given dice and choices. Each check plays them and reports other results.",
    entry=EXAMPLE,
    one="example",
    gameplay=False,
    read=lambda work: read_examples(work.rules),
    alone=True,
    figureless=("title", "text"),
    retold=("title", "text"),
    bookkeeping=("reviewed",),
    title="Examples",
    heading="title",
    untranslated=("policy", "expect_odds"),
    labels={"title": "Title", "text": "Told as"},
    guide="tutorials/choices.md",
    anchor="example-",
    folded="Examples",
    report=160,
)


MEAN = "mean"
"""The key of the mean in `expect_odds`."""

FORMS = "write a probability as `70 %`, `60-65 %` or `7/10`, and a mean as `4.5` or `4.5-4.6`"

_NUMBER = r"-?\d+(?:\.\d+)?"
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:-\s*(\d+(?:\.\d+)?)\s*)?%")
_FRACTION = re.compile(r"(\d+)\s*/\s*([1-9]\d*)")
_RANGE = re.compile(rf"({_NUMBER})(?:\s*-\s*({_NUMBER}))?")


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that a probability or mean lies between `low` and `high`, inclusive.

    It is the probability of `answer`, or of true if that is empty. It is the mean if that is `MEAN`. `expression` and
    `text` are as written. A single number claims all values that round to it. A fraction is exact.
    """

    expression: Scalar
    answer: str
    low: Fraction
    high: Fraction
    text: str
    span: Span

    @property
    def of_mean(self) -> bool:
        """Whether the claim is about the mean and not about a probability."""
        return self.answer == MEAN

    def holds_for(self, value: Fraction) -> bool:
        """Return whether `value` is in the claimed range."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class BadClaim:
    """A claim with invalid syntax."""

    text: str
    span: Span


def read_claims(node: Node | None) -> Iterator[Claim | BadClaim]:
    """Yield every claim of an example, in order. `node` is its `expect_odds`, or None.

    A claim with invalid bounds is a `BadClaim`. Claims are not checked otherwise.
    """
    if not isinstance(node, Mapping):
        return
    for entry in node.entries.values():
        if isinstance(entry.value, Mapping):
            for inner in entry.value.entries.values():
                yield _claim(entry.key, inner.key.text, inner.value)
        else:
            yield _claim(entry.key, "", entry.value)


def _claim(expression: Scalar, answer: str, node: Node) -> Claim | BadClaim:
    """Return a claim about an answer or the mean, or a `BadClaim` if its bounds are invalid or the wrong way round."""
    written = node.text.strip() if isinstance(node, Scalar) else ""
    bounds = _mean(written) if answer == MEAN else _chance(written)
    if bounds is None or bounds[0] > bounds[1]:
        return BadClaim(written or node.kind, node.span)
    return Claim(expression, answer, *bounds, written, node.span)


def _chance(written: str) -> tuple[Fraction, Fraction] | None:
    """Return the bounds of a probability, written as a fraction or in percent, or None for any other text."""
    if match := _FRACTION.fullmatch(written):
        exact = Fraction(int(match[1]), int(match[2]))
        return exact, exact
    if match := _PERCENT.fullmatch(written):
        low, high = _bounds(match[1], match[2])
        return low / 100, high / 100
    return None


def _mean(written: str) -> tuple[Fraction, Fraction] | None:
    if match := _FRACTION.fullmatch(written):
        return _chance(written)
    match = _RANGE.fullmatch(written)
    return _bounds(match[1], match[2]) if match else None


def _bounds(first: str, last: str | None) -> tuple[Fraction, Fraction]:
    """Return the range of the numbers. A single number means all values that round to it."""
    if last is not None:
        return Fraction(first), Fraction(last)
    half = Fraction(1, 2 * 10 ** len(first.partition(".")[2]))
    return Fraction(first) - half, Fraction(first) + half
