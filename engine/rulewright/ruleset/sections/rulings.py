"""The section `rulings:`, decisions on gaps and contradictions in the sources."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import Leaf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.section import BookPage, RulesSection
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

RULING = Record(
    "The decision about a gap or a contradiction in the sources.",
    members={
        "about": required(
            Leaf("The rule that the decision is about, such as `procedures.battle`.", format="reference")
        ),
        "question": required(words("The open question.")),
        "source": required(words("What the sources say.")),
        "ruling": required(words("The decision.")),
        "because": required(words("The reason for the decision.")),
        "number": optional(Leaf("The number in the list of rulings.", format="integer")),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """A ruling about the rule `about`, such as `procedures.battle`."""

    id: str
    about: str
    question: str
    source: str
    ruling: str
    because: str
    number: int | None
    span: Span


def read_rulings(rules: Mapping) -> dict[str, Ruling]:
    """Return every ruling by id, in the order of the rules. Without a valid `number`, its number is None."""
    rulings = {}
    for identity, entry in iterate_entries(rules.get("rulings")):
        node = entry.value
        assert isinstance(node, Mapping)
        number = read_text(node.get("number"))
        rulings[identity] = Ruling(
            identity,
            read_text(node.get("about")),
            read_text(node.get("question")),
            read_text(node.get("source")),
            read_text(node.get("ruling")),
            read_text(node.get("because")),
            int(number) if number.isdigit() else None,
            entry.span,
        )
    return rulings


RULINGS = RulesSection(
    key="rulings",
    place=160,
    doc="Decisions on cases that the rules leave open, with their reasons.",
    entry=RULING,
    one="ruling",
    gameplay=False,
    names={"about": ""},
    read=lambda work: read_rulings(work.rules),
    alone=True,
    figureless=("question", "ruling", "because"),
    title="Rulings",
    heading="question",
    labels={"question": "Open was", "source": "The sources say", "ruling": "What holds", "because": "Because"},
    wordy=False,
    anchor="ruling-",
    folded="Rulings",
    page=BookPage(
        file="rulings.md",
        title="Rulings",
        about="Decisions about gaps and contradictions in the sources, each with the reason.",
        place=60,
        on_front=50,
        in_menu=60,
    ),
    report=150,
    gist="ruling",
    bookkeeping=("about", "number"),
)
