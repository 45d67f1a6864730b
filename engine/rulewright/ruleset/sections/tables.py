"""Tables: rows that are looked up, and rows that share out the faces of a roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Record, optional, required, words
from rulewright.ruleset.section import DICE, NAMES, TYPE, VALUE, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


_FACE = Leaf("A face `10`, or a range of faces `10-70`.", format="faces")
_FACES = ByForm("Faces.", scalar=_FACE, sequence=ListOf("Several faces and ranges.", inner=_FACE))

TABLE = Record(
    "A table. With `roll`, the rows share out the faces of that roll.",
    members={
        "title": optional(words("What readers call it.")),
        "about": optional(words("What it says, in one sentence.")),
        "roll": optional(DICE),
        "columns": optional(MapOf("Each column's type.", inner=TYPE, ordered=True)),
        "names": optional(NAMES),
        "grid": optional(
            Record(
                "A board of tiles in place of rows: a row of the table for each, `c1r1` at the top left, with its "
                "`column`, its `row` and its `neighbours`.",
                members={
                    "columns": required(Leaf("How many columns.", format="integer")),
                    "rows": required(Leaf("How many rows.", format="integer")),
                    "diagonal": optional(Leaf("Whether tiles that share only a corner are neighbours.", format="flag")),
                },
            )
        ),
        "rows": optional(
            MapOf(
                "The rows, by id; the id is what a roll results in.",
                inner=Record(
                    "A row. Beside these keys, a value for every column.",
                    members={
                        "on": optional(_FACES),
                        "title": optional(words("What readers call the row.")),
                        "*": optional(ByForm("A cell.", scalar=VALUE, sequence=ListOf("", inner=VALUE))),
                    },
                    short="on",
                ),
                ordered=True,
                ranked=True,
            )
        ),
    },
    body="rows",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.tables import declare_tables

    declare_tables(work.rules, work.declarations, work.diagnostics, work.top)


def _fill(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.tables import fill_tables

    fill_tables(work.rules, work.declarations, work.diagnostics, work.trail)


TABLES = RulesSection(
    key="tables",
    place=40,
    doc="Tables.",
    entry=TABLE,
    one="table",
    gameplay=True,
    parts=("rows", "columns"),
    declare=_declare,
    fill=_fill,
    prose=("about",),
    figureless=("title",),
    title="Tables",
    heading="title",
    told={"title": "Title", "about": "Described as"},
    anchor="table-",
    printed=True,
    indexed=True,
    report=60,
    gist="about",
    weight=(20, 36),
)
