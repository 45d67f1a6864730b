"""The section `dice:`, custom dice and named rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, Record, optional, words
from rulewright.ruleset.section import ID, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


DIE = Record(
    "A die of the game's own, or a roll that has a name.",
    members={
        "faces": optional(
            ByForm(
                "Its faces.",
                scalar=Leaf("`1..6`, or `10..100 step 10`.", format="faces"),
                sequence=ListOf("Every face.", inner=Leaf("A face.", format="integer")),
            )
        ),
        "of": optional(
            ByForm(
                "What a roll is made of: a name for the outcome of another roll, or one for each of several dice.",
                scalar=Leaf("A name for the outcome.", format="id"),
                sequence=ListOf("Names of dice, the highest first.", inner=Leaf("A name.", format="id")),
            )
        ),
        "is": optional(Leaf("What is rolled, in the notation of dice.", format="dice")),
        "means": optional(words("What it is for, how it is read.")),
    },
    short="faces",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.table_faces import declare_dice

    declare_dice(work.rules, work.declarations, work.diagnostics)


DICE = RulesSection(
    key="dice",
    place=20,
    doc="Dice of the game's own, and rolls that have a name.",
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
    anchor="die-",
    printed=True,
    linked=True,
    wordy=False,
    report=50,
    gist="means",
    weight=(22, 44),
)
