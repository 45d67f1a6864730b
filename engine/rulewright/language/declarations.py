"""The declarations of a ruleset for the language, and the scope of names at a point of a procedure or formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from rulewright.language.expressions.fact_paths import depends_on, list_fields
from rulewright.language.types import INTEGER, Choice, Entity, ListOf, RecordOf, Row, Type
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.dice.ast import Die, Roll
    from rulewright.dice.dice_context import RollFunction
    from rulewright.language.expressions.typed_ast import Typed


GAME = 0
"""The number of the object that holds the values of the whole game."""

FIRST_PLAYER = 1
"""The number of the player in the first seat; the others follow in seat order."""

GAME_KIND = "game"

SEEN = "seen."
"""Prefix of the field that lists the cards that all players have seen in a deck: `seen.pile` for `pile`."""

PLAYER_KIND = "player"

_RESERVED = re.compile(r"true|false|none|and|or|not|in|if|else|for|options|d[0-9][a-z0-9]*")


def is_reserved(name: str) -> bool:
    """Return whether `name` has a meaning in the language itself (`none`, `d6`), so that nothing else may use it."""
    return _RESERVED.fullmatch(name) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A word of the game, as this edition uses it. `forms` are its other forms, by name.

    `search` has search terms for it that no page shows.
    """

    id: str
    name: str
    plural: str
    icon: str
    means: str
    span: Span
    also: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    search: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name with a capital first letter, for headings and lists."""
        return self.name[:1].upper() + self.name[1:]


ROW_NAME = "self"
"""The name of the row in its own steps."""


@dataclass(frozen=True, slots=True, eq=False)
class StepsColumn:
    """A column of a table whose cells are steps, all with the same parameters and results.

    `required` says whether every row must have steps. `text` is the column with texts about them, or empty.
    `wording` is the clause for a step that runs them, or empty. `called` and `clauses` are as in `Procedure`.
    """

    id: str
    parameters: Mapping[str, Type]
    gives: Mapping[str, Type]
    required: bool
    span: Span
    text: str = ""
    wording: str = ""
    called: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


_COLUMN = ":"
"""What is between a table and its column in the id of the column's formula."""


def split_column(formula: str) -> tuple[str, str]:
    """Return the table and the name of the formula of a column, or an empty text and the id of another formula."""
    table, _, name = formula.rpartition(_COLUMN)
    return table, name


@dataclass(frozen=True, slots=True, eq=False)
class FormulaColumn:
    """A column of a table whose cells are expressions, all with the same parameters and type.

    `formula` is the id of the formula that computes the cell of any row, which is its first parameter.
    """

    id: str
    table: str
    parameters: Mapping[str, Type]
    type: Type
    span: Span

    @property
    def formula(self) -> str:
        """The id of the formula of the column. It differs from that of a derived field."""
        return f"{self.table}{_COLUMN}{self.id}"


@dataclass(frozen=True, slots=True, eq=False)
class TableRow:
    """A row: the faces that lead to it (none if the table has no roll) and its cells.

    `space_title` is the generated title of a space of a board, such as `[3, 1]`, if the rules give it another one.
    """

    id: str
    faces: tuple[int, ...]
    cells: Mapping[str, Any]
    span: Span
    title: str
    space_title: str = ""


@dataclass(frozen=True, slots=True)
class Placements:
    """What the rows of a table place: the pieces `of` a table, with their forms in its column `form`, on a board."""

    of: str
    form: str
    on: str


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table: rows in order, each with a value for every column. With `roll`, it is a roll table.

    `steps` are its columns of steps, `formulas` its columns of expressions, and `called` the nouns of its columns.
    If the rows are the spaces of a board, `shape` is its shape, and `ways` are the columns with named connections,
    of which `several` lead to any number of spaces. `directions` is the table whose rows are some of the other
    ways, or empty. If its rows are ways to place pieces on a board, `placements` says of which.
    """

    id: str
    title: str
    roll: Roll | None
    columns: Mapping[str, Type]
    rows: Mapping[str, TableRow]
    span: Span
    by_face: Mapping[int, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    shape: str = ""
    ways: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    steps: Mapping[str, StepsColumn] = field(default_factory=dict)
    formulas: Mapping[str, FormulaColumn] = field(default_factory=dict)
    directions: str = ""
    placements: Placements | None = None

    @property
    def type(self) -> Row:
        """The type of a row of this table."""
        return Row(self.id)

    @property
    def has_places(self) -> bool:
        """Whether its rows are places, each with its neighbours. Not every such table is a grid."""
        return self.columns.get("neighbours") == ListOf(self.type)

    @property
    def is_board(self) -> bool:
        """Whether it is a board, whose rows are tiles that lie in a column and a row."""
        return self.has_places and self.columns.get("column") == INTEGER == self.columns.get("row")


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A value that every object of a kind has. `minimum` is 0 for a `count`, else None.

    `wording` is its noun in sentences, `unit` the unit of its amounts, and `clauses` the sentences of a boolean for
    true and false. `log` are log sentences for its new value: `holds`, `fails`. `seen_by` are the players who may see
    the value of the object `self`, or None for all players.
    """

    name: str
    type: Type
    minimum: int | None
    default: Any
    means: str
    span: Span
    has_default: bool = True
    wording: str = ""
    unit: str = ""
    clauses: Mapping[str, str] = field(default_factory=dict)
    log: Mapping[str, str] = field(default_factory=dict)
    seen_by: Typed | None = None

    @property
    def unit_of_one(self) -> str:
        """The unit of the amount 1: `unit` or else `wording`, with the names of terms in place of their plurals."""
        return re.sub(r"\.plural\s*\}", "}", self.unit or self.wording)


