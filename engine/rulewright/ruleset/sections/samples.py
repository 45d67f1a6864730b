"""The section `samples:`, sample games for the book.

`rulewright.testing.play_samples` plays them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import Leaf, MapOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.section import RulesSection
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number

POLICY = "greedy"
"""The default bot."""


SAMPLE = Record(
    "A sample game, played by bots from the start. A page shows it with its dice and maps.",
    members={
        "title": required(words("What the sample game shows.")),
        "text": optional(words("An introduction for the reader.")),
        "players": optional(Leaf("The number of players (default: the minimum).", format="integer")),
        "seed": optional(Leaf("The random seed (default 0).", format="integer")),
        "policy": optional(Leaf("The bot that plays every seat (default `greedy`).", format="value")),
        "options": optional(MapOf("Settings that differ from their defaults.", inner=Leaf("A choice.", format="id"))),
        "until": optional(
            Leaf("The sample stops when this step, `procedure.step`, has run for the first time.", format="reference")
        ),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A sample game from the start to the step `until`, or to the end if that is empty.

    The bot `policy` plays every seat with the random seed `seed`. `players` is None for the minimum number.
    """

    id: str
    title: str
    text: str
    players: int | None
    seed: int
    policy: str
    options: dict[str, str]
    until: str
    node: Mapping
    span: Span


def read_samples(rules: Mapping) -> dict[str, Sample]:
    """Return every sample by id, in the order of the rules. The default seed is 0, and the default policy `POLICY`.

    Raises `ValueError` if a seed is not a number.
    """
    samples = {}
    for identity, entry in iterate_entries(rules.get("samples")):
        node = entry.value
        assert isinstance(node, Mapping)
        players, seed = read_text(node.get("players")), read_text(node.get("seed"))
        samples[identity] = Sample(
            identity,
            read_text(node.get("title")),
            read_text(node.get("text")),
            parse_whole_number(players),
            int(seed or 0),
            read_text(node.get("policy")) or POLICY,
            {name: read_text(choice.value) for name, choice in iterate_entries(node.get("options"))},
            read_text(node.get("until")),
            node,
            entry.key.span,
        )
    return samples


SAMPLES = RulesSection(
    key="samples",
    place=140,
    doc="Parts of a game, told in the rulebook as they are played.",
    entry=SAMPLE,
    one="sample",
    gameplay=False,
    settings=("players", "options", "until"),
    read=lambda work: read_samples(work.rules),
    alone=True,
    figureless=("title",),
    worded={"options": ("text",), "players": ("text",), "until": ("text",)},
    title="Samples of play",
    heading="title",
    labels={"title": "The title", "text": "The text"},
    anchor="sample-",
    illustrates=True,
    report=170,
    # A different seed only changes the rolls, which is not worth reporting.
    bookkeeping=("players", "seed", "policy", "options", "until"),
)
