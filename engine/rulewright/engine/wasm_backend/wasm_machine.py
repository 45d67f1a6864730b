"""The back end that runs rules as WebAssembly. It uses the same states as all other back ends."""

from __future__ import annotations

from typing import Any

from rulewright.dice.ast import Roll
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, RUNNING, State
from rulewright.engine.state.machine import Machine
from rulewright.engine.wasm_backend.codegen.effect_code import PRESENTING, RECORDING
from rulewright.engine.wasm_backend.codegen.memory_layout import NONE, STATE
from rulewright.engine.wasm_backend.heap_writer import Heap
from rulewright.engine.wasm_backend.module_assembly import assemble_module
from rulewright.engine.wasm_backend.new_events import read_events
from rulewright.engine.wasm_backend.value_codec import ValueReader, ValueWriter
from rulewright.engine.wasm_backend.wasmtime_host import Host, load_module, share_per_thread
from rulewright.ir.analyses.suspension_points import find_stops
from rulewright.ir.frame_slots import find_slot_types
from rulewright.language import operations as op
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import INTEGER, ListOf, Type
from rulewright.ruleset.ruleset import Ruleset


class WasmMachine(Machine):
    """The back end that runs a ruleset's module.

    The state is copied into its memory to run, and back at each pause.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.module_info = module = assemble_module(ruleset)
        self.host = Host(load_module(self.module_info.code), lambda: module)
        self.reader = ValueReader(self.module_info.layout, self.host.block)
        self.heap = Heap(self.host, self.module_info.layout.heap)
        self.writer = ValueWriter(self.module_info.layout, self.heap.make_block, self.host.keep, self.reader)
        routines = self.module_info.layout.program.routines
        self._slots = {name: find_slot_types(routine, routines) for name, routine in routines.items()}
        self._stops = {step: stops for routine in routines.values() for step, stops in find_stops(routine).items()}

    # -- the interface of back ends --------------------------------------------------------------

    def start(self, state: State, procedure: str) -> None:
        self.write(state)
        self.host.call("begin", self.module_info.order.index(procedure))
        self.read(state)

    def resume(self, state: State, value: Any) -> None:
        """Continue after a pause with the chosen option or the outcome, and update `state`.

        Raises `RulesFault` if the rules fail.
        """
        kind = self._answer(state)
        roll = state.roll
        self._lay_out(state)
        if isinstance(roll, Roll):
            self.host.set("roll", self.writer.roll(roll))
        word = self.writer.word(value, kind)
        self.heap.put()
        self.host.call("go_on", word)
        self.read(state)

    def present(self, state: State) -> None:
        """Compute the pending decision or roll of a restored state, without recording events."""
        events, state.events = state.events, None
        self.write(state, flags=PRESENTING)
        self.host.call("go_on", 0)
        self.read(state)
        state.events = events

    # -- states ------------------------------------------------------------------------------------

    def write(self, state: State, *, flags: int = 0) -> None:
        """Put a state into memory."""
        self._lay_out(state, flags=flags)
        self.heap.put()

    def _lay_out(self, state: State, *, flags: int = 0) -> None:
        """Write a state to the memory of the module, in place of the one there."""
        self.heap.clear()
        host, layout, word = self.host, self.module_info.layout, self.writer.word
        kinds = [self.ruleset.declarations.kinds[name] for name in layout.kinds]
        types = [[field.type for field in kind.fields.values()] for kind in kinds]
        seats = len(state.live[1])
        host.write(STATE, [0] * 58)
        for name, value in (
            ("top", layout.heap),
            ("clean", layout.heap),
            ("limit", layout.heap + (1 << 16)),
            ("made", len(state.objects)),
            ("seats", seats),
            ("work", state.work),
            ("crowd", state.crowd),
            ("who", state.who),
            ("root", self.module_info.order.index(state.root)),
            ("flags", flags | (RECORDING if state.events is not None else 0)),
            *((name, NONE) for name in ("options", "roll", "answer", "winners", "given", "events")),
        ):
            host.set(name, value)
        host.write(layout.kept, [0] * layout.kept_words)
        host.write(layout.live, [self.heap.make_block(live) for live in state.live])
        game = [word(value, kind) for value, kind in zip(state.objects[0][1:], types[0], strict=True)]
        host.write(layout.game + 8, game)
        objects = [NONE] * max(len(state.objects), 16)
        for number, item in enumerate(state.objects):
            if item is None or number == 0:
                continue
            values = [word(value, kind) for value, kind in zip(item[1:], types[item[0]], strict=True)]
            if FIRST_PLAYER <= number <= seats:
                host.write(layout.players + 8 * layout.player_size * (number - FIRST_PLAYER) + 8, values)
            else:
                objects[number] = self.heap.make_block([item[0], *values])
        host.set("objects", self.heap.make_block(objects))
        if state.events is not None:
            host.set("events", self.heap.make_block([0] * 64))
        at = layout.frames
        procedure = state.root
        for place, frame in enumerate(state.stack):
            slots = self._slots[procedure]
            words = [frame[0], *(word(value, slots.get(slot)) for slot, value in enumerate(frame[1:], start=1))]
            host.write(at, words)
            host.set("frame", at)
            at += 8 * len(words)
            if place + 1 < len(state.stack):
                procedure = find_called_procedure(self.ruleset.steps[frame[0]])
        host.set("frames_end", at)

    def read(self, state: State) -> None:
        """Update `state` from a pause in memory. Events are appended to those it has."""
        host, layout, value = self.host, self.module_info.layout, self.reader.value
        mode, who, options, roll, _, top, result, objects, winners, given, work, crowd = host.read(STATE, 12)
        state.work, state.crowd, state.who = work, crowd, who
        if state.events is not None:
            state.events += read_events(host, self.reader)
        state.live = tuple(tuple(host.block(each)) for each in host.read(layout.live, len(layout.kinds)))
        table = host.block(objects)[:result]
        results: list[Any] = [None] * result
        kinds = [[f.type for f in self.ruleset.declarations.kinds[name].fields.values()] for name in layout.kinds]
        game = host.read(layout.game + 8, layout.game_size - 1)
        results[0] = [0, *map(value, game, kinds[0])]
        seats = len(state.live[1])
        for player in range(seats):
            at = layout.players + 8 * layout.player_size * player
            words = host.read(at + 8, layout.player_size - 1)
            results[FIRST_PLAYER + player] = [1, *map(value, words, kinds[1])]
        for number, each in enumerate(table):
            if each != NONE:
                kind, *fields = host.block(each)
                results[number] = [kind, *map(value, fields, kinds[kind])]
        state.objects = results
        state.mode = mode
        if mode == OVER and winners != NONE:
            state.winners = tuple(host.block(winners))
            state.stack = []
            state.frame = [host.get("ended_by")]
            return
        self._frames(state, top)
        if mode == OVER:
            gives = layout.program.routines[state.root].gives
            words = host.block(given)
            state.given = tuple(value(word, each.type) for word, (_, each) in zip(words, gives, strict=True))
        elif mode == DECISION:
            state.options = value(options, self._find_operation(state).options.type)
            state.take = self._take
        elif mode == CHANCE:
            stop = self._find_operation(state)
            state.roll = value(roll, stop.among.type) if isinstance(stop, op.Draw) else self.reader.roll(roll)
            state.take = self._take

    def _take(self, state: State, answer: Any) -> None:
        state.mode = RUNNING
        self.resume(state, answer)

    def _frames(self, state: State, top: int) -> None:
        """Read the stack of a state from memory, up to the frame at the address `top`."""
        procedure, at = state.root, self.module_info.layout.frames
        state.stack = []
        while True:
            slots = self._slots[procedure]
            size = self.module_info.layout.program.routines[procedure].size
            step, *words = self.host.read(at, size + 1)
            frame = [step, *(self.reader.value(word, slots.get(slot)) for slot, word in enumerate(words, start=1))]
            state.stack.append(frame)
            state.frame = frame
            if at >= top:
                return
            at += 8 * (size + 1)
            procedure = find_called_procedure(self.ruleset.steps[step])

    def _find_operation(self, state: State) -> Any:
        """Return the current operation of a state."""
        step = self.ruleset.steps[state.frame[0]]
        stops = self._stops[step.number]
        stage = state.frame[step.hidden] if step.hidden is not None and len(stops) > 1 else 0
        return stops[stage or 0]

    def _answer(self, state: State) -> Type:
        """Return the type of the answer to the pending decision or chance event."""
        stop = self._find_operation(state)
        if isinstance(stop, op.Chance):
            return INTEGER
        kind: Type = stop.options.type if isinstance(stop, op.Ask) else stop.among.type
        return kind.inner if isinstance(kind, ListOf) else kind


compiled = share_per_thread(WasmMachine, lambda machine: machine.host)
"""A function that returns the machine of a ruleset, one per thread."""
