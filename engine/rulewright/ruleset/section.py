"""The interface of a section, such as `tables:`, and the registry of sections: one file each in `sections/`.

A section is a top-level key of a rules file. It declares everything about itself: its schema, how it is read, whether
it is gameplay, its name for readers, and its position in the book and in change reports. Other code asks the registry
and never names a section, so a new file is all that a new section needs.
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
"""The symbol kind of an entry, in terms of programming languages."""

ID = "id"
"""The value of `heading` for sections whose entries readers know by their id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage:
    """A page of the book that is generated from a section. `about` is the text below its title.

    `place` is its position among generated pages, `on_front` its position among the links at the end of the front page,
    and `in_menu` its position in the reference group of the menu; 0 leaves it out.
    """

    file: str
    title: str
    about: str = ""
    place: int
    on_front: int = 0
    in_menu: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class RulesSection:
    """A section of the rules, with all that other code needs to know of it.

    Keys inside entries are dotted paths in which `*` matches any id: `notes.*.text`.
    """

    # -- for designers -------------------------------------------------------------------
    key: str
    """The top-level key in a rules file."""
    place: int
    """The sort key among sections: in merged rules, schemas and the reference."""
    doc: str
    """The description of the section in the reference and the JSON Schema."""
    entry: Record
    """The schema of an entry."""
    one: str
    """The noun for an entry in the JSON Schema and in messages."""
    ids: str = ""
    """The pattern of the ids of entries; empty for the default."""

    # -- for merging, comparing and signing rules --------------------------------------------
    gameplay: bool
    """Whether the section affects play. Other sections are only for readers and not part of the gameplay digest."""
    ranked: bool = False
    """Whether the order of entries affects play, and not just the order in which readers see them."""
    of_every_game: bool = False
    """Whether the setup of every game uses the section, no matter which procedures run."""
    parts: tuple[str, ...] = ()
    """The keys whose children count as parts of an entry: `tables.prices.wood` is a row."""
    settings: tuple[str, ...] = ()
    """The keys that count as parts of an entry themselves, such as `default`."""
    types: bool = False
    """Whether the ids of entries are also types of fields and parameters."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The keys that refer to an entry, each with the section of that entry; empty for any `citable` section."""

    sort: Sort = ""
    """The symbol kind of entries, which decides their colour and icon in editors."""

    # -- how it is read, in this order -----------------------------------------------------
    declare: Callable[[Elaboration], None] | None = None
    """A function that declares the names of the section; runs first."""
    fill: Callable[[Elaboration], None] | None = None
    """A function that reads the parts that need the names of all sections; runs second."""
    read: Callable[[Elaboration], Mapping[str, Any]] | None = None
    """A function that returns the value for `Ruleset.sections`; runs last, when everything is declared."""
    reads: Callable[[Any], Iterable[Typed]] | None = None
    """A function that returns the expressions in a value of `read`, for queries about dependencies."""
    alone: bool = False
    """Whether the section is declared or read from its own entries alone, so that it is the same while these are."""
    at_once: bool = False
    """Whether playing needs the values of `read`. Otherwise, they are loaded from the cache only when first used."""

    # -- its texts -------------------------------------------------------------------------
    prose: tuple[str, ...] = ()
    """Keys of hand-written text that explains rules and must not contain literal numbers."""
    figureless: tuple[str, ...] = ()
    """Keys of other texts that must not contain literal numbers, besides every `means`."""
    unfilled: tuple[str, ...] = ()
    """Keys of texts that placeholders insert. They must not contain placeholders themselves."""
    filled_in: bool = False
    """Whether placeholders may name the value of an entry, as in `{numbers.goal}`."""
    marked_up: tuple[str, ...] = ()
    """Keys of texts that may contain markup."""
    untranslated: tuple[str, ...] = ()
    """Keys of texts that are the same in every language."""
    worded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys of rules that are also described by texts, each with the keys of these texts; the first one present counts.

    A layer that overrides the rule must also set that text, even if the text stays the same.
    """
    retold: tuple[str, ...] = ()
    """Keys of texts about the other values of an entry. A layer that changes those may repeat the texts unchanged."""

    # -- for readers of the book -----------------------------------------------------------
    title: str
    """The title of the section."""
    heading: str = ""
    """The key with an entry's title; `ID` for the id itself, empty for a title made from the id."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The keys of an entry's texts that are shown to readers, each with its label."""
    guide: str = ""
    """The page of the documentation that fits the section, such as `design/dice.md`; empty if there is none."""
    anchor: str
    """The prefix of an entry's URL fragment."""
    page: BookPage | None = None
    """The generated page that lists all entries."""
    on_pages: bool = True
    """Whether a page of the rules may display an entry."""
    wordy: bool = True
    """Whether entries are displayed with generated English sentences, and not just with their own texts and numbers."""
    illustrates: bool = False
    """Whether entries only illustrate rules, without being rules themselves."""
    folded: str = ""
    """The heading below which a page folds entries away, such as `Examples`; empty to show them at once."""
    printed: bool = False
    """Whether the quick reference includes the section."""
    indexed: bool = False
    """Whether the index of the book lists its entries."""
    linked: bool = False
    """Whether a placeholder may name an entry, as in `{decks.spells}`, to insert a link with the entry's title."""
    citable: bool = True
    """Whether an answer or a ruling may be about an entry."""

    # -- for comparisons -------------------------------------------------------------------
    report: int
    """The sort key in a change report, where gameplay comes first and texts last."""
    gist: str = ""
    """The key that summarises an entry, for link previews and for entries that are new or removed."""
    weight: tuple[int, int] = (0, 0)
    """The importance of changes in summaries: of a changed entry, and of a new or removed one."""
    bookkeeping: tuple[str, ...] = ()
    """Keys that only structure the book; changes to them are not reported separately."""

    @lazy_property
    def shape(self) -> MapOf:
        """Return the schema of the whole section."""
        return MapOf(
            self.doc, inner=self.entry, ordered=True, ranked=self.ranked, ids=self.ids, cosmetic=not self.gameplay
        )


