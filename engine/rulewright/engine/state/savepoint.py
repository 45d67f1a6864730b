"""Savepoints: if a move fails, all of its writes are undone."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from rulewright.engine.state.game_state import UNLOGGED, State

Savepoint = list[Any]
"""The undo log of a state since a savepoint.

It begins with what every move replaces: the values of `_REPLACED`, three counts, the frames of the stack, and the
values in the top frame. Then it has the container, the position and the old value of each write in place. Its last item
is the next savepoint of the state, once there is one.
"""

_REPLACED = ("objects", "live", "mode", "who", "options", "roll", "take", "work", "crowd")
"""The attributes of a state that a move replaces, in the order of their values in a savepoint."""

_read_replaced = attrgetter(*_REPLACED)


def set_savepoint(state: State) -> Savepoint:
    """Return a savepoint of a state, which logs its changes there until it has another one.

    It copies the top frame and no objects. It needs a back end that logs its writes (`Machine.undoable`).
    """
    # One list and no helper functions of Python, because this runs for every move.
    stack = state.stack
    savepoint: Savepoint = [
        *_read_replaced(state),
        len(state.objects),
        len(state.events or ()),
        len(stack),
        *stack,
        *state.frame,
    ]
    state.undo_log.append(savepoint)
    state.undo_log = savepoint
    return savepoint


def roll_back(state: State, savepoint: Savepoint) -> None:
    """Restore a state exactly as it was at its last savepoint."""
    object_count, event_count, stack, frame, log = _replace(state, savepoint)
    for written, place, before in reversed(log):
        written[place] = before
    del savepoint[-len(log) or len(savepoint) :]
    del state.objects[object_count:]
    state.stack = stack
    state.frame = stack[-1]
    state.frame[:] = frame
    if state.events is not None:
        del state.events[event_count:]


def rebuild_state(state: State, savepoint: Savepoint) -> State:
    """Return a copy of a state as it was at a savepoint, without events. Use it only to read, before the next change.

    Any number of moves may have followed, each from a savepoint of its own, even if they were rolled back.
    """
    copies: dict[int, list[Any]] = {}

    def copy(values: list[Any]) -> list[Any]:
        return copies.setdefault(id(values), values[:])

    other = object.__new__(State)
    object_count, _, stack, frame, log = _replace(other, savepoint)
    objects = copy(other.objects)
    while log and type(log[-1]) is list:
        log += _replace(object.__new__(State), log.pop())[-1]
    for written, place, before in reversed(log):
        copy(written)[place] = before
    copy(stack[-1])[:] = frame
    other.objects = [item and copies.get(id(item), item) for item in objects[:object_count]]
    other.stack = [copies.get(id(each), each) for each in stack]
    other.frame = other.stack[-1]
    other.machine, other.root, other.generator, other.events = state.machine, state.root, None, None
    other.undo_log = UNLOGGED
    return other


def _replace(state: State, savepoint: Savepoint) -> tuple[int, int, list[list[Any]], list[Any], list[Any]]:
    """Set what a move replaces. Return the number of objects and of events, the stack, the top frame, and the log."""
    for name, value in zip(_REPLACED, savepoint, strict=False):
        setattr(state, name, value)
    object_count, event_count, depth, *rest = savepoint[len(_REPLACED) :]
    state.winners, state.given = None, ()
    size = depth + len(rest[depth - 1])
    return object_count, event_count, rest[:depth], rest[depth:size], rest[size:]
