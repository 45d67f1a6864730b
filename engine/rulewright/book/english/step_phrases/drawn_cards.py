"""Draws of cards that a player takes, which are told in one sentence."""

from __future__ import annotations

from rulewright.language.checked_steps import Procedure, Step, Target, find_placement
from rulewright.language.expressions.typed_ast import Items, Local, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Draw
from rulewright.language.statement import list_expressions
from rulewright.language.types import PLAYER


def find_taker(step: Step) -> Target | None:
    """Return the field of a player that cards are drawn into, or None for other steps.

    The sentence of the draw then says so: `the player draws 5 cards from the deck as their hand`.
    """
    placed = find_placement(step) if step.slot is not None else None
    changes: tuple[tuple[Target, Typed], ...] = getattr(placed.action, "changes", ()) if placed is not None else ()
    if len(changes) != 1 or not is_draw(step):
        return None
    target, value = changes[0]
    owned = target.base is not None and target.base.type == PLAYER and target.row is None
    return target if owned and isinstance(value, Local) else None


def find_owner(step: Step) -> Typed | None:
    """Return the player who draws cards or rolls, or None if the step does not say who does."""
    taker, action = find_taker(step), step.action
    if taker is not None:
        return taker.base
    if not is_draw(step):
        return getattr(action, "by", None)
    match action.viewers:
        case Items(items=(viewer,)) if viewer.type == PLAYER:
            return viewer  # whoever alone may look at cards draws them
    return None


def is_draw(step: Step) -> bool:
    """Return whether a step draws cards from a deck."""
    from_deck = getattr(step.action, "source", step) is None
    return from_deck and any(isinstance(each, Draw) for each in list_operations(step))


def is_read(procedure: Procedure, step: Step) -> bool:
    """Return whether other steps read the result of a step than the one that puts it into its place."""
    placed = find_placement(step)
    steps = (each for each in procedure.iterate_steps() if each is not placed)
    nodes = (node for each in steps for node in (*([each.when] if each.when else []), *list_expressions(each.action)))
    parts = (part for node in (*nodes, *procedure.gives.values()) for part in node.walk())
    return any(isinstance(part, Local) and part.slot == step.slot for part in parts)
