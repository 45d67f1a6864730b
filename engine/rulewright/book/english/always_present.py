"""What is always there: optional fields that no rule leaves empty, and conditions that hold whatever is played.

An example may well leave out where a thing stands. In a game it stands somewhere as soon as there is one, so a sentence
that asks whether it does tells readers nothing.
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
"""A kind and one of its fields."""

ALWAYS = t.Constant(BOOLEAN, True)
NEVER = t.Constant(BOOLEAN, False)


def list_always_present(ruleset: Ruleset) -> frozenset[Field]:
    """Return the optional fields that hold something in every object that a step makes, and that no step empties.

    Players are there before any step, and what no step makes is found in examples alone: neither is counted.
    """
    return ruleset.get_or_make(_always_held)


def _always_held(ruleset: Ruleset) -> frozenset[Field]:
    kinds = ruleset.declarations.kinds
    made: list[Create[t.Typed]] = []
    written: list[Write[t.Typed]] = []
    for procedure in ruleset.procedures.values():
        for step in procedure.iterate_steps():
            for each in list_operations(step):
                if isinstance(each, Create):
                    made.append(each)
                elif isinstance(each, Write):
                    written.append(each)
    held = {
        (each.kind, name)
        for each in made
        if each.kind not in (GAME_KIND, PLAYER_KIND)
        for name, field in kinds[each.kind].fields.items()
        if isinstance(field.type, Optional)
    }
    # A field may be filled from another one: what is not held may let go of what was thought to be.
    while empty := {
        place for place in held if not all(_surely(value, held) for value in _values(place, made, written))
    }:
        held -= empty
    return frozenset(held)


def _values(place: Field, made: list[Create[t.Typed]], written: list[Write[t.Typed]]) -> Iterator[t.Typed | None]:
    """Yield all that is ever put into a field; None where an object is made without it."""
    kind, name = place
    yield from (dict(each.given).get(name) for each in made if each.kind == kind)
    yield from (each.value for each in written if (each.kind, each.field) == place)


def _surely(value: t.Typed | None, held: set[Field]) -> bool:
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
    """Return the same, without the conditions that hold in every game.

    `ALWAYS` or `NEVER` where it is nothing but those.

    Only `node` itself is looked at, and what it is joined of: whoever speaks of its parts asks for them in turn.
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
            asked = simplify_condition(condition, held)
            if asked is ALWAYS or asked is NEVER:
                return then if asked is ALWAYS else otherwise
            return node if asked is condition else replace(node, condition=asked)
        case t.Aggregate(condition=t.Typed() as condition) | t.Travel(condition=t.Typed() as condition):
            asked = simplify_condition(condition, held)
            if asked is condition:
                return node
            return replace(node, condition=None if asked is ALWAYS else asked)
    return node
