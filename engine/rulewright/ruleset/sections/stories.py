"""The section `stories:`, examples that the book shows as comic strips.

`rulewright.testing.story_trace` records the states for the pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import Leaf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.section import RulesSection
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

STORY = Record(
    "A picture story: an example of a procedure, with a picture for every step that changes what is visible.",
    members={
        "title": required(words("What the story shows.")),
        "text": optional(words("An introduction for the reader.")),
        "example": required(Leaf("The id of the example to show.", format="reference")),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Story:
    """A comic strip of the example with the id `example`."""

    id: str
    title: str
    text: str
    example: str
    node: Mapping
    span: Span


def read_stories(rules: Mapping) -> dict[str, Story]:
    """Return every comic strip by id, in the order of the rules. The example that it shows is not checked."""
    stories = {}
    for identity, entry in iterate_entries(rules.get("stories")):
        node = entry.value
        assert isinstance(node, Mapping)
        named = read_text(node.get("example"))
        stories[identity] = Story(
            identity, read_text(node.get("title")), read_text(node.get("text")), named, node, entry.key.span
        )
    return stories


STORIES = RulesSection(
    key="stories",
    place=143,
    doc="Examples that the rulebook shows as picture stories.",
    entry=STORY,
    one="story",
    gameplay=False,
    names={"example": "examples"},
    read=lambda work: read_stories(work.rules),
    alone=True,
    figureless=("title",),
    title="Picture stories",
    heading="title",
    labels={"title": "The title", "text": "The text"},
    wordy=False,
    anchor="story-",
    folded="Examples",
    illustrates=True,
    report=172,
    # Changes to the example are reported for the example itself.
    bookkeeping=("example",),
)
