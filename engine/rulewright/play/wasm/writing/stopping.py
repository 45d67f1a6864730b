"""What may stop → instructions: questions, rolls, draws, and what other procedures do.

Whoever comes to such a place by itself works out what stands there, and stops; whoever is to go on from it is led there
past everything else, and takes the answer.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.language import operations as op
from rulewright.language.declarations import GAME_KIND
from rulewright.language.operations import Operation
from rulewright.language.types import Integer, ListOf, Type
from rulewright.play.wasm.writing.effects import (
    CHANCE,
    DECISION,
    FRAME,
    PLAYING,
    PRESENTING,
    RECORDING,
    SAMPLING,
    Effects,
)
from rulewright.play.wasm.writing.encoder import I32, I64
from rulewright.play.wasm.writing.instructions import NOTHING_TO_CHOOSE
from rulewright.play.wasm.writing.layout import AT, NONE
from rulewright.program.stops import leading_to
from rulewright.program.values import Value

ENDED, STOPPED, FINISHED, SPENT = range(4)
"""What a procedure comes to, as the runtime knows it."""


class Stopping(Effects):
    """Writes the places at which a procedure may stop. `places` numbers them, in the order of the code."""

    places: dict[Operation[Value], int]

    def operation(self, each: Operation[Value]) -> None:
        """Write one operation."""
        raise NotImplementedError

    def _stand(self, each: Operation[Value], mode: int) -> None:
        """Stop here."""
        f = self.f
        f.get(FRAME)
        f.i64(each.step.number)
        f.store(0)
        f.i32(0)
        f.get(FRAME)
        f.do("i64.extend_i32_u")
        f.store(AT["frame"])
        self._mark_end()
        f.i32(0)
        f.i64(mode)
        f.store(AT["mode"])
        f.i32(STOPPED)
        f.do("return")

    def _going_on(self, each: Operation[Value]) -> None:
        """What is done where the procedure goes on from this place."""
        f = self.f
        f.otherwise()
        f.i32(0)
        f.set(self.to)
        self._flag(PRESENTING)
        f.when()
        # A state was read back: what leads up to the stop is worked out once more, and then the stop.
        f.i32(0)
        f.i32(0)
        f.load(AT["flags"])
        f.i64(PRESENTING)
        f.do("i64.sub")
        f.store(AT["flags"])
        self.rule = None
        for before in leading_to(self.routine.body, each)[:-1]:
            self.operation(before)
        f.leave(self.again)
        f.end()
        f.i32(0)
        f.load(AT["answer"])
        f.set(self.answer)
        f.end()
        f.end()
        self.rule = None

    def _come(self) -> None:
        """Begin what is done where the procedure comes to a place by itself."""
        self.again = self.f.loop()
        self.f.get(self.to)
        self.f.do("i32.eqz")
        self.f.when()

    def _answered(self, into: int, kind: Type) -> None:
        local = self.f.local(I64)
        self.f.get(self.answer)
        self.f.set(local)
        self.e.temporaries[into] = local
        del kind

    def _flag(self, flag: int) -> None:
        self.f.i32(0)
        self.f.load32(AT["flags"])
        self.f.i32(flag)
        self.f.do("i32.and")

    def _ask(self, each: op.Ask[Value]) -> None:
        f = self.f
        count = f.local(I64)
        self._come()
        self.at(each)
        f.i32(0)
        self.e.number(each.who)
        f.store(AT["who"])
        options = self.value(each.options)
        f.get(options)
        f.do("i32.wrap_i64")
        f.load()
        f.set(count)
        certain = each.options.fixed and len(each.options.args) > 1
        if not certain:
            f.get(count)
            f.i64(1)
            f.do("i64.gt_s")
            f.when()
        self.new_move()
        self._flag(PLAYING)
        f.when()
        f.i32(0)
        f.load(AT["decisions"])
        f.i32(0)
        f.load(AT["most_decisions"])
        f.do("i64.ge_s")
        f.when()
        f.i32(SPENT)
        f.do("return")
        f.end()
        f.i32(0)
        f.i32(0)
        f.load(AT["decisions"])
        f.i64(1)
        f.do("i64.add")
        f.store(AT["decisions"])
        if self.unit.sites.clocks:
            self.e.call("look")
        f.get(options)
        f.do("i32.wrap_i64")
        f.i32(0)
        f.load(AT["who"])
        f.get(count)
        self.e.call("pick")
        f.do("i32.wrap_i64")
        f.i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)
        f.set(self.answer)
        f.otherwise()
        f.i32(0)
        f.get(options)
        f.store(AT["options"])
        self._stand(each, DECISION)
        f.end()
        if not certain:
            f.otherwise()
            f.get(count)
            f.do("i64.eqz")
            f.when()
            self.e.fail(NOTHING_TO_CHOOSE)
            f.end()
            f.get(options)
            f.do("i32.wrap_i64")
            f.load(8)
            f.set(self.answer)
            f.end()
        self._going_on(each)
        self._answered(each.into, each.options.type)
        inner = each.options.type.inner if isinstance(each.options.type, ListOf) else each.options.type
        self.at(each)

        def who() -> None:
            f.i32(0)
            f.load(AT["who"])

        self.event(each, (each.who.type, who), (inner, self.e.temporaries[each.into]), *self.seen(each))

    def _chance(self, each: op.Chance[Value]) -> None:
        f = self.f
        self._come()
        self.at(each)
        roll = f.local(I64)
        self.e.number(each.dice)
        if each.dice.op != "dice":
            self.e.call("as_roll")
        f.set(roll)
        self._flag(SAMPLING)
        f.when()
        self._roll(each.dice, roll)
        f.set(self.answer)
        self._flag(RECORDING)
        f.when()
        f.i32(0)
        f.get(roll)
        f.store(AT["roll"])
        f.end()
        f.otherwise()
        f.i32(0)
        f.get(roll)
        f.store(AT["roll"])
        f.i32(0)
        f.i64(0)
        f.store(AT["drawing"])
        self._stand(each, CHANCE)
        f.end()
        self._going_on(each)
        self._answered(each.into, Integer())
        self.at(each)

        def rolled() -> None:
            f.i32(0)
            f.load(AT["roll"])

        self.event(each, (each.dice.type, rolled), (Integer(), self.e.temporaries[each.into]), *self.seen(each))

    def _roll(self, dice: Value, roll: int) -> None:
        """Leave what a roll comes to."""
        sides = self.unit.sites.one_die(dice)
        if sides is not None:
            self.f.i64(sides[0])
            self.f.i64(sides[1])
            self.e.call("roll_one")
            return
        self.f.get(roll)
        self.e.call("roll_total")

    def _draw(self, each: op.Draw[Value]) -> None:
        f = self.f
        self._come()
        self.at(each)
        among = self.value(each.among)
        self._flag(SAMPLING)
        f.when()
        f.get(among)
        self.e.call("draw_one")
        f.set(self.answer)
        f.otherwise()
        f.i32(0)
        f.get(among)
        f.store(AT["roll"])
        f.i32(0)
        f.i64(1)
        f.store(AT["drawing"])
        self._stand(each, CHANCE)
        f.end()
        self._going_on(each)
        inner = each.among.type.inner if isinstance(each.among.type, ListOf) else each.among.type
        self._answered(each.into, inner)
        self.at(each)
        self._drawn(each)
        self.event(each, (inner, self.e.temporaries[each.into]), *self.seen(each))

    def _drawn(self, each: op.Draw[Value]) -> None:
        """Take what was drawn out of its deck, if it comes from one."""
        if each.left is None:
            return
        f = self.f
        place = self.unit.layout.program.layout.places[GAME_KIND, f"deck.{each.deck}"]
        deck = self.unit.layout.ruleset.declarations.decks[each.deck]
        ordered = deck.ordered
        for field in deck.fields:
            self.stale(self.unit.kept.written(GAME_KIND, field))
        left = self.value(each.left)
        f.i32(self.unit.layout.game + 8 * place)
        f.get(self.answer)
        f.get(left)
        f.i32(int(ordered))
        self.e.call("draw_card")

    def _call(self, each: op.Call[Value]) -> None:
        f = self.f
        going_on = each in self.places
        callee = self.unit.routines[each.procedure]
        frame, came_to = f.local(I32), f.local(I32)
        f.get(FRAME)
        f.i32(self._end_of_frame)
        f.do("i32.add")
        f.set(frame)

        def begin() -> None:
            self.at(each)
            self.event(each)
            arguments = [self.value(argument) for argument in each.arguments]
            if going_on:
                f.get(FRAME)
                f.i64(each.step.number)
                f.store(0)
            f.get(frame)
            f.i64(0)
            f.store(0)
            for place in range(1, callee.size + 1):
                f.get(frame)
                if place <= len(arguments):
                    f.get(arguments[place - 1])
                else:
                    f.i64(NONE)
                f.store(8 * place)

        self._guarded(going_on, begin)
        f.get(frame)
        if going_on:
            # Whoever goes on to this place calls what was under way here, and then is there.
            f.get(self.to)
            f.i32(0)
            f.do("i32.ne")
            f.i32(0)
            f.set(self.to)
        else:
            f.i32(0)
        f.call(self.unit.functions[each.procedure])
        if going_on:
            f.tee(came_to)
            f.when()
            f.get(came_to)
            f.do("return")
            f.end()
        else:
            f.do("drop")
        self.rule = None
        for place, slot in enumerate(each.fills):
            self._take(slot, place)

    def _take(self, slot: int, place: int) -> None:
        """Put what a procedure gives, at a place among its results, into a slot."""

        def result() -> None:
            self.f.i32(0)
            self.f.load(self.unit.results + 8 * place)

        self.put(slot, result)

    def _guarded(self, guard: bool, write: Callable[[], None]) -> None:
        if not guard:
            write()
            return
        self.f.get(self.to)
        self.f.do("i32.eqz")
        self.f.when()
        self.rule = None
        write()
        self.rule = None
        self.f.end()
