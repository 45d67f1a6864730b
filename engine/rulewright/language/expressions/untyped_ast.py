"""The untyped tree of an expression, as the grammar reads it.

Every node knows `start` and `end`, its character offsets inside the expression's text.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Syntax:
    """Base of all nodes."""

    start: int
    end: int

    @property
    def children(self) -> tuple[Syntax, ...]:
        """The nodes directly below this one."""
        return ()


@dataclass(frozen=True, slots=True)
class Literal(Syntax):
    """A whole number, yes or no, or none."""

    value: int | bool | None


@dataclass(frozen=True, slots=True)
class DiceLiteral(Syntax):
    """Dice notation, not yet read."""

    notation: str


@dataclass(frozen=True, slots=True)
class Name(Syntax):
    """A bare word."""

    text: str


@dataclass(frozen=True, slots=True)
class Field(Syntax):
    """`base.name`."""

    base: Syntax
    name: str
    name_start: int

    @property
    def children(self) -> tuple[Syntax, ...]:
        return (self.base,)


@dataclass(frozen=True, slots=True)
class Index(Syntax):
    """`base[key]`."""

    base: Syntax
    key: Syntax

    @property
    def children(self) -> tuple[Syntax, ...]:
        return (self.base, self.key)


@dataclass(frozen=True, slots=True)
class Operation(Syntax):
    """An operator with its operands: `+ - * / % neg not and or == != < <= > >= in not_in`."""

    operator: str
    operands: tuple[Syntax, ...]

    @property
    def children(self) -> tuple[Syntax, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Conditional(Syntax):
    """`then if condition else otherwise`."""

    then: Syntax
    condition: Syntax
    otherwise: Syntax

    @property
    def children(self) -> tuple[Syntax, ...]:
        return (self.then, self.condition, self.otherwise)


@dataclass(frozen=True, slots=True)
class Listing(Syntax):
    """`[a, b]`."""

    items: tuple[Syntax, ...]

    @property
    def children(self) -> tuple[Syntax, ...]:
        return self.items


@dataclass(frozen=True, slots=True)
class Call(Syntax):
    """`function(a, b)`."""

    function: str
    arguments: tuple[Syntax, ...]

    @property
    def children(self) -> tuple[Syntax, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True)
class RowCall(Syntax):
    """`row.column(a, b)`: a cell that is computed from arguments."""

    row: Syntax
    column: str
    name_start: int
    arguments: tuple[Syntax, ...]

    @property
    def children(self) -> tuple[Syntax, ...]:
        return (self.row, *self.arguments)


@dataclass(frozen=True, slots=True)
class Aggregate(Syntax):
    """`function(element for variable in source if condition until end by order within limit to goal)`.

    `others` are the variables and lists of each further `for`.
    """

    function: str
    element: Syntax
    variable: str
    source: Syntax
    condition: Syntax | None = field(default=None)
    order: Syntax | None = field(default=None)
    limit: Syntax | None = field(default=None)
    goal: Syntax | None = field(default=None)
    until: Syntax | None = field(default=None)
    others: tuple[tuple[str, Syntax], ...] = ()

    @property
    def children(self) -> tuple[Syntax, ...]:
        more = (source for _, source in self.others)
        parts = (self.element, self.source, *more, self.condition, self.until, self.order, self.limit, self.goal)
        return tuple(c for c in parts if c is not None)


@dataclass(frozen=True, slots=True)
class TypeName(Syntax):
    """A type as written: `form` is `named`, `optional`, `list`, `map` or `choice`."""

    form: str
    names: tuple[str, ...] = ()
    inner: TypeName | None = None

    @property
    def children(self) -> tuple[Syntax, ...]:
        return () if self.inner is None else (self.inner,)
