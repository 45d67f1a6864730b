"""The part of the model that is overviews: figures worked out for a page to show at one glance, none of it gameplay."""

from __future__ import annotations

from rulewright.language.shape import Leaf, MapOf, Record, expression, optional, required, words

_OVER = Leaf("A table, or `optional` and a table, which adds a case without any row.", format="type")

OVERVIEW = Record(
    "Figures worked out for every row of a table: named `values` of it, or one `cell` for every row of another table.",
    members={
        "title": required(words("What readers call it.")),
        "about": optional(words("What it says, in one sentence.")),
        "rows": required(MapOf("A name for the row that stands on the left, with its table.", inner=_OVER)),
        "columns": optional(MapOf("A name for the row that stands above, with its table.", inner=_OVER)),
        "cell": optional(expression("What stands where a row and a column meet: dice, or a number.")),
        "values": optional(
            MapOf(
                "What is worked out for every row, column by column.",
                inner=Record(
                    "A column.",
                    members={"title": optional(words("Its heading.")), "is": required(expression("The figure."))},
                    short="is",
                ),
                ordered=True,
            )
        ),
        "when": optional(expression("Where this does not hold, nothing is there to show.")),
        "without": optional(words("The heading of the case without any row.")),
    },
    cosmetic=True,
)
