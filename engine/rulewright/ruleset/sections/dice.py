"""The section `dice:`, custom dice and named rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, Record, optional, words
from rulewright.ruleset.section import ID, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


DIE = Record(
    "A custom die, or a named roll.",
    members={
        "faces": optional(
            ByForm(
                "Its faces.",
                scalar=Leaf("`1..6`, or `10..100 step 10`.", format="faces"),
                sequence=ListOf("Every face.", inner=Leaf("A face.", format="integer")),
            )
        ),
        "given": optional(
            ByForm(
                "The parameters of a roll: a name for the result of another roll, or names for several dice.",
                scalar=Leaf("A name for the result.", format="id"),
                sequence=ListOf("Names of dice, the highest first.", inner=Leaf("A name.", format="id")),
            ),
            "of",
        ),
        "is": optional(Leaf("The roll in dice notation.", format="dice")),
        "means": optional(words("The purpose of the roll, and how to read it.")),
    },
    short="faces",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.table_faces import declare_dice

    declare_dice(work.rules, work.declarations, work.diagnostics)


DICE = RulesSection(
    key="dice",
    place=20,
    doc="Dice with faces of your own, and names for rolls.",
    entry=DIE,
    one="die",
    ids="^[a-z][A-Za-z0-9_]*$",
    gameplay=True,
    of_every_game=True,
    declare=_declare,
    worded={"is": ("means",)},
    title="Dice",
    heading=ID,
    labels={"means": "Described as"},
    guide="design/dice.md",
    anchor="die-",
    printed=True,
    linked=True,
    wordy=False,
    report=50,
    gist="means",
    weight=(22, 44),
)
