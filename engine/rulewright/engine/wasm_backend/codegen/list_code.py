"""Code generation for lists.

Lists that are read once are never materialized: sums, counts and searches process the elements as they are produced.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64
from rulewright.engine.wasm_backend.codegen.instructions import Bits, Instructions
from rulewright.engine.wasm_backend.codegen.int_widths import is_first_player
from rulewright.engine.wasm_backend.codegen.memory_layout import NONE, is_scalar
from rulewright.ir.values import Value
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.types import ListOf, Nothing, Optional, Ratio, Row

_FEW = 8
"""The maximum number of constants for which a membership test is written out as comparisons."""


class ListCode(Instructions, ABC):
    """The code generator for list operations."""

    def _list(self, value: Value) -> int:
        """Push a new list of values. Return the type on the stack."""
        f = self.f
        result = f.add_local(I64)
        f.push_i64(len(value.args))
        self.make_block(result)
        # Elements may be blocks after the list, so each address is computed separately.
        for place, arg in enumerate(value.args):
            f.get(result)
            f.do("i32.wrap_i64")
            self.number(arg)
            f.store(8 + 8 * place)
        f.get(result)
        return I64

    def _rotate(self, value: Value) -> int:
        """Push a list that begins at another element and ends with those before it. Return the type on the stack."""
        f = self.f
        source, size, start = (f.add_local(I64) for _ in range(3))
        self.number(value.args[0])
        f.set(start)
        self.number(value.args[1])
        f.keep_in_local(source)
        f.do("i32.wrap_i64")
        f.load()
        f.set(size)
        f.get(start)
        # An empty list has no remainder, and stays empty.
        f.get(size)
        f.push_i64(1)
        f.get(size)
        f.push_i64(0)
        f.do("i64.gt_s", "select")
        self.call("modulo")
        f.set(start)
        f.get(size)
        f.get(start)
        f.do("i64.sub")
        f.get(source)
        self.call("take_last")
        f.get(start)
        f.get(source)
        self.call("take_first")
        self.call("join")
        return I64

    def _options(self, value: Value) -> int:
        """Push the list of the options whose conditions are true. Return the type on the stack."""
        f = self.f
        result, count = f.add_local(I64), f.add_local(I64)
        f.push_i64(len(value.data))
        self.make_block(result)
        f.push_i64(0)
        f.set(count)
        args = iter(value.args)
        for conditional in value.data:
            option = next(args)
            if conditional:
                self.push_truth(next(args))
                f.begin_if()
            self._put(result, count, option)
            if conditional:
                f.end()
        self.shorten(result, count)
        f.get(result)
        return I64

    def _put(self, result: int, count: int, element: Value) -> None:
        """Emit code that appends an element to the block in `result`, which must have room for it.

        `count` is the local with its number of elements, which the code increments.
        """
        f = self.f
        f.get(result)
        f.do("i32.wrap_i64")
        f.get(count)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        self.number(element)
        f.store(8)
        f.get(count)
        f.push_i64(1)
        f.do("i64.add")
        f.set(count)

    def _subsets(self, value: Value) -> int:
        """Push the list of all selections from a list between two sizes. Return the type on the stack.

        The runtime function is called like the operation: `subsets`, or `sequences`.
        """
        f, source = self.f, self.f.add_local(I64)
        has_low, has_high = value.data
        self.number(value.args[0])
        f.keep_in_local(source)
        if has_low:
            self.number(value.args[1])
        else:
            f.push_i64(0)
        if has_high:
            self.number(value.args[-1])
        else:
            f.get(source)
            f.do("i32.wrap_i64")
            f.load()
        self.call(value.op.partition(".")[2])
        return I64

    def each(self, source: Value, body: Callable[[Value], None]) -> None:
        """Emit a loop over a list, with the code of `body` for its elements. `body` gets the element as a variable."""
        f = self.f
        if source.op in ("list.of", "list.set"):
            self.each(source.args[0], body)
            return
        if source.op == "gather" and not source.data[2]:
            self._write_each_gathered(source, body)
            return
        if self.is_line(source) and source.op == "walk.ray":
            self.follow_line(source, lambda start: None, body)
            return
        at, end, element = f.add_local(I32), f.add_local(I32), f.add_local(I64)
        inner = source.type.inner if isinstance(source.type, ListOf) else source.type
        self.number(source)
        f.do("i32.wrap_i64")
        f.keep_in_local(at)
        f.get(at)
        f.load_32()
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.set(end)
        done = f.block()
        again = f.loop()
        f.get(at)
        f.get(end)
        f.do("i32.eq")
        f.leave_if(done)
        f.get(at)
        f.load(8)
        f.set(element)
        f.get(at)
        f.push_i32(8)
        f.do("i32.add")
        f.set(at)
        name = f"@{element}"
        self.variables[name] = element
        body(Value("var", inner, data=(name,)))
        f.leave(again)
        f.end()
        f.end()

    def _write_each_gathered(self, gather: Value, body: Callable[[Value], None]) -> None:
        """Emit a loop over the elements of a comprehension, without their list, with the code of `body` for each."""
        variable, has_where, _, cost, kept_cost = gather.data
        source, element, *rest = gather.args
        if cost:
            source = self._write_charged(source, cost)

        def inner(value: Value) -> None:
            """Emit the condition and the body for an element, to which the variable of the comprehension is bound."""
            outer = self.variables.get(variable)
            self.variables[variable] = self.variables[value.data[0]]
            if has_where:
                self.push_truth(rest[0])
                self.f.begin_if()
            if kept_cost:
                self.f.push_i64(kept_cost)
                self.spend()
            if element.op == "var" and element.data[0] == variable:
                body(value)
            else:
                body(element)
            if has_where:
                self.f.end()
            if outer is None:
                self.variables.pop(variable, None)
            else:
                self.variables[variable] = outer

        self.each(source, inner)

    def _write_charged(self, source: Value, cost: int) -> Value:
        """Emit code that evaluates a list and charges `cost` for each element. Return the list as a variable."""
        f, value = self.f, self.f.add_local(I64)
        self.number(source)
        f.keep_in_local(value)
        f.do("i32.wrap_i64")
        f.load()
        f.push_i64(cost)
        f.do("i64.mul")
        self.spend()
        name = f"@{value}"
        self.variables[name] = value
        return Value("var", source.type, data=(name,))

    def _gather(self, value: Value) -> int:
        """Push the list of a comprehension, in order if it has one. Return the type on the stack."""
        f = self.f
        variable, has_where, has_order, cost, kept_cost = value.data
        source, element, *rest = value.args
        result, keys, count, held = f.add_local(I64), f.add_local(I64), f.add_local(I64), f.add_local(I64)
        self.number(source)
        f.set(held)
        name = f"@{held}"
        self.variables[name] = held
        saved = Value("var", source.type, data=(name,))
        if cost:
            saved = self._write_charged(saved, cost)
        for into in (result, keys) if has_order else (result,):
            f.get(held)
            f.do("i32.wrap_i64")
            f.load()
            self.make_block(into)
        f.push_i64(0)
        f.set(count)

        def take(value: Value) -> None:
            """Emit code that appends an element to the list, and its sort key to the keys."""
            if has_order:
                f.get(keys)
                f.do("i32.wrap_i64")
                f.get(count)
                f.do("i32.wrap_i64")
                f.push_i32(3)
                f.do("i32.shl", "i32.add")
                self.number(rest[-1])
                f.store(8)
            self._put(result, count, value)

        data = (variable, has_where, False, 0, kept_cost)
        args = (saved, element, *(rest[:1] if has_where else ()))
        self._write_each_gathered(Value("gather", value.type, args, data), take)
        for into in (result, keys) if has_order else (result,):
            self.shorten(into, count)
        if has_order:
            f.get(result)
            f.get(keys)
            f.push_i32(int(isinstance(rest[-1].type, Ratio)))
            self.call("order")
        f.get(result)
        return I64

    def _counted(self, value: Value) -> int:
        """Push the number of elements, or whether there are some or none. Return the type on the stack."""
        source = value.args[0]
        f = self.f
        while source.op in ("list.of", "list.set"):
            source = source.args[0]
        if not self._streams(source):
            self.number(source)
            f.do("i32.wrap_i64")
            f.load()
        else:
            count = f.add_local(I64)
            f.push_i64(0)
            f.set(count)

            def one(value: Value) -> None:
                """Emit code that counts an element, and evaluates it, because that may fail."""
                if value.op != "var":
                    self.number(value)
                    f.do("drop")
                f.get(count)
                f.push_i64(1)
                f.do("i64.add")
                f.set(count)

            self.each(source, one)
            f.get(count)
        match value.op:
            case "list.some":
                f.push_i64(0)
                f.do("i64.ne")
                return I32
            case "list.empty":
                f.do("i64.eqz")
                return I32
        return I64

    def _streams(self, source: Value) -> bool:
        """Return whether the elements of a list can be taken as they come up."""
        return (source.op == "gather" and not source.data[2]) or (source.op == "walk.ray" and self.is_line(source))

    @abstractmethod
    def is_line(self, value: Value) -> bool:
        """Return whether a value is a walk from one space that never has a choice of the next one."""

    @abstractmethod
    def follow_line(self, walk: Value, begin: Callable[[Value], None], body: Callable[[Value], None]) -> None:
        """Emit a loop over such a walk, with the code of `begin` for its start and of `body` for each later space."""

    def _quantified(self, value: Value) -> int:
        """Push whether all, any or none of the elements are true. Return the type on the stack.

        The rest is skipped only if evaluating it cannot fail.
        """
        f, result = self.f, self.f.add_local(I32)
        every = value.op == "list.all"
        f.push_i32(int(every))
        f.set(result)
        certain = self.bounds.is_harmless(value.args[0])
        done = f.block() if certain else 0

        def one(element: Value) -> None:
            """Emit code that combines an element with the result so far, or leaves the loop if that decides it."""
            self.push_truth(element)
            if certain:
                # The remaining elements cannot fail, so they can be skipped.
                if every:
                    f.do("i32.eqz")
                f.begin_if()
                f.push_i32(int(not every))
                f.set(result)
                f.leave(done)
                f.end()
                return
            f.get(result)
            f.do("i32.and" if every else "i32.or")
            f.set(result)

        self.each(value.args[0], one)
        if certain:
            f.end()
        f.get(result)
        if value.op == "list.none":
            f.do("i32.eqz")
        return I32

    def _end_of_list(self, value: Value) -> int:
        """Push the first or last element of a list, or `NONE` for an empty list. Return the type on the stack."""
        f, result = self.f, self.f.add_local(I64)
        source = value.args[0]
        while source.op in ("list.of", "list.set"):
            source = source.args[0]
        first = value.op == "list.first"
        if first and is_first_player(source):
            f.push_i64(FIRST_PLAYER)
            return I64
        f.push_i64(NONE)
        f.set(result)
        if self._streams(source):
            certain = first and self.bounds.is_harmless(source)
            there = f.add_local(I32)
            f.push_i32(0)
            f.set(there)
            done = f.block() if certain else 0

            def one(element: Value) -> None:
                """Emit code that keeps an element, only the first one if that is asked for."""
                self.number(element)
                if first and not certain:
                    f.get(result)
                    f.get(there)
                    f.do("i32.eqz", "select")
                f.set(result)
                if certain:
                    f.leave(done)
                f.push_i32(1)
                f.set(there)

            self.each(source, one)
            if certain:
                f.end()
            f.get(result)
            return I64
        held = f.add_local(I64)
        self.number(source)
        f.set(held)
        self._count_of(held)
        f.begin_if()
        f.get(held)
        f.do("i32.wrap_i64")
        if not first:
            self._count_of(held)
            f.push_i32(1)
            f.do("i32.sub")
            f.push_i32(3)
            f.do("i32.shl", "i32.add")
        f.load(8)
        f.set(result)
        f.end()
        f.get(result)
        return I64

    def _list_extreme(self, value: Value) -> int:
        """Push the greatest or least element, or 0 for an empty list. Return the type on the stack."""
        f, best, other, there = self.f, self.f.add_local(I64), self.f.add_local(I64), self.f.add_local(I32)
        greatest = value.op.startswith("list.max")
        f.push_i64(0)
        f.set(best)
        f.push_i32(0)
        f.set(there)

        def one(element: Value) -> None:
            """Emit code that keeps an element if it is the first one or better than the best one so far."""
            self.number(element)
            f.set(other)
            f.get(other)
            f.get(best)
            f.get(other)
            f.get(best)
            f.do("i64.gt_s" if greatest else "i64.lt_s")
            f.get(there)
            f.do("i32.eqz", "i32.or", "select")
            f.set(best)
            f.push_i32(1)
            f.set(there)

        self.each(value.args[0], one)
        f.get(best)
        return I64

    def _sum(self, value: Value) -> int:
        """Push the sum of a list, which fails at run time if it is too large. Return the type on the stack."""
        f = self.f
        source = value.args[0]
        while source.op == "list.of":
            source = source.args[0]
        if self.bounds.may_overflow(value):
            self.number(source)
            self.call("sum")
            return I64
        total = f.add_local(I64)
        f.push_i64(0)
        f.set(total)

        def one(element: Value) -> None:
            self.number(element)
            f.get(total)
            f.do("i64.add")
            f.set(total)

        self.each(source, one)
        f.get(total)
        return I64

    def _as_it_is(self, value: Value) -> int:
        return self.write(value.args[0])

    def mask(self, value: Value) -> Bits | None:
        """Emit code that makes a set of rows bits, for repeated membership tests, and return them.

        None, and no code, if the value is not a set of rows.
        """
        inner = value.type.inner if isinstance(value.type, ListOf) else value.type
        if value.op != "list.set" or not isinstance(inner, Row):
            return None
        result, row = self.make_mask(inner.table), self.f.add_local(I64)

        def one(element: Value) -> None:
            self.number(element)
            self.f.set(row)
            self.add_to_mask(result, row)

        self.each(value.args[0], one)
        return result

    def make_mask(self, table: str) -> Bits:
        """Emit code that makes an empty set of rows, and return its bits."""
        f, bits = self.f, self.f.add_local(I64)
        words = -(-len(self.layout.rows[table]) // 64)
        if words == 1:
            f.push_i64(0)
            f.set(bits)
            return Bits(bits, several=False)
        f.push_i64(words)
        self.call("new_block")
        f.set(bits)
        for word in range(words):
            f.get(bits)
            f.do("i32.wrap_i64")
            f.push_i64(0)
            f.store(8 + 8 * word)
        return Bits(bits, several=True)

    def add_to_mask(self, mask: Bits, row: int) -> None:
        """Emit code that adds the row in a local to a set."""
        f = self.f
        if mask.several:
            self._word_of(mask.local, row)
            self._word_of(mask.local, row)
            f.load(8)
        else:
            f.get(mask.local)
        f.push_i64(1)
        f.get(row)
        f.do("i64.shl", "i64.or")
        if mask.several:
            f.store(8)
        else:
            f.set(mask.local)

    def _word_of(self, bits: int, row: int) -> None:
        """Push the address of the word that holds the bit of a row, minus 8."""
        f = self.f
        f.get(bits)
        f.do("i32.wrap_i64")
        f.get(row)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shr_u")
        f.push_i32(~7)
        f.do("i32.and", "i32.add")

    def _has(self, value: Value) -> int:
        """Push whether a list has, or for `list.lacks` does not have, an element. Return the type on the stack."""
        f = self.f
        item, source = value.args
        lacks = value.op == "list.lacks"
        if source.op == "var" and source.data[0] in self.masks:
            self.test_mask(item, self.masks[source.data[0]])
        elif source.op == "list" and len(source.args) <= _FEW and is_scalar(item.type) and source.args:
            self._among(item, source.args)
        elif self._streams(source) and is_scalar(item.type):
            sought, result = f.add_local(I64), f.add_local(I32)
            self.number(item)
            f.set(sought)
            f.push_i32(0)
            f.set(result)

            def one(element: Value) -> None:
                """Emit code that notes whether an element is the one that is sought."""
                self.number(element)
                f.get(sought)
                f.do("i64.eq")
                f.get(result)
                f.do("i32.or")
                f.set(result)

            self.each(source, one)
            f.get(result)
        else:
            self.number(item)
            self.number(source)
            self.call("has")
        if lacks:
            f.do("i32.eqz")
        return I32

    def test_mask(self, item: Value, mask: Bits) -> None:
        """Push whether a value is in a set of rows."""
        f, row = self.f, self.f.add_local(I64)
        self.number(item)
        f.set(row)
        maybe = isinstance(item.type, (Optional, Nothing))
        if maybe:
            f.get(row)
            f.push_i64(NONE)
            f.do("i64.ne")
            f.begin_if(I32)
        if mask.several:
            self._word_of(mask.local, row)
            f.load(8)
        else:
            f.get(mask.local)
        f.get(row)
        f.do("i64.shr_u", "i32.wrap_i64")
        f.push_i32(1)
        f.do("i32.and")
        if maybe:
            f.begin_else()
            f.push_i32(0)
            f.end()

    def _among(self, item: Value, others: tuple[Value, ...]) -> None:
        """Push whether a value equals one of several, which are all evaluated."""
        f, sought = self.f, self.f.add_local(I64)
        self.number(item)
        f.set(sought)
        for place, other in enumerate(others):
            self.number(other)
            f.get(sought)
            f.do("i64.eq")
            if place:
                f.do("i32.or")
