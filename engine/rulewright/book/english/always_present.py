"""Optional fields that are never empty in play, and the conditions that are therefore always true.

An example may omit the position of an object. In a game, every object has a position as soon as it is created. A
sentence that checks for it gives readers no information.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Create, Write
from rulewright.language.types import BOOLEAN, Nothing, Optional
from rulewright.ruleset.ruleset import Ruleset

Field = tuple[str, str]
"""A kind and the name of one of its fields."""

ALWAYS = t.Constant(BOOLEAN, True)
"""A condition that is always true."""
NEVER = t.Constant(BOOLEAN, False)
"""A condition that is never true."""


def list_always_present(ruleset: Ruleset) -> frozenset[Field]:
    """Return the optional fields that every new object fills and that no step empties.

    Fields of the game, of players, and of kinds that no step creates are left out. The result is cached on the ruleset.
    """
    return ruleset.get_or_make(_AlwaysPresent).fields


class _AlwaysPresent:
    """The result of `list_always_present`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.fields = _always_held(ruleset)

    @property
    def content(self) -> frozenset[Field]:
        """The fields. Few changes of steps affect them."""
        return self.fields


def _always_held(ruleset: Ruleset) -> frozenset[Field]:
    """Compute the result of `list_always_present`."""
    kinds = ruleset.declarations.kinds
    result: list[Create[t.Typed]] = []
    written: list[Write[t.Typed]] = []
    for procedure in ruleset.procedures.values():
        for step in procedure.iterate_steps():
            for each in list_operations(step):
                if isinstance(each, Create):
                    result.append(each)
                elif isinstance(each, Write):
                    written.append(each)
    held = {
        (each.kind, name)
        for each in result
        if each.kind not in (GAME_KIND, PLAYER_KIND)
        for name, field in kinds[each.kind].fields.items()
        if isinstance(field.type, Optional)
    }
    # A field may be copied from another one, so removing one candidate may disqualify more. Repeat until stable.
    while empty := {
        place for place in held if not all(_surely(value, held) for value in _values(place, result, written))
    }:
        held -= empty
    return frozenset(held)


def _values(place: Field, result: list[Create[t.Typed]], written: list[Write[t.Typed]]) -> Iterator[t.Typed | None]:
    """Yield every value that steps write to a field, and None for each object that they create without it."""
    kind, name = place
    yield from (dict(each.given).get(name) for each in result if each.kind == kind)
    yield from (each.value for each in written if (each.kind, each.field) == place)


def _surely(value: t.Typed | None, held: set[Field]) -> bool:
    """Return whether a value is never empty, given the `held` fields."""
    match value:
        case None:
            return False
        case t.Stored(kind=kind, field=name) if (kind, name) in held:
            return True
        case t.If(then=first, otherwise=second):
            return _surely(first, held) and _surely(second, held)
        case t.Coalesce(first=first, otherwise=second):
            return _surely(first, held) or _surely(second, held)
    return not isinstance(value.type, Optional | Nothing)


def simplify_condition(node: t.Typed, held: frozenset[Field]) -> t.Typed:
    """Return `node` without the conditions that are true in every game.

    Return `ALWAYS` or `NEVER` if nothing else is left, and `node` itself if nothing changes. The function simplifies
    only `node`, its logical operands and its own condition. Callers pass nested expressions one by one.
    """
    match node:
        case t.Present(operand=t.Stored(kind=kind, field=name)) if (kind, name) in held:
            return ALWAYS
        case t.Not(operand=operand):
            inner = simplify_condition(operand, held)
            if inner is ALWAYS or inner is NEVER:
                return NEVER if inner is ALWAYS else ALWAYS
            return node if inner is operand else replace(node, operand=inner)
        case t.Logic(operator=operator, operands=operands):
            settles, idle = (NEVER, ALWAYS) if operator == "and" else (ALWAYS, NEVER)
            parts = tuple(simplify_condition(operand, held) for operand in operands)
            if any(part is settles for part in parts):
                return settles
            left = tuple(part for part in parts if part is not idle)
            if not left:
                return idle
            if all(one is other for one, other in zip(left, operands, strict=False)) and len(left) == len(operands):
                return node
            return left[0] if len(left) == 1 else replace(node, operands=left)
        case t.If(condition=condition, then=then, otherwise=otherwise):
            simplified = simplify_condition(condition, held)
            if simplified is ALWAYS or simplified is NEVER:
                return then if simplified is ALWAYS else otherwise
            return node if simplified is condition else replace(node, condition=simplified)
        case t.Aggregate(condition=t.Typed() as condition) | t.Travel(condition=t.Typed() as condition):
            simplified = simplify_condition(condition, held)
            if simplified is condition:
                return node
            return replace(node, condition=None if simplified is ALWAYS else simplified)
    return node
