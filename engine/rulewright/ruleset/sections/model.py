"""The one model of what a rules folder holds.

From it come the JSON Schema of a fragment (one layer, which may be partial) and of a resolved ruleset,
the merge of layers, the gameplay digest, and the reference in the docs.
"""

from __future__ import annotations

from functools import lru_cache

from rulewright.language.shape import (
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Member,
    Record,
    Shape,
    Steps,
    expression,
    optional,
    required,
    words,
)
from rulewright.language.verb import verbs
from rulewright.ruleset.sections.model_faq import QUESTION
from rulewright.ruleset.sections.model_kinds import FIELD, FORMULA, KIND, NAMES, TYPE
from rulewright.ruleset.sections.model_overviews import OVERVIEW
from rulewright.ruleset.sections.model_pages import PAGE
from rulewright.ruleset.sections.model_samples import SAMPLE

DICE = Leaf("Dice, such as `2d6 +6`.", format="dice")
VALUE = Leaf("A value of the column's or number's type.", format="value")


def _faces() -> Shape:
    one = Leaf("A face `10`, or a range of faces `10-70`.", format="faces")
    return ByForm("Faces.", scalar=one, sequence=ListOf("Several faces and ranges.", inner=one))


MANIFEST = Record(
    "The manifest of an edition: what it is called, what it extends, how it is played.",
    members={
        "ruleset": required(Leaf("`<game>/<edition>`.", format="reference")),
        "version": required(Leaf("The version, as in semantic versioning: `1.0.0`.", format="version")),
        "extends": optional(
            Leaf("The edition this one is laid over, with its version: `game/core@1`.", format="reference")
        ),
        "overlays": optional(
            ListOf(
                "House rules laid over what this edition extends, in this order and below its own rules, such as "
                "`[my/high-keep@1, my/fog]`. Each was written for a layer that lies below it. Where two of them "
                "change the same thing, either the upper one's manifest names the lower one (`over`), or this "
                "edition's own rules say what holds. What they add to the end of a list, asking for no place there, "
                "stands in the order of their names.",
                inner=Leaf("An edition, with its version where it matters.", format="reference"),
            )
        ),
        "over": optional(
            ListOf(
                "Other house rules that this edition is meant to lie over: where both change the same thing, this "
                "edition holds. It needs none of them.",
                inner=Leaf("An edition, with its version where it matters.", format="reference"),
            )
        ),
        "follows": optional(
            Leaf(
                "The edition whose readers this one is written for, such as `game/standard@1`: the book marks what is "
                "new since then. Without it, that is the version before this one, if there is any.",
                format="reference",
                cosmetic=True,
            )
        ),
        "title": required(words("What readers call the edition.")),
        "about": optional(words("What it is, and for whom, in two or three sentences.")),
        "for": optional(words("For whom it is, in a few words, such as `families who like to bluff`.")),
        "takes": optional(words("How long people play, in a few words, such as `about an hour`.")),
        "date": optional(Leaf("When the edition was written, as `2019-03-08`.", format="value", cosmetic=True)),
        "status": optional(
            Leaf(
                "draft, released (locked by the digest of its gameplay), or abstract (only to be extended).",
                format="id",
                values=("draft", "released", "abstract"),
                cosmetic=True,
            )
        ),
        "locked": optional(Leaf("The gameplay digest of a released edition.", format="value", cosmetic=True)),
        "rounding": optional(
            Leaf("How a division drops a fraction.", format="id", values=("truncate", "down", "up", "nearest"))
        ),
        "players": optional(Leaf("How many may play: `2..4`, or `2`.", format="value")),
        "start": optional(Leaf("The procedure a whole game carries out.", format="reference")),
        "simulations": optional(
            MapOf(
                "Settings that simulations use unless told otherwise: each option with a choice.",
                inner=Leaf("A choice.", format="id"),
                cosmetic=True,
            )
        ),
        "evaluate": optional(
            Leaf(
                "The formula of one player by which bots judge how well the player stands: a number.",
                format="reference",
                cosmetic=True,
            )
        ),
    },
)

