"""The text of a roll as its author wrote it, where the notation says in few words what the tree says in many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rulewright.dice.errors import DiceError
from rulewright.dice.parse import parse
from rulewright.dice.text import SYMBOL, text
from rulewright.dice.tree import Comparison, Either, Named, Roll, Variable, parts


@lru_cache(maxsize=64)
def short_text(roll: Roll, *, symbol: bool = False) -> str:
    """Return a text that reads as `roll`: the dice of a name by that name, and dice of rolled sides as such.

    >>> short_text(parse("1d(1d3)")), text(parse("1d(1d3)"))
    ('1d(1d3)', '1d3 as sides: 1d1 if sides == 1 else 1d2 if sides == 2 else 1d3')
    """
    written = whole = text(roll)
    for node in _named(roll):
        long = text(node)
        if len(node.names) == 1:
            written = written.replace(long, _sides(node) or long)
        elif node.names[0].endswith("_1"):
            written = _by_one_name(written, node.names, node.names[0].removesuffix("_1"))
    if written != whole and not _reads_as(written, roll):
        written = whole
    return f"{SYMBOL} {written}" if symbol else written


def _reads_as(written: str, roll: Roll) -> bool:
    try:
        return parse(written) == roll
    except DiceError:
        return False


def _named(roll: Roll) -> Iterator[Named]:
    if isinstance(roll, Named):
        yield roll
    for part in parts(roll):
        yield from _named(part)


def _by_one_name(written: str, names: tuple[str, ...], name: str) -> str:
    """`written` with one name for dice that all have a name."""
    listed = ", ".join(names)
    written = written.replace(f" as {listed}: {' + '.join(names)} as {name}: ", f" as {name}: ")
    written = written.replace(f" as {listed}: ", f" as {name}: ")
    return re.sub(rf"\(\{{{listed}\}}(?=[ ,)])", f"({name}", written).replace(f"{{{listed}}}", f"{{{name}}}")


def _sides(node: Named) -> str | None:
    """The dice of rolled sides that `node` is, if its cases differ in the number of sides alone."""
    source, case, said = text(node.source), node.body, set()
    while isinstance(case, Either):
        match case.condition:
            case Comparison("==", Variable(), number):
                said.add(_of_sides(text(case.then), text(number), source))
        case = case.otherwise
    numbers = re.findall(r"d([0-9]+)", text(case))
    said.add(_of_sides(text(case), numbers[-1] if numbers else "", source))
    return said.pop() if len(said) == 1 else None


def _of_sides(written: str, sides: str, source: str) -> str:
    return re.sub(rf"d{sides}(?![0-9])", lambda _: f"d({source})", written)
