"""Code generation for `after`: a procedure runs on the game in memory, which is then restored.

Nothing is collected meanwhile, because other values may be outside of frames. The procedure's frame is on the heap, and
all that it allocates is freed with it: the result is a boolean, and memoized formulas forget what they computed.
"""

from __future__ import annotations

from abc import ABC

from rulewright.engine.state.machine import get_effort
from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE, STATE
from rulewright.engine.wasm_backend.codegen.walk_code import Walks
from rulewright.ir.values import Value

_RUN = 1
"""The place in the function table of the function that runs a procedure by its number, as in the runtime."""

_NO_LIMIT = (1 << 62) - 1


class Trials(Walks, ABC):
    """Writes procedures that are tried out."""

    def _after(self, value: Value) -> int:
        """Push whether a condition is true in the state that a procedure would leave. Return the type on the stack.

        The state is restored, and only the cost stays.
        """
        f, layout = self.f, self.layout
        *arguments, condition = value.args
        given = [f.add_local(I64) for _ in arguments]
        for local, argument in zip(given, arguments, strict=True):
            self.number(argument)
            f.set(local)
        f.push_i64(get_effort(layout.ruleset).estimate_procedure(value.data[0]))
        self.spend()
        snapshot, frame, result = f.add_local(I32), f.add_local(I32), f.add_local(I32)
        size = layout.frames - STATE
        self._reserve(size // 8 + layout.result_words, snapshot)
        f.get(snapshot)
        f.push_i32(size)
        self.call("save_game")
        for word in range(layout.result_words):
            f.get(snapshot)
            f.push_i32(0)
            f.load(layout.results + 8 * word)
            f.store(size + 8 * word)
        self._put_global("flags", 0)
        self._put_global("limit", _NO_LIMIT)
        self._copy_objects()
        self._reserve(layout.program.measure_frames(value.data[0]), frame)
        slots = layout.program.routines[value.data[0]].size
        for place in range(slots + 1):
            f.get(frame)
            if 0 < place <= len(given):
                f.get(given[place - 1])
            else:
                f.push_i64(NONE if place else 0)
            f.store(8 * place)
        f.push_i64(list(layout.program.routines).index(value.data[0]))
        f.get(frame)
        f.push_i32(0)
        f.push_i32(_RUN)
        f.call_indirect(layout.run_signature)
        f.do("drop")
        # Cached values of formulas are invalid in the trial, and values computed in the trial are invalid afterwards.
        known, self._known = self._known, {}
        self.push_truth(condition)
        self._known = known
        f.set(result)
        self._restore(snapshot, size)
        f.get(result)
        return I32

    def _reserve(self, words: int, into: int) -> None:
        """Emit code that allocates words, and stores the address of the first in a local of 32 bits."""
        f = self.f
        f.push_i64(words)
        self.call("new_block")
        f.do("i32.wrap_i64")
        f.push_i32(8)
        f.do("i32.add")
        f.set(into)

    def _put_global(self, name: str, number: int) -> None:
        self.f.push_i32(0)
        self.f.push_i64(number)
        self.f.store(AT[name])

    def _copy_objects(self) -> None:
        """Emit code that copies every object but the game and the players, which the snapshot has."""
        f = self.f
        if len(self.layout.kinds) <= _IN_SNAPSHOT:
            return
        at, left = f.add_local(I32), f.add_local(I32)
        f.push_i32(0)
        f.push_i32(0)
        f.load(AT["objects"])
        self.call("copy_block")
        f.store(AT["objects"])
        f.push_i32(0)
        f.load_32(AT["objects"])
        f.set(at)
        f.get(at)
        f.load_32()
        f.set(left)
        done, again = f.block(), f.loop()
        f.get(left)
        f.do("i32.eqz")
        f.leave_if(done)
        f.get(left)
        f.push_i32(1)
        f.do("i32.sub")
        f.set(left)
        f.get(at)
        f.push_i32(8)
        f.do("i32.add")
        f.set(at)
        f.get(at)
        f.load()
        f.push_i64(NONE)
        f.do("i64.eq")
        f.leave_if(again)
        f.get(at)
        f.get(at)
        f.load()
        self.call("copy_block")
        f.store()
        f.leave(again)
        f.end()
        f.end()

    def _restore(self, snapshot: int, size: int) -> None:
        """Emit code that restores the game, except for the operations that the move has taken."""
        f, work, crowd = self.f, self.f.add_local(I64), self.f.add_local(I64)
        for name, local in (("work", work), ("crowd", crowd)):
            f.push_i32(0)
            f.load(AT[name])
            f.set(local)
        for word in range(self.layout.result_words):
            f.push_i32(0)
            f.get(snapshot)
            f.load(size + 8 * word)
            f.store(self.layout.results + 8 * word)
        f.get(snapshot)
        f.push_i32(size)
        self.call("load_game")
        for name, local in (("work", work), ("crowd", crowd)):
            f.push_i32(0)
            f.get(local)
            f.store(AT[name])


_IN_SNAPSHOT = 2
"""The kinds whose objects are at fixed addresses: the game and the players."""
