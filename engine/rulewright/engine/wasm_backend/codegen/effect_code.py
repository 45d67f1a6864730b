"""Code generation for effects: names, fields, objects and the events they record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.codegen.debug_info import DebugInfo
from rulewright.engine.wasm_backend.codegen.expression_code import ExpressionCode
from rulewright.engine.wasm_backend.codegen.instructions import BELOW, BELOW_ROW
from rulewright.engine.wasm_backend.codegen.int_widths import IntWidths, find_kind
from rulewright.engine.wasm_backend.codegen.memo_analysis import MemoPlan
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE, MemoryLayout
from rulewright.ir.program import Routine
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.expressions.evaluator import may_be_large
from rulewright.language.operations import Operation
from rulewright.language.step_cost import StepCosts
from rulewright.language.types import Integer, ListOf, MapOf, Type

DECISION, CHANCE = 1, 2
RECORDING, SAMPLING, PLAYING, PRESENTING, BY_ITSELF, COUNTING, STEP_BY_STEP, FORCING = 1, 2, 4, 8, 16, 32, 64, 128
DICE_BY_STEP = 256
"""The flags for how a game runs, as in the runtime."""

SIGNATURE = WasmSignature((I32, I32), (I32,))
FRAME, RESUMED = 0, 1
"""The parameters of a procedure's function: the address of its frame, and whether it resumes."""


TOLD_WHOLE = ("asked", "rolled", "drawn")
"""The events that are counted with their details. For all others, only the number of occurrences is counted."""


class CodeUnit:
    """The data shared by the routines of one ruleset."""

    def __init__(
        self,
        layout: MemoryLayout,
        effort: StepCosts,
        bounds: IntWidths,
        sites: DebugInfo,
        memo_plan: MemoPlan,
        runtime: Mapping[str, int],
        formula: Callable[[str], int],
    ) -> None:
        self.layout = layout
        self.effort = effort
        self.bounds = bounds
        self.sites = sites
        self.memo_plan = memo_plan
        self.runtime = runtime
        self.formula = formula
        self.routines = layout.program.routines
        self.functions: dict[str, int] = {}
        self.results = 0
        self._stopping: dict[str, bool] = {}

    def stops(self, operation: Operation[Value]) -> bool:
        """Return whether the machine may pause inside this operation."""
        match operation:
            case op.Ask() | op.Finish() | op.Chance() | op.Draw():
                return True
            case op.Call(procedure=procedure):
                return self.stopping(procedure)
        return any(self.stops(inner) for region in operation.regions for inner in region)

    def stopping(self, procedure: str) -> bool:
        """Return whether the machine may stop inside this procedure."""
        if procedure not in self._stopping:
            self._stopping[procedure] = any(map(self.stops, self.routines[procedure].body))
        return self._stopping[procedure]


