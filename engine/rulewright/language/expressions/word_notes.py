"""Notes on the words of expressions, recorded during checks for explanations of single words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from itertools import count

from rulewright.base.lazy import lazy_property
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.types import Type
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class ScalarReading:
    """The reading of one scalar: the visible names, the expected type, and the result of each part."""

    scalar: Scalar
    scope: Scope
    expected: Type | None
    parts: list[tuple[Syntax, Typed]] = field(default_factory=list)
    """The parts of the expression in the order of checking: inner parts before outer ones."""


_NUMBERS = count(1)


@dataclass(frozen=True, eq=False)
class DetachedReadings:
    """Readings without the declarations that they were made with, to store them longer than these.

    No others of this process have the same `number`.
    """

    readings: tuple[ScalarReading, ...]
    number: int = field(default_factory=_NUMBERS.__next__)

    @lazy_property
    def by_file(self) -> Mapping[str, tuple[ScalarReading, ...]]:
        """Return the readings of each file."""
        return _group(self.readings)


@dataclass(eq=False)
class FileReadings:
    """The readings of one file in the order in which they were made, with the declarations that belong to them."""

    parts: list[tuple[tuple[ScalarReading, ...], Declarations]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The numbers of the readings. Readings with the same key are the same."""
        return " ".join(map(str, self.numbers))

    def list_spans(self) -> Collection[Span]:
        """Return the span of each scalar that was read."""
        return dict.fromkeys(each.scalar.span for readings, _ in self.parts for each in readings).keys()

    def list_last(self) -> list[ScalarReading]:
        """Return the last reading of each scalar, which may be detached from its declarations."""
        return [*{each.scalar.span: each for readings, _ in self.parts for each in readings}.values()]

    @lazy_property
    def attached(self) -> tuple[ScalarReading, ...]:
        """Return the last reading of each scalar, with declarations."""
        last = {each.scalar.span: (each, declarations) for readings, declarations in self.parts for each in readings}
        return tuple(_attach(each, declarations) for each, declarations in last.values())


class Readings:
    """Readings in the order in which they were made. Those of earlier checks get their declarations when iterated."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Iterable[ScalarReading | tuple[DetachedReadings, Declarations]] = ()) -> None:
        self._parts = list(parts)

    def append(self, reading: ScalarReading) -> None:
        """Add a reading."""
        self._parts.append(reading)

    def repeat(self, detached: DetachedReadings, declarations: Declarations) -> None:
        """Add readings without declarations, which get these."""
        self._parts.append((detached, declarations))

    def extend(self, others: Readings) -> None:
        """Add all of `others`."""
        self._parts += others._parts

    def copy(self) -> Readings:
        """Return the same readings, to which nothing is added later."""
        return Readings(self._parts)

    def group_by_file(self) -> dict[str, FileReadings]:
        """Return the readings of each file."""
        results: dict[str, FileReadings] = {}
        for part in self._parts:
            if isinstance(part, ScalarReading):
                part = DetachedReadings((part,)), part.scope.declarations
            detached, declarations = part
            for file, readings in detached.by_file.items():
                of_file = results.setdefault(file, FileReadings())
                of_file.parts.append((readings, declarations))
                of_file.numbers.append(detached.number)
        return results

    def __iter__(self) -> Iterator[ScalarReading]:
        for part in self._parts:
            if isinstance(part, ScalarReading):
                yield part
            else:
                detached, declarations = part
                for each in detached.readings:
                    yield _attach(each, declarations)


def _attach(reading: ScalarReading, declarations: Declarations) -> ScalarReading:
    return replace(reading, scope=replace(reading.scope, declarations=declarations))


def _group(readings: Iterable[ScalarReading]) -> dict[str, tuple[ScalarReading, ...]]:
    by_file: dict[str, list[ScalarReading]] = {}
    for reading in readings:
        by_file.setdefault(reading.scalar.span.file, []).append(reading)
    return {file: tuple(each) for file, each in by_file.items()}


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


def detach_readings(readings: Iterable[ScalarReading]) -> DetachedReadings | None:
    """Return readings without the declarations they were made with. None if there are no readings."""
    detached = tuple(_attach(each, _NO_DECLARATIONS) for each in readings)
    return DetachedReadings(detached) if detached else None


def repeat_readings(readings: DetachedReadings | None, declarations: Declarations) -> None:
    """Record detached readings, with `declarations` in place of those they were made with.

    The declarations must be the same for the expressions in question. Does nothing if readings are not recorded.
    """
    notes = _NOTES.get()
    if notes is not None and readings is not None:
        notes.repeat(readings, declarations)


def record_again(readings: Readings) -> None:
    """Record readings that were set aside. Does nothing if readings are not recorded."""
    notes = _NOTES.get()
    if notes is not None:
        notes.extend(readings)


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
