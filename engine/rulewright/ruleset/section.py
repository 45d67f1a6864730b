"""What a section of the rules is, and the registry that finds the sections: one file of `sections/` each.

A section is a top-level key of a rules file, such as `tables:`. It says everything about itself: its shape, how it is
read, whether it counts as gameplay, what readers call it, and where the book and a report of changes have it. Whoever
handles rules asks the sections there are; adding one is adding a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from rulewright.base.lazy import compute_once, lazy_property
from rulewright.base.plugins import PluginError, PluginFolder
from rulewright.language.schema_shapes import ByForm, Leaf, MapOf, Record, optional, required, words

if TYPE_CHECKING:
    from rulewright.language.expressions.typed_ast import Typed
    from rulewright.ruleset.elaborate.elaboration import Elaboration


FOLDER = PluginFolder("rulewright.ruleset.sections", "the sections' module")

Sort = Literal["", "class", "struct", "enum", "variable", "number", "function", "method", "word"]
"""What something with a name is like, in the words of other languages."""

ID = "id"
"""What stands for an entry's id where the key is asked that readers know the entry by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage:
    """A page of the book that no designer writes. `about` is what stands below its title.

    `place` is where it comes among the others of its kind, `on_front` among the links at the foot of the front page,
    `in_menu` in the menu's group of what is looked up (0: in none).
    """

    file: str
    title: str
    about: str = ""
    place: int
    on_front: int = 0
    in_menu: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class RulesSection:
    """A section of the rules, and all that whoever handles rules need know of it.

    Keys inside its entries are written with dots, and `*` stands for any id: `notes.*.text`.
    """

    # -- for designers -------------------------------------------------------------------
    key: str
    """What it is written under."""
    place: int
    """Where it stands among the others: in merged rules, in the schemas, in the reference."""
    doc: str
    """What it holds."""
    entry: Record
    """The shape of an entry."""
    one: str
    """What the JSON Schema and messages call an entry."""
    ids: str = ""
    """The pattern of its ids, where that is another than of ids at large."""

    # -- for what merges, compares and signs rules -----------------------------------------
    gameplay: bool
    """Whether the game is played by it; what is not gameplay is only told, and counts for nothing in the digest."""
    ranked: bool = False
    """Whether the order of its entries is a rule too, and not only that in which readers meet them."""
    of_every_game: bool = False
    """Whether every game is set up from it, whatever is carried out in the game."""
    parts: tuple[str, ...] = ()
    """The keys that hold what is known as a part of an entry: `tables.prices.wood` is a row."""
    settings: tuple[str, ...] = ()
    """The keys that are such a part themselves."""
    types: bool = False
    """Whether its ids are types, too: what a field or a parameter may be."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The keys that name something which has to be there: an entry of that section, or of any that is `citable`."""

    sort: Sort = ""
    """What its entries are like in other languages: editors have a colour and a picture for each."""

    # -- how it is read, in this order -----------------------------------------------------
    declare: Callable[[Elaboration], None] | None = None
    """Tells the language what there is, by name."""
    fill: Callable[[Elaboration], None] | None = None
    """Reads what can be read once every section has declared its names."""
    read: Callable[[Elaboration], Mapping[str, Any]] | None = None
    """Makes of every entry what `Ruleset.sections` holds, when all else is declared and checked."""
    reads: Callable[[Any], Iterable[Typed]] | None = None
    """The expressions of an entry as it was read, for whoever asks which rules something reads."""
    at_once: bool = False
    """Whether a game needs what was read; the rest comes from the cache when a reader asks for it."""

    # -- its words -------------------------------------------------------------------------
    prose: tuple[str, ...] = ()
    """Words that explain rules in sentences written by hand, so that they may hold no figure of their own."""
    figureless: tuple[str, ...] = ()
    """Other words that may hold no figure, besides every `means`."""
    unfilled: tuple[str, ...] = ()
    """Words that placeholders are filled in with, so that they may hold none."""
    filled_in: bool = False
    """Whether words may be filled in with what an entry comes to, as in `{numbers.goal}`."""
    marked_up: tuple[str, ...] = ()
    """Words that may hold markup."""
    untranslated: tuple[str, ...] = ()
    """Words that are the same in every language."""
    worded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The keys whose meaning stands beside them in words: each with the keys of these words, the first that counts.

    A layer that says the one anew has to say the other, too, though it be as it was.
    """

    # -- for readers of the book -----------------------------------------------------------
    title: str
    """What readers call the section."""
    heading: str = ""
    """The key of an entry that readers know it by; `ID` where that is its id as it stands, none where it is made
    readable."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What readers read of an entry's words, each key with a label."""
    anchor: str
    """What the fragment of an entry begins with."""
    page: BookPage | None = None
    """The page that lists all entries."""
    shown: bool = True
    """Whether a page of the rules may show an entry."""
    wordy: bool = True
    """Whether it is shown with sentences made of it, which are English; else by its own words and figures alone."""
    illustrates: bool = False
    """Whether an entry belongs to no rule, but shows rules at work."""
    printed: bool = False
    """Whether the rules in short have it too."""
    indexed: bool = False
    """Whether the index of the book lists its entries."""
    linked: bool = False
    """Whether words may name an entry, as in `{decks.spells}`, which is a link with its title."""
    citable: bool = True
    """Whether an answer or a ruling may be about an entry."""

    # -- for comparisons -------------------------------------------------------------------
    report: int
    """Where it comes in a report of what changed: what players do first, what they read about it last."""
    gist: str = ""
    """The key that says what an entry is: behind a link to it, and where it is new or gone."""
    weight: tuple[int, int] = (0, 0)
    """How soon a player notices an entry that changed, and one that is new or gone."""
    bookkeeping: tuple[str, ...] = ()
    """How the book is put together: it differs because a rule does, and says nothing to a reader by itself."""

    @lazy_property
    def shape(self) -> MapOf:
        """Return the shape of the section as a whole."""
        return MapOf(
            self.doc, inner=self.entry, ordered=True, ranked=self.ranked, ids=self.ids, cosmetic=not self.gameplay
        )