class EffectCode:
    """The code generator for the effects of one procedure."""

    def __init__(self, unit: CodeUnit, routine: Routine, order: int, signature: WasmSignature) -> None:
        self.unit = unit
        self.routine = routine
        self.order = order
        self.f = WasmFunction(routine.id, signature)
        self.e = ExpressionCode(self.f, unit.layout, unit.runtime, unit.formula, unit.bounds)
        self.e.frame = FRAME
        self.to = self.f.add_local(I32)
        self.answer = self.f.add_local(I64)
        self.places: dict[Operation[Value], int] = {}
        self.rule: int | None = None
        self.again = 0

    @property
    def _end_of_frame(self) -> int:
        return 8 * (self.routine.size + 1)

    def _mark_end(self) -> None:
        """Emit code that stores the address after the current frame."""
        f = self.f
        f.push_i32(0)
        f.get(FRAME)
        f.push_i32(self._end_of_frame)
        f.do("i32.add", "i64.extend_i32_u")
        f.store(AT["frames_end"])

    # -- shared by operations --------------------------------------------------------------------

    def at(self, each: Operation[Value]) -> None:
        """Emit code that records the current step, for error messages."""
        self._rule(each.step.number)

    def _rule(self, number: int) -> None:
        """Emit code that stores the current rule for faults, unless the code before has stored it."""
        if self.rule != number:
            self.f.push_i32(0)
            self.f.push_i64(number)
            self.f.store(AT["rule"])
            self.rule = number

    def value(self, value: Value) -> int:
        """Store a value in a new local, and return the local."""
        local = self.f.add_local(I64)
        self.e.number(value)
        self.f.set(local)
        return local

    def put(self, slot: int, leave: Callable[[], None]) -> None:
        """Emit code that stores the value pushed by `leave` in a slot."""
        if slot in self.e.locals:
            leave()
            self.f.set(self.e.locals[slot])
            return
        self.f.get(FRAME)
        leave()
        self.f.store(8 * self.e.frame_places.get(slot, slot))

    def put_slot(self, slot: int, local: int) -> None:
        """Store the value of a local in a slot."""
        self.put(slot, lambda: self.f.get(local))

    def none_in(self, slot: int) -> None:
        """Clear a slot."""
        self.put(slot, lambda: self.f.push_i64(NONE))

    def bounded(self, local: int, kind: Type) -> None:
        """Emit code that fails if the number in a local is too large, or the list in it has such a number."""
        f = self.f
        f.get(local)
        if isinstance(kind, Integer):
            self.e.refuse_large()
            f.do("drop")
        elif may_be_large(kind):
            self.e.call("refuse_large")
        else:
            f.do("drop")

    def below(self, local: int, kind: Type, minimum: int, field: str, row: tuple[str, int] | None = None) -> None:
        """Emit code that fails if the number in a local is below the minimum, or the map in it has such a number.

        `field` is for the message, and `row` the table and the local of a row if the number is that of a map.
        """
        f = self.f
        least = local
        if isinstance(kind, MapOf) and row is None:
            least = f.add_local(I64)
            f.push_i64(minimum)
            f.set(least)
            name = f"@{local}"
            self.e.variables[name] = local
            value = Value("list.min", Integer(), (Value("var", ListOf(Integer()), data=(name,)),))
            self.e.number(value)
            f.set(least)
        f.get(least)
        f.push_i64(minimum)
        f.do("i64.lt_s")
        f.begin_if()
        text = self.unit.layout.encode_word(field)
        f.push_i64(BELOW if row is None else BELOW_ROW)
        f.get(least)
        f.push_i64(text)
        if row is None:
            f.push_i64(0)
        else:
            f.get(row[1])
            f.push_i64(self.unit.layout.encode_word(row[0]) << 32)
            f.do("i64.or")
        self.e.call("fail")
        f.end()

    def event(self, each: Operation[Value], *details: tuple[Type | None, int | Callable[[], None]]) -> None:
        """Register the site of an event, and emit code that records the event if recording is on.

        Each detail is a local, or a function that pushes it, with its type.
        """
        f = self.f
        number = self.unit.sites.event(each, tuple(kind for kind, _ in details))
        f.push_i32(0)
        f.load_32(AT["flags"])
        f.push_i32(RECORDING)
        f.do("i32.and")
        f.begin_if()
        f.push_i64(number)
        f.push_i32(int(each.event_kind in TOLD_WHOLE))
        self.e.call("begin_to_tell")
        f.begin_if()
        for _, detail in details:
            if callable(detail):
                detail()
            else:
                f.get(detail)
            self.e.call("tell")
        f.end()
        f.end()

    def seen(self, each: Any) -> tuple[tuple[Type | None, int], ...]:
        """Return the viewers of an operation with their type, or nothing if all players see it.

        Evaluates the viewers even if recording is off.
        """
        if each.viewers is None:
            return ()
        return ((each.viewers.type, self.value(each.viewers)),)

    def _pay(self, each: Operation[Value], rounds: int | None) -> None:
        """Emit code that charges for the number of rounds in a local, or for one."""
        cost = self.unit.effort.round(each.step)
        if not cost:
            return
        f = self.f
        self.at(each)
        if rounds is None:
            f.push_i64(cost)
        else:
            f.get(rounds)
            f.push_i64(cost)
            f.do("i64.mul")
        self.e.spend()

    def stale(self, words: Iterable[int]) -> None:
        """Clear the words that cache the values of some formulas, which are stale now."""
        for word in words:
            self.f.push_i32(0)
            self.f.push_i64(0)
            self.f.store(self.unit.layout.kept + 8 * word)

    def new_move(self) -> None:
        """Reset the operation budget at a decision."""
        f = self.f
        f.push_i32(0)
        f.push_i64(self.unit.sites.most_in_a_move)
        f.store(AT["work"])

    def _keep(self, each: op.Keep[Value]) -> None:
        self.at(each)
        # Code before a pause point is emitted twice, and must use the same local both times.
        local = self.e.temporaries.setdefault(each.into, self.f.add_local(I64))
        self.e.number(each.value)
        self.f.set(local)

    def _bind(self, each: op.Bind[Value]) -> None:
        """Emit code that stores a value in a slot or in an entry of its map, with its checks and its event."""
        self.at(each)
        if each.row is not None:
            self._bind_entry(each)
            return
        new = self.value(each.value)
        if each.bounded or self.unit.bounds.exceeds_width(each.value):
            self.bounded(new, each.type)
        if each.name:
            self.event(each, (each.type, lambda: self.e.read_slot(each.slot)), (each.type, new))
        self.put_slot(each.slot, new)

    def _row_place(self, row: Value, table: str) -> int:
        """Emit code that computes the index, from 0, of a row in a map, and return the local with it."""
        local = self.value(row)
        if table == "player":
            self.f.get(local)
            self.f.push_i64(1)
            self.f.do("i64.sub")
            self.f.set(local)
        return local

    def _entry(self, held: Callable[[], None], row: int) -> None:
        """Emit code that pushes the value of a map at an index.

        `held` pushes the map, and `row` is a local with the index.
        """
        f = self.f
        held()
        f.do("i32.wrap_i64")
        f.get(row)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)

    def _bind_entry(self, each: op.Bind[Value]) -> None:
        """Emit code that sets the entry of a map in a slot, with its checks and its event."""
        f = self.f
        assert each.row is not None
        row = self._row_place(each.row, each.table)
        new = self.value(each.value)
        if each.bounded:
            self.bounded(new, each.type)

        def held() -> None:
            self.e.read_slot(each.slot)

        kind = self.unit.sites.row(each.table)
        self.event(each, (each.type, lambda: self._entry(held, row)), (each.type, new), (kind, row))

        def changed() -> None:
            held()
            f.get(row)
            f.get(new)
            self.e.call("with_entry")

        self.put(each.slot, changed)

    def _write(self, each: op.Write[Value]) -> None:
        """Emit code that sets a field or an entry of its map, with its checks, its event and the caches to clear."""
        self.at(each)
        f = self.f
        row = None
        if each.row is not None:
            item = self.value(each.entity)
            row = self._row_place(each.row, each.table)
            new = self.value(each.value)
        else:
            new = self.value(each.value)
            item = self.value(each.entity)
        if each.minimum is not None and not (each.value.op == "int" and each.value.data[0] >= each.minimum):
            self.below(new, each.type, each.minimum, each.field, None if row is None else (each.table, row))
        if each.bounded:
            self.bounded(new, each.type)
        name = f"@{item}"
        self.e.variables[name] = item
        result = each.entity if each.entity.op == "ref" else Value("var", each.entity.type, data=(name,))
        address = f.add_local(I32)
        offset = self.e.place(result, each.kind, each.field)
        f.set(address)

        def held() -> None:
            f.get(address)
            f.load(offset)

        self.stale(self.unit.memo_plan.list_words_after_write(each.kind, each.field))
        entry = (each.entity.type, item)
        if row is None:
            self.event(each, entry, (each.type, held), (each.type, new))
            f.get(address)
            f.get(new)
            f.store(offset)
            return
        at = row
        kind = self.unit.sites.row(each.table)
        self.event(each, entry, (each.type, lambda: self._entry(held, at)), (each.type, new), (kind, at))
        f.get(address)
        held()
        f.get(row)
        f.get(new)
        self.e.call("with_entry")
        f.store(offset)

    def _create(self, each: op.Create[Value]) -> None:
        """Emit code that creates an object, with the checks of its values, its event and the caches to clear."""
        self.at(each)
        f, layout = self.f, self.unit.layout
        least = dict(each.least)
        results: dict[str, int] = {}

        def checked(given: tuple[str, Value]) -> bool:
            name, value = given
            large = may_be_large(value.type) and not value.fixed
            return large or (name in least and not (value.op == "int" and value.data[0] >= least[name]))

        # Check in the same order as the other back ends, so that all report the same error.
        for name, value in sorted(filter(checked, each.given), key=lambda pair: pair[0] not in least):
            results[name] = self.value(value)
            if name in least and not (value.op == "int" and value.data[0] >= least[name]):
                self.below(results[name], value.type, least[name], name)
            if may_be_large(value.type) and not value.fixed:
                self.bounded(results[name], value.type)
        fields = layout.program.layout.fields[each.kind]
        given = dict(each.given)
        for name in fields:
            if name in given and name not in results:
                results[name] = self.value(given[name])
        result, number = f.add_local(I64), f.add_local(I64)
        f.push_i64(1 + len(fields))
        self.e.call("new_block")
        f.set(result)
        kind = layout.program.layout.kinds[each.kind]
        f.get(result)
        f.do("i32.wrap_i64")
        f.push_i64(kind)
        f.store(8)
        declared = layout.ruleset.declarations.kinds[each.kind].fields
        for place, name in enumerate(fields, start=1):
            f.get(result)
            f.do("i32.wrap_i64")
            if name in results:
                f.get(results[name])
            else:
                f.push_i64(layout.encode_constant(declared[name].default, declared[name].type))
            f.store(8 + 8 * place)
        self.stale(self.unit.memo_plan.list_words_after_creation(each.kind))
        f.push_i64(kind)
        f.get(result)
        self.e.call("create")
        f.set(number)
        self.e.temporaries[each.into] = number

        def as_made() -> None:
            # Copy the values, because the object may change before the event is read.
            f.get(result)
            self.e.call("copy_block")

        self.event(each, (None, number), (self.unit.sites.object(each.kind), as_made))

    def _remove(self, each: op.Remove[Value]) -> None:
        """Emit code that removes one object or several from the game, with their events and the caches to clear."""
        self.at(each)

        self.stale(self.unit.memo_plan.list_words_after_removal(find_kind(each.entity.type)))

        def one(entity: Value) -> None:
            value = self.value(entity)
            self.f.get(value)
            self.e.call("take_out")
            self.event(each, (entity.type, value))

        if not each.several:
            one(each.entity)
            return
        # Build the list first, because it may depend on an object that leaves.
        local = self.value(each.entity)
        name = f"@{local}"
        self.e.variables[name] = local
        self.e.each(Value("var", each.entity.type, data=(name,)), one)

    def _reveal(self, each: op.Reveal[Value]) -> None:
        self.at(each)
        who, answers = self.value(each.who), self.value(each.answers)
        self.event(each, (each.who.type, who), (each.answers.type, answers))

    def _announce(self, each: op.Announce[Value]) -> None:
        self.at(each)
        self.event(each, *[(value.type, self.value(value)) for value in each.given])
