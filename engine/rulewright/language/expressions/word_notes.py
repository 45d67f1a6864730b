"""Notes on the words of expressions, recorded during checks for explanations of single words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.types import Type
from rulewright.source.nodes import Scalar


@dataclass(frozen=True, slots=True, eq=False)
class ScalarReading:
    """The reading of one scalar: the visible names, the expected type, and the result of each part."""

    scalar: Scalar
    scope: Scope
    expected: Type | None
    parts: list[tuple[Syntax, Typed]] = field(default_factory=list)
    """The parts of the expression in the order of checking: inner parts before outer ones."""


class Readings:
    """Readings in the order in which they were made. Those of earlier checks get their declarations when iterated."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Iterable[ScalarReading | tuple[tuple[ScalarReading, ...], Declarations]] = ()) -> None:
        self._parts = list(parts)

    def append(self, reading: ScalarReading) -> None:
        """Add a reading."""
        self._parts.append(reading)

    def repeat(self, detached: tuple[ScalarReading, ...], declarations: Declarations) -> None:
        """Add readings without declarations, which get these."""
        if detached:
            self._parts.append((detached, declarations))

    def extend(self, others: Readings) -> None:
        """Add all of `others`."""
        self._parts += others._parts

    def copy(self) -> Readings:
        """Return the same readings, to which nothing is added later."""
        return Readings(self._parts)

    def __iter__(self) -> Iterator[ScalarReading]:
        for part in self._parts:
            if isinstance(part, ScalarReading):
                yield part
            else:
                detached, declarations = part
                for each in detached:
                    yield replace(each, scope=replace(each.scope, declarations=declarations))


_NOTES: ContextVar[Readings | None] = ContextVar("readings", default=None)


@contextmanager
def record_readings() -> Iterator[Readings]:
    """Collect the readings of expressions in this thread during the block, including those that failed."""
    readings = Readings()
    before = _NOTES.set(readings)
    try:
        yield readings
    finally:
        _NOTES.reset(before)


def is_recording_readings() -> bool:
    """Return whether readings are recorded now."""
    return _NOTES.get() is not None


@contextmanager
def set_readings_aside() -> Iterator[Readings]:
    """Collect the readings of the block apart from the others. They stay empty if readings are not recorded."""
    if not is_recording_readings():
        yield Readings()
        return
    with record_readings() as readings:
        yield readings


_NO_DECLARATIONS = Declarations()


def detach_readings(readings: Iterable[ScalarReading]) -> tuple[ScalarReading, ...]:
    """Return readings without the declarations they were made with, to store them longer than these."""
    return tuple(replace(each, scope=replace(each.scope, declarations=_NO_DECLARATIONS)) for each in readings)


def repeat_readings(readings: tuple[ScalarReading, ...], declarations: Declarations) -> None:
    """Record detached readings, with `declarations` in place of those they were made with.

    The declarations must be the same for the expressions in question. Does nothing if readings are not recorded.
    """
    notes = _NOTES.get()
    if notes is not None:
        notes.repeat(readings, declarations)


def begin(scalar: Scalar, scope: Scope, expected: Type | None) -> ScalarReading | None:
    """Begin a record for the reading of `scalar`, add it to those being collected, and return it to be filled in.

    Returns None if no readings are being collected or the scalar has no source.
    """
    readings = _NOTES.get()
    if readings is None or not scalar.raw:
        return None
    reading = ScalarReading(scalar, scope, expected)
    readings.append(reading)
    return reading
