"""Shapes that several sections of the rules are made of."""

from __future__ import annotations

from rulewright.language.shape import ByForm, Leaf, MapOf, Record, optional, required, words

DICE = Leaf("Dice, such as `2d6 +6`.", format="dice")
VALUE = Leaf("A value of the column's or number's type.", format="value")
TYPE = Leaf("A type: int, count, bool, text, dice, a kind, a table, `optional …`, `list of …`.", format="type")
SAID = "How sentences say it: a noun without its article; of a truth value, what stands behind `is`."
PHRASE = Leaf("Words, with `{given.name}` for what is given.", format="label", cosmetic=True)
LABEL = Leaf("Words, with `{self.field}` for the object's own values.", format="label", cosmetic=True)

CLAUSES = Record(
    "A truth value, as a clause.",
    members={"holds": required(PHRASE), "fails": required(PHRASE)},
)

NAMES = MapOf(
    "What sentences call its names, where an id made readable would not do: a noun without its article.",
    inner=words("A noun."),
    cosmetic=True,
)

STEP_NAMES = MapOf(
    "What sentences call its names, where an id made readable would not do: a noun without its article. A name for what"
    " is true or not may bring a clause for each case as well.",
    inner=ByForm(
        "A noun; of what is true or not, clauses too.",
        scalar=words("A noun."),
        mapping=Record(
            "A truth value, as a clause.",
            members={
                "noun": optional(words("A noun.")),
                "holds": required(words("What is so.")),
                "fails": required(words("What is so otherwise.")),
            },
        ),
        cosmetic=True,
    ),
    cosmetic=True,
)