CASES: Mapping[str, str] = MappingProxyType({"if_true": "holds", "if_false": "fails"})
"""The keys of words for a boolean value, each with the case that they are for."""


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A named expression with parameters. A derived field is one whose only parameter is the object.

    The formula of a column has the cells of the rows as `cells`, from which its `body` chooses by the row `self`.

    `wording` is its phrase in sentences: a noun phrase under the key `""`, or clauses under `holds` and `fails`.
    `called` are the nouns of its parameters, and `text` the rules' own words for the whole definition, if any.
    """

    id: str
    parameters: Mapping[str, Type]
    type: Type
    body: Typed
    means: str
    span: Span
    wording: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    cells: Mapping[str, Typed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of object. `plural` is the name of the list of all its objects, and `term` its word.

    `wording` are the words for one and for several, if no term has them. `side` is the field with the side of an
    object, empty if there are no sides. `log` are log sentences: one `comes`, one `goes`.
    """

    id: str
    plural: str
    fields: Mapping[str, Field]
    derived: Mapping[str, str]
    means: str
    span: Span
    labels: Mapping[str, str] = field(default_factory=dict)
    term: str = ""
    side: str = ""
    wording: Mapping[str, str] = field(default_factory=dict)
    log: Mapping[str, str] = field(default_factory=dict)

    @property
    def named_fields(self) -> dict[str, Field]:
        """The fields that rules can name, without those in which the engine stores decks, settings and viewers."""
        return {name: field for name, field in self.fields.items() if "." not in name}


@dataclass(frozen=True, slots=True, eq=False)
class RecordDeclaration:
    """A record: a value with several parts. `label` is its label for players, with `{self.part}` for its parts.

    `wording` are the words for one and for several, and `called` the nouns of its parts.
    """

    id: str
    type: RecordOf
    means: str
    span: Span
    label: str = ""
    wording: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class OptionDeclaration:
    """A setting of the game with its choices (id → words), the default, and the rule that may change it in play."""

    id: str
    choices: Mapping[str, str]
    default: str
    may_change: str | None
    means: str
    span: Span
    title: str

    @property
    def type(self) -> Choice:
        """The type of the setting's value."""
        return Choice(tuple(self.choices))


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A named figure of the rules."""

    id: str
    value: Any
    type: Type
    means: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """A deck with one card for each row of a table, or as many as the row's `copies` says.

    `held` is the expression for the cards that are somewhere else when an empty deck is made whole again. With
    `discard`, a value of the game, it is made of the cards there instead. In an `ordered` one, cards that were put on
    top or at the bottom are known to lie there. Printed, every card states the tables `states`, and has a place for a
    marker at each row of the table `places`.

    `kind` is the kind of object of which each has such a deck, or that of the game. `discard` is then a field of this
    kind. If the deck is `filled_by_rules`, it has none of its cards until steps put some into it.
    """

    id: str
    table: str
    cards: tuple[str, ...]
    title: str
    span: Span
    held: Scalar | None = None
    states: tuple[str, ...] = ()
    places: str = ""
    ordered: bool = False
    discard: str = ""
    kind: str = GAME_KIND
    filled_by_rules: bool = False

    @property
    def is_owned(self) -> bool:
        """Whether each object of a kind has such a deck."""
        return self.kind != GAME_KIND

    @property
    def start(self) -> tuple[str, ...]:
        """Its cards at the beginning of the game."""
        return () if self.filled_by_rules else self.cards

    @property
    def seen(self) -> str:
        """The field of a deck with an owner that lists the cards that all players have seen to be among its cards."""
        return f"{SEEN}{self.id}"

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that store its cards: those in unknown order, and the known ones on top and below."""
        rest = f"deck.{self.id}"
        return (rest, f"{rest}.top", f"{rest}.bottom") if self.ordered else (rest,)


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """The parameters and the results of a procedure.

    `writes` are the fields that its steps may change, and `finishes` says whether one may end the game. Both include
    the procedures that it runs, and triggers.
    """

    id: str
    parameters: Mapping[str, Type]
    gives: Mapping[str, Type]
    span: Span
    writes: frozenset[str] = frozenset()
    finishes: bool = False


