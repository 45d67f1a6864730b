"""The sections `kinds:` and `state:`, the types of game objects and the values of the game itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    ByForm,
    Leaf,
    MapOf,
    Record,
    expression,
    held,
    optional,
    required,
    words,
)
from rulewright.language.visibility import describe_viewers_key
from rulewright.ruleset.section import CLAUSES, LABEL, TYPE, WORDING, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


LOG = ByForm(
    "The log sentence for a change of the value, with `{self}` for the object and `{self.field}` for its values:"
    " `if_true` if the new value is true or present, `if_false` if not. An empty sentence is not logged.",
    scalar=LABEL,
    mapping=Record(
        "A sentence for each case.", members={"if_true": optional(LABEL, "holds"), "if_false": optional(LABEL, "fails")}
    ),
    cosmetic=True,
)

FIELD = Record(
    "A value of each object or, under `state`, of the whole game.",
    members={
        "type": required(TYPE),
        "default": optional(held("The initial value.")),
        "means": optional(words("A description of the field.")),
        "wording": optional(ByForm(WORDING, scalar=words(WORDING), mapping=CLAUSES, cosmetic=True), "said"),
        "log": optional(LOG, "tells"),
        "seen_by": describe_viewers_key("The players who may see the value (default: everybody)"),
        "unit": optional(words("The unit of amounts of the value, if `wording` does not fit: `{movement}`.")),
    },
    short="type",
)

DERIVED = Record(
    "A value computed from the object's own fields, which it reads as `self.…`.",
    members={
        "is": required(expression("The expression for the value.")),
        "means": optional(words("A description of the value.")),
        "wording": optional(words(WORDING), "said"),
        "type": optional(TYPE),
    },
    short="is",
)

KIND = Record(
    "A kind of object.",
    members={
        "term": optional(Leaf("Its term in the book.", format="reference", cosmetic=True)),
        "wording": optional(
            Record(
                "The nouns for one object and for several, if the term of the kind does not fit.",
                members={
                    "one": required(words("A noun.")),
                    "several": required(words("Its plural.")),
                },
                cosmetic=True,
            ),
            "said",
        ),
        "plural": optional(
            Leaf("The name of the list of all objects of the kind (default: the id with an s).", format="id")
        ),
        "means": optional(words("A description of the kind.")),
        "label": optional(
            ByForm(
                "The label of an object: words with `{self.field}` for its own values.",
                scalar=LABEL,
                mapping=MapOf(
                    "A label for each field; the first field that is true or present decides.",
                    inner=LABEL,
                    ordered=True,
                ),
                cosmetic=True,
            )
        ),
        "log": optional(
            Record(
                "The log sentences for objects that enter or leave the game, with `{self}` for the object. An empty"
                " sentence is not logged.",
                members={"comes": optional(LABEL), "goes": optional(LABEL)},
                cosmetic=True,
            ),
            "tells",
        ),
        "side": optional(
            Leaf(
                "The field with the side of an object: examples draw the sides as ranks that face each other.",
                format="id",
                cosmetic=True,
            ),
            "ranks",
        ),
        "seen_by": describe_viewers_key("The players who may see the fields, unless a field has its own `seen_by`"),
        "fields": optional(MapOf("The fields of each object.", inner=FIELD, ordered=True, ranked=True)),
        "derived": optional(MapOf("The computed values.", inner=DERIVED, ordered=True)),
    },
    body="fields",
)


def _declare_kinds(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.kind_declarations import declare_kinds

    declare_kinds(work.rules, work.declarations)


def _fill_kinds(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.kind_declarations import fill_kinds

    fill_kinds(work.rules, work.declarations, work.diagnostics)


def _fill_state(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.kind_declarations import fill_state

    fill_state(work.rules, work.declarations, work.diagnostics)


KINDS = RulesSection(
    key="kinds",
    place=50,
    doc="The kinds of objects in a game, such as player or pawn, with the fields that each of them has.",
    entry=KIND,
    one="kind",
    sort="class",
    types=True,
    gameplay=True,
    of_every_game=True,
    parts=("fields", "derived"),
    names={"term": "terms"},
    declare=_declare_kinds,
    fill=_fill_kinds,
    figureless=("fields.*.means", "derived.*.means"),
    worded={"derived.*.is": ("means", "wording")},
    title="Kinds of things",
    labels={"means": "What it is", "plural": "Plural in the rules"},
    anchor="kind-",
    on_pages=False,
    report=80,
    gist="means",
    weight=(10, 20),
)

STATE = RulesSection(
    key="state",
    place=60,
    doc="Values of the whole game, such as a round or a market price, that no single object has.",
    entry=FIELD,
    one="field",
    sort="variable",
    gameplay=True,
    ranked=True,
    of_every_game=True,
    fill=_fill_state,
    title="Values of the game",
    labels={"means": "What it is"},
    anchor="state-",
    on_pages=False,
    citable=False,
    report=90,
    gist="means",
    weight=(8, 16),
)
