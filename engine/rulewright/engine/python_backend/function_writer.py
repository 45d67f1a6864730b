"""The generation of one Python function from operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from rulewright.dice.ast import Pool, Roll
from rulewright.dice.sampling.fast_rng import BYTE_VALUES
from rulewright.engine.python_backend.effect_source import EffectSource
from rulewright.engine.python_backend.expression_source import build_direct_name
from rulewright.engine.state.game_state import CHANCE, DECISION
from rulewright.ir.values import Value, to_python
from rulewright.language.operations import (
    Announce,
    Ask,
    Bind,
    Branch,
    Call,
    Chance,
    Create,
    Draw,
    Each,
    Fault,
    Finish,
    Give,
    Keep,
    Leave,
    Loop,
    Operation,
    Region,
    Remove,
    Reveal,
    Write,
)


@dataclass(frozen=True, slots=True)
class Label:
    """The continuation of code: a function, or the end of the procedure if there is none.

    Code continues at a loop's head by returning it, so that rounds do not accumulate on Python's stack.
    """

    function: str | None
    loop: bool = False


END = Label(None)


UNWIND = 8
"""The number of steps with pauses after which generated code returns, to keep Python's stack small."""


class FunctionWriter(EffectSource):
    """The writer of one function with its operations and their continuation.

    `exits` are the loops with pauses around its operations, the outermost first: the label after each, and the slot
    with its progress. `inner` are the loops without pauses, each with the variable that a loop inside it sets to leave
    it as well, or an empty text.
    """

    exits: dict[str, tuple[Label, int]]
    inner: list[tuple[str, str]]

    def __init__(self, *args: Any, exits: dict[str, tuple[Label, int]] | None = None, **others: Any) -> None:
        super().__init__(*args, **others)
        self.exits = exits or {}
        self.inner = []

    def region(self, region: Region[Value]) -> None:
        """Write a region that never stops."""
        for each in region:
            self._in_place(each)

    def _in_place(self, each: Operation[Value]) -> None:
        outer, self.at = self.at, each.step.number
        _METHODS[type(each)](self, each)
        self.at = outer

    # -- operations without a pause --------------------------------------------------------------

    def _keep(self, each: Keep[Value]) -> None:
        code = self.value(each.value)
        self.line(f"{self.make_temporary(each.into)} = {code}")

    def _branch(self, each: Branch[Value]) -> None:
        self.line(f"if {self.value(each.condition)}:")
        self._arm(each.then)
        if each.otherwise:
            self.line("else:")
            self._arm(each.otherwise)

    def _arm(self, region: Region[Value]) -> None:
        self.indent()
        self.region(region)
        self.dedent()

    def _loop(self, each: Loop[Value]) -> None:
        """Write a loop without pauses."""
        # A loop without pauses can keep its position in a Python variable.
        count = self.make_variable()
        if each.bounded:
            self.line(f"{count} = 0")
        left = self._prepare_exit(each)
        self.line("while True:")
        self.indent()
        if each.most is not None:
            self.line(f"if {count} >= {self.value(each.most)}: break")
        if each.going is not None:
            self.line(f"if not {self.value(each.going)}: break")
        self._keep_promise(each, count)
        if each.bounded:
            self.line(f"{count} += 1")
        self.begin_rounds(each, "")
        self._body(each, left)

    def _keep_promise(self, each: Loop[Value], count: str) -> None:
        if each.within is not None:
            self.line(f"if {count} >= {self.value(each.within)}:")
            self.line(f"    raise fault({each.step.number}, {each.UNFINISHED!r})")

    def _each(self, each: Each[Value]) -> None:
        """Write a loop without pauses over the elements of a list. Objects that have left the game are skipped."""
        item, rounds = self.make_variable(), self.make_variable()
        self.line(f"{rounds} = {self.value(each.source)}")
        self.begin_rounds(each, f"len({rounds})")
        left = self._prepare_exit(each)
        self.line(f"for {item} in {rounds}:")
        self.indent()
        if each.of_entities:
            self.line(f"if {self.expressions.of_object(item)} is None: continue")
        self.line(f"{self.slot(each.item)} = {item}")
        self._body(each, left)

    def _prepare_exit(self, each: Loop[Value] | Each[Value]) -> str:
        """Write the variable that a loop inside `each` sets to leave `each`, and return it. Empty if none does."""
        loops = (inner for outer in each.body for inner in outer.walk() if isinstance(inner, Loop | Each))
        if not any(_leaves(inner, each.step.id) for inner in loops):
            return ""
        left = self.make_variable()
        self.line(f"{left} = False")
        return left

    def _body(self, each: Loop[Value] | Each[Value], left: str) -> None:
        """Write the body of a loop without pauses, and after it the ends of the loops around it that it leaves."""
        self.inner.append((each.step.id, left))
        self.region(each.body)
        self.inner.pop()
        self.dedent()
        for loop, variable in self.inner:
            if variable and _leaves(each, loop):
                self.line(f"if {variable}: break")

    def _leave_loop(self, each: Leave[Value]) -> None:
        """Write the end of a loop: a `break`, or for a loop with pauses a jump behind it."""
        self.write_event(each)
        if not any(loop == each.loop for loop, _ in self.inner):
            names = list(self.exits)
            for loop in names[names.index(each.loop) :]:
                self.line(f"{self.slot(self.exits[loop][1])} = None")
            self.jump(self.exits[each.loop][0])
            return
        if self.inner[-1][0] != each.loop:
            self.line(f"{dict(self.inner)[each.loop]} = True")
        self.line("break")

    def _fault(self, each: Fault[Value]) -> None:
        self.line(f"raise fault({each.step.number}, {each.message!r})")

    def _reveal(self, each: Reveal[Value]) -> None:
        who, answers = self.make_variable(), self.make_variable()
        self.line(f"{who} = {self.value(each.who)}")
        self.line(f"{answers} = {self.value(each.answers)}")
        self.write_event(each, who, answers)

    def _announce(self, each: Announce[Value]) -> None:
        names = [self.make_variable() for _ in each.given]
        for name, value in zip(names, each.given, strict=True):
            self.line(f"{name} = {self.value(value)}")
        self.write_event(each, *names)

    def _give(self, each: Give[Value]) -> None:
        self.write_event(each)
        self.leave()

    def _finish(self, each: Finish[Value]) -> None:
        """Write the end of the game, as a return, or in fused code as an exception."""
        name = self.make_variable()
        self.line(f"{name} = {self.value(each.winners)}")
        self.write_event(each, name)
        if self.unit.fused:
            self.line(f"finish(s, {name}, {each.step.number})")
            self.line("raise Ended")
            return
        self.line(f"return finish(s, {name}, {each.step.number})")

    def leave(self) -> None:
        """Write the end of the procedure."""
        # Errors in the results belong to the procedure, not to its last step.
        self.at = self.routine.id
        gives = "(" + "".join(f"{self.value(value)}, " for _, value in self.routine.gives) + ")"
        self.line(f"return {gives}" if self.inline else f"return leave(s, {gives})")

    # -- operations that may pause -----------------------------------------------------------

    def sequence(self, region: Region[Value], follow: Label) -> None:
        """Write a region, including its pauses, and continue at `follow`. The written code always returns."""
        self._from(region, 0, follow)

    def _from(self, region: Region[Value], start: int, follow: Label, *, fresh: bool = False) -> None:
        """Write operations from `start` on, and a jump to `follow` after the last.

        `fresh` is true if the function begins with them.
        """
        for place in range(start, len(region)):
            each = region[place]
            if not (fresh and place == start) and self._unwinds(region, place):
                # Return, because calls would accumulate on Python's stack if consecutive pauses resolve immediately.
                self.line(f"return {self._rest(region, place, follow).function}")
                return
            if not self.unit.stops(each) or isinstance(each, Finish):
                self._in_place(each)
                if isinstance(each, Give | Leave | Finish | Fault):
                    return
            else:
                self._write_pausing(each, region, place + 1, follow)
                return
        self.jump(follow)

    def _unwinds(self, region: Region[Value], place: int) -> bool:
        """Return whether to return to the machine before this operation, so that Python's stack does not grow."""
        step = region[place].step
        if not place or region[place - 1].step is step:
            return False
        before = sum(one.step is not other.step for one, other in pairwise(region[: place + 1]))
        own = takewhile(lambda each: each.step is step, region[place:])
        return before % UNWIND == 0 and any(self.unit.stops(each) for each in own)

    def _write_pausing(self, each: Operation[Value], region: Region[Value], after: int, follow: Label) -> None:
        """Write an operation that may pause. What follows it is in other functions, which it jumps to."""
        self.at = each.step.number
        if each.suspends:
            self._take(each, lambda writer: writer._from(region, after, follow))
            _METHODS[type(each)](self, each)
            return
        rest = self._rest(region, after, follow)
        match each:
            case Branch(then=then, otherwise=otherwise):
                self.line(f"if {self.value(each.condition)}:")
                self.indent()
                self.sequence(then, rest)
                self.dedent()
                self.sequence(otherwise, rest)
            case Loop():
                self._loop_with_stops(each, rest)
            case Each():
                self._each_with_stops(each, rest)

    def _loop_with_stops(self, each: Loop[Value], rest: Label) -> None:
        """Write a loop that may pause: a function for a round, to which the body jumps back."""
        if each.bounded:
            self.line(f"{self.slot(each.counter)} = 0")
        head = self._loop_head(each, rest, each.counter)
        counter = head.slot(each.counter)
        ending = [] if each.most is None else [f"{counter} >= {head.value(each.most)}"]
        ending += [] if each.going is None else [f"not {head.value(each.going)}"]
        for condition in ending:
            head.line(f"if {condition}:")
            head.indent()
            head.line(f"{counter} = None")
            head.jump(rest)
            head.dedent()
        head._keep_promise(each, counter)
        head.line(f"{counter} += 1" if each.bounded else f"{counter} = 1")
        head.begin_rounds(each, "")
        head.sequence(each.body, head.label)

    def _each_with_stops(self, each: Each[Value], after: Label) -> None:
        """Write a loop over a list that may pause: a function for a round, to which the body jumps back."""
        rest = self.slot(each.rest)
        self.line(f"{rest} = {self.value(each.source)}")
        self.begin_rounds(each, f"len({rest})")
        head = self._loop_head(each, after, each.rest)
        name = head.make_variable()
        rest = head.slot(each.rest)
        head.line(f"{name} = {rest}")
        if each.of_entities:
            is_removed = head.expressions.of_object(f"{name}[0]")
            head.line(f"while {name} and {is_removed} is None: {name} = {name}[1:]")
        head.line(f"if not {name}:")
        head.indent()
        head.line(f"{rest} = None")
        head.jump(after)
        head.dedent()
        head.line(f"{head.slot(each.item)} = {name}[0]")
        head.line(f"{rest} = {name}[1:]")
        head.sequence(each.body, head.label)

    def _take(self, each: Any, finish: Callable[[FunctionWriter], None]) -> None:
        """Add the function that continues with the answer.

        Its code is generated later. It stores the answer, and `finish` then writes the rest.
        """
        writer = FunctionWriter(self.unit, self.unit.take(each), self.routine, parameters="s, x", exits=self.exits)
        writer.at = each.step.number

        def write() -> None:
            writer.write_answered(each, "x")
            finish(writer)

        self.unit.add(writer, write)

    def _rest(self, region: Region[Value], after: int, follow: Label) -> Label:
        """Return the label of the operations from `after` on: a separate function, or `follow` if there are none."""
        if after == len(region):
            return follow
        writer = FunctionWriter(self.unit, self.unit.function("go"), self.routine, exits=self.exits)
        self.unit.add(writer, lambda: writer._from(region, after, follow, fresh=True))
        return Label(writer.name)

    def _loop_head(self, each: Operation[Value], after: Label, progress: int) -> FunctionWriter:
        """Continue in a new function, to which every round of a loop returns, and return its writer.

        `after` is the label after the loop, and `progress` the slot with its progress.
        """
        exits = {**self.exits, each.step.id: (after, progress)}
        writer = FunctionWriter(self.unit, self.unit.function("loop"), self.routine, exits=exits)
        writer.is_loop = True
        writer.at = self.at
        self.line(f"return {writer.name}(s)")
        self.unit.add(writer)
        return writer

    @property
    def label(self) -> Label:
        """The label of this function."""
        return Label(self.name, loop=self.is_loop)

    def jump(self, label: Label) -> None:
        """Write the jump to a label, or the end of the procedure if the label has no function."""
        if label.function is None:
            self.leave()
        elif label.loop:
            self.line(f"return {label.function}")
        else:
            self.line(f"return {label.function}(s)")

    # -- stops -----------------------------------------------------------------------------

    def _ask(self, each: Ask[Value]) -> None:
        """Write a decision: a pause or, in fused code, the choice of a bot. It fails if there are no options."""
        who, options = self.value(each.who), self.value(each.options)
        known = to_python(each.options) if each.options.fixed else ()
        if self.unit.fused:
            decide(self, each, who, options, known)
            return
        name = self.unit.take(each)
        self.line(f"s.who = {who}")
        if len(known) < 2:
            variable = self.make_variable()
            self.line(f"{variable} = {options}")
            self.line(f"if len({variable}) < {1 if each.always else 2}:")
            self.line(f"    if not {variable}: raise fault({each.step.number}, {each.NOTHING!r})")
            if not each.always:
                self.line(f"    return {name}(s, {variable}[0])")
            options = variable
        self.write_new_move()
        self._stand(each, f"s.mode = {DECISION}; s.options = {options}; s.take = {name}")

    def _chance(self, each: Chance[Value]) -> None:
        """Write a roll: a pause or, in sampling code, a random result."""
        dice = each.dice
        fixed = to_python(dice) if dice.op == "dice" else None
        roll = self.value(dice) if fixed is not None else f"as_roll({self.value(dice)})"
        if not self.unit.sampling:
            self._stand(each, f"s.mode = {CHANCE}; s.roll = {roll}; s.take = {self.unit.take(each)}")
            return
        variable = self.make_variable()
        if self.unit.recording:
            self.line(f"s.roll = {roll}")
        if isinstance(fixed, Pool) and fixed.count == 1 and self.unit.fused:
            variable = roll_one_die(fixed, self, variable)
        elif isinstance(fixed, Roll):
            self.line(f"{variable} = {self.unit.constants.sampler(fixed)}(s.generator)")
        else:
            self.line(f"{variable} = sample(s, {roll})")
        self.write_answered(each, variable)

    def _draw(self, each: Draw[Value]) -> None:
        """Write the draw of a card: a pause or, in sampling code, a random card."""
        among = self.value(each.among)
        if not self.unit.sampling:
            self._stand(each, f"s.mode = {CHANCE}; s.roll = {among}; s.take = {self.unit.take(each)}")
            return
        variable = self.make_variable()
        self.line(f"{variable} = sample(s, {among})")
        self.write_answered(each, variable)

    def _stand(self, each: Operation[Value], what: str) -> None:
        """Write code that stores the step and pauses."""
        self.expressions.uses.add("f")
        self.line(f"{what}; f[0] = {each.step.number}")
        self.line("return None")

    def _call(self, each: Call[Value]) -> None:
        """Write a call: of a function if the procedure never pauses, and otherwise with a frame and a return."""
        self.write_event(each)
        arguments = [self.value(argument) for argument in each.arguments]
        self.expressions.shared = True
        if not self.unit.stopping(each.procedure):
            variable = self.make_variable()
            self.line(f"{variable} = {build_direct_name(each.procedure)}({', '.join(['s', *arguments])})")
            self.write_answered(each, variable)
            return
        size = self.unit.size(each.procedure)
        frame = ", ".join(["0", *arguments, *(["None"] * (size - len(arguments)))])
        self.expressions.uses.add("f")
        self.line(f"f[0] = {each.step.number}")
        self.line(f"s.frame = f = [{frame}]; s.stack.append(f)")
        self.line(f"return {build_start_name(each.procedure)}(s)")


