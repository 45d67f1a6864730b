"""The section `whenever:`, event triggers."""

from __future__ import annotations

from rulewright.language.schema_shapes import Leaf, MapOf, Record, Steps, expression, optional, words
from rulewright.ruleset.section import INTERNAL, STEP_NAMES, RulesSection

_FIELD = "A field (`player.points`) or a value of the game (`pot`)"

RULE = Record(
    "A trigger: the event to watch, a condition, and the steps to run. The steps become a"
    " procedure with the same id. They can read the object of the event by its kind, an amount as `amount`, the old"
    " and new values of a field as `before` and `after`, and the parameters of a procedure by their names.",
    members={
        "title": optional(words("Its title.")),
        "means": optional(words("Its purpose, in one sentence.")),
        "internal": INTERNAL,
        "gains": optional(Leaf(f"{_FIELD} that gains an amount.", format="reference")),
        "loses": optional(Leaf(f"{_FIELD} that loses an amount.", format="reference")),
        "changes": optional(Leaf(f"{_FIELD} whose value changes.", format="reference")),
        "creates": optional(Leaf("A kind: the event is that one of its objects enters the game.", format="reference")),
        "removes": optional(Leaf("A kind: the event is that one of its objects leaves the game.", format="reference")),
        "begins": optional(Leaf("A procedure that starts.", format="reference")),
        "ends": optional(Leaf("A procedure that ends.", format="reference")),
        "does": optional(Leaf("A step that runs: `procedure.step`.", format="reference")),
        "when": optional(expression("The condition under which the trigger applies.")),
        "as": optional(
            MapOf(
                "Other names for the values of the event in the steps.", inner=Leaf("A name.", format="id", binds=True)
            )
        ),
        "names": optional(STEP_NAMES),
        "just_before": optional(Steps("Steps to run just before the event."), "first"),
        "instead": optional(Steps("Steps to run instead of the event.")),
        "then": optional(Steps("Steps to run right after the event.")),
    },
)

WHENEVER = RulesSection(
    key="whenever",
    place=105,
    doc="Triggers: steps that happen before, after or instead of an event, such as each payment.",
    entry=RULE,
    one="rule",
    gameplay=True,
    ranked=True,
    title="Whenever",
    heading="title",
    labels={"title": "Title", "means": "What for"},
    guide="design/triggers.md",
    anchor="whenever-",
    on_pages=False,
    report=15,
    gist="means",
    weight=(24, 48),
)
