"""Values of a program → instructions that leave them on WebAssembly's stack.

Truth values are 32 bits there and everything else 64; in memory all are 64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64
from rulewright.engine.wasm_backend.codegen.instructions import GONE, TOO_LARGE, Known
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE, is_scalar, rounding_number
from rulewright.engine.wasm_backend.codegen.walk_code import Walks
from rulewright.ir.program import Formula
from rulewright.ir.values import Value, plain
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.types import Boolean, ListOf, Ratio, Row

_FEW = 8
"""Constants up to which looking for something among them is written out."""

_COMPARED = {"less": "lt_s", "at-most": "le_s", "more": "gt_s", "at-least": "ge_s"}
_PLAIN = {"int.add": "i64.add", "int.sub": "i64.sub", "int.mul": "i64.mul"}
_CHECKED = {"int.add": "add_checked", "int.sub": "subtract_checked", "int.mul": "multiply_checked"}
_CALLED = {
    "int.mul.checked": "multiply_checked",
    "int.mod": "modulo",
    "list.join": "join",
    "list.after": "next_of",
    "dice.of": "as_roll",
    "dice.add": "dice_add",
    "dice.sub": "dice_subtract",
    "dice.mul": "dice_multiply",
    "dice.each": "dice_each",
    "dice.mean": "mean_of",
    "list.sum.dice": "dice_sum",
    "options.range": "numbers",
    "options.none": "with_none",
}


class Expressions(Walks):
    """Writes values."""

    def write(self, value: Value) -> int:
        """Leave a value; how many bits it has there."""
        if value.fixed:
            return self._fixed(value)
        name = value.op
        if name in _COMPARED:
            return self._compared(value)
        if name in _PLAIN:
            for arg in value.args:
                self.number(arg)
            if self.bounds.may_overflow(value):
                self.call(_CHECKED[name])
            else:
                self.f.do(_PLAIN[name])
            return I64
        if name in _CALLED:
            for arg in value.args:
                self.number(arg)
            self.call(_CALLED[name])
            return I64
        return _METHODS[name](self, value)

    # -- what is read ----------------------------------------------------------------------------

    def _fixed(self, value: Value) -> int:
        if value.op == "bool":
            self.f.i32(int(value.data[0]))
            return I32
        self.f.i64(self.layout.constant(plain(value), value.type))
        return I64

    def _figure(self, value: Value) -> int:
        self.f.i32(0)
        self.f.load(self.layout.figure(value.data[0]))
        return I64

    def _slot(self, value: Value) -> int:
        self.read_slot(value.data[0])
        return I64

    def read_slot(self, slot: int) -> None:
        """Leave what a slot holds."""
        if slot in self.locals:
            self.f.get(self.locals[slot])
            return
        assert self.frame is not None
        self.f.get(self.frame)
        self.f.load(8 * self.frame_places.get(slot, slot))

    def _temp(self, value: Value) -> int:
        self.f.get(self.temporaries[value.data[0]])
        return I64

    def _var(self, value: Value) -> int:
        self.f.get(self.variables[value.data[0]])
        return I64

    def _objects(self, value: Value) -> int:
        self.f.i32(0)
        self.f.load(self.layout.live + 8 * self.layout.program.layout.kinds[value.data[0]])
        return I64

    def _field(self, value: Value) -> int:
        offset = self.place(value.args[0], *value.data)
        self.f.load(offset)
        return I64

    def place(self, thing: Value, kind: str, field: str) -> int:
        """Leave the address, but for what is given back, at which an object holds a field. Fails where it has left."""
        f, place = self.f, self.layout.program.layout.places[kind, field]
        if kind == GAME_KIND or (thing.op == "ref" and thing.data[0] == GAME):
            f.i32(0)
            return self.layout.game + 8 * place
        size = self.layout.player_size
        if kind == PLAYER_KIND:
            self.number(thing)
            f.do("i32.wrap_i64")
            f.i32(8 * size)
            f.do("i32.mul")
            return self.layout.players - 8 * size + 8 * place
        held = f.local(I64)
        f.i32(0)
        f.load32(AT["objects"])
        self.number(thing)
        f.do("i32.wrap_i64")
        f.i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)
        if self.bounds.may_have_left(kind):
            f.tee(held)
            f.i64(NONE)
            f.do("i64.eq")
            f.when()
            self.fail(GONE)
            f.end()
            f.get(held)
        f.do("i32.wrap_i64")
        return 8 + 8 * place

    def _cell(self, value: Value) -> int:
        self._at(value.args[0])
        self.f.load(self.layout.column(*value.data))
        return I64

    def _at(self, row: Value, first: int = 0) -> None:
        """Leave the offset of a row's value among others."""
        self.number(row)
        self.f.do("i32.wrap_i64")
        if first:
            self.f.i32(first)
            self.f.do("i32.sub")
        self.f.i32(3)
        self.f.do("i32.shl")

    def _map_at(self, value: Value) -> int:
        held, row = value.args
        self.number(held)
        self.f.do("i32.wrap_i64")
        self._at(row, 1 if value.data[0] == PLAYER_KIND else 0)
        self.f.do("i32.add")
        self.f.load(8)
        return I64

    def _record_part(self, value: Value) -> int:
        self.number(value.args[0])
        self.f.do("i32.wrap_i64")
        self.f.load(8 + 8 * value.data[2])
        return I64

    def _row_rank(self, value: Value) -> int:
        self.number(value.args[0])
        self.f.i64(1)
        self.f.do("i64.add")
        return I64

    def _row_next(self, value: Value) -> int:
        f, row = self.f, self.f.local(I64)
        self.number(value.args[0])
        f.i64(1)
        f.do("i64.add")
        f.tee(row)
        f.i64(NONE)
        f.get(row)
        f.i64(len(self.layout.rows[value.data[0]]))
        f.do("i64.lt_s", "select")
        return I64

    def _row_for(self, value: Value) -> int:
        address, low = self.layout.faces(value.data[0])
        self.number(value.args[0])
        self.f.do("i32.wrap_i64")
        self.f.i32(low)
        self.f.do("i32.sub")
        self.f.i32(3)
        self.f.do("i32.shl")
        self.f.load(address)
        return I64

    def _deck_field(self, deck: str, after: int) -> None:
        place = self.layout.program.layout.places[GAME_KIND, f"deck.{deck}"] + after
        self.f.i32(0)
        self.f.load(self.layout.game + 8 * place)

    def _deck_left(self, value: Value) -> int:
        f, found = self.f, self.f.local(I64)
        name = value.data[0]
        deck = self.layout.ruleset.declarations.decks[name]
        places = ((1, True), (0, False), (2, True)) if deck.ordered else ((0, False),)
        done = f.block()
        for number, (after, top) in enumerate(places):
            self._deck_field(name, after)
            if top:
                self.call("head")
            f.set(found)
            if number + 1 < len(places) or not deck.discard:
                self._count_of(found)
                f.leave_if(done)
        if not deck.discard:
            self.f.i64(self.layout.constant(deck.cards, ListOf(Row(deck.table))))
            if value.args:
                self.number(value.args[0])
                self.call("without")
            f.set(found)
        f.end()
        f.get(found)
        return I64

    def _deck_count(self, value: Value) -> int:
        deck = self.layout.ruleset.declarations.decks[value.data[0]]
        for after in range(len(deck.fields)):
            self._deck_field(value.data[0], after)
            self.f.do("i32.wrap_i64")
            self.f.load()
            if after:
                self.f.do("i64.add")
        return I64

    # -- comparisons and logic -------------------------------------------------------------------

    def _compared(self, value: Value) -> int:
        left, right = value.args
        if any(isinstance(arg.type, Ratio) for arg in value.args):
            self.number(left)
            self.number(right)
            self.call("compare_ratios")
            self.f.do("i64.extend_i32_s")
            self.f.i64(0)
        else:
            self.number(left)
            self.number(right)
        self.f.do(f"i64.{_COMPARED[value.op]}")
        return I32

    def _same(self, value: Value) -> int:
        left, right = value.args
        negated = value.op == "differ"
        if isinstance(left.type, Boolean) and isinstance(right.type, Boolean):
            self.truth(left)
            self.truth(right)
            self.f.do("i32.ne" if negated else "i32.eq")
            return I32
        self.number(left)
        self.number(right)
        if is_scalar(left.type) or is_scalar(right.type):
            self.f.do("i64.ne" if negated else "i64.eq")
            return I32
        self.call("alike")
        if negated:
            self.f.do("i32.eqz")
        return I32

    def _not(self, value: Value) -> int:
        self.truth(value.args[0])
        self.f.do("i32.eqz")
        return I32

    def _and(self, value: Value) -> int:
        return self._in_turn(value.args, stop=False)

    def _or(self, value: Value) -> int:
        return self._in_turn(value.args, stop=True)

    def _in_turn(self, args: tuple[Value, ...], *, stop: bool) -> int:
        """Leave whether all hold, or with `stop` one, asked one after the other until that is known."""
        f = self.f
        if len(args) > _FEW:
            # Nested as deep as there are parts, they would be deeper than engines like to read.
            done = f.block(I32)
            for arg in args:
                f.i32(int(stop))
                self.truth(arg)
                if not stop:
                    f.do("i32.eqz")
                f.leave_if(done)
                f.do("drop")
            f.i32(int(not stop))
            f.end()
            return I32
        for arg in args[:-1]:
            self.truth(arg)
            f.when(I32)
            if stop:
                f.i32(1)
                f.otherwise()
        self.truth(args[-1])
        for _ in args[:-1]:
            if not stop:
                f.otherwise()
                f.i32(0)
            f.end()
        return I32

    def _each_of(self, value: Value) -> int:
        """Leave whether all hold, or any: each of them is asked."""
        for number, arg in enumerate(value.args):
            self.truth(arg)
            if number:
                self.f.do("i32.and" if value.op == "all" else "i32.or")
        return I32

    def _some(self, value: Value) -> int:
        self.number(value.args[0])
        self.f.i64(NONE)
        self.f.do("i64.ne")
        return I32

    def _else(self, value: Value) -> int:
        f, first = self.f, self.f.local(I64)
        self.number(value.args[0])
        f.tee(first)
        f.i64(NONE)
        f.do("i64.ne")
        f.when(I64)
        f.get(first)
        f.otherwise()
        self.number(value.args[1])
        f.end()
        return I64

    def _if(self, value: Value) -> int:
        condition, then, otherwise = value.args
        kind = I32 if isinstance(value.type, Boolean) else I64
        leave = self.truth if kind == I32 else self.number
        self.truth(condition)
        self.f.when(kind)
        leave(then)
        self.f.otherwise()
        leave(otherwise)
        self.f.end()
        return kind

    # -- numbers ---------------------------------------------------------------------------------

    def _int_div(self, value: Value) -> int:
        left, right = value.args
        self.number(left)
        self.number(right)
        certain = right.op == "int" and right.data[0] > 0
        if certain and (value.data[0] == "truncate" or (value.data[0] == "down" and self.bounds.of(left)[0] >= 0)):
            self.f.do("i64.div_s")
            return I64
        self.f.i32(rounding_number(value.data[0]))
        self.call("divide")
        return I64

    def _extreme(self, value: Value) -> int:
        """Return the greatest or the least of several numbers or rows."""
        f, best, other = self.f, self.f.local(I64), self.f.local(I64)
        ratios = isinstance(value.type, Ratio)
        greatest = value.op.endswith(".max")
        self.number(value.args[0])
        f.set(best)
        for arg in value.args[1:]:
            self.number(arg)
            f.set(other)
            self._better(best, other, greatest=greatest, ratios=ratios)
        f.get(best)
        return I64

    def _better(self, best: int, other: int, *, greatest: bool, ratios: bool) -> None:
        f = self.f
        f.get(other)
        f.get(best)
        f.get(other)
        f.get(best)
        if ratios:
            self.call("compare_ratios")
            f.do("i64.extend_i32_s")
            f.i64(0)
        f.do("i64.gt_s" if greatest else "i64.lt_s", "select")
        f.set(best)

    def _extreme_roll(self, value: Value) -> int:
        self._list(value)
        self.f.i32(int(value.op == "dice.max"))
        self.call("dice_extreme")
        return I64

    def _player_after(self, value: Value) -> int:
        f = self.f
        self.number(value.args[0])
        f.i32(0)
        f.load(AT["seats"])
        f.do("i64.rem_s")
        f.i64(1)
        f.do("i64.add")
        return I64

    def _formula(self, value: Value) -> int:
        """Leave what a formula comes to. Where nothing changes meanwhile, it is worked out once, and paid for again."""
        if not self.unchanging:
            return self._asked(value)
        f = self.f
        names = {part.data[0] for part in value.walk() if part.op == "var"}
        key = (value, *sorted((name, self.variables.get(name, -1)) for name in names))
        kind = I32 if isinstance(value.type, Boolean) else I64
        known = self._known.get(key)
        if known is not None and known.arm in f.arms:
            if known.cost is not None:
                f.get(known.cost)
                self.pay()
            f.get(known.local)
            return kind
        cost = None if self.bounds.free(value) else f.local(I64)
        if cost is not None:
            self._work()
            f.set(cost)
        if self._asked(value) != kind:
            f.do("i32.wrap_i64" if kind == I32 else "i64.extend_i32_u")
        local = f.local(kind)
        f.set(local)
        if cost is not None:
            f.get(cost)
            self._work()
            f.do("i64.sub")
            f.set(cost)
        self._known[key] = Known(local, f.arms[-1], cost)
        f.get(local)
        return kind

    def _work(self) -> None:
        self.f.i32(0)
        self.f.load(AT["work"])

    def _asked(self, value: Value) -> int:
        for arg in value.args:
            self.number(arg)
            if self.bounds.beyond(arg):
                self.refuse_large()
        body = self.bounds.inlined(value.data[0])
        if body is not None:
            return self._written_out(body)
        self.f.call(self.formula(value.data[0]))
        return I32 if isinstance(value.type, Boolean) else I64

    def _written_out(self, formula: Formula) -> int:
        """Leave what a formula comes to for the values left last, without calling it."""
        outer = self.variables
        given = {parameter: self.f.local(I64) for parameter, _ in formula.parameters}
        for local in reversed(given.values()):
            self.f.set(local)
        self.variables = dict(given)
        kind = self.write(formula.value)
        self.variables = outer
        return kind

    def refuse_large(self) -> None:
        """Refuse a number that is larger than numbers may be; it stays."""
        f, held = self.f, self.f.local(I64)
        f.tee(held)
        f.i64(LARGEST)
        f.do("i64.add")
        # Shifted, what is allowed lies between 0 and twice the largest; everything else is above it without a sign.
        f.i64(2 * LARGEST)
        f.do("i64.gt_s")
        f.get(held)
        f.i64(-LARGEST)
        f.do("i64.lt_s", "i32.or")
        f.when()
        self.fail(TOO_LARGE)
        f.end()
        f.get(held)


