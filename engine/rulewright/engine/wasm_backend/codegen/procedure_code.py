"""Code generation for procedures, one WebAssembly function each.

A procedure receives the address of its frame, and 1 if it resumes after a pause. It returns its status: ended,
paused, game finished, or no decisions left. Everything that must survive a pause is in the frame. To resume, every
running procedure is called again, the outermost first, and skips the code before its position. The pause points of a
procedure are numbered in the order of the code, and code without later pause points is skipped.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.codegen.effect_code import FRAME, RESUMED, SIGNATURE, CodeUnit
from rulewright.engine.wasm_backend.codegen.instructions import SAID, UNFINISHED_LOOP
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE
from rulewright.engine.wasm_backend.codegen.suspension_code import ENDED, FINISHED, SuspensionCode
from rulewright.ir.program import Routine
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.declarations import GAME_KIND
from rulewright.language.operations import Operation, Region
from rulewright.language.types import ListOf


class ProcedureWriter(SuspensionCode):
    """Writes one procedure."""

    def __init__(self, unit: CodeUnit, routine: Routine, order: int, signature: WasmSignature = SIGNATURE) -> None:
        super().__init__(unit, routine, order, signature)
        self.places: dict[Operation[Value], int] = {}
        # The loops around the current operation: the id of each, the label after it, and the slot with its progress.
        self.loops: list[tuple[str, int, int | None]] = []
        self._number(routine.body)

    def _number(self, region: Region[Value]) -> None:
        """Give numbers, from 1, to the pause points of a region and of those inside it, in `places`."""
        for each in region:
            if self._is_place(each):
                self.places[each] = len(self.places) + 1
            for inner in each.regions:
                self._number(inner)

    def _is_place(self, each: Operation[Value]) -> bool:
        """Return whether the procedure may pause at an operation itself, rather than inside it."""
        match each:
            case op.Ask() | op.Chance() | op.Draw():
                return True
            case op.Call(procedure=procedure):
                return self.unit.stopping(procedure)
        return False

    @property
    def resumes(self) -> dict[int, list[int]]:
        """The positions of the pause points by the number of their step, in the order of their stages.

        An operation without a pause point has position 0.
        """
        results: dict[int, list[int]] = {}
        for each in self.routine.walk():
            if each.suspends:
                results.setdefault(each.step.number, []).append(self.places.get(each, 0))
        return results

    def finish_function(self) -> WasmFunction:
        """Return the function of the procedure, which can pause and be resumed."""
        f = self.f
        if self.places:
            f.get(RESUMED)
            f.begin_if()
            self._find_place()
            f.begin_else()
            self._clean_up()
            f.end()
        else:
            self._clean_up()
        self.region(self.routine.body)
        self.leave()
        f.do("unreachable")
        return f

    def _find_place(self) -> None:
        """Emit code that finds the position of the procedure from the step in its frame and the stage of that step."""
        f = self.f
        several = {step: places for step, places in self.resumes.items() if len(places) > 1}
        f.get(FRAME)
        f.load(0)
        f.do("i32.wrap_i64")
        f.push_i32(2)
        f.do("i32.shl")
        f.load_32(self.unit.sites.resumes)
        f.set(self.to)
        for step, places in several.items():
            hidden = self.unit.layout.ruleset.steps[step].hidden
            assert hidden is not None
            f.get(FRAME)
            f.load(0)
            f.push_i64(step)
            f.do("i64.eq")
            f.begin_if()
            for stage, place in enumerate(places[1:], start=1):
                f.push_i32(place)
                f.get(self.to)
                f.get(FRAME)
                f.load(8 * hidden)
                f.push_i64(stage)
                f.do("i64.eq", "select")
                f.set(self.to)
            f.end()

    def _clean_up(self) -> None:
        """Emit code that collects garbage once there is enough. No values may be outside frames at this point."""
        f = self.f
        f.push_i32(0)
        f.load(AT["top"])
        f.push_i32(0)
        f.load(AT["limit"])
        f.do("i64.gt_s")
        f.begin_if()
        self._mark_end()
        self.e.call("clean_up")
        f.end()

    def _clean_up_in(self, loop: Operation[Value]) -> None:
        """Emit garbage collection before a round of a loop, if no temporary outlives the loop."""
        if any(each.suspends for each in loop.walk()):
            self._clean_up()

    # -- regions ---------------------------------------------------------------------------------

    def region(self, region: Region[Value]) -> None:
        """Emit operations in sequence. After a pause, the operations before the procedure's position are skipped."""
        f = self.f
        runs = [(stops, list(run)) for stops, run in groupby(region, key=lambda each: self._holds_place(each))]
        last = max((number for number, (holds, _) in enumerate(runs) if holds), default=-1)
        for number, (holds, run) in enumerate(runs):
            if holds:
                for place, each in enumerate(run):
                    later = number < last or place + 1 < len(run)
                    if later:
                        f.get(self.to)
                        f.push_i32(self._last_place(each))
                        f.do("i32.le_u")
                        f.begin_if()
                    self.rule = None
                    self.operation(each)
                    self.rule = None
                    if later:
                        f.end()
                continue
            if number < last:
                f.get(self.to)
                f.do("i32.eqz")
                f.begin_if()
            self.rule = None
            for each in run:
                self.operation(each)
            self.rule = None
            if number < last:
                f.end()

    def _holds_place(self, each: Operation[Value]) -> bool:
        return any(inner in self.places for inner in each.walk())

    def _last_place(self, each: Operation[Value]) -> int:
        return max(self.places[inner] for inner in each.walk() if inner in self.places)

    def operation(self, each: Operation[Value]) -> None:
        """Write one operation."""
        getattr(self, _METHODS[type(each)])(each)

    def leave(self) -> None:
        """Emit the end of the procedure: its results are stored, its hidden slots are cleared, and it returns."""
        f = self.f
        if self.routine.gives:
            self._rule(-1 - self.order)
        for place, (_, value) in enumerate(self.routine.gives):
            f.push_i32(0)
            self.e.number(value)
            f.store(self.unit.results + 8 * place)
        for step in self.unit.layout.ruleset.procedures[self.routine.id].iterate_steps():
            if step.hidden is not None:
                self.none_in(step.hidden)
        f.push_i32(0)
        f.push_i64(len(self.routine.gives))
        f.store(AT["results"])
        f.push_i32(ENDED)
        f.do("return")

    # -- operations ------------------------------------------------------------------------------

    def _branch(self, each: op.Branch[Value]) -> None:
        """Emit a condition. When the procedure resumes inside, it selects the branch with the pause point instead."""
        f = self.f
        then, otherwise = (
            [self._last_place(one) for one in region if self._holds_place(one)] for region in each.regions
        )
        if then or otherwise:
            choice = f.add_local(I32)
            f.get(self.to)
            f.begin_if(I32)
            if then:
                f.get(self.to)
                f.push_i32(max(then))
                f.do("i32.le_u")
            else:
                f.push_i32(0)
            f.begin_else()
            self.at(each)
            self.e.push_truth(each.condition)
            f.end()
            f.set(choice)
            f.get(choice)
        else:
            self.at(each)
            self.e.push_truth(each.condition)
        f.begin_if()
        self.rule = None
        self.region(each.then)
        if each.otherwise:
            f.begin_else()
            self.rule = None
            self.region(each.otherwise)
        f.end()
        self.rule = None

    def _loop(self, each: op.Loop[Value]) -> None:
        """Emit a loop, which can be resumed in the middle of a round. Its end clears its counter."""
        f = self.f
        stops = self._counts_in_slot(each)
        going_on = self._holds_place(each)
        # A loop without pauses counts its rounds in a local, not in a slot.
        count = f.add_local(I64)
        if each.bounded:
            self._write_guarded(going_on, lambda: self._set_count(each, count, stops, 0))
        done = f.block()
        again = f.loop()
        if going_on:
            f.get(self.to)
            f.do("i32.eqz")
            f.begin_if()
        self.rule = None
        self._clean_up_in(each)
        self.at(each)
        ending = f.block()
        staying = f.block()

        def counted() -> None:
            if stops:
                self.e.read_slot(each.counter)
            else:
                f.get(count)

        if each.most is not None:
            counted()
            self.e.number(each.most)
            f.do("i64.ge_s")
            f.leave_if(staying)
        if each.going is not None:
            self.e.push_truth(each.going)
            f.do("i32.eqz")
            f.leave_if(staying)
        f.leave(ending)
        f.end()
        if stops:
            self.none_in(each.counter)
        f.leave(done)
        f.end()
        if each.within is not None:
            counted()
            self.e.number(each.within)
            f.do("i64.ge_s")
            f.begin_if()
            self.e.fail(UNFINISHED_LOOP)
            f.end()
        if each.bounded:
            counted()
            f.push_i64(1)
            f.do("i64.add")
            f.set(count)
            if stops:
                self.put_slot(each.counter, count)
        elif stops:
            self.put(each.counter, lambda: f.push_i64(1))
        self._pay(each, None)
        if going_on:
            f.end()
        self._body(each, done, each.counter if stops else None)
        f.leave(again)
        f.end()
        f.end()
        self.rule = None

    def _body(self, each: op.Loop[Value] | op.Each[Value], done: int, progress: int | None) -> None:
        """Emit the body of a loop. `done` is the label after the loop, and `progress` the slot with its progress."""
        self.rule = None
        self.loops.append((each.step.id, done, progress))
        self.region(each.body)
        self.loops.pop()

    def _leave_loop(self, each: op.Leave[Value]) -> None:
        """Emit the jump behind a loop, and clear the progress of that loop and of those inside it."""
        self.event(each)
        for loop, done, progress in reversed(self.loops):
            if progress is not None:
                self.none_in(progress)
            if loop == each.loop:
                self.f.leave(done)
                return

    def _counts_in_slot(self, each: op.Loop[Value]) -> bool:
        return self.unit.stops(each)

    def _set_count(self, each: op.Loop[Value], count: int, stops: bool, value: int) -> None:
        self.f.push_i64(value)
        self.f.set(count)
        if stops:
            self.put_slot(each.counter, count)

    def _each(self, each: op.Each[Value]) -> None:
        """Emit a loop over a copy of a list, which can be resumed in the middle of a round.

        Objects that have left the game are skipped.
        """
        f = self.f
        going_on = self._holds_place(each)

        def begin() -> None:
            """Emit the copy of the list and the charge for its elements."""
            self.at(each)
            source = f.add_local(I64)
            rounds = f.add_local(I64)
            # The loop removes elements from the front of this list, so it needs its own copy.
            self.e.number(each.source)
            if not self._is_new(each.source):
                self.e.call("copy_block")
            f.set(source)
            f.get(source)
            f.do("i32.wrap_i64")
            f.load()
            f.set(rounds)
            self.put_slot(each.rest, source)
            self._pay(each, rounds)

        self._write_guarded(going_on, begin)
        rest, item = f.add_local(I32), f.add_local(I64)
        done = f.block()
        again = f.loop()
        if going_on:
            f.get(self.to)
            f.do("i32.eqz")
            f.begin_if()
        self.rule = None
        self._clean_up_in(each)
        self.e.read_slot(each.rest)
        f.do("i32.wrap_i64")
        f.set(rest)
        ended = f.block()
        f.get(rest)
        f.load_32()
        f.leave_if(ended)
        self.none_in(each.rest)
        f.leave(done)
        f.end()
        f.get(rest)
        f.load(8)
        f.set(item)
        # Drop the first element. The rest begins one word later, so store its length there.
        f.get(rest)
        f.get(rest)
        f.load()
        f.push_i64(1)
        f.do("i64.sub")
        f.store(8)

        def after() -> None:
            """Push the list without its first element."""
            f.get(rest)
            f.push_i32(8)
            f.do("i32.add", "i64.extend_i32_u")
            f.push_i64(1 << 62)
            f.do("i64.or")

        self.put(each.rest, after)
        if each.of_entities:
            self._is_there(item, each)
            f.do("i32.eqz")
            f.leave_if(again)
        self.put_slot(each.item, item)
        if going_on:
            f.end()
        self._body(each, done, each.rest)
        f.leave(again)
        f.end()
        f.end()
        self.rule = None

    def _is_there(self, item: int, each: op.Each[Value]) -> None:
        """Push whether the object in a local has not left the game."""
        f = self.f
        inner = each.source.type.inner if isinstance(each.source.type, ListOf) else each.source.type
        kind = getattr(inner, "kind", None)
        if kind in (GAME_KIND, "player"):
            f.push_i32(1)
            return
        f.push_i32(0)
        f.load_32(AT["objects"])
        f.get(item)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)
        f.push_i64(NONE)
        f.do("i64.ne")

    def _is_new(self, source: Value) -> bool:
        """Return whether a list is newly created by its expression, so no other value shares it."""
        while source.op == "list.of":
            source = source.args[0]
        return (source.op == "gather") or (source.op in ("list", "options") and not source.fixed)

    def _fault(self, each: op.Fault[Value]) -> None:
        self.at(each)
        self.e.fail(SAID, 0, self.unit.layout.encode_word(each.message))

    def _give(self, each: op.Give[Value]) -> None:
        self.event(each)
        self.leave()

    def _finish(self, each: op.Finish[Value]) -> None:
        """Emit the end of the game with its winners and event."""
        self.at(each)
        f = self.f
        winners = self.value(each.winners)
        self.event(each, (each.winners.type, winners))
        f.push_i32(0)
        f.get(winners)
        f.store(AT["winners"])
        f.push_i32(0)
        f.push_i64(each.step.number)
        f.store(AT["ended_by"])
        f.push_i32(FINISHED)
        f.do("return")


_METHODS: dict[type[Any], str] = {
    op.Keep: "_keep",
    op.Bind: "_bind",
    op.Write: "_write",
    op.Create: "_create",
    op.Remove: "_remove",
    op.Reveal: "_reveal",
    op.Announce: "_announce",
    op.Branch: "_branch",
    op.Loop: "_loop",
    op.Each: "_each",
    op.Fault: "_fault",
    op.Give: "_give",
    op.Leave: "_leave_loop",
    op.Finish: "_finish",
    op.Ask: "_ask",
    op.Chance: "_chance",
    op.Draw: "_draw",
    op.Call: "_call",
}
