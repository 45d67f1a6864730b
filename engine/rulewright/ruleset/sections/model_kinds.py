"""The part of the model that says what objects are: kinds with their fields, and formulas about them."""

from __future__ import annotations

from rulewright.language.shape import ByForm, Leaf, MapOf, Record, expression, optional, required, words

TYPE = Leaf("A type: int, count, bool, text, dice, a kind, a table, `optional …`, `list of …`.", format="type")
SAID = "How sentences say it: a noun without its article; of a truth value, what stands behind `is`."
PHRASE = Leaf("Words, with `{given.name}` for what is given.", format="label", cosmetic=True)
LABEL = Leaf("Words, with `{self.field}` for the object's own values.", format="label", cosmetic=True)

CLAUSES = Record(
    "A truth value, as a clause.",
    members={"holds": required(PHRASE), "fails": required(PHRASE)},
)

TELLS = ByForm(
    "What logs say when it has changed, with `{self}` for the object and `{self.field}` for its values: under `holds`"
    " for when it is true or something, under `fails` for when it is not. Empty words are not told.",
    scalar=LABEL,
    mapping=Record("A sentence for each case.", members={"holds": optional(LABEL), "fails": optional(LABEL)}),
    cosmetic=True,
)

NAMES = MapOf(
    "What sentences call its names, where an id made readable would not do: a noun without its article.",
    inner=words("A noun."),
    cosmetic=True,
)

FIELD = Record(
    "A value each object holds.",
    members={
        "type": required(TYPE),
        "default": optional(expression("What it starts as.")),
        "means": optional(words("What it is.")),
        "said": optional(ByForm(SAID, scalar=words(SAID), mapping=CLAUSES, cosmetic=True)),
        "tells": optional(TELLS),
        "unit": optional(words("What an amount of it is an amount of, where `said` would not do: `{movement}`.")),
    },
    short="type",
)

DERIVED = Record(
    "A value worked out from the object's own fields, reached as `self.…`.",
    members={
        "is": required(expression("How.")),
        "means": optional(words("What it is.")),
        "said": optional(words(SAID)),
        "type": optional(TYPE),
    },
    short="is",
)

KIND = Record(
    "A kind of object.",
    members={
        "term": optional(Leaf("The term readers know it by.", format="reference", cosmetic=True)),
        "said": optional(
            Record(
                "What sentences call one of it, and several, where no term of its own says so.",
                members={"one": required(words("A noun.")), "several": required(words("Its plural."))},
                cosmetic=True,
            )
        ),
        "plural": optional(Leaf("The name of all objects of the kind, where it is not the id with an s.", format="id")),
        "means": optional(words("What it is.")),
        "label": optional(
            ByForm(
                "What players call one of them: words with `{self.field}` for its own values.",
                scalar=LABEL,
                mapping=MapOf(
                    "A label for each case: that of the first field that holds something.", inner=LABEL, ordered=True
                ),
                cosmetic=True,
            )
        ),
        "tells": optional(
            Record(
                "What logs say when one comes into play or leaves it, with `{self}` for it. Empty words are not told.",
                members={"comes": optional(LABEL), "goes": optional(LABEL)},
                cosmetic=True,
            )
        ),
        "ranks": optional(
            Leaf(
                "The field that says on which side one stands: examples draw the sides as ranks that face each other.",
                format="id",
                cosmetic=True,
            )
        ),
        "fields": optional(MapOf("What each object holds.", inner=FIELD, ordered=True, ranked=True)),
        "derived": optional(MapOf("What is worked out.", inner=DERIVED, ordered=True)),
    },
    body="fields",
)

FORMULA = Record(
    "A named expression.",
    members={
        "given": optional(MapOf("Its parameters and their types.", inner=TYPE, ordered=True, ranked=True)),
        "is": required(expression("What it works out to.")),
        "means": optional(words("What it is.")),
        "said": optional(
            ByForm(
                "How sentences say it: a noun with its article, and `{given.name}` for each parameter.",
                scalar=PHRASE,
                mapping=CLAUSES,
                cosmetic=True,
            )
        ),
        "names": optional(NAMES),
        "type": optional(TYPE),
    },
    short="is",
)
