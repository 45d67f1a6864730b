"""Dice of the game's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.shape import ByForm, Leaf, ListOf, Record, optional, required, words
from rulewright.ruleset.section import ID, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


DIE = Record(
    "A die of the game's own.",
    members={
        "faces": required(
            ByForm(
                "Its faces.",
                scalar=Leaf("`1..6`, or `10..100 step 10`.", format="faces"),
                sequence=ListOf("Every face.", inner=Leaf("A face.", format="integer")),
            )
        ),
        "means": optional(words("What it is for, how it is read.")),
    },
    short="faces",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.faces import declare_dice

    declare_dice(work.rules, work.declarations, work.diagnostics)


DICE = RulesSection(
    key="dice",
    place=20,
    doc="Dice of the game's own.",
    entry=DIE,
    one="die",
    ids="^d[A-Za-z0-9_]+$",
    gameplay=True,
    of_every_game=True,
    declare=_declare,
    title="Dice",
    heading=ID,
    told={"means": "Described as"},
    anchor="die-",
    printed=True,
    linked=True,
    report=50,
    gist="means",
    weight=(22, 44),
)
