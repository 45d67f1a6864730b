"""The part of the model that is questions and answers. Nothing of it is gameplay."""

from __future__ import annotations

from rulewright.language.shape import ByForm, Leaf, ListOf, Record, required, words

QUESTION = Record(
    "A question players ask, with its answer.",
    members={
        "question": required(words("What they ask, as they would say it.")),
        "answer": required(words("The answer, with markup and placeholders.")),
        "about": required(Leaf("The rule that settles it, such as `procedures.battle`.", format="reference")),
        "example": required(
            ByForm(
                "The example that proves the answer, or several: the rule comes up where each of them is run.",
                scalar=Leaf("The example.", format="reference"),
                sequence=ListOf("The examples, the best first.", inner=Leaf("One of them.", format="reference")),
            )
        ),
    },
    cosmetic=True,
)
