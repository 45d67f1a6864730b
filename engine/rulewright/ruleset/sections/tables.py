"""The section `tables:`, lookup tables, roll tables and boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    Steps,
    optional,
    required,
    words,
)
from rulewright.ruleset.boards.board_shape import load_shapes
from rulewright.ruleset.section import CLAUSES, DICE, INTERNAL, NAMES, PHRASE, STEP_NAMES, TYPE, VALUE, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


_FACE = Leaf("A face, such as `10`, or a range of faces, such as `10-70`.", format="faces")
_FACES = ByForm(
    "The faces of the roll that belong to the row.",
    scalar=_FACE,
    sequence=ListOf("Several faces and ranges.", inner=_FACE),
)

COLUMN = Record(
    "A column with more keys than its type: with a value for rows that have none of their own, with cells that are"
    " computed from arguments (`row.column(player)`), or with steps that each row runs (`do: row.column`).",
    members={
        "type": optional(TYPE),
        "default": optional(
            ByForm("The value of rows that have none of their own.", scalar=VALUE, sequence=ListOf("", inner=VALUE))
        ),
        "given": optional(
            MapOf(
                "The parameters from which each cell is computed: names and types. A cell is then an expression, in"
                " which `self` is the row.",
                inner=TYPE,
                ordered=True,
                ranked=True,
            )
        ),
        "means": optional(words("A description of what the cells compute.")),
        "wording": optional(
            ByForm(
                "The phrase for a computed cell in sentences, with `{given.self}` for the row. For steps, the clause"
                " for a step that runs them, as in procedures.",
                scalar=PHRASE,
                mapping=CLAUSES,
                cosmetic=True,
            )
        ),
        "names": optional(NAMES),
        "steps": optional(
            Record(
                "The parameters and the results of the steps, which are the same for every row.",
                members={
                    "given": optional(MapOf("The parameters: names and types.", inner=TYPE, ordered=True, ranked=True)),
                    "gives": optional(
                        MapOf(
                            "The results: their types, by the ids of the steps that produce them.",
                            inner=TYPE,
                            ordered=True,
                            ranked=True,
                        )
                    ),
                    "names": optional(STEP_NAMES),
                    "every_row": optional(Leaf("Whether every row needs steps (default: no).", format="flag")),
                    "text": optional(
                        Leaf(
                            "The column with texts that readers see in place of sentences made from the steps.",
                            format="name",
                            cosmetic=True,
                        )
                    ),
                    "default": optional(Steps("The steps of rows that have none of their own.")),
                },
            )
        ),
    },
)

TABLE = Record(
    "A table. If it has a `roll`, each face of the roll belongs to one row.",
    members={
        "title": optional(words("The title for readers.")),
        "about": optional(words("A summary in one sentence.")),
        "internal": INTERNAL,
        "roll": optional(DICE),
        "columns": optional(
            MapOf(
                "Each column's type.",
                inner=ByForm("The type, or a column with more keys.", scalar=TYPE, mapping=COLUMN),
                ordered=True,
            )
        ),
        "headings": optional(
            MapOf(
                "The column headings, where the term or the id does not fit.",
                inner=words("The heading of the column."),
                cosmetic=True,
            )
        ),
        "names": optional(NAMES),
        **{shape.name: optional(shape.schema) for shape in load_shapes().values() if shape.schema is not None},
        "every": optional(
            MapOf(
                "The parts of a row. Each part is a column, whose values come from a table or a range of numbers. The"
                " table has a row for each combination, and the id of the row joins the values: `hearts_queen`,"
                " `count2_face5`. `rows` may give some of the rows more cells or a title.",
                inner=ByForm(
                    "A table, or a range of whole numbers.",
                    scalar=Leaf("A table.", format="reference"),
                    mapping=Record(
                        "A range of whole numbers.",
                        members={
                            "from": required(Leaf("The lowest number.", format="integer")),
                            "to": required(Leaf("The highest number.", format="integer")),
                        },
                    ),
                ),
                ordered=True,
                ranked=True,
            )
        ),
        "placements": optional(
            Record(
                "The pieces of several spaces whose placements on a board are the rows. Each row has the `piece`, the"
                " spaces that it `covers` in the order of its form, the first of them as `at`, its `turns` clockwise,"
                " and whether it is `flipped`. `hook_c2r3_turned1` is the hook at `c2r3` after one turn.",
                members={
                    "of": required(Leaf("The table of the pieces.", format="reference")),
                    "form": required(
                        Leaf(
                            "The column of type `list of text` with the form of each piece: its rows from top to"
                            " bottom, with a letter for each space that it covers, and `.` for a gap.",
                            format="name",
                        )
                    ),
                    "on": required(Leaf("The board of squares or hexagons.", format="reference")),
                    "turned": optional(
                        Leaf(
                            "Whether pieces may be turned. Placements that put the same letters on the same spaces"
                            " are one row.",
                            format="flag",
                            values=("true",),
                        )
                    ),
                    "flipped": optional(Leaf("Whether pieces may be turned over.", format="flag", values=("true",))),
                },
            )
        ),
        "any_order": optional(
            Leaf(
                "Whether combinations of the same values in another order are the same row, as with dominoes.",
                format="flag",
                values=("true",),
            )
        ),
        "row_title": optional(
            Leaf(
                "The title of each combined row, with `{part}` for the title of a part (default: those of all parts).",
                format="label",
                cosmetic=True,
            )
        ),
        "rows": optional(
            MapOf(
                "The rows, by id. A roll on the table results in such an id.",
                inner=Record(
                    "A row, with these keys and a value for every column.",
                    members={
                        "on": optional(_FACES),
                        "title": optional(words("The title of the row.")),
                        "reviewed": optional(
                            Leaf(
                                "The signature of the steps with which an author last compared the text.",
                                format="value",
                                cosmetic=True,
                            )
                        ),
                        "*": optional(
                            ByForm("A cell.", scalar=VALUE, sequence=ListOf("", inner=VALUE), steps=Steps("The steps."))
                        ),
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
    doc="Tables of rows that rules look up or roll on, such as prices, cards or events.",
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
    bookkeeping=("rows.*.reviewed",),
    title="Tables",
    heading="title",
    labels={"title": "Title", "about": "Described as"},
    guide="design/tables.md",
    anchor="table-",
    printed=True,
    indexed=True,
    wordy=False,
    report=60,
    gist="about",
    weight=(20, 36),
)
