"""The section `numbers:`, named constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import Record, expression, optional, required, words
from rulewright.ruleset.section import INTERNAL, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


NUMBER = Record(
    "A named number.",
    members={
        "is": required(expression("The value: a number, dice, or a calculation with other numbers.")),
        "means": optional(words("A description of the number.")),
        "internal": INTERNAL,
    },
    short="is",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.formula_declarations import declare_numbers

    declare_numbers(work.rules, work.declarations, work.diagnostics, work.trail)


NUMBERS = RulesSection(
    key="numbers",
    place=30,
    doc="Numbers with a name, such as a price or a limit. A change here changes rules and book alike.",
    entry=NUMBER,
    one="number",
    sort="number",
    filled_in=True,
    gameplay=True,
    declare=_declare,
    title="Numbers",
    labels={"means": "Described as"},
    guide="design/text.md",
    anchor="number-",
    printed=True,
    report=40,
    gist="means",
    # Changed numbers matter most, because players know them by heart. A new or removed one is reported with its rule.
    weight=(34, 16),
)
