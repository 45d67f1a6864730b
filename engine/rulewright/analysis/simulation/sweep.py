"""Sweeps over parameters of a ruleset, with several values in turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from rulewright.ruleset.overlay import Value
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic

MOST_VALUES = 1_000
"""The maximum number of combinations of values in a sweep."""

BAD_SWEEP = Code(
    "bad-sweep",
    "An invalid sweep",
    "A sweep names a number in the rules and the values to try.",
    "Write `numbers.<number>=50,100,150`, or `=50..150 step 25`. Write numbers that change together as `a&b=1&6,2&5`.",
)
_RANGE = re.compile(r"\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})(?:\s+step\s+(\d{1,9}))?\s*")
_OUTSIDE_BRACKETS = r"{}(?![^\[({{]*[\])}}])"


@dataclass(frozen=True, slots=True)
class Sweep:
    """Parameters that change together, and their values for each step of the sweep."""

    paths: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]


def parse_sweep(text: str) -> Sweep:
    """Parse a sweep. Raises `DiagnosticError` with the code `bad-sweep` for invalid text.

    >>> parse_sweep("numbers.goal=50..60 step 5").turns
    (('50',), ('55',), ('60',))
    """
    key, equals, values = text.partition("=")
    paths = tuple(part.strip() for part in key.split("&"))
    if not equals or not all(paths):
        _refuse(text, 0, len(key) or 1, "this names no number" if equals else "this gives no values")
    whole = _RANGE.fullmatch(values)
    if whole is not None and len(paths) == 1:
        first, last, step = int(whole[1]), int(whole[2]), int(whole[3] or 1)
        if first > last or step == 0 or (last - first) // step >= MOST_VALUES:
            _refuse(
                text, len(key) + 1, len(values), f"`{values.strip()}` is not a range of 1 to {MOST_VALUES:,} values"
            )
        return Sweep(paths, tuple((str(value),) for value in range(first, last + 1, step)))
    turns: list[tuple[str, ...]] = []
    for value in _split(values, ","):
        parts = tuple(part.strip() for part in _split(value, "&"))
        if len(parts) != len(paths) or not all(parts):
            expected = "a value" if len(paths) == 1 else f"{len(paths)} values, with `&` between them"
            _refuse(text, len(key) + 1, len(values) or 1, f"`{value.strip()}` is not {expected}")
        if parts in turns:
            _refuse(text, len(key) + 1, len(values), f"`{value.strip()}` is written twice")
        turns.append(parts)
    return Sweep(paths, tuple(turns))


def combine_values(sweeps: Sequence[Sweep]) -> list[tuple[Value, ...]]:
    """Return every combination of the turns of all sweeps.

    Raises `DiagnosticError` if there are more than `MOST_VALUES` combinations, or if two sweeps vary the same
    parameter.
    """
    paths = [path for sweep in sweeps for path in sweep.paths]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        _refuse(twice, 0, len(twice), f"`{twice}` appears in two sweeps")
    values: list[tuple[Value, ...]] = []
    for chosen in product(*(sweep.turns for sweep in sweeps)):
        pairs = zip(sweeps, chosen, strict=True)
        values.append(tuple(pair for sweep, turn in pairs for pair in zip(sweep.paths, turn, strict=True)))
        if len(values) > MOST_VALUES:
            _refuse("&".join(paths), 0, 1, f"this gives more than {MOST_VALUES:,} combinations")
    return values


def _split(text: str, sign: str) -> list[str]:
    return re.split(_OUTSIDE_BRACKETS.format(sign), text)


def _refuse(text: str, offset: int, length: int, message: str) -> None:
    raise DiagnosticError([Diagnostic(BAD_SWEEP, message, make_argument_node(text).position(offset, length))])