_METHODS: dict[type[Operation[Value]], Callable[[FunctionWriter, Any], None]] = {
    Keep: FunctionWriter._keep,
    Bind: FunctionWriter.bind,
    Write: FunctionWriter.write,
    Create: FunctionWriter.create,
    Remove: FunctionWriter.remove,
    Reveal: FunctionWriter._reveal,
    Announce: FunctionWriter._announce,
    Branch: FunctionWriter._branch,
    Loop: FunctionWriter._loop,
    Each: FunctionWriter._each,
    Fault: FunctionWriter._fault,
    Give: FunctionWriter._give,
    Leave: FunctionWriter._leave_loop,
    Finish: FunctionWriter._finish,
    Ask: FunctionWriter._ask,
    Chance: FunctionWriter._chance,
    Draw: FunctionWriter._draw,
    Call: FunctionWriter._call,
}


def build_start_name(identity: str) -> str:
    """Return the name of the function that runs a procedure up to its first pause point."""
    return f"start_{identity.replace('.', '_OF_')}"


def _leaves(each: Operation[Value], loop: str) -> bool:
    """Return whether an operation inside `each` leaves a loop."""
    return any(isinstance(inner, Leave) and inner.loop == loop for inner in each.walk())


def decide(write: EffectSource, each: Ask[Value], who: str, options: str, known: tuple[Any, ...]) -> None:
    """Write a decision that a bot makes immediately. `known` are the options if the rules fix them.

    `who` and `options` are code. If metrics are watched, an observer runs before the decision is made. The written code
    raises a fault if there are no options.
    """
    recording, watched = write.unit.recording, write.unit.watched
    write.expressions.uses.add("bots")
    if recording:
        write.line(f"s.who = {who}")
        who = "s.who"
    surely = len(known) > 1
    variable = options
    size = str(len(known)) if surely else write.make_variable()
    # If the number of options is a power of two, any random byte is usable.
    plain = surely and int(size) <= BYTE_VALUES and int(size) & (int(size) - 1) == 0
    if surely:
        write.write_new_move()
    if plain and not watched and not recording and write.unit.times_read(write.routine, each.into) == 1:
        write.write_answered(each, f"{variable}[bots[{who}]() & {int(size) - 1}]")
        return
    option = write.make_variable()
    if not surely:
        variable = write.make_variable()
        write.line(f"{variable} = {options}")
        write.line(f"{size} = len({variable})")
        if each.always:
            write.line(f"if not {variable}: raise fault({each.step.number}, {each.NOTHING!r})")
        else:
            write.line(f"if {size} < 2:")
            write.line(f"    if not {variable}: raise fault({each.step.number}, {each.NOTHING!r})")
            write.line(f"    {option} = {variable}[0]")
            write.line("else:")
            write.indent()
        write.write_new_move()
    write.line(f"{option} = bots[{who}]()")
    if watched:
        write.expressions.shared = True
        write.line("bots[-1]()")
    if plain:
        write.line(f"{option} = {variable}[{option} & {int(size) - 1}]")
    else:
        # High bytes may have to be rejected, and many options need more than one byte.
        least = str(BYTE_VALUES - int(size)) if surely else f"{BYTE_VALUES} - {size}"
        write.line(f"if {option} >= {least}: {option} = bots[0]({who}, {size}, {option})")
        write.line(f"{option} = {variable}[{option} % {size}]")
    if not surely and not each.always:
        write.dedent()
    write.write_answered(each, option)


def roll_one_die(pool: Pool, write: EffectSource, result: str) -> str:
    """Write the roll of a die, with the same random words as its sampler, and return the code of its face.

    `result` is the name of a variable for the word.
    """
    faces = pool.die.faces
    sides = len(faces)
    write.expressions.uses.add("dice")
    write.line(f"{result} = (words or fill()).pop()")
    write.line(f"while {result} >= {2**32 - 2**32 % sides}: {result} = dice.draw_word()")
    if isinstance(faces, range) and faces.step == 1:
        return f"({result} % {sides} + {faces[0]})"
    return f"{write.unit.constants.literal(tuple(faces))}[{result} % {sides}]"
