"""The assembly of a ruleset's WebAssembly module: the runtime, then the code and constants of the rules."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import prod

from rulewright.dice.ast import MAXIMUM_DEPTH
from rulewright.dice.limits import DEFAULT
from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, Module, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.codegen.debug_info import DebugInfo
from rulewright.engine.wasm_backend.codegen.effect_code import CodeUnit
from rulewright.engine.wasm_backend.codegen.expression_code import ExpressionCode
from rulewright.engine.wasm_backend.codegen.fused_code import FusedCode, list_reached_procedures
from rulewright.engine.wasm_backend.codegen.guess_table import encode_guess_table
from rulewright.engine.wasm_backend.codegen.int_widths import IntWidths
from rulewright.engine.wasm_backend.codegen.memo_analysis import MemoPlan
from rulewright.engine.wasm_backend.codegen.memo_code import MemoCode
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE, STATE, WORDS, MemoryLayout
from rulewright.engine.wasm_backend.codegen.procedure_code import ProcedureWriter
from rulewright.ir.parameters import NONE as NO_FIGURES
from rulewright.ir.program import LoweredFormula, Program, build_program
from rulewright.ir.values import Value
from rulewright.language.expressions.expression_cost import CROWD, LONGEST_LIST, MOST_IN_A_MOVE, MOST_OBJECTS
from rulewright.language.operations import MOST_OPTIONS
from rulewright.language.step_cost import StepCosts
from rulewright.language.types import Boolean, Entity, ListOf, Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.measures import FIRST, WINNERS

HOST = (
    *("begin", "go_on", "choose", "leave_to_chance", "clean_up", "size_of_game", "save_game", "load_game"),
    *("keep_heap_below", "take_space", "free_space", "new_block", "seed_dice", "dice_index", "seed_lots", "pick"),
    *("clear_counts", "counts_address", "counts_rows", "play_games", "play_on", "playing", "roll_total", "draw_one"),
    "roll_faces",
    *("answer_at_random", "answer_first"),
    "force_outcome",
    *("seat_bot", "tell_worths", "asked_roll", "tell_outcomes", "pause_after"),
    *("seat_asked", "think", "words_used"),
    *("give_up", "stack_at", "stack_back"),
    *("batch_use", "batch_begin", "batch_step", "batch_proceed", "batch_options", "batch_any", "batch_blind"),
    *("batch_look", "batch_at"),
    "stop_at",
)
"""The functions of the runtime that the host calls."""


@cache
def load_runtime() -> bytes:
    """Return the runtime module, to which the code of a ruleset is appended."""
    return (files(__package__) / "runtime.wasm").read_bytes()


def list_hidden_fields(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Return the fields with `seen_by`, by kind and name, in the order of their numbers."""
    kinds = ruleset.declarations.kinds.values()
    return [(kind.id, name) for kind in kinds for name, field in kind.fields.items() if field.seen_by is not None]


@dataclass(frozen=True, slots=True, eq=False)
class ModuleInfo:
    """A module, and the information that a host needs about it."""

    code: bytes
    layout: MemoryLayout
    sites: DebugInfo
    order: tuple[str, ...]
    """The ids of the procedures, in the order of their numbers in the module."""

    form: str
    """The digest of the module without its parameters. It is equal for modules that differ only in parameters."""


def assemble_module(ruleset: Ruleset) -> ModuleInfo:
    """Return the module of a ruleset."""
    return ModuleAssembler(ruleset).assemble()


def _asks_means(program: Program) -> bool:
    return any(part.op == "dice.mean" for value in program.iterate_values() for part in value.walk())


_RESULT_WORDS = {WINNERS: "winners", FIRST: "first"}
"""The words of a game with the names that measures read."""

_RUN = WasmSignature((I64, I32, I32), (I32,))
"""The signature of the function that runs a procedure: its number, its frame, and 1 to resume it."""


