"""The section `whenever:`, event triggers."""

from __future__ import annotations

from rulewright.language.schema_shapes import Leaf, MapOf, Record, Steps, expression, optional, words
from rulewright.ruleset.section import STEP_NAMES, RulesSection

_FIELD = "A field (`player.points`) or a value of the game (`pot`)"

RULE = Record(
    "A rule that holds whenever something happens: what it watches, a condition, and what is done. Its steps are a"
    " procedure of the same id. What they are told has a name: the object is called by its kind, an amount `amount`,"
    " what a field held and holds `before` and `after`, and what a procedure was given as the procedure calls it.",
    members={
        "title": optional(words("What readers call it.")),
        "means": optional(words("What it is for, in one sentence.")),
        "gains": optional(Leaf(f"{_FIELD} to which something is added.", format="reference")),
        "loses": optional(Leaf(f"{_FIELD} from which something is taken.", format="reference")),
        "changes": optional(Leaf(f"{_FIELD} that becomes another.", format="reference")),
        "creates": optional(Leaf("A kind of which an object comes into the game.", format="reference")),
        "removes": optional(Leaf("A kind of which an object leaves the game.", format="reference")),
        "begins": optional(Leaf("A procedure that begins.", format="reference")),
        "ends": optional(Leaf("A procedure that ends.", format="reference")),
        "does": optional(Leaf("A step that is carried out: `procedure.step`.", format="reference")),
        "when": optional(expression("The condition under which the rule holds.")),
        "as": optional(
            MapOf("What its steps call something instead of the usual name.", inner=Leaf("A name.", format="id"))
        ),
        "names": optional(STEP_NAMES),
        "first": optional(Steps("What is done just before it.")),
        "instead": optional(Steps("What is done in its place.")),
        "then": optional(Steps("What is done right after it.")),
    },
)

WHENEVER = RulesSection(
    key="whenever",
    place=105,
    doc="Rules that hold whenever something happens.",
    entry=RULE,
    one="rule",
    gameplay=True,
    ranked=True,
    title="Whenever",
    heading="title",
    labels={"title": "Title", "means": "What for"},
    anchor="whenever-",
    shown=False,
    report=15,
    gist="means",
    weight=(24, 48),
)