def matches_pattern(pattern: str, path: tuple[str, ...], *, whole: bool = True) -> bool:
    """Return whether a place inside an entry is one that `pattern` names.

    Or, unless it has to be the `whole`, lies in it.
    """
    parts = pattern.split(".")
    reaches = len(parts) == len(path) if whole else len(parts) <= len(path)
    return reaches and all(part in ("*", own) for part, own in zip(parts, path, strict=False))


def find_rule(path: str) -> str:
    """Return the whole rule that a path leads to or into: `procedures.battle.rounds` → `procedures.battle`."""
    return ".".join(path.split(".")[:2])


def find_part(path: str) -> tuple[str, ...]:
    """Return what of its rule a path leads to: `procedures.battle.rounds` → `("rounds",)`.

    Nothing for the whole rule.
    """
    return tuple(path.split(".")[2:])


@compute_once
def load_sections() -> Mapping[str, RulesSection]:
    """Return every section by key, in order of `place`. A broken one is reported and left out."""
    found: dict[str, RulesSection] = {}
    for name, section in FOLDER.iterate_objects(RulesSection):
        FOLDER.check(name, partial(_add, found, section))
    return {section.key: section for section in sorted(found.values(), key=lambda each: (each.place, each.key))}


def _add(found: dict[str, RulesSection], section: RulesSection) -> None:
    if found.setdefault(section.key, section) is not section:
        raise PluginError(f"the section {section.key} is declared twice")


@compute_once
def list_part_keys() -> tuple[str, ...]:
    """Return the keys under which an entry, of whatever section, holds what is known as a part of it."""
    return tuple(dict.fromkeys(key for section in load_sections().values() for key in section.parts))


DICE = Leaf("Dice, such as `2d6 +6`.", format="dice")
VALUE = Leaf("A value of the column's or number's type.", format="value")
TYPE = Leaf(
    "A type: int, count, bool, text, dice, a kind, a table, a record, `optional …`, `list of …`.", format="type"
)
SAID = "How sentences say it: a noun without its article; of a truth value, what stands behind `is`."
PHRASE = Leaf("Words, with `{given.name}` for what is given.", format="label", cosmetic=True)
LABEL = Leaf("Words, with `{self.field}` for the object's own values.", format="label", cosmetic=True)

CLAUSES = Record(
    "A truth value, as a clause.",
    members={"holds": required(PHRASE), "fails": required(PHRASE)},
)

NAMES = MapOf(
    "What sentences call its names, where an id made readable would not do: a noun without its article.",
    inner=words("A noun."),
    cosmetic=True,
)

STEP_NAMES = MapOf(
    "What sentences call its names, where an id made readable would not do: a noun without its article. A name for what"
    " is true or not may bring a clause for each case as well.",
    inner=ByForm(
        "A noun; of what is true or not, clauses too.",
        scalar=words("A noun."),
        mapping=Record(
            "A truth value, as a clause.",
            members={
                "noun": optional(words("A noun.")),
                "holds": required(words("What is so.")),
                "fails": required(words("What is so otherwise.")),
            },
        ),
        cosmetic=True,
    ),
    cosmetic=True,
)
