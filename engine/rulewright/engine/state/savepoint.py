"""Savepoints: if a move fails, all of its writes are undone."""

from __future__ import annotations

from typing import Any

from rulewright.engine.state.game_state import UNLOGGED, State


class Savepoint:
    """A savepoint before a move. Until it is released, the state logs the old value of every write.

    It copies the top frame and no objects. It needs a back end that logs its writes (`Machine.undoable`).
    """

    __slots__ = ("_before", "_log", "_state")

    def __init__(self, state: State) -> None:
        """Remember the state as it is, and let it log changes from now on."""
        # Without helper functions, because this runs for every move.
        objects, stack, frame, events = state.objects, state.stack, state.frame, state.events
        self._before = (
            len(objects),
            stack[:],
            frame[:],
            len(events or ()),
            objects,
            stack,
            frame,
            events,
            state.live,
            state.mode,
            state.who,
            state.options,
            state.roll,
            state.root,
            state.take,
            state.winners,
            state.given,
            state.work,
            state.crowd,
        )
        self._log: list[tuple[list[Any], Any, Any]] = []
        self._state = state
        state.undo_log = self._log

    def roll_back(self) -> None:
        """Restore the state exactly as it was, and stop logging. May be called once."""
        state = self._state
        for written, place, before in reversed(self._log):
            written[place] = before
        self._log.clear()
        made, stack, frame, event_count = self._replace(state)
        del state.objects[made:]
        state.stack[:], state.frame[:] = stack, frame
        if state.events is not None:
            del state.events[event_count:]
        self.release()

    def rebuild_state(self) -> State:
        """Return a copy of the state as it was, without events. Use it only to read, and before the next change.

        Nothing but one move from the savepoint on may have changed the state, even if it was rolled back.
        """
        copies: dict[int, list[Any]] = {}

        def copy(values: list[Any]) -> list[Any]:
            return copies.setdefault(id(values), values[:])

        state = object.__new__(State)
        made, stack, frame, _ = self._replace(state)
        objects = copy(state.objects)
        for written, place, before in reversed(self._log):
            copy(written)[place] = before
        copy(state.frame)[:] = frame
        state.objects = [item and copies.get(id(item), item) for item in objects[:made]]
        state.stack = [copies.get(id(each), each) for each in stack]
        state.frame = copies[id(state.frame)]
        state.machine, state.generator, state.events, state.undo_log = self._state.machine, None, None, UNLOGGED
        return state

    def _replace(self, state: State) -> tuple[int, list[list[Any]], list[Any], int]:
        """Set what a move replaces. Return the number of objects, the stack, the top frame and the number of events."""
        (
            made,
            stack,
            frame,
            event_count,
            state.objects,
            state.stack,
            state.frame,
            state.events,
            state.live,
            state.mode,
            state.who,
            state.options,
            state.roll,
            state.root,
            state.take,
            state.winners,
            state.given,
            state.work,
            state.crowd,
        ) = self._before
        return made, stack, frame, event_count

    def release(self) -> None:
        """Keep the move and stop logging."""
        self._state.undo_log = UNLOGGED
