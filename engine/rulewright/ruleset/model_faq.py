"""The part of the model that is questions and answers. Nothing of it is gameplay."""

from __future__ import annotations

from rulewright.language.shape import Leaf, Record, required, words

QUESTION = Record(
    "A question players ask, with its answer.",
    members={
        "question": required(words("What they ask, as they would say it.")),
        "answer": required(words("The answer, in Markdown with placeholders.")),
        "about": required(Leaf("The rule that settles it, such as `procedures.battle`.", format="reference")),
        "example": required(
            Leaf("The example that proves the answer: the rule comes up where it is run.", format="reference")
        ),
    },
    cosmetic=True,
)
