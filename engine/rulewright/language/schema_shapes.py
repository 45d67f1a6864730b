"""Shapes: the schema of each part of a rules file.

One model of shapes serves the JSON Schemas (of a fragment and of a resolved ruleset), the merge of layers,
the gameplay digest (which leaves out `cosmetic` parts) and the reference in the docs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMATS: Mapping[str, tuple[str, ...]] = {
    "words": ("string",),
    "label": ("string",),
    "name": ("string",),
    "id": ("string",),
    "reference": ("string",),
    "edition": ("string",),
    "type": ("string",),
    "version": ("string",),
    "dice": ("string", "integer"),
    "faces": ("string", "integer"),
    "expression": ("string", "integer", "boolean", "array"),
    "value": ("string", "integer", "number", "boolean"),
    "integer": ("integer",),
    "flag": ("boolean",),
    "loop": ("string", "boolean"),
}
"""The formats of a `Leaf`, each with the JSON types that YAML may give it: `is: 1` is a number in YAML, and an
expression in the rules.
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """Base of all shapes. `doc` explains it to a designer. `cosmetic` marks text and looks, which are not gameplay."""

    doc: str = ""
    cosmetic: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Leaf(Shape):
    """A scalar.

    `format` is one of `FORMATS`, such as `words` (text for readers, with `{placeholders}`), `flag` (`true` or `false`)
    or `loop` (`true`, or the id of a loop around a step). `values` lists the allowed values; empty allows any. If it
    `binds`, it is a name by which the expressions of the entry refer to a value.
    """

    format: str = "words"
    values: tuple[str, ...] = ()
    binds: bool = False

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown format, so that the module that declares it is reported."""
        if self.format not in FORMATS:
            raise ValueError(f"a Leaf has no format {self.format!r}; the formats are {', '.join(FORMATS)}")


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a record. `formerly` are its names in older versions of the language, oldest first."""

    shape: Shape
    required: bool = False
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `TypeError` unless the value has a shape."""
        if not isinstance(self.shape, Shape):
            raise TypeError(f"a Member needs a Shape, such as a Leaf, not {self.shape!r}")


@dataclass(frozen=True, slots=True)
class Record(Shape):
    """A mapping with known keys.

    A scalar or list in its place is short for a mapping with the key `short` alone. If designers choose the ids of its
    entries, `body` is the key that holds them. The member `*` is the shape of every other key, which is the id of one
    of the `others`.
    """

    members: Mapping[str, Member] = field(default_factory=dict)
    short: str | None = None
    body: str | None = None
    others: str = ""

    def __post_init__(self) -> None:
        """Raise `TypeError` unless all members are of the type `Member`."""
        for key, member in self.members.items():
            if not isinstance(member, Member):
                raise TypeError(f"the member `{key}` of a Record must be `required(…)` or `optional(…)`")


@dataclass(frozen=True, slots=True)
class MapOf(Shape):
    """A mapping from ids, which the designer chooses, to values of one shape.

    `before:` may position entries that are `ordered`. If entries are `ranked`, their order is part of the rules, like
    that of a table's rows. Otherwise it is only the reading order. `ids` is the pattern of the ids if it differs from
    the usual one. If the map `binds`, its ids are names like those of a `Leaf` that binds.
    """

    inner: Shape = field(default_factory=Shape)
    ordered: bool = False
    ranked: bool = False
    ids: str = ""
    binds: bool = False


@dataclass(frozen=True, slots=True)
class ListOf(Shape):
    """A plain list. An upper layer replaces it as a whole."""

    inner: Shape = field(default_factory=Shape)


@dataclass(frozen=True, slots=True)
class Steps(Shape):
    """A list of steps, each with an `id`. An upper layer changes them one by one."""


@dataclass(frozen=True, slots=True)
class ByForm(Shape):
    """An alternative of shapes: one for a scalar, one for a list, one for a list of steps and one for a mapping."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None
    steps: Steps | None = None

    @property
    def forms(self) -> tuple[Shape, ...]:
        """The shapes of all forms that are allowed."""
        return tuple(form for form in (self.scalar, self.sequence, self.steps, self.mapping) if form is not None)


POSITIONS = ("before", "after", "replace", "delete")
"""The keys by which an upper layer positions, replaces or deletes an entry of a lower one.

`delete` deletes an entry of the rules. The statement `remove` takes an object out of the game.
"""


EDIT_KEYS = frozenset(("id", *POSITIONS))
"""The keys of an edit of a plain list. Every step has at least one other key, its statement."""


def required(shape: Shape, *formerly: str) -> Member:
    """Return a member for a key that the resolved ruleset must have. `formerly` are its older names, oldest first."""
    return Member(shape, required=True, formerly=formerly)


def optional(shape: Shape, *formerly: str) -> Member:
    """Return a member for a key that may be left out. `formerly` are its older names, oldest first."""
    return Member(shape, formerly=formerly)


LOG = Leaf(
    "The log sentence, with `{self}` for the object and `{self.field}` for its values. Empty text is not logged.",
    format="label",
    cosmetic=True,
)


def words(doc: str) -> Leaf:
    """Return the shape of text for readers."""
    return Leaf(doc, format="words", cosmetic=True)


def expression(doc: str) -> Leaf:
    """Return the shape of an expression."""
    return Leaf(doc, format="expression")


def expressions(doc: str) -> MapOf:
    """Return the shape of a mapping from names to expressions."""
    return MapOf(doc, inner=expression(doc))


def held(doc: str) -> ByForm:
    """Return the shape of a field's value. `doc` describes it.

    It is an expression, a mapping with a value for each row of a map or part of a record, or a list of these.
    """
    plain = expression(doc)
    each = "A value for each row of a table, or each part of a record. Omitted values are 0, no or none."
    rows = MapOf(each, inner=expression(""))
    items = ListOf(doc, inner=ByForm("A value.", scalar=plain, sequence=plain, mapping=rows))
    return ByForm(doc, scalar=plain, sequence=items, mapping=rows)


def find_inner_shape(shape: Record | MapOf, key: str) -> Shape:
    """Return the shape of the value at `key`, or an empty `Shape` if a record has no such member."""
    if isinstance(shape, MapOf):
        return shape.inner
    member = shape.members.get(key) or shape.members.get("*")
    return member.shape if member else Shape()
