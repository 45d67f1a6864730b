"""What the sections of the rules are read with, and values that are worked out when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from rulewright.language import language_diagnostics
from rulewright.language.declarations import Declarations
from rulewright.ruleset.layers.layer import Layer
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Elaboration:
    """Merged `rules` on their way to `declarations`.

    `top` is the layer that lies over all others, `trail` what is being worked out just now; `whole` is whether all that
    was written is in `rules`. Faults go to `diagnostics`.
    """

    rules: Mapping
    declarations: Declarations
    diagnostics: Diagnostics
    trail: Trail
    top: Layer
    whole: bool


T = TypeVar("T")


LONGEST_TRAIL = 40
"""Values that may be under way at once, each needed for the one before: they share Python's stack."""


class Circle(Exception):  # noqa: N818 (it never leaves this module)
    """A value is asked for while it is being worked out."""


class TooDeep(Exception):  # noqa: N818 (it never leaves this module)
    """A value leans on too many others, one behind the other."""


class Trail:
    """What is being worked out just now, and for what: one for a ruleset, so that every circle is seen."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._under_way: list[tuple[str, Span]] = []
        self._reported: set[str] = set()
        self._told_depth = False

    @contextmanager
    def enter(self, name: str, span: Span) -> Iterator[None]:
        """Compute `name`. Raises `Circle` where that is under way already, `TooDeep` where too much else is."""
        names = [under_way for under_way, _ in self._under_way]
        if name in names:
            self._report(self._under_way[names.index(name) :])
            raise Circle
        if len(self._under_way) >= LONGEST_TRAIL:
            raise TooDeep
        self._under_way.append((name, span))
        try:
            yield
        finally:
            self._under_way.pop()

    def _report(self, circle: list[tuple[str, Span]]) -> None:
        if not self._reported.isdisjoint(name for name, _ in circle):
            return
        self._reported.update(name for name, _ in circle)
        (first, span), *others = circle
        said = " → ".join([*(f"`{name}`" for name, _ in circle), f"`{first}`"])
        message = f"{said}: it is worked out from itself" if others else f"`{first}` is worked out from itself"
        related = tuple(RelatedSpan(place, f"`{name}` is needed for it") for name, place in others)
        hint = "give one of them a value of its own" if others else "give it a value of its own"
        self.diagnostics.add(language_diagnostics.RECURSION, message, span, related=related, suggestion=hint)

    def give_up(self, name: str, span: Span) -> None:
        """Go on giving up as long as something needs `name`; at last, say so, once."""
        if self._under_way:
            raise TooDeep
        if not self._told_depth:
            self._told_depth = True
            message = f"`{name}` leans on too many others, one behind the other"
            hint = "declare what is needed before what needs it"
            self.diagnostics.add(language_diagnostics.EXPRESSION_TOO_LARGE, message, span, suggestion=hint)


class LazyMapping(MappingOf[str, T]):
    """A mapping of promises. Whoever reads a key has it worked out; where that runs in a circle, it is `broken`."""

    def __init__(self, trail: Trail, broken: Callable[[str], T]) -> None:
        self._trail = trail
        self._broken = broken
        self._promised: dict[str, tuple[Callable[[], T], str, Span]] = {}
        self._found: dict[str, T] = {}

    def promise(self, key: str, make: Callable[[], T], name: str, span: Span) -> None:
        """Register a promise for `key`; `name` and `span` are for messages about it."""
        self._promised[key] = (make, name, span)

    def settle(self) -> None:
        """Compute everything that nobody has asked for yet."""
        for key in self._promised:
            self[key]

    def __getitem__(self, key: str) -> T:
        found = self._found
        if key not in found:
            make, name, span = self._promised[key]
            try:
                with self._trail.enter(name, span):
                    value = make()
            except Circle:
                return self._broken(key)
            except (TooDeep, RecursionError):
                # Everything on the way is broken with it, so that nothing is tried twice.
                found[key] = value = self._broken(key)
                self._trail.give_up(name, span)
            found[key] = value
        return found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._promised

    def __iter__(self) -> Iterator[str]:
        return iter(self._promised)

    def __len__(self) -> int:
        return len(self._promised)


def settle(declarations: Declarations) -> None:
    """Compute every cell, number and formula that nobody has asked for yet."""
    for table in declarations.tables.values():
        for row in table.rows.values():
            if isinstance(row.cells, LazyMapping):
                row.cells.settle()
    for promised in (declarations.numbers, declarations.formulas):
        if isinstance(promised, LazyMapping):
            promised.settle()
    declarations.settled = True
