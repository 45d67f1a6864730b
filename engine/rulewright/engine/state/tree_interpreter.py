"""The reference interpreter, which executes the checked steps one by one.

It is simple but slow. Tests compare the other back ends with it at every pause point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.engine.state.faults import OFFERED, TOLD, Allowance, RemovedError, RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION, PAUSED, RUNNING, Only, State
from rulewright.engine.state.machine import Machine, get_round_cost
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.checked_steps import Block, Step, Target
from rulewright.language.declarations import GAME, GAME_KIND
from rulewright.language.expressions.evaluator import Evaluate, refuse_large, remove_elements, with_entry
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.operations import Ask, Draw
from rulewright.language.types import Type
from rulewright.language.visibility import SHOWN
from rulewright.ruleset.ruleset import Ruleset


class Interpreter(Machine):
    """The reference interpreter: it walks the syntax trees.

    With `until`, it pauses after the step with that number. An `allowance` limits the operations.
    """

    def __init__(self, ruleset: Ruleset, *, until: int | None = None, allowance: Allowance | None = None) -> None:
        super().__init__(ruleset)
        self.until = until
        self.allowance = allowance

    def start(self, state: State, procedure: str) -> None:
        walk = self.walk(state)
        walk.at = walk.first(procedure)
        walk.go()

    def resume(self, state: State, value: Any) -> None:
        """Continue after a pause with the chosen option or the outcome.

        Raises what `State.apply` turns into `RulesFault`, and `AllowanceError` if an allowance is used up.
        """
        walk = self.walk(state)
        step = self.ruleset.steps[state.frame[0]]
        state.mode = RUNNING
        step.verb.take(step, walk, value)
        walk.done(step)
        walk.go()

    def present(self, state: State) -> None:
        step = self.ruleset.steps[state.frame[0]]
        step.verb.run(step, self.walk(state))

    def look_ahead(self, state: State, procedure: str, arguments: Sequence[Any]) -> State:
        """Run a procedure ahead as `Machine.look_ahead` does, without stopping at the step of `until`."""
        # The requested step counts only where it really runs.
        until, self.until = self.until, None
        try:
            return super().look_ahead(state, procedure, arguments)
        finally:
            self.until = until

    def walk(self, state: State) -> Walk:
        """Return the walk of one stretch between pauses. Subclasses that watch steps override this method."""
        return Walk(self, state)


class Walk:
    """The execution from one pause point to the next. Statements get it as their `Run`."""

    def __init__(self, machine: Interpreter, state: State) -> None:
        self.machine = machine
        self.state = state
        self.at: Step | None = None
        self.has_advanced = False
        self.evaluate = Evaluate(machine.ruleset.declarations, self)

    def go(self) -> None:
        """Execute steps until the state pauses or ends.

        Raises `AllowanceError` if the machine has an allowance that is exhausted. The exceptions of steps that cannot
        run pass through.
        """
        state = self.state
        while state.mode == RUNNING:
            step = self.at
            if step is None:
                self.leave()
                continue
            # Store the step first, so that a fault names it.
            state.frame[0] = step.number
            if self.machine.allowance is not None:
                self.machine.allowance.spend(step, self.machine.effort.estimate_step_alone(step))
            if step.when is not None and not self._is_in_progress(step) and not self.compute(step.when):
                # A skipped step has no results, but an earlier round of a loop may have left some.
                for slot in step.slots:
                    state.frame[slot] = None
                self.at = self.after(step)
                continue
            self.has_advanced = False
            step.verb.run(step, self)
            if not self.has_advanced and state.mode == RUNNING:
                self.at = self.after(step)

    def done(self, step: Step) -> None:
        """Continue after `step`, unless it has paused again or entered a block or a procedure."""
        if self.state.mode == RUNNING and not self.has_advanced:
            self.at = self.after(step)

    def after(self, step: Step) -> Step | None:
        """Return the step after `step`, or the owner of its block if that is not finished, such as a loop.

        Return None at the end of the procedure. Pauses the state if `step` is the step at which the interpreter should
        stop.
        """
        while True:
            if step.number == self.machine.until:
                self.state.mode = PAUSED
            container = step.container
            assert container is not None
            if step.place + 1 < len(container.steps):
                return container.steps[step.place + 1]
            owner = container.owner
            if owner is None or self._is_in_progress(owner):
                return owner
            step = owner

    def _is_in_progress(self, step: Step) -> bool:
        """Return whether a step has begun and stored in its hidden slot how far it got."""
        return step.hidden is not None and self.state.frame[step.hidden] is not None

    # -- the view of expressions -----------------------------------------------------------

    def objects(self, kind: str) -> tuple[int, ...]:
        return self.state.live[self.machine.layout.kinds[kind]]

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        result = self.state.objects[entity]
        if result is None:
            raise RemovedError
        return result[self.machine.layout.places[kind, name]]

    def spend(self, operations: int) -> None:
        self.state.spend(operations)

    def hold(self, elements: int) -> None:
        self.state.hold(elements)

    def look_ahead(self, procedure: str, arguments: tuple[Any, ...], judge: Callable[[Evaluate], Any]) -> Any:
        """Return what `judge` returns in the state that a procedure would leave. Charges for all of it."""
        state, machine = self.state, self.machine
        state.spend(machine.effort.estimate_procedure(procedure))
        ahead = machine.look_ahead(state, procedure, arguments)
        result = judge(machine.walk(ahead).evaluate)
        state.work, state.crowd = ahead.work, ahead.crowd
        return result

    # -- the interface for statements ------------------------------------------------------

    def compute(self, expression: Typed) -> Any:
        return self.evaluate.value(expression, self.state.frame)

    def bind(self, slot: int, value: Any) -> None:
        self.state.frame[slot] = value

    def read(self, slot: int) -> Any:
        return self.state.frame[slot]

    def read_target(self, target: Target, entity: int | None, *, row: str | None = None) -> Any:
        """Return the value of a name or, for an object, of a field, or of one entry of it if it is a map."""
        if target.slot is not None:
            whole = self.state.frame[target.slot]
        else:
            assert entity is not None
            whole = self.read_field(entity, target.kind, target.field)
        return whole if row is None else whole[self.evaluate.rank(target.table, row)]

    def store(self, target: Target, entity: int | None, value: Any, step: Step, *, row: str | None = None) -> None:
        """Store the value of a name, a field or an entry of a map, and record the event.

        Raises `RulesFault` for a number below the minimum, and `OverflowError` for one that is too large.
        """
        old = self.read_target(target, entity, row=row)
        if target.minimum is not None:
            name = target.field if row is None else f"{target.field}[{row}]"
            self.refuse_below(step, name, value, target.minimum)
        refuse_large(value)
        whole = value
        if row is not None:
            whole = with_entry(self.read_target(target, entity), self.evaluate.rank(target.table, row), value)
        if target.slot is not None:
            self.state.frame[target.slot] = whole
        else:
            assert entity is not None
            self._put(entity, self.machine.layout.places[target.kind, target.field], whole)
        details = (entity, target.field, old, value)
        self.record_event(step, "written", *details, *(() if row is None else (row,)))
        if target.hidden:
            assert entity is not None
            self._show_nobody(step, entity, target)

    def _show_nobody(self, step: Step, entity: int, target: Target) -> None:
        name = f"{SHOWN}{target.field}"
        place = self.machine.layout.places[target.kind, name]
        self.record_event(step, "written", entity, name, self.state.objects[entity][place], ())
        self._put(entity, place, ())

    def _put(self, entity: int, place: int, value: Any) -> None:
        held = self.state.objects[entity]
        self.state.undo_log.append((held, place, held[place]))
        held[place] = value

    def refuse_below(self, step: Step, name: str, value: Any, minimum: int) -> None:
        least = min(value, default=minimum) if isinstance(value, tuple) else value
        if least < minimum:
            raise RulesFault(step, f"`{name}` would be {least}")

    def refuse_large(self, value: Any, kind: Type) -> None:
        refuse_large(value)

    def create(self, kind: str, values: Mapping[str, Any]) -> int:
        """Create an object, whose other fields have their defaults, and return its number. Records no event.

        Raises `OverflowError` for a number that is too large, and for too many objects.
        """
        layout = self.machine.layout
        item = list(layout.defaults[kind])
        for name, value in values.items():
            refuse_large(value)
            item[layout.places[kind, name]] = value
        return self.state.create(layout.kinds[kind], item)

    def read_values(self, entity: int) -> tuple[Any, ...]:
        return tuple(self.state.objects[entity])

    def remove(self, entity: int) -> None:
        self.state.remove(entity)

    def is_alive(self, entity: int) -> bool:
        return self.state.objects[entity] is not None

    def begin_rounds(self, step: Step, rounds: int) -> None:
        self.state.spend(rounds * get_round_cost(self.machine.ruleset, step))

    def enter(self, block: Block) -> None:
        """Continue with the first step of a block, or behind an empty block."""
        self.has_advanced = True
        if block.steps:
            self.at = block.steps[0]
        else:
            owner = block.owner
            assert owner is not None
            self.at = owner if self._is_in_progress(owner) else self.after(owner)

    def ask(self, who: int, options: tuple[Any, ...], step: Step) -> None:
        """Pause for a decision.

        A single option is taken at once, unless the rules keep secret whether there are others.

        Raises `RulesFault` without any option.
        """
        state = self.state
        state.who = who
        if len(options) > 1 or (options and find_secrets(self.machine.ruleset).asks_always(step.number)):
            if self.machine.allowance is not None:
                self.machine.allowance.spend(step, OFFERED * len(options))
            state.new_move()
            state.frame[0] = step.number
            state.options = options
            state.mode = DECISION
            state.take = self.machine.resume
        elif options:
            step.verb.take(step, self, options[0])
        else:
            raise RulesFault(step, Ask.NOTHING)

    def get_answer(self) -> int:
        return self.state.who

    def stop_at_chance(self, roll: Any) -> None:
        """Pause for a roll, or for a draw from a tuple. Raises `RulesFault` if the tuple is empty."""
        state = self.state
        if roll == ():
            raise RulesFault(self.machine.ruleset.steps[state.frame[0]], Draw.NOTHING)
        state.roll = roll
        state.mode = CHANCE
        state.take = self.machine.resume

    def get_outcome(self) -> Any:
        return self.state.roll

    def list_deck(self, deck: str, held: Typed | None) -> tuple[str, ...]:
        """Return the cards that the next draw is from, which are all cards again if the deck is empty.

        With a discard pile, an empty deck stays empty.
        """
        declared = self.machine.ruleset.declarations.decks[deck]
        rest, *known = (self.read_field(GAME, GAME_KIND, name) for name in declared.fields)
        top, bottom = known or ((), ())
        lines: tuple[str, ...] = top[:1] or rest or bottom[:1]
        return lines if lines or declared.discard else self._whole(deck, held)

    def draw(self, deck: str, card: str, cards: tuple[str, ...], owner: int) -> None:
        declared = self.machine.ruleset.declarations.decks[deck]
        place = self.machine.layout.places[declared.kind, declared.fields[0]]
        self.state.draw(place, card, cards, declared.ordered, owner)

    def _whole(self, deck: str, held: Typed | None) -> tuple[str, ...]:
        cards = self.machine.ruleset.declarations.decks[deck].cards
        return cards if held is None else remove_elements(cards, self.compute(held))

    def find_table_row(self, table: str, face: int) -> str:
        return self.machine.ruleset.declarations.tables[table].by_face[face]

    def first(self, procedure: str) -> Step | None:
        """Return the first step of a procedure."""
        steps = self.machine.ruleset.procedures[procedure].body.steps
        return steps[0] if steps else None

    def call(self, procedure: str, arguments: tuple[Any, ...]) -> None:
        """Continue with the first step of a procedure, in a new frame."""
        self.has_advanced = True
        size = self.machine.ruleset.procedures[procedure].size
        frame = [0, *arguments, *([None] * (size - len(arguments)))]
        self.state.stack.append(frame)
        self.state.frame = frame
        self.at = self.first(procedure)

    def leave(self) -> None:
        """End the running procedure, and continue in its caller with the results. Without a caller, end the run."""
        state = self.state
        self.has_advanced = True
        procedure = self.machine.running(state)
        # Errors in the results belong to the procedure, not to its last step.
        state.frame[0] = 0
        given = tuple(self.compute(value) for value in procedure.gives.values())
        if len(state.stack) == 1:
            self.machine.close(state, given)
            return
        state.stack.pop()
        state.frame = state.stack[-1]
        state.undo_log.append((state.frame, slice(None), state.frame[:]))
        step = self.machine.ruleset.steps[state.frame[0]]
        self.has_advanced = False
        step.verb.take(step, self, given)
        self.done(step)
        # The statement that left the procedure must not advance past the step that comes next.
        self.has_advanced = True

    def leave_loop(self, step: Step, loop: str) -> None:
        """Continue behind a loop around `step`, and clear the progress of that loop and of those inside it."""
        self.has_advanced = True
        while step.id != loop:
            assert step.container is not None
            assert step.container.owner is not None
            step = step.container.owner
            if step.hidden is not None:
                self.state.frame[step.hidden] = None
        self.at = self.after(step)

    def finish(self, winners: tuple[int, ...]) -> None:
        self.machine.finish(self.state, winners)

    def record_event(self, step: Step, event_kind: str, *details: Any, viewers: Typed | None = None) -> None:
        """Record an event if events are recorded. The viewers are evaluated in any case, because that has a cost."""
        # Evaluate the viewers even without recording, because their cost counts.
        only = () if viewers is None else (Only(self.compute(viewers)),)
        if self.state.events is not None:
            if self.machine.allowance is not None:
                self.machine.allowance.spend(step, TOLD)
            self.state.events.append((step.number, event_kind, *details, *only))

    def raise_fault(self, step: Step, message: str) -> None:
        raise RulesFault(step, message)
