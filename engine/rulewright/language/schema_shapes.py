"""Shapes: what a piece of a rules file may look like.

One model of shapes serves the JSON Schemas (of a fragment and of a resolved ruleset), the merge of layers,
the gameplay digest (which leaves out what is `cosmetic`) and the reference in the docs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shape:
    """Base of all shapes. `doc` explains it to a designer; `cosmetic` marks words and looks, which are not gameplay."""

    doc: str = ""
    cosmetic: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Leaf(Shape):
    """A scalar.

    `format` is `words` (text for readers, with `{placeholders}`), `expression`, `dice`, `type`, `id`, `reference`,
    `edition`, `flag`, `integer`, `faces`, `version`, `name` or `value`. `values` lists the only ones allowed, if there
    are few.
    """

    format: str = "words"
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a record."""

    shape: Shape
    required: bool = False


@dataclass(frozen=True, slots=True)
class Record(Shape):
    """A mapping with known keys. A scalar or list given in its place stands for the key `short` alone.

    `body` is the key below which stand the entries that it is made of, if they are called as the designer likes.
    A member `*` is the shape of whatever other keys there may be, each the id of one of the `others`.
    """

    members: Mapping[str, Member] = field(default_factory=dict)
    short: str | None = None
    body: str | None = None
    others: str = ""


@dataclass(frozen=True, slots=True)
class MapOf(Shape):
    """A mapping from ids the designer chooses to values of one shape.

    `ordered` entries may be placed by `before:`. Where entries are `ranked`, their order is part of the rules, as that
    of a table's rows is; otherwise it is only the order in which readers meet them. `ids` is the pattern of the ids,
    where that is another than of ids at large.
    """

    inner: Shape = field(default_factory=Shape)
    ordered: bool = False
    ranked: bool = False
    ids: str = ""


@dataclass(frozen=True, slots=True)
class ListOf(Shape):
    """A plain list: an upper layer replaces it whole."""

    inner: Shape = field(default_factory=Shape)


@dataclass(frozen=True, slots=True)
class Steps(Shape):
    """A list of steps, each with an `id`: an upper layer changes them one by one."""


@dataclass(frozen=True, slots=True)
class ByForm(Shape):
    """A different shape for a scalar, a list and a mapping."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None


POSITIONS = ("before", "after", "replace", "delete")
"""The keys by which an upper layer says where an entry goes, or that it goes away.

What is deleted is a line of the rules; what the verb `remove` takes away is an object, in play.
"""


def required(shape: Shape) -> Member:
    """Return a key that the resolved ruleset must have."""
    return Member(shape, required=True)


def optional(shape: Shape) -> Member:
    """Return a key that may be left out."""
    return Member(shape)


TELLS = Leaf(
    "What logs say of it, with `{self}` for the object and `{self.field}` for its values. Empty words are not told.",
    format="label",
    cosmetic=True,
)


def words(doc: str) -> Leaf:
    """Return text for readers."""
    return Leaf(doc, format="words", cosmetic=True)


def expression(doc: str) -> Leaf:
    """Return an expression of the language."""
    return Leaf(doc, format="expression")


def expressions(doc: str) -> MapOf:
    """Return a mapping from names to expressions."""
    return MapOf(doc, inner=expression(doc))


def held(doc: str) -> ByForm:
    """Return what a place is to hold.

    An expression, a value for each row of a map or part of a record, or a list of such.
    """
    plain = expression(doc)
    each = "A value for each row of a table, or each part of a record. Those that are left out hold 0, no or none."
    rows = MapOf(each, inner=expression(""))
    items = ListOf(doc, inner=ByForm("A value.", scalar=plain, sequence=plain, mapping=rows))
    return ByForm(doc, scalar=plain, sequence=items, mapping=rows)


def find_inner_shape(shape: Record | MapOf, key: str) -> Shape:
    """Return what stands below `key`, which may be any id."""
    if isinstance(shape, MapOf):
        return shape.inner
    member = shape.members.get(key) or shape.members.get("*")
    return member.shape if member else Shape()
