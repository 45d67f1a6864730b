"""Questions that players ask, each answered by a rule and proved by an example."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ruleset.elaborate.read import entries, text
from rulewright.source.nodes import Mapping, Scalar, Sequence
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question. `about` is the rule that settles it, `examples` the ids of those that prove the answer."""

    id: str
    question: str
    answer: str
    about: Scalar
    examples: tuple[Scalar, ...]
    span: Span


def read_faq(rules: Mapping) -> dict[str, Question]:
    """Every question, in the order of the rules."""
    found = {}
    for identity, entry in entries(rules.get("faq")):
        node = entry.value
        assert isinstance(node, Mapping)
        about, example = node.get("about"), node.get("example")
        assert isinstance(about, Scalar)
        named = example.items if isinstance(example, Sequence) else (example,)
        examples = tuple(each for each in named if isinstance(each, Scalar))
        found[identity] = Question(
            identity, text(node.get("question")), text(node.get("answer")), about, examples, entry.key.span
        )
    return found
