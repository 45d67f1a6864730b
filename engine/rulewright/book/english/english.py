"""The fold over typed expressions."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from rulewright.book.english import aggregates, conditions, values
from rulewright.book.english.grammar import plain
from rulewright.book.english.naming import Naming
from rulewright.book.style import Style
from rulewright.book.words import row_words, value_words
from rulewright.dice.tree import Roll
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression import typed as t
from rulewright.language.types import Boolean, ListOf, Optional, Row, Thing, Type, present

_VALUES: dict[type[t.Typed], Callable[..., str]] = {
    t.Constant: values.constant,
    t.Local: values.local,
    t.Variable: values.variable,
    t.Objects: values.objects,
    t.Stored: values.stored,
    t.Cell: values.cell,
    t.Lookup: values.lookup,
    t.Arithmetic: values.arithmetic,
    t.Coalesce: values.coalesce,
    t.If: values.choice,
    t.Items: values.items,
    t.Apply: values.apply,
    t.Invoke: values.invoke,
    t.Aggregate: aggregates.value,
}


class English:
    """English for one ruleset, in one style."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.naming = Naming(style)
        self.it: str | None = None

    def value(self, node: t.Typed) -> str:
        """The value as a noun phrase."""
        if isinstance(node, (t.Comparison, t.Membership, t.Logic, t.Not, t.Present)):
            return f"whether {self.condition(node)}"
        named = isinstance(node, t.Invoke) or (isinstance(node, t.Stored) and node.kind != GAME_KIND)
        if named and isinstance(node.type, Boolean):
            return f"whether {self.condition(node)}"
        return _VALUES[type(node)](self, node)

    def inside(self, node: t.Typed) -> str:
        """The value as a part of a larger phrase."""
        return values.as_part(self, node)

    def condition(self, node: t.Typed, *, holds: bool = True) -> str:
        """The truth value as a clause, or its opposite."""
        return conditions.clause(self, node, holds=holds)

    def about(self, variable: str | None) -> English:
        """The same, where `variable` is called `it`."""
        other = copy(self)
        other.it = variable
        return other

    def owned(self, base: t.Typed, noun: str) -> str:
        """What belongs to `base`."""
        owner = self.value(base)
        if owner == "it":
            return f"its {noun}"
        if plain(noun).startswith("number of") or " of " in plain(owner) or len(plain(owner).split()) > 2:
            return f"the {noun} of {owner}"
        return f"{owner}{'’' if plain(owner).endswith('s') else '’s'} {noun}"

    def constant(self, value: Any, kind: Type, *, beside: t.Typed | None = None) -> str:
        """A value that is written in the rules."""
        match beside:
            case t.Stored(field=field) if field.startswith("options.") and isinstance(value, str):
                words = self.style.ruleset.declarations.options[field.removeprefix("options.")].choices[value]
                return f"“{value_words(words, kind, self.style)}”" if " " in words else self.style.value(words)
        inner = present(kind)
        if value is None:
            return "nobody" if kind == Optional(Thing("player")) else "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Roll):
            return self.style.dice(value)
        if isinstance(inner, Row) and isinstance(value, str):
            plain_title = row_words(self._row(inner.table, value), Style(self.style.ruleset))
            return self.style.value(plain_title)
        if isinstance(inner, ListOf):
            return self._rows(value, inner.inner)
        return self.naming.choice(value) if isinstance(value, str) else str(value)

    def _row(self, table: str, row: str) -> Any:
        return self.style.ruleset.declarations.tables[table].rows[row]

    def _rows(self, value: tuple[Any, ...], kind: Type) -> str:
        if isinstance(kind, Row) and value == tuple(self.style.ruleset.declarations.tables[kind.table].rows):
            return f"the rows of {self.naming.table(kind.table)}"
        return ", ".join(self.constant(item, kind) for item in value) or "nothing"

    def is_question(self, node: t.Typed) -> bool:
        """Whether the value is a truth value."""
        return isinstance(node.type, Boolean)
