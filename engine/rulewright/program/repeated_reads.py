"""What code may do without being asked: leave out what changes nothing, and read once what is read again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulewright.language.declarations import GAME
from rulewright.language.expression import typed as t
from rulewright.language.expression.evaluate import may_explode
from rulewright.language.expression.typed import Typed
from rulewright.language.types import PLAYER, Choice, Integer, ListOf, Row, Thing

MANY = 16
"""Questions whether something is in a list, from which on a set answers faster, however short the list is."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the game, or of the player in a formula's parameter `of`; without a name, that parameter itself."""

    of: str
    kind: str
    name: str


def may_fail(node: Typed) -> bool:
    """Whether working out `node` itself, its parts aside, can fail: then somebody can tell that it was left out."""
    match node:
        case t.Stored(base=base):
            # The game and its players never leave; other objects may have left.
            return not _is_game(base) and base.type != PLAYER
        case t.Arithmetic(operator=operator):
            return not isinstance(node.type, Integer) or operator not in "+-*" or may_explode(node)
        case t.Aggregate(function=function):
            return function not in ("any", "all", "none", "count")
        case t.Apply() | t.Invoke():
            return True
    return False


def field_of(node: Typed) -> Field | None:
    """The field that `node` reads, where it is one that can be kept."""
    if isinstance(node, t.Stored):
        if _is_game(node.base):
            return Field("", node.kind, node.field)
        if isinstance(node.base, t.Variable) and node.base.type == PLAYER:
            return Field(node.base.name, node.kind, node.field)
    if isinstance(node, t.Variable) and isinstance(node.type, ListOf):
        return Field(node.name, "", "")
    return None


def kept(body: Typed, parameters: Iterable[str], length: Callable[[Typed], int]) -> dict[Field, bool]:
    """The fields that a formula reads more than once; True where it only looks for things in it, and often.

    Lists that it is given are among them only in the latter case: it has them at hand already.

    `length` says, or guesses, how many elements a list has.
    """
    hidden = {node.variable for node in body.walk() if isinstance(node, t.Aggregate)}
    known = {"", *parameters} - hidden
    reads: dict[Field, int] = {}
    searches: dict[Field, int] = {}
    for node, times in _repeated(body, 1, length):
        if isinstance(node, t.Membership) and (found := field_of(node.source)) is not None and _sortable(node.source):
            searches[found] = searches.get(found, 0) + times
        if (found := field_of(node)) is not None and found.of in known:
            reads[found] = reads.get(found, 0) + times
    again = {field: count == searches.get(field, 0) and count >= MANY for field, count in reads.items() if count > 1}
    return {field: as_set for field, as_set in again.items() if field.name or as_set}


def _repeated(node: Typed, times: int, length: Callable[[Typed], int]) -> Iterator[tuple[Typed, int]]:
    """Every node, with about how many times it is worked out."""
    yield node, times
    if not isinstance(node, t.Aggregate):
        for child in node.children:
            yield from _repeated(child, times, length)
        return
    yield from _repeated(node.source, times, length)
    for part in (node.element, node.condition, node.order):
        if part is not None:
            yield from _repeated(part, times * length(node.source), length)


def _is_game(base: Typed) -> bool:
    return isinstance(base, t.Constant) and base.value == GAME


def _sortable(source: Typed) -> bool:
    return isinstance(source.type, ListOf) and isinstance(source.type.inner, Integer | Row | Choice | Thing)
