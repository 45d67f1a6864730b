"""The section `faq:`, questions of players, each with an answer, its rule and an example that proves it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import BookPage, RulesSection
from rulewright.ruleset.sections.pages import SEARCH
from rulewright.source.nodes import Mapping, Scalar, Sequence
from rulewright.source.span import Span

QUESTION = Record(
    "A question players ask, with its answer.",
    members={
        "question": required(words("The question in a player's words.")),
        "answer": required(words("The answer, with markup and placeholders.")),
        "about": required(Leaf("The rule that answers it, such as `procedures.battle`.", format="reference")),
        "example": required(
            ByForm(
                "The example that proves the answer, or a list of examples; each must apply the rule when it runs.",
                scalar=Leaf("The example.", format="reference"),
                sequence=ListOf(
                    "The examples, with the best one first.", inner=Leaf("An example.", format="reference")
                ),
            )
        ),
        "section": optional(
            Leaf(
                "The section whose text holds the answer, such as `battle.retreat`, if it is not the one that shows "
                "the rule.",
                format="reference",
            )
        ),
        "search": SEARCH,
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class FaqQuestion:
    """A question. `about` is the rule that answers it, `examples` the ids of examples that prove the answer.

    `section` names the section that holds the answer, or is None if the one that shows the rule does. `search` are
    terms that only the search uses.
    """

    id: str
    question: str
    answer: str
    about: Scalar
    examples: tuple[Scalar, ...]
    section: Scalar | None
    search: tuple[str, ...]
    span: Span


def read_faq(rules: Mapping) -> dict[str, FaqQuestion]:
    """Return every question by id, in the order of the rules. References in it are not checked.

    Raises `AssertionError` if the rules do not follow the schema.
    """
    faq = {}
    for identity, entry in iterate_entries(rules.get("faq")):
        node = entry.value
        assert isinstance(node, Mapping)
        about, example, section = node.get("about"), node.get("example"), node.get("section")
        assert isinstance(about, Scalar)
        named = example.items if isinstance(example, Sequence) else (example,)
        examples = tuple(each for each in named if isinstance(each, Scalar))
        faq[identity] = FaqQuestion(
            identity,
            read_text(node.get("question")),
            read_text(node.get("answer")),
            about,
            examples,
            section if isinstance(section, Scalar) else None,
            tuple(read_text(item) for item in list_items(node.get("search"))),
            entry.key.span,
        )
    return faq


FAQ = RulesSection(
    key="faq",
    place=170,
    doc="Questions of players, with their answers.",
    entry=QUESTION,
    one="question",
    gameplay=False,
    names={"about": ""},
    read=lambda work: read_faq(work.rules),
    alone=True,
    prose=("question", "answer"),
    marked_up=("answer",),
    title="Questions and answers",
    heading="question",
    labels={"question": "The question", "answer": "The answer"},
    guide="design/text.md",
    wordy=False,
    anchor="faq-",
    page=BookPage(
        file="faq.md",
        title="Questions and answers",
        about="Questions of players, answered from the rules. Each answer names its rule and an example that was run.",
        place=10,
        on_front=20,
        in_menu=20,
    ),
    on_pages=False,
    citable=False,
    report=140,
    gist="answer",
    bookkeeping=("about", "example", "search", "section"),
)
