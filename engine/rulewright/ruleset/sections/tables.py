"""The section `tables:`, lookup tables, roll tables and boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    optional,
    required,
    words,
)
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
        "headings": optional(
            MapOf(
                "What stands above its columns, where a term or an id made readable would not do.",
                inner=words("Words."),
                cosmetic=True,
            )
        ),
        "names": optional(NAMES),
        "grid": optional(
            Record(
                "A board of squares: a row of the table for each, `c1r1` at the top left, with its `column`, its "
                "`row`, its `neighbours`, and the one to the `north`, `east`, `south` and `west`.",
                members={
                    "columns": required(Leaf("How many columns.", format="integer")),
                    "rows": required(Leaf("How many rows.", format="integer")),
                    "diagonal": optional(Leaf("Whether tiles that share only a corner are neighbours.", format="flag")),
                },
            )
        ),
        "hexagons": optional(
            Record(
                "A board of hexagons: a row of the table for each, `c1r1` at the top left, with its `column`, its "
                "`row`, its `neighbours`, and the one to the `northeast`, `east`, `southeast`, `southwest`, `west` and "
                "`northwest`. It has columns and rows, or a radius.",
                members={
                    "columns": optional(Leaf("How many columns.", format="integer")),
                    "rows": optional(Leaf("How many rows.", format="integer")),
                    "slanted": optional(
                        Leaf(
                            "Whether every row begins half a hexagon further to the right than the one above; "
                            "otherwise every other row does.",
                            format="flag",
                        )
                    ),
                    "radius": optional(Leaf("How many rings lie around the one in the middle.", format="integer")),
                },
            )
        ),
        "track": optional(
            Record(
                "A board of places one after the other: a row of the table for each, `p1` the first, with its "
                "`neighbours`, and the one `ahead` and `back`.",
                members={
                    "places": required(Leaf("How many places.", format="integer")),
                    "ring": optional(Leaf("Whether the last place leads to the first.", format="flag")),
                    "width": optional(Leaf("How many places are drawn side by side.", format="integer")),
                },
            )
        ),
        "areas": optional(
            Record(
                "A board whose places are the rows below. Each lists its `neighbours`, and has them in turn as theirs; "
                "its `column` and `row` say where it is drawn.",
                members={
                    "ways": optional(
                        ListOf(
                            "Ways with a name, such as `roads`: each row lists under it the places to which one leads. "
                            "They are neighbours as well.",
                            inner=Leaf("A name.", format="id"),
                        )
                    ),
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
                    others="column",
                ),
                ordered=True,
                ranked=True,
            )
        ),
    },
    body="rows",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.table_declarations import declare_tables

    declare_tables(work.rules, work.declarations, work.diagnostics, work.top)


def _fill(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.table_declarations import fill_tables

    fill_tables(work.rules, work.declarations, work.diagnostics, work.trail)


TABLES = RulesSection(
    key="tables",
    place=40,
    doc="Tables.",
    entry=TABLE,
    one="table",
    sort="enum",
    types=True,
    filled_in=True,
    gameplay=True,
    parts=("rows", "columns"),
    declare=_declare,
    fill=_fill,
    prose=("about",),
    figureless=("title", "headings.*"),
    title="Tables",
    heading="title",
    labels={"title": "Title", "about": "Described as"},
    anchor="table-",
    printed=True,
    indexed=True,
    wordy=False,
    report=60,
    gist="about",
    weight=(20, 36),
)
