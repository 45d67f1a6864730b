"""Generated code for effects: the lines of one function that read and write state and check limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rulewright.engine.python_backend.expression_source import Constants, ExpressionSource
from rulewright.ir.program import Routine
from rulewright.ir.values import Value
from rulewright.language.declarations import GAME
from rulewright.language.expressions.evaluator import LARGEST, may_be_large
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from rulewright.language.operations import Ask, Bind, Call, Chance, Create, Draw, Operation, Remove, Write
from rulewright.language.step_cost import StepCosts
from rulewright.language.types import Integer, MapOf, Type

NEW_MOVE = f"s.work = {MOST_IN_A_MOVE}"
"""The code at the start of a move."""


class SourceUnit(Protocol):
    """The part of the compiler that a function writer uses."""

    constants: Constants
    effort: StepCosts
    recording: bool
    sampling: bool
    fused: bool
    undoable: bool
    watched: bool
    counted: bool

    def stops(self, operation: Operation[Value]) -> bool: ...
    def stopping(self, procedure: str) -> bool: ...
    def function(self, prefix: str) -> str: ...
    def add(self, writer: Any, write: Callable[[], None] | None = None) -> None: ...
    def take(self, operation: Operation[Value]) -> str: ...
    def size(self, procedure: str) -> int: ...
    def times_read(self, routine: Routine, temporary: int) -> int: ...


class EffectSource:
    """One function with its lines, its routine, and whether locals are Python variables (`inline`) or in the frame.

    `rules` has the rule of each line, to locate errors: the number of a step, or the id of a procedure for its results.
    `at` is the rule of the next line. `moves` has, for each line, whether it begins a move. Such lines are left out of
    programs that do not count operations.
    """

    def __init__(
        self, unit: SourceUnit, name: str, routine: Routine, *, parameters: str = "s", inline: bool = False
    ) -> None:
        self.unit = unit
        self.name = name
        self.routine = routine
        self.parameters = parameters
        self.inline = inline
        self.lines: list[str] = []
        self.rules: list[int | str] = []
        self.moves: list[bool] = []
        self.at: int | str = routine.id
        self.depth = 1
        self.temporaries = 0
        self.is_loop = False
        self.expressions = ExpressionSource(unit.constants, inline=inline)

    # -- lines -----------------------------------------------------------------------------

    def line(self, code: str, *, move: bool = False) -> None:
        self.lines.append("    " * self.depth + code)
        self.rules.append(self.at)
        self.moves.append(move)

    def indent(self) -> None:
        self.depth += 1

    def dedent(self) -> None:
        # If the last line opened the block, the block is empty and needs a statement.
        if self.lines and self.lines[-1].startswith("    " * (self.depth - 1)) and self.lines[-1].endswith(":"):
            self.line("pass")
        self.depth -= 1

    def finish_source(self) -> tuple[list[str], list[int | str]]:
        """Return the lines of the whole function, and the rule of each line: a step number or a procedure id."""
        saved = [place for place, move in enumerate(self.moves) if self.unit.counted or not move]
        body = [self.lines[place] for place in saved] or ["    pass"]
        head = [f"def {self.name}({self.parameters}):"]
        rules = [self.rules[place] for place in saved] or [self.routine.id]
        value = sorted(self.expressions.held or ())
        if value:
            self.expressions.uses.add("g")
            body = ["    try:", *(f"    {line}" for line in body), "    finally:"]
            body += [f"        g[{place}] = g{place}" for place in value]
            rules = [rules[0], *rules, *[rules[-1]] * (1 + len(value))]
        head += [f"    {line}" for line in self.expressions.heads()]
        head += [f"    g{place} = g[{place}]" for place in value]
        return [*head, *body], [*(rules[:1] * len(head)), *rules]

    # -- values ----------------------------------------------------------------------------

    def value(self, value: Value) -> str:
        return self.expressions.code(value)

    def slot(self, slot: int) -> str:
        return self.expressions.slot(slot)

    def make_variable(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def keep(self, number: int, code: str) -> None:
        """Bind a temporary to the expression `code`."""
        self.expressions.temporaries[number] = code

    def make_temporary(self, number: int) -> str:
        """Return a new variable for a temporary."""
        name = self.make_variable()
        self.keep(number, name)
        return name

    # -- effects ---------------------------------------------------------------------------

    def bind(self, each: Bind[Value]) -> None:
        """Write code that stores a value in a slot, with its checks and its event."""
        if each.row is not None:
            self._bind_entry(each)
            return
        code = self.value(each.value)
        slot = self.slot(each.slot)
        if each.name and (self.unit.recording or each.bounded):
            new = self.make_variable()
            self.line(f"{new} = {code}")
            if each.bounded:
                self.refuse_large(new, each.type)
            self.write_event(each, "None", repr(each.name), slot, new)
            self.line(f"{slot} = {new}")
            return
        self.line(f"{slot} = {code}")
        if each.bounded:
            self.refuse_large(slot, each.type)

    def _bind_entry(self, each: Bind[Value]) -> None:
        """Write code that sets the entry for a row of the map in a slot, with its checks and its event."""
        slot, row, new = self.slot(each.slot), self.make_variable(), self.make_variable()
        assert each.row is not None
        self.line(f"{row} = {self.expressions.place_of(each.row, each.table)}")
        self.line(f"{new} = {self.value(each.value)}")
        if each.bounded:
            self.refuse_large(new, each.type)
        self.write_event(each, "None", repr(each.name), f"{slot}[{row}]", new, self._row_at(each.table, row))
        self.line(f"{slot} = with_entry({slot}, {row}, {new})")

    def _write_entry(self, each: Write[Value]) -> None:
        """Write code that sets the entry of a map in a field, with its checks and its event."""
        item, row, new = self.make_variable(), self.make_variable(), self.make_variable()
        assert each.row is not None
        place = self.unit.constants.layout.places[each.kind, each.field]
        of_game = each.entity.op == "ref" and each.entity.data[0] == GAME
        self.line(f"{item} = {self.value(each.entity)}")
        self.line(f"{row} = {self.expressions.place_of(each.row, each.table)}")
        self.line(f"{new} = {self.value(each.value)}")
        name = self._row_at(each.table, row)
        if each.minimum is not None and not (each.value.op == "int" and each.value.data[0] >= each.minimum):
            text = f"`{each.field}["
            self.line(
                f"if {new} < {each.minimum}: "
                f"raise fault({each.step.number}, {text!r} + {name} + ']` would be ' + str({new}))"
            )
        if each.bounded:
            self.refuse_large(new, each.type, positive=each.minimum is not None)
        value = self.expressions.of_game(place) if of_game else f"{self.expressions.of_object(item)}[{place}]"
        self.write_event(each, item, repr(each.field), f"{value}[{row}]", new, name)
        self.log("g" if of_game else self.expressions.of_object(item), place)
        self.line(f"{value} = with_entry({value}, {row}, {new})")

    def _row_at(self, table: str, place: str) -> str:
        """Return the id of the row at a place of its table, from 0."""
        rows = tuple(self.unit.constants.ruleset.declarations.tables[table].rows)
        return f"{self.unit.constants.literal(rows)}[{place}]"

    def write(self, each: Write[Value]) -> None:
        """Write code that sets a field, with its checks, its event and its entry in the undo log."""
        if each.row is not None:
            self._write_entry(each)
            return
        item, value = self.value(each.entity), self.value(each.value)
        place = self.unit.constants.layout.places[each.kind, each.field]
        refused = each.minimum is not None and not (each.value.op == "int" and each.value.data[0] >= each.minimum)
        target = self.value(Value("field", each.type, (each.entity,), (each.kind, each.field)))
        if not self.unit.recording and not self.unit.undoable and not each.bounded and not refused:
            self.line(f"{target} = {value}")
            return
        new = self.make_variable()
        self.line(f"{new} = {value}")
        if each.minimum is not None and refused:
            self.refuse_below(each, each.field, new, each.minimum, each.type)
        if each.bounded:
            self.refuse_large(new, each.type, positive=each.minimum is not None)
        if self.unit.recording or self.unit.undoable:
            holder = self.make_variable()
            self.line(f"{holder} = {self.expressions.of_object(item)}")
            self.write_event(each, item, repr(each.field), f"{holder}[{place}]", new)
            self.log(holder, place)
            self.line(f"{holder}[{place}] = {new}")
        else:
            self.line(f"{target} = {new}")

    def create(self, each: Create[Value]) -> None:
        """Write code that creates an object, with the checks of its values and its event."""
        layout = self.unit.constants.layout
        least = dict(each.least)
        parts = [self.unit.constants.literal(default) for default in layout.defaults[each.kind]]
        codes = {name: self.value(value) for name, value in each.given}
        for name, value in sorted(each.given, key=lambda pair: pair[0] not in least):
            large = may_be_large(value.type) and not value.fixed
            refused = name in least and not (value.op == "int" and value.data[0] >= least[name])
            if large or refused:
                temporary = self.make_variable()
                self.line(f"{temporary} = {codes[name]}")
                codes[name] = temporary
            if refused:
                kind = next(value.type for given, value in each.given if given == name)
                self.refuse_below(each, name, codes[name], least[name], kind)
            if large:
                self.refuse_large(codes[name], value.type)
        for name, code in codes.items():
            parts[layout.places[each.kind, name]] = code
        temporary = self.make_temporary(each.into)
        self.line(f"{temporary} = s.create({layout.kinds[each.kind]}, [{', '.join(parts)}])")
        if self.unit.recording:
            self.write_event(each, temporary, f"tuple({self.expressions.of_object(temporary)})")

    def remove(self, each: Remove[Value]) -> None:
        """Write code that removes one object or several from the game, as `each` specifies."""
        variable = self.make_variable()
        if each.several:
            self.line(f"for {variable} in {self.value(each.entity)}:")
            self.indent()
        else:
            self.line(f"{variable} = {self.value(each.entity)}")
        self.line(f"s.remove({variable})")
        self.write_event(each, variable)
        if each.several:
            self.dedent()

    def write_drawn(self, each: Draw[Value], card: str) -> None:
        """Write code that removes the card `card` from its deck, if it came from one, and records the event."""
        if each.left is not None:
            deck = self.unit.constants.ruleset.declarations.decks[each.deck]
            place = self.unit.constants.layout.places[deck.kind, deck.fields[0]]
            self.expressions.shared = True
            more = ", True" if deck.ordered else ""
            left = self.value(each.left)
            if each.owner is not None:
                more += f", owner={self.value(each.owner)}"
            self.line(f"s.draw({place}, {card}, {left}{more})")
        self.write_event(each, card, *self.list_viewers(each))

    def write_answered(self, each: Any, answer: str) -> None:
        """Write code that stores the answer of a pause point, with its event. `answer` is the code of the answer."""
        match each:
            case Ask():
                self.write_event(each, "s.who", answer, *self.list_viewers(each))
                self.keep(each.into, answer)
            case Chance():
                self.write_event(each, "s.roll", answer, *self.list_viewers(each))
                self.keep(each.into, answer)
            case Draw():
                self.write_drawn(each, answer)
                self.keep(each.into, answer)
            case Call() if each.fills:
                places = ", ".join(map(self.slot, each.fills))
                self.line(f"{places}{',' if each.count == 1 else ''} = {answer}")

    def refuse_below(self, each: Operation[Value], name: str, value: str, minimum: int, kind: Type) -> None:
        """Write code that fails if a number, or a number in a map, is below its minimum."""
        text = f"`{name}` would be "
        if isinstance(kind, MapOf):
            value = f"min({value}, default={minimum})"
        self.line(f"if {value} < {minimum}: raise fault({each.step.number}, {text!r} + str({value}))")

    def refuse_large(self, value: str, kind: Type, *, positive: bool = False) -> None:
        """Write code that raises `OverflowError` for a number beyond `LARGEST`, or a value with such a number.

        A `positive` number is known not to be below the lower bound.
        """
        if isinstance(kind, Integer):
            below = "" if positive else f" or {value} < {-LARGEST}"
            self.line(f"if {value} > {LARGEST}{below}: refuse_large({value})")
        elif may_be_large(kind):
            self.line(f"refuse_large({value})")

    def list_viewers(self, each: Ask[Value] | Chance[Value] | Draw[Value]) -> tuple[str, ...]:
        """Write code that evaluates the viewers of a result, and return the code of the event's detail for them.

        Writes and returns nothing if all players see the result.
        """
        if each.viewers is None:
            return ()
        # Evaluate the viewers even without recording, because their cost counts.
        variable = self.make_variable()
        self.line(f"{variable} = {self.value(each.viewers)}")
        return (f"Only({variable})",)

    def write_event(self, each: Operation[Value], *details: str) -> None:
        """Write code that records an event, if events are recorded."""
        if self.unit.recording:
            self.expressions.shared = True
            self.line(f"s.events.append(({', '.join([str(each.step.number), repr(each.event_kind), *details])},))")

    def log(self, holder: str, place: int) -> None:
        """Write code that logs a location for undo before it changes."""
        if self.unit.undoable:
            self.line(f"s.undo_log.append(({holder}, {place}, {holder}[{place}]))")

    def begin_rounds(self, each: Operation[Value], rounds: str) -> None:
        """Write code that charges for a number of rounds. `rounds` is code, or empty for one round."""
        cost = self.unit.effort.round(each.step)
        if cost:
            # Set the step again, because the exit of the loop may be the end of the procedure, with no step.
            self.at = each.step.number
            self.unit.counted = True
            self.line(f"s.work -= {f'{rounds} * ' if rounds else ''}{cost} * s.crowd")
            self.line("if s.work < 0: raise EffortError")

    def write_new_move(self) -> None:
        """Write code that resets the operation budget at a decision."""
        self.line(NEW_MOVE, move=True)
