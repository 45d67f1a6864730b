"""Code generation for values, which push their results on WebAssembly's stack.

On the stack, booleans have 32 bits and all other values 64. In memory, all values have 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64
from rulewright.engine.wasm_backend.codegen.instructions import GONE, TOO_LARGE, CachedValue
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, NONE, encode_rounding, is_scalar
from rulewright.engine.wasm_backend.codegen.trial_code import Trials
from rulewright.ir.program import LoweredFormula
from rulewright.ir.values import CONSTANTS, OPERATIONS, Value, to_python
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.types import Boolean, ListOf, Ratio, Row

_FEW = 8
"""The maximum number of constants or arguments for which code is written out instead of a loop or block."""

_COMPARED = {"less": "lt_s", "at-most": "le_s", "more": "gt_s", "at-least": "ge_s"}
_PLAIN = {"int.add": "i64.add", "int.sub": "i64.sub", "int.mul": "i64.mul"}
_CHECKED = {"int.add": "add_checked", "int.sub": "subtract_checked", "int.mul": "multiply_checked"}
_CALLED = {
    "int.mul.checked": "multiply_checked",
    "int.mod": "modulo",
    "list.join": "join",
    "list.minus": "without",
    "list.head": "take_first",
    "list.tail": "take_last",
    "list.distinct": "distinct",
    "list.flat": "flatten",
    "list.nth": "nth_of",
    "list.index": "index_of",
    "list.after": "next_of",
    "list.before": "previous_of",
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


class ExpressionCode(Trials):
    """Writes values."""

    def write(self, value: Value) -> int:
        """Push a value, and return its type on the stack: `I32` for most truth values, otherwise `I64`."""
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

    # -- reading ---------------------------------------------------------------------------------

    def _fixed(self, value: Value) -> int:
        """Push a constant, and return its type on the stack."""
        if value.op == "bool":
            self.f.push_i32(int(value.data[0]))
            return I32
        self.f.push_i64(self.layout.encode_constant(to_python(value), value.type))
        return I64

    def _figure(self, value: Value) -> int:
        self.f.push_i32(0)
        self.f.load(self.layout.find_figure(value.data[0]))
        return I64

    def _slot(self, value: Value) -> int:
        self.read_slot(value.data[0])
        return I64

    def read_slot(self, slot: int) -> None:
        """Push the value of a slot."""
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
        self.f.push_i32(0)
        self.f.load(self.layout.live + 8 * self.layout.program.layout.kinds[value.data[0]])
        return I64

    def _field(self, value: Value) -> int:
        offset = self.place(value.args[0], *value.data)
        self.f.load(offset)
        return I64

    def place(self, entity: Value, kind: str, field: str) -> int:
        """Push the base address of a field and return its offset.

        Fails at run time if the object has left the game.
        """
        f, place = self.f, self.layout.program.layout.places[kind, field]
        if kind == GAME_KIND or (entity.op == "ref" and entity.data[0] == GAME):
            f.push_i32(0)
            return self.layout.game + 8 * place
        size = self.layout.player_size
        if kind == PLAYER_KIND:
            self.number(entity)
            f.do("i32.wrap_i64")
            f.push_i32(8 * size)
            f.do("i32.mul")
            return self.layout.players - 8 * size + 8 * place
        value = f.add_local(I64)
        f.push_i32(0)
        f.load_32(AT["objects"])
        self.number(entity)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.load(8)
        if self.bounds.may_have_left(kind):
            f.keep_in_local(value)
            f.push_i64(NONE)
            f.do("i64.eq")
            f.begin_if()
            self.fail(GONE)
            f.end()
            f.get(value)
        f.do("i32.wrap_i64")
        return 8 + 8 * place

    def _cell(self, value: Value) -> int:
        self._at(value.args[0])
        self.f.load(self.layout.find_column(*value.data))
        return I64

    def _at(self, row: Value, first: int = 0) -> None:
        """Push the byte offset of a row in an array of words. `first` is the number of the first row."""
        self.number(row)
        self.f.do("i32.wrap_i64")
        if first:
            self.f.push_i32(first)
            self.f.do("i32.sub")
        self.f.push_i32(3)
        self.f.do("i32.shl")

    def _map_at(self, value: Value) -> int:
        """Push an entry of a map. Return the type on the stack."""
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
        self.f.push_i64(1)
        self.f.do("i64.add")
        return I64

    def _row_beside(self, value: Value) -> int:
        """Push the row after or before another one, or `NONE` at the end of the table. Return the type on the stack."""
        f, row = self.f, self.f.add_local(I64)
        self.number(value.args[0])
        f.push_i64(1 if value.op == "row.next" else -1)
        f.do("i64.add")
        f.keep_in_local(row)
        f.push_i64(NONE)
        f.get(row)
        # An unsigned number before the first row is beyond the last one.
        f.push_i64(len(self.layout.rows[value.data[0]]))
        f.do("i64.lt_u", "select")
        return I64

    def _row_for(self, value: Value) -> int:
        """Push the row of a table for a total. Return the type on the stack."""
        address, low = self.layout.find_faces(value.data[0])
        self.number(value.args[0])
        self.f.do("i32.wrap_i64")
        self.f.push_i32(low)
        self.f.do("i32.sub")
        self.f.push_i32(3)
        self.f.do("i32.shl")
        self.f.load(address)
        return I64

    def _deck_left(self, value: Value) -> int:
        """Push the list of cards that the next draw is from. Return the type on the stack."""
        f, result = self.f, self.f.add_local(I64)
        deck = self.layout.ruleset.declarations.decks[value.data[0]]
        rest, *known = deck.fields
        fields = [*known[:1], rest, *known[1:]]
        done = f.block()
        for field in fields:
            f.load(self.place(value, deck.kind, field))
            if field != rest:
                self.call("head")
            f.set(result)
            if field != fields[-1] or not deck.discard:
                self._count_of(result)
                f.leave_if(done)
        if not deck.discard:
            self.f.push_i64(self.layout.encode_constant(deck.cards, ListOf(Row(deck.table))))
            if value.args:
                self.number(value.args[0])
                self.call("without")
            f.set(result)
        f.end()
        f.get(result)
        return I64

    def _deck_count(self, value: Value) -> int:
        """Push the number of cards left in a deck. Return the type on the stack."""
        deck = self.layout.ruleset.declarations.decks[value.data[0]]
        owner = value.args[0] if value.args else value  # a field of the game needs no owner
        for after, field in enumerate(deck.fields):
            self.f.load(self.place(owner, deck.kind, field))
            self.f.do("i32.wrap_i64")
            self.f.load()
            if after:
                self.f.do("i64.add")
        return I64

    # -- comparisons and logic -------------------------------------------------------------------

    def _compared(self, value: Value) -> int:
        """Push the result of comparing two numbers or fractions. Return the type on the stack."""
        left, right = value.args
        if any(isinstance(arg.type, Ratio) for arg in value.args):
            self.number(left)
            self.number(right)
            self.call("compare_ratios")
            self.f.do("i64.extend_i32_s")
            self.f.push_i64(0)
        else:
            self.number(left)
            self.number(right)
        self.f.do(f"i64.{_COMPARED[value.op]}")
        return I32

    def _same(self, value: Value) -> int:
        """Push whether two values are equal or, for `differ`, not. Return the type on the stack."""
        left, right = value.args
        negated = value.op == "differ"
        if isinstance(left.type, Boolean) and isinstance(right.type, Boolean):
            self.push_truth(left)
            self.push_truth(right)
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
        self.push_truth(value.args[0])
        self.f.do("i32.eqz")
        return I32

    def _and(self, value: Value) -> int:
        return self._in_turn(value.args, stop=False)

    def _or(self, value: Value) -> int:
        return self._in_turn(value.args, stop=True)

    def _in_turn(self, args: tuple[Value, ...], *, stop: bool) -> int:
        """Push whether all arguments are true or, with `stop`, whether one is. Return the type on the stack.

        Arguments after the one that decides are not evaluated.
        """
        f = self.f
        if len(args) > _FEW:
            # One block for all, because engines limit how deep code may be nested.
            done = f.block(I32)
            for arg in args:
                f.push_i32(int(stop))
                self.push_truth(arg)
                if not stop:
                    f.do("i32.eqz")
                f.leave_if(done)
                f.do("drop")
            f.push_i32(int(not stop))
            f.end()
            return I32
        for arg in args[:-1]:
            self.push_truth(arg)
            f.begin_if(I32)
            if stop:
                f.push_i32(1)
                f.begin_else()
        self.push_truth(args[-1])
        for _ in args[:-1]:
            if not stop:
                f.begin_else()
                f.push_i32(0)
            f.end()
        return I32

    def _each_of(self, value: Value) -> int:
        """Push whether all arguments are true, or any, and evaluate each of them. Return the type on the stack."""
        for number, arg in enumerate(value.args):
            self.push_truth(arg)
            if number:
                self.f.do("i32.and" if value.op == "all" else "i32.or")
        return I32

    def _some(self, value: Value) -> int:
        self.number(value.args[0])
        self.f.push_i64(NONE)
        self.f.do("i64.ne")
        return I32

    def _else(self, value: Value) -> int:
        """Push a value, or another one in place of `NONE`, evaluated only then. Return the type on the stack."""
        f, first = self.f, self.f.add_local(I64)
        self.number(value.args[0])
        f.keep_in_local(first)
        f.push_i64(NONE)
        f.do("i64.ne")
        f.begin_if(I64)
        f.get(first)
        f.begin_else()
        self.number(value.args[1])
        f.end()
        return I64

    def _if(self, value: Value) -> int:
        """Push one of two values and evaluate only that one. Return the type on the stack."""
        condition, then, otherwise = value.args
        kind = I32 if isinstance(value.type, Boolean) else I64
        leave = self.push_truth if kind == I32 else self.number
        self.push_truth(condition)
        self.f.begin_if(kind)
        leave(then)
        self.f.begin_else()
        leave(otherwise)
        self.f.end()
        return kind

    # -- numbers ---------------------------------------------------------------------------------

    def _int_div(self, value: Value) -> int:
        """Push a rounded quotient. It fails at run time for a divisor of 0. Return the type on the stack."""
        left, right = value.args
        self.number(left)
        self.number(right)
        certain = right.op == "int" and right.data[0] > 0
        if certain and (
            value.data[0] == "truncate" or (value.data[0] == "down" and self.bounds.find_ends(left)[0] >= 0)
        ):
            self.f.do("i64.div_s")
            return I64
        self.f.push_i32(encode_rounding(value.data[0]))
        self.call("divide")
        return I64

    def _extreme(self, value: Value) -> int:
        """Push the greatest or the least of several numbers or rows. Return the type on the stack."""
        f, best, other = self.f, self.f.add_local(I64), self.f.add_local(I64)
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
        """Emit code that stores the greater or lesser of the numbers in two locals in `best`."""
        f = self.f
        f.get(other)
        f.get(best)
        f.get(other)
        f.get(best)
        if ratios:
            self.call("compare_ratios")
            f.do("i64.extend_i32_s")
            f.push_i64(0)
        f.do("i64.gt_s" if greatest else "i64.lt_s", "select")
        f.set(best)

    def _extreme_roll(self, value: Value) -> int:
        self._list(value)
        self.f.push_i32(int(value.op == "dice.max"))
        self.call("dice_extreme")
        return I64

    def _player_beside(self, value: Value) -> int:
        """Push the player after or before another one in the order of seats. Return the type on the stack."""
        f = self.f
        self.number(value.args[0])
        if value.op == "players.before":
            f.push_i32(0)
            f.load(AT["seats"])
            f.push_i64(2)
            f.do("i64.sub", "i64.add")
        f.push_i32(0)
        f.load(AT["seats"])
        f.do("i64.rem_s")
        f.push_i64(1)
        f.do("i64.add")
        return I64

    def _formula(self, value: Value) -> int:
        """Push the value of a formula, and return its type on the stack.

        If nothing changes in between, it is computed once, and repeated uses are only charged.
        """
        if not self.unchanging:
            return self._call_or_inline(value)
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
        cost = None if self.bounds.free(value) else f.add_local(I64)
        if cost is not None:
            self._work()
            f.set(cost)
        if self._call_or_inline(value) != kind:
            f.do("i32.wrap_i64" if kind == I32 else "i64.extend_i32_u")
        local = f.add_local(kind)
        f.set(local)
        if cost is not None:
            f.get(cost)
            self._work()
            f.do("i64.sub")
            f.set(cost)
        self._known[key] = CachedValue(local, f.arms[-1], cost)
        f.get(local)
        return kind

    def _work(self) -> None:
        self.f.push_i32(0)
        self.f.load(AT["work"])

    def _call_or_inline(self, value: Value) -> int:
        """Push the value of a formula by a call or, if it is small, by its code. Return the type on the stack."""
        for arg in value.args:
            self.number(arg)
            if self.bounds.exceeds_width(arg):
                self.refuse_large()
        body = self.bounds.find_inlined(value.data[0])
        if body is not None:
            return self._inline_formula(body)
        self.f.call(self.formula(value.data[0]))
        return I32 if isinstance(value.type, Boolean) else I64

    def _inline_formula(self, formula: LoweredFormula) -> int:
        """Push the value of a formula for the arguments on the stack, with its code inlined.

        Return the type on the stack.
        """
        outer = self.variables
        given = {parameter: self.f.add_local(I64) for parameter, _ in formula.parameters}
        for local in reversed(given.values()):
            self.f.set(local)
        self.variables = dict(given)
        kind = self.write(formula.value)
        self.variables = outer
        return kind

    def refuse_large(self) -> None:
        """Emit code that fails if the number on the stack is beyond `LARGEST`. The number stays on the stack."""
        f, value = self.f, self.f.add_local(I64)
        f.keep_in_local(value)
        f.push_i64(LARGEST)
        f.do("i64.add")
        # Numbers below the range wrap around to very large ones, because the comparison is unsigned.
        f.push_i64(2 * LARGEST)
        f.do("i64.gt_u")
        f.begin_if()
        self.fail(TOO_LARGE)
        f.end()
        f.get(value)


_METHODS: Mapping[str, Callable[[ExpressionCode, Value], int]] = {
    "figure": ExpressionCode._figure,
    "slot": ExpressionCode._slot,
    "temp": ExpressionCode._temp,
    "var": ExpressionCode._var,
    "objects": ExpressionCode._objects,
    "field": ExpressionCode._field,
    "cell": ExpressionCode._cell,
    "map.at": ExpressionCode._map_at,
    "row.rank": ExpressionCode._row_rank,
    "row.next": ExpressionCode._row_beside,
    "row.previous": ExpressionCode._row_beside,
    "row.for": ExpressionCode._row_for,
    "row.max": ExpressionCode._extreme,
    "row.min": ExpressionCode._extreme,
    "int.max": ExpressionCode._extreme,
    "int.min": ExpressionCode._extreme,
    "int.div": ExpressionCode._int_div,
    "deck.left": ExpressionCode._deck_left,
    "deck.count": ExpressionCode._deck_count,
    "list": ExpressionCode._list,
    "record": ExpressionCode._list,
    "record.part": ExpressionCode._record_part,
    "list.has": ExpressionCode._has,
    "list.lacks": ExpressionCode._has,
    "list.count": ExpressionCode._counted,
    "list.some": ExpressionCode._counted,
    "list.empty": ExpressionCode._counted,
    "list.first": ExpressionCode._end_of_list,
    "list.last": ExpressionCode._end_of_list,
    "list.of": ExpressionCode._as_it_is,
    "list.set": ExpressionCode._as_it_is,
    "list.any": ExpressionCode._quantified,
    "list.none": ExpressionCode._quantified,
    "list.all": ExpressionCode._quantified,
    "list.rotate": ExpressionCode._rotate,
    "list.sum": ExpressionCode._sum,
    "list.max": ExpressionCode._list_extreme,
    "list.min": ExpressionCode._list_extreme,
    "list.max.row": ExpressionCode._list_extreme,
    "list.min.row": ExpressionCode._list_extreme,
    "players.after": ExpressionCode._player_beside,
    "players.before": ExpressionCode._player_beside,
    "gather": ExpressionCode._gather,
    "walk.reach": ExpressionCode._walk,
    "walk.ray": ExpressionCode._walk,
    "walk.groups": ExpressionCode._walk,
    "walk.distance": ExpressionCode._walk,
    "walk.path": ExpressionCode._walk,
    "dice.max": ExpressionCode._extreme_roll,
    "dice.min": ExpressionCode._extreme_roll,
    "same": ExpressionCode._same,
    "differ": ExpressionCode._same,
    "not": ExpressionCode._not,
    "and": ExpressionCode._and,
    "or": ExpressionCode._or,
    "all": ExpressionCode._each_of,
    "any": ExpressionCode._each_of,
    "some": ExpressionCode._some,
    "else": ExpressionCode._else,
    "if": ExpressionCode._if,
    "formula": ExpressionCode._formula,
    "after": ExpressionCode._after,
    "options": ExpressionCode._options,
    "options.subsets": ExpressionCode._subsets,
    "options.sequences": ExpressionCode._subsets,
}


def list_unwritten() -> list[str]:
    """Return the operations on values that this back end does not support. Tests expect none."""
    return sorted(set(OPERATIONS) - {*CONSTANTS, *_COMPARED, *_PLAIN, *_CALLED, *_METHODS})