class ModuleAssembler:
    """The assembler of a module. Subclasses add exports in `list_extra_exports`."""

    def __init__(self, ruleset: Ruleset, program: Program | None = None) -> None:
        self.ruleset = ruleset
        self.program = program or build_program(ruleset)
        self.module = Module(load_runtime())
        base = self.module.globals
        self.layout_at = base[self.module.exports["layout"]]
        first = (base[self.module.exports["__heap_base"]] + 15) & ~15
        self.memo_plan = MemoPlan(self.program, ruleset, self.program.iterate_values())
        means = _asks_means(self.program)
        room = base[self.module.exports["room"]]
        saved = self.memo_plan.words
        self.layout = MemoryLayout(self.program, ruleset, first=first, room=room, means=means, memo_words=saved)
        self.bounds = IntWidths(self.program, ruleset)
        self.order = tuple(self.program.routines)
        steps = max(ruleset.steps, default=0) + 1
        self.resumes_at = self.layout.put(bytes(4 * steps))
        self.resumes = [0] * steps
        self.sites = DebugInfo(ruleset, self.resumes_at)
        effort = StepCosts(ruleset.declarations, ruleset.procedures)
        self.unit = CodeUnit(
            self.layout, effort, self.bounds, self.sites, self.memo_plan, self.module.exports, self.get_formula
        )
        gives = max((len(routine.gives) for routine in self.program.routines.values()), default=0)
        self.unit.results = self.layout.results = self.layout.put(bytes(8 * max(gives, 1)))
        self.layout.result_words = gives
        self.layout.run_signature = self.module.add_signature(_RUN.takes, _RUN.gives)
        self._formulas: dict[str, int] = {}
        self._carried: int | None = None
        self._remembering = MemoCode(self._expressions, self.layout.put(bytes(8)))

    def assemble(self) -> ModuleInfo:
        """Return the complete module of the ruleset. Call it once.

        Raises `MemoryError` if the constants of the ruleset do not fit into memory.
        """
        for measure in self.ruleset.measures.values():
            self._reserve(self.program.get_measure(measure))
        self._order_formulas()
        # Register the default values of all fields, because they are part of the layout.
        for kind in self.ruleset.declarations.kinds.values():
            for field in kind.fields.values():
                self.layout.encode_constant(field.default, field.type)
        first = self.module.next_function
        for number, name in enumerate(self.order):
            self.unit.functions[name] = first + number
        writers = [ProcedureWriter(self.unit, self.program.routines[name], at) for at, name in enumerate(self.order)]
        for writer in writers:
            self.module.add(writer.finish_function())
            for step, places in writer.resumes.items():
                self.resumes[step] = places[0]
        carried = list_reached_procedures(self.unit, self.ruleset.start) if self.ruleset.start else []
        through = {name: self.module.next_function + number for number, name in enumerate(carried)}
        for name in carried:
            writing = FusedCode(self.unit, self.program.routines[name], self.order.index(name), through)
            self.module.add(writing.finish_function())
        self._carried = through.get(self.ruleset.start or "")
        self.layout.data = [each for each in self.layout.data if each[0] != self.resumes_at]
        self.layout.data.append((self.resumes_at, struct.pack(f"<{len(self.resumes)}i", *self.resumes)))
        exports = {name: self.module.exports[name] for name in HOST} | self.list_extra_exports()
        self.module.table = dict(enumerate(self._write_requests(), start=1))
        hidden = {field: number for number, field in enumerate(list_hidden_fields(self.ruleset))}
        self.guesses = encode_guess_table(self.ruleset, self.layout, self.order, hidden)
        self.event_counters = self.layout.put(bytes(8 * len(self.sites.events)))
        self.layout.event_counters = self.event_counters
        self.layout.heap = self.layout.frames + self._deepest() + 64
        pages = (self.layout.heap + (1 << 16)) // 65536 + 1
        self.module.add_data(self.layout_at, self._layout())
        for at, content in self.layout.data:
            self.module.add_data(at, content)
        form = ""
        if self.program.parameters != NO_FIGURES:
            form = sha256(self.module.encode(exports=exports, pages=pages)).hexdigest()
            for at, content in self.layout.put_figures():
                self.module.add_data(at, content)
        if self.layout.end > STATE:
            raise MemoryError("the constants of a ruleset do not fit into memory")
        return ModuleInfo(self.module.encode(exports=exports, pages=pages), self.layout, self.sites, self.order, form)

    def list_extra_exports(self) -> dict[str, int]:
        """Return additional functions to export, by name. The default is none."""
        return {}

    def _layout(self) -> bytes:
        """Return the addresses, sizes and limits that the runtime reads, as bytes."""
        layout = self.layout
        clocked = sum(measure.per is not None for measure in self.ruleset.measures.values())
        result = (
            *(len(layout.kinds), layout.heap, layout.live, layout.game, layout.game_size),
            *(layout.players, layout.player_size, layout.frames, MOST_IN_A_MOVE, LONGEST_LIST, MOST_OBJECTS, CROWD),
            *(MOST_OPTIONS, DEFAULT.dice, MAXIMUM_DEPTH, clocked, len(self.ruleset.measures), self.unit.results),
            *(
                self.event_counters,
                layout.kept_words,
                int(self.ruleset.evaluate is not None),
                len(self.memo_plan.tables),
                self.guesses,
            ),
        )
        return b"".join(map(WORDS.pack, result))

    def _deepest(self) -> int:
        """Return the maximum size in bytes of the frames of all running procedures."""
        return 8 * max(map(self.program.measure_frames, self.order), default=0)

    # -- formulas --------------------------------------------------------------------------------

    def _order_formulas(self) -> None:
        """Write every formula, each after the formulas that it calls."""
        for value in list(self.program.iterate_values()):
            self._reserve_all(value)
        if self.ruleset.evaluate is not None:
            self.get_formula(self.ruleset.evaluate)

    def _reserve(self, formula: LoweredFormula) -> None:
        for value in (*(value for _, value in formula.memoized_values), formula.value):
            self._reserve_all(value)

    def _reserve_all(self, value: Value) -> None:
        for part in value.walk():
            if part.op == "formula":
                self.get_formula(part.data[0])

    def get_formula(self, identity: str) -> int:
        """Return the index of a formula's function, which is added on first use, with its memoization."""
        if identity not in self._formulas:
            formula = self.program.get_formula(identity)
            self._reserve(formula)
            written = self.module.add(self._write_formula(formula, f"formula {identity}"))
            place = self.memo_plan.places.get(identity)
            if place is not None:
                written = self.module.add(
                    self._remembering.write_single(formula, written, self.layout.kept + 24 * place)
                )
            table = self.memo_plan.tables.get(identity)
            if table is not None:
                stand, room = self.layout.kept + 8 * table.stand, self.layout.reserve(8 * table.entries * table.size)
                written = self.module.add(self._remembering.write_several(formula, written, table, stand, room))
            sizes = self.memo_plan.constants.get(identity)
            if sizes is not None:
                room, exports = self.layout.reserve(24 * prod(sizes)), self.module.exports
                epoch = self.module.globals[exports["epoch"]]
                keep_outside, copied = exports["keep_outside"], exports["copy_block"]
                written = self.module.add(
                    self._remembering.write_constant(formula, written, sizes, room, epoch, keep_outside, copied)
                )
            self._formulas[identity] = written
        return self._formulas[identity]

    def _write_formula(
        self, formula: LoweredFormula, name: str, *, framed: bool = False, result: int = 0
    ) -> WasmFunction:
        """Return the function of a formula. One that is `framed` reads the top frame, too.

        The last `result` parameters are those of a measure, which the function reads from the game.
        """
        gives = I32 if isinstance(formula.value.type, Boolean) else I64
        given = len(formula.parameters) - result
        function = WasmFunction(name, WasmSignature((I64,) * given, (gives,)))
        expressions = self._expressions(function)
        expressions.unchanging = True
        if framed:
            expressions.frame = function.add_local(I32)
            function.push_i32(0)
            function.load(AT["frame"])
            function.do("i32.wrap_i64")
            function.set(expressions.frame)
        for place, (parameter, kind) in enumerate(formula.parameters):
            expressions.variables[parameter] = place if place < given else self._read_result(function, parameter, kind)
        for saved, value in formula.memoized_values:
            bits = expressions.mask(value)
            if bits is not None:
                expressions.masks[saved] = bits
                continue
            local = function.add_local(I64)
            expressions.number(value)
            function.set(local)
            expressions.variables[saved] = local
        if gives == I32:
            expressions.push_truth(formula.value)
        else:
            expressions.number(formula.value)
        return function

    def _read_result(self, function: WasmFunction, name: str, kind: Type) -> int:
        """Read a name of a measure from the game into a local, and return the local."""
        local = function.add_local(I64)
        function.push_i32(0)
        function.load(AT[_RESULT_WORDS[name]])
        function.set(local)
        # A missing value is one before the end of the game, or before the first decision.
        function.get(local)
        function.push_i64(NONE if isinstance(kind, ListOf) else 0)
        function.do("i64.eq")
        function.begin_if()
        function.push_i64(self.layout.encode_constant(() if isinstance(kind, ListOf) else None, kind))
        function.set(local)
        function.end()
        return local

    def _expressions(self, function: WasmFunction) -> ExpressionCode:
        return ExpressionCode(function, self.layout, self.module.exports, self.get_formula, self.bounds)

    # -- functions called by the runtime ---------------------------------------------------------

    def _write_requests(self) -> list[int]:
        for_bots = [self._run(), self._of_player(self.ruleset.evaluate, "standing")]
        for_counts = [self._measures(over=False), self._measures(over=True)]
        others = [self._of_player(self.ruleset.payoff, "worth"), self._write_viewers(), self._through(), self._terms()]
        return [*for_bots, *for_counts, *others]

    def _run(self) -> int:
        """Add a function that runs a procedure by its number, and return its index."""
        function = WasmFunction("run", _RUN)
        self._switch(function, [self.unit.functions[name] for name in self.order], (1, 2))
        return self.module.add(function)

    def _through(self) -> int:
        """Add a function that runs the first procedure of a game without pauses, and return its index.

        Without a first procedure, the function traps.
        """
        function = WasmFunction("through", WasmSignature((I32,), (I32,)))
        if self.ruleset.start is None or self._carried is None:
            function.do("unreachable")
            return self.module.add(function)
        function.get(0)
        for _ in self.program.routines[self.ruleset.start].parameters:
            function.push_i64(NONE)
        function.call(self._carried)
        return self.module.add(function)

    def _of_player(self, formula: str | None, name: str) -> int:
        """Add a function that calls a formula of one player, or returns 0 if there is none. Return its index."""
        called = None if formula is None else self.get_formula(formula)
        function = WasmFunction(name, WasmSignature((I64,), (I64,)))
        if called is None:
            function.push_i64(0)
        else:
            function.get(0)
            function.call(called)
        return self.module.add(function)

    def _terms(self) -> int:
        """Add the function that writes all features of a learned evaluation to memory, and return its index.

        Its parameters are the number of the evaluation, the player, and the address.
        """
        results: dict[str, list[int]] = {}
        for (weights, _), formula in self.program.terms.items():
            self._reserve(formula)
            results.setdefault(weights, []).append(self.module.add(self._write_formula(formula, f"term {formula.id}")))
        each = []
        for weights, terms in results.items():
            function = WasmFunction(f"terms {weights}", WasmSignature((I64, I32), ()))
            for place, term in enumerate(terms):
                function.get(1)
                function.get(0)
                function.call(term)
                function.store(8 * place)
            each.append(self.module.add(function))
        function = WasmFunction("terms", WasmSignature((I64, I64, I32), ()))
        self._switch(function, each, (1, 2))
        return self.module.add(function)

    def _write_viewers(self) -> int:
        """Add the function for the viewers of a hidden field of an object, and return its index.

        Its second argument is the index of the field in `list_hidden_fields`.
        """
        written = []
        for kind, name in list_hidden_fields(self.ruleset):
            seen = self.ruleset.declarations.kinds[kind].fields[name].seen_by
            assert seen is not None
            formula = self.program.build_formula(seen, f"seers {kind}.{name}", (("self", Entity(kind)),))
            self._reserve(formula)
            written.append(self.module.add(self._write_formula(formula, formula.id)))
        function = WasmFunction("seers", WasmSignature((I64, I64), (I64,)))
        self._switch(function, written, (1,))
        return self.module.add(function)

    def _measures(self, *, over: bool) -> int:
        """Add a function that computes a measure by its number, and return its index.

        All measures are numbered in order, then those with a clock once more. With `over`, it computes their clocks
        instead, numbered from 0.
        """
        measures = list(self.ruleset.measures.values())
        clocked = [measure for measure in measures if measure.per is not None]
        if over:
            clocks = [self.program.build_formula(each.per) for each in clocked if each.per is not None]
            written = [self._write_formula(clock, "clock") for clock in clocks]
        else:
            values = [self.program.get_measure(each) for each in (*measures, *clocked)]
            written = [self._write_formula(value, "measure", result=len(value.parameters)) for value in values]
        functions = [self.module.add(each) for each in written]
        function = WasmFunction("clock" if over else "measure", WasmSignature((I64,), (I64,)))
        self._switch(function, functions, ())
        return self.module.add(function)

    def _switch(self, function: WasmFunction, functions: list[int], passed: tuple[int, ...]) -> None:
        """Emit the call of one of `functions` by the number in the first parameter. It traps for other numbers.

        `passed` are the parameters to pass on.
        """
        for number, each in enumerate(functions):
            function.get(0)
            function.push_i64(number)
            function.do("i64.eq")
            function.begin_if()
            for parameter in passed:
                function.get(parameter)
            function.call(each)
            called = self.module.functions[each - self.module.next_function + len(self.module.functions)]
            if called.signature.gives == (I32,) and function.signature.gives == (I64,):
                function.do("i64.extend_i32_u")
            function.do("return")
            function.end()
        function.do("unreachable")
