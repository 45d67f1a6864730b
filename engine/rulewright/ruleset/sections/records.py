"""The section `records:`, types of immutable values with named parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import MapOf, Record, optional, required, words
from rulewright.ruleset.section import LABEL, NAMES, TYPE, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


RECORD = Record(
    "A record, created as `offer(player, grain, 3)` with one value for each part.",
    members={
        "parts": required(MapOf("Its parts: names and types.", inner=TYPE, ordered=True, ranked=True)),
        "means": optional(words("A description of the record.")),
        "label": optional(LABEL),
        "wording": optional(
            Record(
                "The nouns for one record and for several, if the id does not fit.",
                members={
                    "one": required(words("A noun.")),
                    "several": required(words("Its plural.")),
                },
                cosmetic=True,
            ),
            "said",
        ),
        "names": optional(NAMES),
    },
    body="parts",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.record_declarations import declare_records

    declare_records(work.rules, work.declarations, work.diagnostics)


RECORDS = RulesSection(
    key="records",
    place=55,
    doc="Values with several named parts, such as an offer with its buyer and its price.",
    entry=RECORD,
    one="record",
    sort="struct",
    types=True,
    gameplay=True,
    parts=("parts",),
    declare=_declare,
    title="Records",
    labels={"means": "What it is"},
    anchor="record-",
    on_pages=False,
    citable=False,
    report=85,
    gist="means",
    weight=(8, 16),
)
