"""What the parts of the fold ask of the whole."""

from __future__ import annotations

from typing import Protocol

from rulewright.book.english.naming import Naming
from rulewright.book.style import Style
from rulewright.language.expression.typed import Typed
from rulewright.language.types import Type


class Say(Protocol):
    """English for one ruleset in one style. `it` is the variable that is called `it` just now."""

    style: Style
    naming: Naming
    it: str | None

    def value(self, node: Typed) -> str:
        """The value as a noun phrase."""

    def inside(self, node: Typed) -> str:
        """The value as a part of a larger phrase: in brackets where it could be misread."""

    def condition(self, node: Typed, *, holds: bool = True) -> str:
        """The truth value as a clause, or its opposite."""

    def about(self, variable: str | None) -> Say:
        """The same, where `variable` is called `it`."""

    def owned(self, base: Typed, noun: str) -> str:
        """What belongs to `base`: `its owner`, `the city’s owner`, `the price of …`."""

    def constant(self, value: object, kind: Type, *, beside: Typed | None = None) -> str:
        """A value that is written in the rules; `beside` is what it is compared with."""
