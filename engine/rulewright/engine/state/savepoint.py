"""Savepoints: if a move fails, all of its writes are undone."""

from __future__ import annotations

from typing import Any

from rulewright.engine.state.game_state import UNLOGGED, State


class Savepoint:
    """A savepoint before a move. Until it is released, the state logs the old value of every write.

    It copies the top frame and no objects. It needs a back end that logs its writes (`Machine.undoable`).
    """

    __slots__ = ("_frame", "_log", "_made", "_replaced", "_stack", "_state", "_told")

    def __init__(self, state: State) -> None:
        # Without helper functions, because this runs for every move.
        self._state = state
        self._made = len(state.objects)
        self._stack = state.stack[:]
        self._frame = state.frame[:]
        self._told = len(state.events or ())
        self._replaced = (
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
        )
        self._log: list[tuple[list[Any], Any, Any]] = []
        state.undo_log = self._log

    def roll_back(self) -> None:
        """Restore the state exactly as it was, and stop logging. May be called once."""
        state = self._state
        for written, place, before in reversed(self._log):
            written[place] = before
        (
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
        ) = self._replaced
        del state.objects[self._made :]
        state.stack[:], state.frame[:] = self._stack, self._frame
        if state.events is not None:
            del state.events[self._told :]
        self.release()

    def release(self) -> None:
        """Keep the move and stop logging."""
        self._state.undo_log = UNLOGGED