_METHODS: Mapping[str, Callable[[Expressions, Value], int]] = {
    "figure": Expressions._figure,
    "slot": Expressions._slot,
    "temp": Expressions._temp,
    "var": Expressions._var,
    "objects": Expressions._objects,
    "field": Expressions._field,
    "cell": Expressions._cell,
    "map.at": Expressions._map_at,
    "row.rank": Expressions._row_rank,
    "row.next": Expressions._row_next,
    "row.for": Expressions._row_for,
    "row.max": Expressions._extreme,
    "row.min": Expressions._extreme,
    "int.max": Expressions._extreme,
    "int.min": Expressions._extreme,
    "int.div": Expressions._int_div,
    "deck.left": Expressions._deck_left,
    "deck.count": Expressions._deck_count,
    "list": Expressions._list,
    "record": Expressions._list,
    "record.part": Expressions._record_part,
    "list.has": Expressions._has,
    "list.lacks": Expressions._has,
    "list.count": Expressions._counted,
    "list.some": Expressions._counted,
    "list.empty": Expressions._counted,
    "list.first": Expressions._end_of_list,
    "list.last": Expressions._end_of_list,
    "list.of": Expressions._as_it_is,
    "list.set": Expressions._as_it_is,
    "list.any": Expressions._quantified,
    "list.none": Expressions._quantified,
    "list.all": Expressions._quantified,
    "list.sum": Expressions._sum,
    "list.max": Expressions._list_extreme,
    "list.min": Expressions._list_extreme,
    "list.max.row": Expressions._list_extreme,
    "list.min.row": Expressions._list_extreme,
    "players.after": Expressions._player_after,
    "gather": Expressions._gather,
    "walk.reach": Expressions._walk,
    "walk.distance": Expressions._walk,
    "walk.path": Expressions._walk,
    "dice.max": Expressions._extreme_roll,
    "dice.min": Expressions._extreme_roll,
    "same": Expressions._same,
    "differ": Expressions._same,
    "not": Expressions._not,
    "and": Expressions._and,
    "or": Expressions._or,
    "all": Expressions._each_of,
    "any": Expressions._each_of,
    "some": Expressions._some,
    "else": Expressions._else,
    "if": Expressions._if,
    "formula": Expressions._formula,
    "options": Expressions._options,
    "options.subsets": Expressions._subsets,
}


def unwritten() -> list[str]:
    """Return the operations on values that this back end cannot write: there must be none."""
    from rulewright.ir.values import CONSTANTS, OPERATIONS

    return sorted(set(OPERATIONS) - {*CONSTANTS, *_COMPARED, *_PLAIN, *_CALLED, *_METHODS})
