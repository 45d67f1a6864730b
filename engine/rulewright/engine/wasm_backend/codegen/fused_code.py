"""Code generation for games without pauses, one function for each procedure.

Unobserved games are played by bots that take random options, and no events are recorded. Such games never need to
resume, so dice are rolled and options picked in place, arguments are passed as WebAssembly arguments, and numbers are
in locals. Only values with parts are in a frame, for garbage collection. The current rule is not recorded either:
after a fault, the game is played again with the other code.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.codegen.effect_code import FRAME, CodeUnit
from rulewright.engine.wasm_backend.codegen.memory_layout import NONE, is_scalar
from rulewright.engine.wasm_backend.codegen.procedure_code import ProcedureWriter
from rulewright.ir.frame_slots import find_slot_types
from rulewright.ir.program import Routine
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.operations import Operation
from rulewright.language.types import Type


class FusedCode(ProcedureWriter):
    """The code generator for a procedure that never pauses. `functions` has the functions of all such procedures."""

    def __init__(self, unit: CodeUnit, routine: Routine, order: int, functions: dict[str, int]) -> None:
        """Prepare the function. Scalar slots become WebAssembly locals, and only the others are in the frame."""
        signature = WasmSignature((I32, *(I64 for _ in routine.parameters)), (I32,))
        super().__init__(unit, routine, order, signature)
        self.places = {}
        self._functions = functions
        types = find_slot_types(routine, unit.routines)
        given = {place: place for place in range(1, len(routine.parameters) + 1)}
        for slot in range(1, routine.size + 1):
            kind = types.get(slot)
            if kind is not None and is_scalar(kind):
                self.e.locals[slot] = given[slot] if slot in given else self.f.add_local(I64)
            else:
                self.e.frame_places[slot] = len(self.e.frame_places)

    @property
    def _end_of_frame(self) -> int:
        return 8 * len(self.e.frame_places)

    def finish_function(self) -> WasmFunction:
        """Return the function of a whole procedure, which runs without pauses."""
        f = self.f
        parameters = len(self.routine.parameters)
        for slot in range(1, self.routine.size + 1):
            if slot > parameters:
                self.none_in(slot)
            elif slot in self.e.frame_places:
                f.get(FRAME)
                f.get(slot)
                f.store(8 * self.e.frame_places[slot])
        self._clean_up()
        self.region(self.routine.body)
        self.leave()
        f.do("unreachable")
        return f

    # -- events ---------------------------------------------------------------------------------

    def _rule(self, number: int) -> None:
        """Write nothing, because the current rule is not recorded."""

    def event(self, each: Operation[Value], *details: tuple[Type | None, int | Callable[[], None]]) -> None:
        """Write nothing, because events are not recorded."""

    def _counts_in_slot(self, each: op.Loop[Value]) -> bool:
        return False

    # -- operations that would pause ------------------------------------------------------------

    def _ask(self, each: op.Ask[Value]) -> None:
        """Emit code in which the random bot decides. It fails if there are no options."""
        who = self.value(each.who)
        options, count = self._write_options(each)

        def decide() -> None:
            self._pick(each, lambda: self.f.get(who), options, count)
            self.f.set(self.answer)

        self._write_decision(each, decide, options, count)
        self._keep_answer(each.into)
        self.seen(each)

    def _chance(self, each: op.Chance[Value]) -> None:
        self._roll(each.dice, lambda: self._read_roll(each.dice))
        self.f.set(self.answer)
        self._keep_answer(each.into)
        self.seen(each)

    def _draw(self, each: op.Draw[Value]) -> None:
        """Emit code that draws a random card, removes it from its deck, and stores it as the answer."""
        f = self.f
        among = self.value(each.among)
        f.get(among)
        self.e.call("draw_one")
        f.set(self.answer)
        self._keep_answer(each.into)
        self._write_draw(each)
        self.seen(each)

    def _call(self, each: op.Call[Value]) -> None:
        """Emit a call of the fused function of a procedure. If the game ends or stops in it, so does the caller."""
        f = self.f
        came_to = f.add_local(I32)
        arguments = [self.value(argument) for argument in each.arguments]
        given = self.unit.routines[each.procedure].parameters
        f.get(FRAME)
        f.push_i32(self._end_of_frame)
        f.do("i32.add")
        for place, _ in enumerate(given):
            if place < len(arguments):
                f.get(arguments[place])
            else:
                f.push_i64(NONE)
        f.call(self._functions[each.procedure])
        if self.unit.stopping(each.procedure):
            f.keep_in_local(came_to)
            f.begin_if()
            f.get(came_to)
            f.do("return")
            f.end()
        else:
            f.do("drop")
        for place, slot in enumerate(each.fills):
            self._take(slot, place)


def list_reached_procedures(unit: CodeUnit, start: str) -> list[str]:
    """Return the procedures that `start` can call, directly or not, beginning with `start`."""
    reached_procedures = [start]
    for name in reached_procedures:
        for each in unit.routines[name].walk():
            if isinstance(each, op.Call) and each.procedure not in reached_procedures:
                reached_procedures.append(each.procedure)
    return reached_procedures
