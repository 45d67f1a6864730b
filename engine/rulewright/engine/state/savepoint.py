"""Moves that are all or nothing: what a move writes is undone where the rules are at fault."""

from __future__ import annotations

from typing import Any

from rulewright.engine.state.game_state import UNLOGGED, State


class Savepoint:
    """Where a state stands before a move. Until it is released, the state logs what it writes to, and what was there.

    It copies the frame on top and no object. Needs a machine that logs its writes (`Machine.undoable`).
    """

    __slots__ = ("_frame", "_log", "_made", "_replaced", "_stack", "_state", "_told")

    def __init__(self, state: State) -> None:
        # Written out, since this is done for every move.
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
        """Put the state back to where it stood, bit for bit, and log no more."""
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
        """Log no more: the move stands."""
        self._state.undo_log = UNLOGGED