Timing = Literal["just_before", "instead", "then"]
"""The time of a trigger's steps: just before the event, instead of it, or right after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """A rule that applies whenever an event happens.

    It watches the `event` of a `kind` and its `field`, or of a `procedure` and its `step`. Its steps are the
    procedure with the same id and run if `when` is true, which is `condition` in that procedure. `named` is its id as
    written.
    """

    id: str
    event: str
    timing: Timing
    kind: str
    field: str
    procedure: str
    step: str
    when: Scalar | None
    named: Scalar
    span: Span
    condition: Typed | None = None


@dataclass(slots=True, eq=False, weakref_slot=True)
class Declarations:
    """Everything one resolved ruleset declares. Filled in dependency order while the ruleset is checked."""

    terms: dict[str, Term] = field(default_factory=dict)
    dice: dict[str, Die] = field(default_factory=dict)
    functions: dict[str, RollFunction] = field(default_factory=dict)
    """Named rolls and functions of rolls."""
    tables: dict[str, Table] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    records: dict[str, RecordDeclaration] = field(default_factory=dict)
    options: dict[str, OptionDeclaration] = field(default_factory=dict)
    numbers: Mapping[str, Number] = field(default_factory=dict)
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    procedures: dict[str, Signature] = field(default_factory=dict)
    procedure_parameters: dict[str, Mapping[str, Type]] = field(default_factory=dict)
    """The parameters of each procedure with a name of its own, which are known before any steps are checked."""
    procedure_names: tuple[str, ...] = ()
    """The ids of all procedures, including those whose signatures are not known yet."""
    triggers: dict[str, Trigger] = field(default_factory=dict)
    rounding: str | None = None
    parameters: list[Typed] = field(default_factory=list)
    """The expressions of numbers, cells and defaults. Other members have only their values."""
    rolls_read: dict[tuple[str, tuple[str, ...]], None] = field(default_factory=dict)
    """The texts parsed as rolls so far, each with the names that it may use freely, as an ordered set."""
    settled: bool = False
    """Whether all numbers, table cells and formulas are computed. Until then, each is computed on first use."""

    def find_formula(self, written: str) -> str:
        """Return the id of the formula that `written` names: `table.column` for a column, or else the text itself."""
        table, _, column = written.partition(".")
        known = self.tables[table].formulas.get(column) if table in self.tables else None
        return written if known is None else known.formula

    def read_dice(self, text: str, *, names: tuple[str, ...] = ()) -> Roll:
        """Return the roll in `text`, read with the dice, functions and rounding of these rules.

        `names` are names that it may use freely. Records the text in `rolls_read`. Raises `DiceError` if it is not a
        roll.
        """
        roll = self.parse_dice(text, self.dice, self.functions, names)
        self.rolls_read[text, names] = None
        return roll

    def parse_dice(
        self, text: str, dice: Mapping[str, Die], functions: Mapping[str, RollFunction], names: tuple[str, ...]
    ) -> Roll:
        """Return the roll in `text`, read with these dice and functions. Raises `DiceError` if it is not a roll."""
        from rulewright.dice.parser.notation import parse

        return parse(text, dice=dice, functions=functions, rounding=self.rounding or "down", names=names)

    def needs(self, identity: str, text: str, names: tuple[str, ...]) -> bool:
        """Return whether a text that is a valid roll needs the definition of `identity` under `dice:`."""
        if identity not in text:
            return False
        from rulewright.dice.parser.notation import is_roll

        dice = {name: die for name, die in self.dice.items() if name != identity}
        functions = {name: function for name, function in self.functions.items() if name != identity}
        return not is_roll(text, dice=dice, functions=functions, rounding=self.rounding or "down", names=names)

    def record_of(self, parts: Iterable[str]) -> str | None:
        """Return a hint for constructing the smallest record that has all of these parts, or None."""
        names = set(parts)
        result = {name: [part for part, _ in record.type.parts] for name, record in self.records.items()}
        fitting = [name for name, own in result.items() if names and names <= set(own)]
        if not fitting:
            return None
        nearest = min(fitting, key=lambda name: len(result[name]))
        return f"to make a record, write `{nearest}({', '.join(result[nearest])})`"

    def describe_die(self, identity: str) -> str:
        """Return the faces of a die, or the notation of a named roll after its parameters.

        Raises `KeyError` for an unknown id.
        """
        from rulewright.dice.format_notation import format_roll

        if identity in self.dice:
            return ", ".join(map(str, self.dice[identity].faces))
        function = self.functions[identity]
        given = f"{', '.join(function.names)}: " if function.names else ""
        return given + format_roll(function.body)

    def map_plurals(self) -> dict[str, str]:
        """Return the name of each kind's collection → the kind."""
        return {kind.plural: kind.id for kind in self.kinds.values() if kind.id != GAME_KIND}


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A name bound in a procedure: the slot that holds it, its type, and whether `set` may change it.

    A `do` binds a record: `parts` then maps each given name to its own binding. `players` are those whose answers, in
    their order, the slot holds.
    """

    slot: int
    type: Type
    changeable: bool
    span: Span
    parts: Mapping[str, Binding] | None = None
    players: Typed | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The visible names, and the places known not to be none (`facts`, in the form of `typed.path`).

    `outside` is true for expressions that inspect a game from outside, which may use an index: `players[2]`. `row` is
    the row whose steps these are, or None. `unfinished` are the ids of the steps around the expression, whose results
    are not known yet, and `later` the names that a `for` gives only after it. `looks_ahead` is true for formulas and
    steps, which may use `after`. `player_functions` are functions of a player that only this scope has. Each returns
    the tree of its value for the tree of the player. `lost` are facts that a step may have made untrue, each with this
    step.
    """

    declarations: Declarations
    locals: Mapping[str, Binding] = field(default_factory=lambda: MappingProxyType({}))
    variables: Mapping[str, Type] = field(default_factory=lambda: MappingProxyType({}))
    facts: frozenset[str] = frozenset()
    outside: bool = False
    row: Typed | None = None
    unfinished: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    looks_ahead: bool = False
    player_functions: Mapping[str, Callable[[Typed], Typed]] = field(default_factory=lambda: MappingProxyType({}))
    lost: Mapping[str, RelatedSpan] = field(default_factory=lambda: MappingProxyType({}))

    def with_facts(self, facts: frozenset[str]) -> Scope:
        """Return this scope with additional `facts`."""
        return replace(self, facts=self.facts | facts) if facts else self

    def without(self, changed: Mapping[str, RelatedSpan]) -> Scope:
        """Return this scope without the facts that changes may make untrue.

        `changed` has the step that makes each change: of a local (`#` and its slot), of a field of any object, or of
        any field (an empty text).
        """
        lost: dict[str, RelatedSpan] = {}
        for fact in self.facts if changed else ():
            fields = list_fields(fact)
            for name, step in changed.items():
                if depends_on(fact, name) if name.startswith("#") else name in fields if name else fields:
                    lost[fact] = step
        return replace(self, facts=self.facts - lost.keys(), lost={**self.lost, **lost}) if lost else self

    def intersect(self, other: Scope) -> Scope:
        """Return this scope with the facts that are also in `other`."""
        return replace(self, facts=self.facts & other.facts)

    def with_binding(self, name: str, bound: Binding) -> Scope:
        """Return this scope with one more local name."""
        return replace(self, locals=MappingProxyType({**self.locals, name: bound}))

    def with_variable(self, name: str, kind: Type) -> Scope:
        """Return this scope with the variable of a `for`, and without facts about another value of that name."""
        return replace(
            self,
            variables=MappingProxyType({**self.variables, name: kind}),
            facts=frozenset(f for f in self.facts if not depends_on(f, name) and f"name={name!r}" not in f),
        )

    def list_names(self) -> list[str]:
        """Return every name an expression may start with here, for suggestions."""
        d = self.declarations
        # Derived fields belong to an object, so `card.worth` starts with a named card.
        formulas = [name for name in d.formulas if name.isidentifier()]
        own = [
            *self.variables,
            *self.locals,
            *([ROW_NAME] if self.row is not None else []),
            *d.numbers,
            *d.map_plurals(),
            *d.tables,
            *formulas,
        ]
        state = d.kinds.get("game")
        return own + (list(state.fields) if state else []) + (["options"] if d.options else [])

    def list_names_of_kind(self, kind: str) -> list[str]:
        """Return the visible names of an object of a kind, including fields such as `card.owner`."""
        bound = {**{name: local.type for name, local in self.locals.items()}, **self.variables}
        entity = Entity(kind)
        # If the rules do not name the deciding player, the generated name is not an identifier.
        names = [name for name, type_ in bound.items() if type_ == entity and name.isidentifier()]
        for name, type_ in bound.items():
            if name.isidentifier() and isinstance(type_, Entity) and type_.kind in self.declarations.kinds:
                fields = self.declarations.kinds[type_.kind].fields
                names += [f"{name}.{field}" for field, declared in fields.items() if declared.type == entity]
        return names
