"""Code generation for operations that can pause: decisions, rolls, draws and calls.

In normal flow, the code prepares the decision or chance event and pauses. After a pause, the code jumps to it and
takes the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from rulewright.dice.ast import Pool
from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64
from rulewright.engine.wasm_backend.codegen.effect_code import (
    CHANCE,
    DECISION,
    FRAME,
    PLAYING,
    PRESENTING,
    RECORDING,
    SAMPLING,
    EffectCode,
)
from rulewright.engine.wasm_backend.codegen.instructions import NOTHING_TO_CHOOSE
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE
from rulewright.ir.analyses.suspension_points import slice_to_stop
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.operations import Operation
from rulewright.language.types import DICE, Integer, ListOf

ENDED, STOPPED, FINISHED, SPENT = range(4)
"""The statuses that a procedure returns, as in the runtime."""


_WORDS = 1 << 32
"""The number of values of a random word for dice."""

_LOTS = 256
"""The number of values of a random byte for the bots' choices."""


class SuspensionCode(EffectCode, ABC):
    """The code generator for pause points. `places` has their numbers, in the order of the code."""

    places: dict[Operation[Value], int]

    @abstractmethod
    def operation(self, each: Operation[Value]) -> None:
        """Write one operation."""

    def _stand(self, each: Operation[Value], mode: int) -> None:
        """Emit code that stores the position, sets the mode of the state, and returns to the host."""
        f = self.f
        f.get(FRAME)
        f.push_i64(each.step.number)
        f.store(0)
        f.push_i32(0)
        f.get(FRAME)
        f.do("i64.extend_i32_u")
        f.store(AT["frame"])
        self._mark_end()
        f.push_i32(0)
        f.push_i64(mode)
        f.store(AT["mode"])
        f.push_i32(STOPPED)
        f.do("return")

    def _going_on(self, each: Operation[Value]) -> None:
        """Emit the code that runs when the procedure resumes at this pause point. It stores the answer in a local."""
        f = self.f
        f.begin_else()
        f.push_i32(0)
        f.set(self.to)
        self._flag(PRESENTING)
        f.begin_if()
        # In a restored state, run the code before the pause point again, and then pause.
        f.push_i32(0)
        f.push_i32(0)
        f.load(AT["flags"])
        f.push_i64(PRESENTING)
        f.do("i64.sub")
        f.store(AT["flags"])
        self.rule = None
        for before in slice_to_stop(self.routine.body, each)[:-1]:
            self.operation(before)
        f.leave(self.again)
        f.end()
        f.push_i32(0)
        f.load(AT["answer"])
        f.set(self.answer)
        f.end()
        f.end()
        self.rule = None

    def _come(self) -> None:
        """Begin the code for reaching a pause point in normal flow."""
        self.again = self.f.loop()
        self.f.get(self.to)
        self.f.do("i32.eqz")
        self.f.begin_if()

    def _keep_answer(self, into: int) -> None:
        local = self.f.add_local(I64)
        self.f.get(self.answer)
        self.f.set(local)
        self.e.temporaries[into] = local

    def _flag(self, flag: int) -> None:
        self.f.push_i32(0)
        self.f.load_32(AT["flags"])
        self.f.push_i32(flag)
        self.f.do("i32.and")

    # -- questions -------------------------------------------------------------------------------

    def _ask(self, each: op.Ask[Value]) -> None:
        """Emit a decision, which pauses or, if the module plays, is made by the random bot. Its answer is stored."""
        f = self.f
        self._come()
        self.at(each)

        def who() -> None:
            f.push_i32(0)
            f.load(AT["who"])

        f.push_i32(0)
        self.e.number(each.who)
        f.store(AT["who"])
        options, count = self._write_options(each)

        def decide() -> None:
            """Emit the choice of the bot or, unless the module plays, the pause."""
            self._flag(PLAYING)
            f.begin_if()
            self._pick(each, who, options, count)
            f.set(self.answer)
            f.begin_else()
            f.push_i32(0)
            f.get(options)
            f.store(AT["options"])
            self._stand(each, DECISION)
            f.end()

        self._write_decision(each, decide, options, count)
        self._going_on(each)
        self._keep_answer(each.into)
        inner = each.options.type.inner if isinstance(each.options.type, ListOf) else each.options.type
        self.at(each)
        self.event(each, (each.who.type, who), (inner, self.e.temporaries[each.into]), *self.seen(each))

    def _write_options(self, each: op.Ask[Value]) -> tuple[int, int]:
        """Emit code that evaluates the options, and return the locals with the options and with their number."""
        f, count = self.f, self.f.add_local(I64)
        options = self.value(each.options)
        f.get(options)
        f.do("i32.wrap_i64")
        f.load()
        f.set(count)
        return options, count

    def _write_decision(self, each: op.Ask[Value], decide: Callable[[], None], options: int, count: int) -> None:
        """Emit code that decides if there are several options, and stores the answer. It fails if there are none.

        A single option is a decision only if `each` is always asked. `decide` emits the decision. `options` and `count`
        are locals.
        """
        f = self.f
        if has_several_options(each):
            self.new_move()
            decide()
            return
        f.get(count)
        f.push_i64(0 if each.always else 1)
        f.do("i64.gt_s")
        f.begin_if()
        self.new_move()
        decide()
        f.begin_else()
        f.get(count)
        f.do("i64.eqz")
        f.begin_if()
        self.e.fail(NOTHING_TO_CHOOSE)
        f.end()
        f.get(options)
        f.do("i32.wrap_i64")
        f.load(8)
        f.set(self.answer)
        f.end()

    def _pick(self, each: op.Ask[Value], who: Callable[[], None], options: int, count: int) -> None:
        """Push the option that the random bot chooses, and count the decision.

        The function returns `SPENT` if the limit of decisions is reached. `who` pushes the player.
        """
        f = self.f
        f.push_i32(0)
        f.load(AT["decisions"])
        f.push_i32(0)
        f.load(AT["most_decisions"])
        f.do("i64.ge_s")
        f.begin_if()
        f.push_i32(SPENT)
        f.do("return")
        f.end()
        f.push_i32(0)
        f.push_i32(0)
        f.load(AT["decisions"])
        f.push_i64(1)
        f.do("i64.add")
        f.store(AT["decisions"])
        if self.unit.sites.first:
            f.push_i32(0)
            f.load(AT["first"])
            f.do("i64.eqz")
            f.begin_if()
            f.push_i32(0)
            who()
            f.store(AT["first"])
            f.end()
        if self.unit.sites.clocks:
            self.e.call("look")
        f.get(options)
        f.do("i32.wrap_i64")
        who()
        known = len(each.options.args) if has_several_options(each) else 0
        if known and _LOTS % known == 0:
            self.e.call("lot_of")
            f.push_i64(known - 1)
            f.do("i64.and")
        else:
            f.get(count)
            self.e.call("pick")
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)

    # -- rolls and draws -------------------------------------------------------------------------

    def _chance(self, each: op.Chance[Value]) -> None:
        """Emit a roll, which pauses or, if the module samples, has a random total. Its answer is stored."""
        f = self.f
        self._come()
        self.at(each)
        roll = f.add_local(I64)
        self._read_roll(each.dice)
        f.set(roll)
        self._flag(SAMPLING)
        f.begin_if()
        self._roll(each.dice, lambda: f.get(roll))
        f.set(self.answer)
        self._flag(RECORDING)
        f.begin_if()
        f.push_i32(0)
        f.get(roll)
        f.store(AT["roll"])
        f.end()
        f.begin_else()
        self._stand_at_chance(each, roll, drawing=False)
        f.end()
        self._going_on(each)
        self._keep_answer(each.into)
        self.at(each)

        def rolled() -> None:
            f.push_i32(0)
            f.load(AT["roll"])

        self.event(each, (DICE, rolled), (Integer(), self.e.temporaries[each.into]), *self.seen(each))

    def _draw(self, each: op.Draw[Value]) -> None:
        """Emit the draw of a card, which pauses or, if the module samples, is random. The card leaves its deck."""
        f = self.f
        self._come()
        self.at(each)
        among = self.value(each.among)
        self._flag(SAMPLING)
        f.begin_if()
        f.get(among)
        self.e.call("draw_one")
        f.set(self.answer)
        f.begin_else()
        self._stand_at_chance(each, among, drawing=True)
        f.end()
        self._going_on(each)
        inner = each.among.type.inner if isinstance(each.among.type, ListOf) else each.among.type
        self._keep_answer(each.into)
        self.at(each)
        self._write_draw(each)
        self.event(each, (inner, self.e.temporaries[each.into]), *self.seen(each))

    def _stand_at_chance(self, each: Operation[Value], what: int, *, drawing: bool) -> None:
        """Emit a pause with a roll or the cards to draw from, which are in the local `what`."""
        f = self.f
        f.push_i32(0)
        f.get(what)
        f.store(AT["roll"])
        f.push_i32(0)
        f.push_i64(int(drawing))
        f.store(AT["drawing"])
        self._stand(each, CHANCE)

    def _read_roll(self, dice: Value) -> None:
        """Push the word of a roll."""
        self.e.number(dice)
        if dice.op != "dice":
            self.e.call("as_roll")

    def _roll(self, dice: Value, read: Callable[[], None]) -> None:
        """Push the total of a roll that `read` pushes.

        A single die of known size is a remainder of one random word.
        """
        one = find_single_die(dice)
        if one is None:
            read()
            self.e.call("roll_total")
            return
        f, word = self.f, self.f.add_local(I64)
        sides, least = one
        self.e.call("dice_word")
        f.keep_in_local(word)
        f.push_i64(_WORDS - sides)
        f.do("i64.ge_u")
        f.begin_if()
        f.get(word)
        f.push_i64(sides)
        self.e.call("dice_word_below")
        f.set(word)
        f.end()
        f.get(word)
        f.get(word)
        factor = find_reciprocal(sides)
        if factor is None:
            f.push_i64(sides)
            f.do("i64.div_u")
        else:
            f.push_i64(factor[0])
            f.do("i64.mul")
            f.push_i64(factor[1])
            f.do("i64.shr_u")
        f.push_i64(sides)
        f.do("i64.mul", "i64.sub")
        f.push_i64(least)
        f.do("i64.add")

    def _write_draw(self, each: op.Draw[Value]) -> None:
        """Emit code that removes a drawn card from its deck, if it came from one.

        The code also clears the cached results of formulas that read the deck.
        """
        if each.left is None:
            return
        f = self.f
        deck = self.unit.layout.ruleset.declarations.decks[each.deck]
        ordered = deck.ordered
        for field in deck.fields:
            self.stale(self.unit.memo_plan.list_words_after_write(deck.kind, field))
        left = self.value(each.left)
        if each.owner is None:
            f.push_i32(self.unit.layout.game + 8 * self.unit.layout.program.layout.places[deck.kind, deck.fields[0]])
        else:
            f.push_i32(self.e.place(each.owner, deck.kind, deck.fields[0]))
            f.do("i32.add")
        f.get(self.answer)
        f.get(left)
        f.push_i32(int(ordered))
        self.e.call("draw_card")

    def _call(self, each: op.Call[Value]) -> None:
        """Emit a call. If the procedure pauses or the game ends in it, the caller returns, too."""
        f = self.f
        going_on = each in self.places
        callee = self.unit.routines[each.procedure]
        frame, came_to = f.add_local(I32), f.add_local(I32)
        f.get(FRAME)
        f.push_i32(self._end_of_frame)
        f.do("i32.add")
        f.set(frame)

        def begin() -> None:
            """Emit the event, the arguments and the new frame."""
            self.at(each)
            self.event(each)
            arguments = [self.value(argument) for argument in each.arguments]
            if going_on:
                f.get(FRAME)
                f.push_i64(each.step.number)
                f.store(0)
            f.get(frame)
            f.push_i64(0)
            f.store(0)
            for place in range(1, callee.size + 1):
                f.get(frame)
                if place <= len(arguments):
                    f.get(arguments[place - 1])
                else:
                    f.push_i64(NONE)
                f.store(8 * place)

        self._write_guarded(going_on, begin)
        f.get(frame)
        if going_on:
            # To resume at this call, resume the called procedure.
            f.get(self.to)
            f.push_i32(0)
            f.do("i32.ne")
            f.push_i32(0)
            f.set(self.to)
        else:
            f.push_i32(0)
        f.call(self.unit.functions[each.procedure])
        if going_on:
            f.keep_in_local(came_to)
            f.begin_if()
            f.get(came_to)
            f.do("return")
            f.end()
        else:
            f.do("drop")
        self.rule = None
        for place, slot in enumerate(each.fills):
            self._take(slot, place)

    def _take(self, slot: int, place: int) -> None:
        """Emit code that stores a result of a procedure in a slot."""

        def result() -> None:
            self.f.push_i32(0)
            self.f.load(self.unit.results + 8 * place)

        self.put(slot, result)

    def _write_guarded(self, guard: bool, write: Callable[[], None]) -> None:
        """Write code with `write`. With `guard`, it runs only if the procedure is not resuming at a pause point.

        The current rule is unknown after guarded code, because the code may not have run.
        """
        if not guard:
            write()
            return
        self.f.get(self.to)
        self.f.do("i32.eqz")
        self.f.begin_if()
        self.rule = None
        write()
        self.rule = None
        self.f.end()


def has_several_options(each: op.Ask[Value]) -> bool:
    """Return whether there is always more than one option."""
    return each.options.fixed and len(each.options.args) > 1


def find_single_die(dice: Value) -> tuple[int, int] | None:
    """Return the number of sides and the least face of a single constant die, or None for any other roll.

    Its faces must be consecutive, and there must not be more of them than a random word has values.
    """
    roll = dice.data[0] if dice.op == "dice" else None
    if isinstance(roll, Pool) and roll.count == 1 and roll.die.weights is None:
        faces = roll.die.faces
        if isinstance(faces, range) and faces.step == 1 and len(faces) <= _WORDS:
            return len(faces), faces.start
    return None


def find_reciprocal(divisor: int) -> tuple[int, int] | None:
    """Return a factor and a shift that divide any 32-bit number as `divisor` does, or None if no 32-bit factor does.

    Source: Granlund and Montgomery, "Division by Invariant Integers using Multiplication", theorem 4.2.
    """
    for shift in range(32, 64):
        factor = -(-(1 << shift) // divisor)
        if factor <= 1 << 32 and factor * divisor - (1 << shift) <= 1 << (shift - 32):
            return factor, shift
    return None