TERM = Record(
    "A word of the game.",
    members={
        "name": required(words("The word.")),
        "plural": optional(words("Its plural, where it is not the word with an s.")),
        "icon": optional(words("An emoji.")),
        "means": optional(words("What it is, in one sentence.")),
        "also": optional(ListOf("Other words readers may look for.", inner=words("A word."), cosmetic=True)),
    },
    short="name",
    cosmetic=True,
)

DIE = Record(
    "A die of the game's own.",
    members={
        "faces": required(
            ByForm(
                "Its faces.",
                scalar=Leaf("`1..6`, or `10..100 step 10`.", format="faces"),
                sequence=ListOf("Every face.", inner=Leaf("A face.", format="integer")),
            )
        ),
        "means": optional(words("What it is for, how it is read.")),
    },
    short="faces",
)

NUMBER = Record(
    "A named figure.",
    members={"is": required(expression("The figure: a constant expression.")), "means": optional(words("What it is."))},
    short="is",
)

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
                        "on": optional(_faces()),
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

OPTION = Record(
    "A setting players choose before (or, if `may_change` says so, during) a game.",
    members={
        "title": optional(words("What readers call it.")),
        "choices": required(MapOf("The choices, each with the words for it.", inner=words("Words."), ordered=True)),
        "default": required(Leaf("The choice that holds if nobody chooses.", format="id")),
        "may_change": optional(Leaf("What may change it in play.", format="id", values=("vote",))),
        "means": optional(words("What it settles.")),
    },
    body="choices",
)

DECK = Record(
    "A deck of cards.",
    members={
        "title": optional(words("What readers call it.")),
        "of": required(Leaf("The table whose rows are its cards.", format="reference")),
        "copies": optional(Leaf("The column that says how many of each there are (default one).", format="id")),
        "states": optional(
            ListOf("The tables that every card states, to be rolled on.", inner=Leaf("A table.", format="reference"))
        ),
        "places": optional(
            Leaf("The table whose rows are places on a card's edge, where a marker can lie.", format="reference")
        ),
        "held": optional(
            expression("A list of the cards that lie somewhere else: they stay out when an empty deck is made whole.")
        ),
    },
    short="of",
)

PROCEDURE = Record(
    "Steps that are carried out in order.",
    members={
        "title": optional(words("What readers call it.")),
        "means": optional(words("When it is done and what for, in one sentence.")),
        "given": optional(MapOf("What it is given: names and types.", inner=TYPE, ordered=True, ranked=True)),
        "gives": optional(MapOf("What it gives back.", inner=expression("The value."), ordered=True, ranked=True)),
        "names": optional(NAMES),
        "steps": required(Steps("The steps.")),
    },
)

EXCEPTION = Record(
    "A special case: where `when` holds, `instead` is done in place of a step.",
    members={
        "to": required(Leaf("The step it is an exception to: `procedure.step`.", format="reference")),
        "when": required(expression("When it applies.")),
        "instead": optional(Steps("What is done; nothing, if it is left out.")),
        "means": required(words("The special case in words.")),
    },
)

EXAMPLE = Record(
    "An executable example.",
    members={
        "title": required(words("What it shows.")),
        "text": optional(words("What a reader should know first.")),
        "of": optional(Leaf("The procedure that is carried out.", format="reference")),
        "value": optional(expression("An expression that is worked out.")),
        "roll": optional(DICE),
        "given": optional(
            MapOf("What there is at the start.", inner=Shape("A value, an object or a list of objects."))
        ),
        "players": optional(Leaf("How many play (default the fewest).", format="integer")),
        "options": optional(MapOf("Settings that are not at their default.", inner=Leaf("A choice.", format="id"))),
        "dice": optional(
            ListOf("Results, in the order rolled: a total before the bonus, or a list of faces.", inner=Shape())
        ),
        "choose": optional(ListOf("Options taken, in order.", inner=Shape())),
        "until": optional(Leaf("Stop when this step is done.", format="reference")),
        "expect": optional(
            ByForm(
                "What must hold at the end.",
                scalar=VALUE,
                sequence=ListOf("", inner=VALUE),
                mapping=MapOf("Each expression with its value.", inner=Shape()),
            )
        ),
        "policy": optional(
            ListOf("How decisions are settled, as `odds --policy` takes it: `random`, `strike=most`.", inner=words(""))
        ),
        "expect_odds": optional(
            MapOf(
                "Each expression with its chance (`70 %`, `60-65 %`, `7/10`), the chance of each answer, or its mean.",
                inner=ByForm(
                    "What the odds must be.",
                    scalar=words("The chance that it is true."),
                    mapping=MapOf("The chance of each answer, or `mean`.", inner=Shape("A chance, or a mean.")),
                ),
            )
        ),
    },
    cosmetic=True,
)

