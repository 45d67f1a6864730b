"""English for the types, default values and visibility of fields."""

from __future__ import annotations

from typing import Any

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import choose_article
from rulewright.book.style.fill_placeholders import format_value
from rulewright.book.style.text_style import format_mean, format_range
from rulewright.dice.ast import Constant, Roll
from rulewright.language import types as t
from rulewright.language.declarations import Field
from rulewright.language.expressions.typed_ast import If, Items, Present, Variable

NOTHING = (None, 0, False, (), "")
"""Default values that the description of a field omits."""


class FieldWriter:
    """Writer that describes types, values and fields."""

    def __init__(self, english: English) -> None:
        self.english = english
        self.naming = english.naming

    def value(self, value: Any, kind: t.Type) -> str:
        """Return a value in words, `none` for None. Dice also show their range and mean.

        A player is the first one, whatever the value, because no game has started.
        """
        if value is None:
            return "none"
        if kind == t.PLAYER:
            # No game has started, so a default can only be the first player.
            return f"the first {self.naming.kind(t.PLAYER.kind)}"
        style = self.english.style
        if isinstance(value, Roll) and not isinstance(value, Constant):
            return f"{style.dice(value)} ({format_range(value)}, {format_mean(value)} on average)"
        return format_value(value, kind, style)

    def type(self, kind: t.Type) -> str:
        """Return a noun phrase for the values of a type, such as `a number` or `any number of Cards`."""
        match kind:
            case t.Integer():
                return "a number"
            case t.Text():
                return "words"
            case t.Dice():
                return "a roll"
            case t.Choice(ids=ids):
                return "one of " + ", ".join(self.naming.choice(identity) for identity in ids)
            case t.Row(table=table):
                return f"one of {self.naming.table(table)}"
            case t.Entity(kind=name):
                return choose_article(self.naming.kind(name))
            case t.RecordOf(name=name):
                return choose_article(self.naming.record(name))
            case t.Optional(inner=inner):
                return f"{self.type(inner)}, or none"
            case t.ListOf(inner=t.Entity(kind=name)):
                return f"any number of {self.naming.kind(name, several=True)}"
            case t.ListOf(inner=t.RecordOf(name=name)):
                return f"any number of {self.naming.record(name, several=True)}"
            case t.ListOf(inner=t.Row(table=table)):
                return f"a list of {self.naming.rows(table)}"
            case t.ListOf(inner=inner):
                return f"a list, each {self.type(inner)}"
            case t.MapOf(table=table, inner=inner):
                each = self.type(inner)
                return f"{each}{',' if ',' in each else ''} for each row of {self.naming.table(table)}"
        return str(kind)

    def field(self, field: Field) -> str:
        """Return the type of a field, its lower bound of 0, its viewers, and its default value.

        Parts that say nothing, such as an empty default value, are left out.
        """
        below = ", never below 0" if field.minimum == 0 else ""
        usual = self.type(field.type) + below + self._hidden(field)
        empty = isinstance(field.type, t.MapOf) and all(each in NOTHING for each in field.default)
        if not field.has_default or empty or field.default in NOTHING:
            return usual
        kind = t.present(field.type)
        begins = (
            "at" if isinstance(kind, t.Integer) else "with" if isinstance(kind, t.ListOf) or kind == t.PLAYER else "as"
        )
        return f"{usual}, starting {begins} {self.value(field.default, field.type)}"

    def _hidden(self, field: Field) -> str:
        """Return the viewers of a field, after a comma, or an empty string if every player sees it."""
        match field.seen_by:
            case None:
                return ""
            case Items(items=()):
                return ", which nobody may see"
            case Items(items=(Variable(type=t.Entity(kind=kind)),)):
                return f", which only that {self.naming.kind(kind)} may see"
            case Items(items=(one,)) | If(condition=Present(operand=one)) | one:
                return f", which only {self.english.value(one)} may see"