def matches_pattern(pattern: str, path: tuple[str, ...], *, whole: bool = True) -> bool:
    """Return whether a path inside an entry matches `pattern`.

    If `whole` is false, a path below a match is one too.
    """
    parts = pattern.split(".")
    reaches = len(parts) == len(path) if whole else len(parts) <= len(path)
    return reaches and all(part in ("*", own) for part, own in zip(parts, path, strict=False))


def find_rule(path: str) -> str:
    """Return the first two parts of a path, which name the entry: `procedures.battle.rounds` → `procedures.battle`."""
    return ".".join(path.split(".")[:2])


def find_part(path: str) -> tuple[str, ...]:
    """Return the path inside its entry: `procedures.battle.rounds` → `("rounds",)`.

    Empty for the path of an entry.
    """
    return tuple(path.split(".")[2:])


@compute_once
def load_sections() -> Mapping[str, RulesSection]:
    """Return every section by key, sorted by `place`. A broken plug-in is reported and left out."""
    results: dict[str, RulesSection] = {}
    for name, section in FOLDER.iterate_objects(RulesSection):
        FOLDER.check(name, partial(_add, results, section))
    return {section.key: section for section in sorted(results.values(), key=lambda each: (each.place, each.key))}


def _add(results: dict[str, RulesSection], section: RulesSection) -> None:
    if results.setdefault(section.key, section) is not section:
        raise PluginError(f"the section {section.key} is declared twice")


@compute_once
def list_part_keys() -> tuple[str, ...]:
    """Return the `parts` keys of all sections, without duplicates."""
    return tuple(dict.fromkeys(key for section in load_sections().values() for key in section.parts))


DICE = Leaf("Dice, such as `2d6 +6`.", format="dice")
VALUE = Leaf("A value of the column's or number's type.", format="value")
TYPE = Leaf(
    "A type: int, count, bool, text, dice, a kind, a table, a record, `optional …`, `list of …`.", format="type"
)
WORDING = "The phrase for the value in sentences: a noun without an article; for a boolean, the words after `is`."
INTERNAL = optional(
    Leaf(
        "Whether the rulebook leaves the entry out, such as a table that only formulas use (default: no).",
        format="flag",
        cosmetic=True,
    )
)
PHRASE = Leaf("Words, with `{given.name}` for a parameter.", format="label", cosmetic=True)
LABEL = Leaf("Words, with `{self.field}` for the object's own values.", format="label", cosmetic=True)

CLAUSES = Record(
    "A boolean value, as clauses.",
    members={"if_true": required(PHRASE, "holds"), "if_false": required(PHRASE, "fails")},
)

NAMES = MapOf(
    "Nouns, without articles, for names whose id does not read well.",
    inner=words("A noun."),
    cosmetic=True,
)

STEP_NAMES = MapOf(
    "Nouns, without articles, for names whose id does not read well. A boolean name, an option, and a result that may"
    " be none can also have a clause for each case.",
    inner=ByForm(
        "A noun; for a boolean, also clauses.",
        scalar=words("A noun."),
        mapping=Record(
            "A boolean value, as clauses.",
            members={
                "noun": optional(words("A noun.")),
                "if_true": required(words("The clause for true."), "holds"),
                "if_false": required(words("The clause for false."), "fails"),
            },
        ),
        cosmetic=True,
    ),
    cosmetic=True,
)
