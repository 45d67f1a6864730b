"""The part of the model that is the rulebook: pages and their sections. Nothing of it is gameplay."""

from __future__ import annotations

from rulewright.language.shape import Leaf, ListOf, MapOf, Record, optional, required, words

SECTION = Record(
    "A section of a page.",
    members={
        "title": required(words("Its heading.")),
        "explains": optional(ListOf("The rules its text is bound to.", inner=Leaf("A rule.", format="reference"))),
        "text": optional(words("What players read, with markup and placeholders.")),
        "reviewed": optional(Leaf("The digest of the rules the text was written for.", format="value")),
        "show": optional(ListOf("What is shown below the text, in order.", inner=Leaf("A rule.", format="reference"))),
        "aid": optional(
            ListOf("What the player aid says of it, a line each, in the order it is done.", inner=words("A line."))
        ),
        "notes": optional(
            MapOf(
                "Notes.",
                inner=Record(
                    "A note.",
                    members={
                        "kind": required(Leaf("What it is.", format="id", values=("reminder", "tip", "special"))),
                        "text": required(words("What it says.")),
                    },
                ),
                ordered=True,
            )
        ),
    },
    cosmetic=True,
)

PAGE = Record(
    "A page of the rulebook.",
    members={
        "title": required(words("Its heading.")),
        "icon": optional(Leaf("The term whose icon it bears.", format="reference")),
        "letter": required(Leaf("The letter its sections are cited by.", format="value")),
        "about": optional(words("What it is about, in one sentence.")),
        "sections": required(MapOf("Its sections, in order.", inner=SECTION, ordered=True)),
    },
    cosmetic=True,
    body="sections",
)
