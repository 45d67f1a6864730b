"""The context in which sections are read, and mappings whose values are computed on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from rulewright.language import language_diagnostics
from rulewright.language.declarations import Declarations
from rulewright.ruleset.cache.known_procedures import KnownProcedures
from rulewright.ruleset.layers.layer import Layer
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Elaboration:
    """The context for reading merged `rules`, with their `manifest`, into `declarations`.

    `top` is the top layer. `trail` has the values being computed. `whole` is False if parts of the rules were left out
    because of errors. `known` has procedures of earlier rulesets. Errors go to `diagnostics`.
    """

    rules: Mapping
    declarations: Declarations
    diagnostics: Diagnostics
    trail: Trail
    top: Layer
    whole: bool
    known: KnownProcedures
    manifest: Mapping


T = TypeVar("T")


LONGEST_TRAIL = 40
"""The maximum length of a chain of values in which each depends on the next. Computing it recurses as deep."""


class Circle(Exception):  # noqa: N818 (it never leaves this module)
    """An exception for a value that depends on itself."""


class TooDeep(Exception):  # noqa: N818 (it never leaves this module)
    """An exception for a value with too long a chain of dependencies."""


class Trail:
    """The stack of values being computed, one per ruleset, so that every cycle is found."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._under_way: list[tuple[str, Span]] = []
        self._reported: set[str] = set()
        self._told_depth = False

    @contextmanager
    def enter(self, name: str, span: Span) -> Iterator[None]:
        """Push `name` while the block runs, and pop it even if the block fails. A context manager.

        Raises `Circle` if it is on the stack already, after reporting the cycle once, and `TooDeep` if
        `LONGEST_TRAIL` names are on the stack.
        """
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
        """Report a cycle, unless one of its values has been reported in another cycle."""
        if not self._reported.isdisjoint(name for name, _ in circle):
            return
        self._reported.update(name for name, _ in circle)
        (first, span), *others = circle
        text = " → ".join([*(f"`{name}`" for name, _ in circle), f"`{first}`"])
        message = f"a value depends on itself: {text}" if others else f"`{first}` depends on its own value"
        related = tuple(RelatedSpan(place, f"`{name}` is part of the cycle") for name, place in others)
        instead = "one of them a value that does not depend on the others" if others else "it another value"
        hint = (
            f"give {instead}: no formula or number may use itself; to repeat a computation, use a list, as in "
            "`sum(… for … in …)`, or a loop in a procedure"
        )
        self.diagnostics.add(language_diagnostics.RECURSION, message, span, related=related, suggestion=hint)

    def give_up(self, name: str, span: Span) -> None:
        """Raise `TooDeep` if another value that is being computed needs `name`. If none does, report the error.

        It is reported once for each ruleset.
        """
        if self._under_way:
            raise TooDeep
        if not self._told_depth:
            self._told_depth = True
            message = f"`{name}` depends on too long a chain of other values"
            hint = "declare each value before its uses"
            self.diagnostics.add(language_diagnostics.EXPRESSION_TOO_LARGE, message, span, suggestion=hint)


class LazyMapping(MappingOf[str, T]):
    """A mapping whose values are computed when they are first read. A value in a cycle is `broken(key)`."""

    def __init__(self, trail: Trail, broken: Callable[[str], T]) -> None:
        self._trail = trail
        self._broken = broken
        self._promised: dict[str, tuple[Callable[[], T], str, Span]] = {}
        self._results: dict[str, T] = {}

    def promise(self, key: str, make: Callable[[], T], name: str, span: Span) -> None:
        """Register the function that computes the value of `key`. `name` and `span` are for diagnostics."""
        self._promised[key] = (make, name, span)

    def settle(self) -> None:
        """Compute all values that were not read yet."""
        for key in self._promised:
            self[key]

    def __getitem__(self, key: str) -> T:
        """Return the value of a key, which is computed on first use. It is broken if it depends on itself.

        Raises `KeyError` for a key without a promise. Inside another computation, raises `TooDeep` after a long chain.
        """
        result = self._results
        if key not in result:
            make, name, span = self._promised[key]
            try:
                with self._trail.enter(name, span):
                    value = make()
            except Circle:
                return self._broken(key)
            except (TooDeep, RecursionError):
                # Every value on the stack fails too, so that none is computed twice.
                result[key] = value = self._broken(key)
                self._trail.give_up(name, span)
            result[key] = value
        return result[key]

    def __contains__(self, key: object) -> bool:
        return key in self._promised

    def __iter__(self) -> Iterator[str]:
        return iter(self._promised)

    def __len__(self) -> int:
        return len(self._promised)


def settle(declarations: Declarations) -> None:
    """Compute every cell, number and formula that was not read yet, and mark the declarations as settled.

    Errors in these go to the diagnostics with which they were declared.
    """
    for table in declarations.tables.values():
        for row in table.rows.values():
            if isinstance(row.cells, LazyMapping):
                row.cells.settle()
    for promised in (declarations.numbers, declarations.formulas):
        if isinstance(promised, LazyMapping):
            promised.settle()
    declarations.settled = True
