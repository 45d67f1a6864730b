"""The section `setups:`, pictures of boards at the start of a game.

`rulewright.testing.board_setups` plays the games up to that point.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    optional,
    required,
    words,
)
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import RulesSection
from rulewright.ruleset.sections.samples import POLICY, Sample
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number

_MANY = Leaf("The number of players.", format="integer")

COMPONENT = Record(
    "Something that the players need and that is not yet on the table.",
    members={
        "title": required(words("What it is, in the plural. The first term has its picture.")),
        "note": optional(words("How many there are, or what they are for.")),
    },
)

SETUP = Record(
    "A picture of the boards at the start, with a call-out for each kind of object, and a list.",
    members={
        "title": required(words("What the picture shows.")),
        "text": optional(words("An introduction for the reader.")),
        "players": optional(
            ByForm(
                "The number of players for which the setup is shown (default: the minimum).",
                scalar=_MANY,
                sequence=ListOf("Several numbers of players, in order.", inner=_MANY),
            )
        ),
        "until": required(Leaf("The step, `procedure.step`, that completes the setup.", format="reference")),
        "seed": optional(Leaf("The random seed (default 0).", format="integer")),
        "policy": optional(Leaf("The bot that decides for every seat (default `greedy`).", format="value")),
        "options": optional(MapOf("Settings that differ from their defaults.", inner=Leaf("A choice.", format="id"))),
        "components": optional(
            MapOf("Components that enter the game later, for the list on the first page of the book.", inner=COMPONENT)
        ),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """A picture of the boards for each number of players, as the game that sets them up.

    `components` are the titles and notes of components that are not on the table yet.
    """

    id: str
    title: str
    text: str
    games: tuple[Sample, ...]
    node: Mapping
    span: Span
    components: tuple[tuple[str, str], ...] = ()


def read_setups(rules: Mapping) -> dict[str, Setup]:
    """Return every setup by id, in the order of the rules, with one game for each number of players.

    If it does not list numbers of players, it has one game with None for the number.
    """
    setups = {}
    for identity, entry in iterate_entries(rules.get("setups")):
        node = entry.value
        assert isinstance(node, Mapping)
        many = [each.text for each in list_items(node.get("players")) if isinstance(each, Scalar)]
        numbers: list[int | None] = [parse_whole_number(each) for each in many] or [None]
        games = tuple(_game(identity, number, node, entry.key.span) for number in dict.fromkeys(numbers))
        components = tuple(
            (read_text(each.value.get("title")), read_text(each.value.get("note")))
            for _, each in iterate_entries(node.get("components"))
            if isinstance(each.value, Mapping)
        )
        setups[identity] = Setup(
            identity, read_text(node.get("title")), read_text(node.get("text")), games, node, entry.key.span, components
        )
    return setups


def _game(identity: str, players: int | None, node: Mapping, span: Span) -> Sample:
    """Return the game to play until everything is set up, as a sample without texts. The default seed is 0."""
    return Sample(
        identity,
        "",
        "",
        players,
        int(read_text(node.get("seed")) or 0),
        read_text(node.get("policy")) or POLICY,
        {name: read_text(choice.value) for name, choice in iterate_entries(node.get("options"))},
        read_text(node.get("until")),
        node,
        span,
    )


SETUPS = RulesSection(
    key="setups",
    place=146,
    doc="Pictures of the table as it is set up, for the rulebook.",
    entry=SETUP,
    one="setup",
    gameplay=False,
    read=lambda work: read_setups(work.rules),
    alone=True,
    figureless=("title",),
    title="The table, set up",
    heading="title",
    labels={"title": "The title", "text": "The text"},
    wordy=False,
    anchor="setup-",
    illustrates=True,
    report=174,
    # A different seed only changes the rolls, which is not worth reporting. Changes to the setup are reported with the
    # rules.
    bookkeeping=("players", "until", "seed", "policy", "options"),
)