RULING = Record(
    "How a gap or contradiction of the sources was settled.",
    members={
        "about": required(Leaf("The rule it settles, such as `procedures.battle`.", format="reference")),
        "question": required(words("What was open.")),
        "source": required(words("What the sources say.")),
        "ruling": required(words("What holds.")),
        "because": required(words("Why.")),
        "number": optional(Leaf("Its number in the list of rulings.", format="integer")),
    },
    cosmetic=True,
)

MEASURE = Record(
    "A figure of a finished game that simulations report.",
    members={
        "is": required(expression("The figure: a number.")),
        "over": optional(expression("A number that grows as a game goes on; the figure is also reported over it.")),
        "title": optional(words("What reports call it.")),
        "means": optional(words("What it tells.")),
    },
    short="is",
    cosmetic=True,
)


def _section(doc: str, inner: Shape, *, cosmetic: bool = False, ranked: bool = False) -> Member:
    return optional(MapOf(doc, inner=inner, ordered=True, cosmetic=cosmetic, ranked=ranked))


RULES = Record(
    "A rules file: any of these sections.",
    members={
        "terms": _section("The words of the game.", TERM, cosmetic=True),
        "dice": _section("Dice of the game's own.", DIE),
        "numbers": _section("Named figures.", NUMBER),
        "tables": _section("Tables.", TABLE),
        "kinds": _section("Kinds of objects.", KIND),
        "state": _section("Values of the whole game.", FIELD, ranked=True),
        "options": _section("Settings.", OPTION, ranked=True),
        "decks": _section("Decks of cards.", DECK, ranked=True),
        "formulas": _section("Named expressions.", FORMULA),
        "procedures": _section("Procedures.", PROCEDURE),
        "exceptions": _section("Special cases.", EXCEPTION, ranked=True),
        "measures": _section("Figures of finished games, for simulations.", MEASURE, cosmetic=True),
        "examples": _section("Executable examples.", EXAMPLE, cosmetic=True),
        "samples": _section("Samples of play, for the rulebook.", SAMPLE, cosmetic=True),
        "overviews": _section("Figures worked out for the rulebook.", OVERVIEW, cosmetic=True),
        "rulings": _section("Rulings.", RULING, cosmetic=True),
        "faq": _section("Questions players ask.", QUESTION, cosmetic=True),
        "pages": _section("The rulebook.", PAGE, cosmetic=True),
    },
)


@lru_cache(maxsize=1)
def step_shape() -> Record:
    """The shape of a step: the keys every step may have, and those of every verb."""
    members: dict[str, Member] = {
        "id": required(Leaf("The step's name, the only one in its procedure.", format="id")),
        "when": optional(expression("The step is passed over unless this holds.")),
        "title": optional(words("What readers call the step.")),
        "text": optional(words("The step in a sentence for players, in place of the generated one.")),
        "ask": optional(words("What the player is asked.")),
        "none": optional(words("What the player reads for choosing nothing (`or_none`), such as `Stop here`.")),
    }
    for verb in verbs().values():
        for key, member in verb.keys.items():
            members.setdefault(key, optional(member.shape))
    return Record("A step: an id, one verb, perhaps a condition.", members=members)
