"""Code generation for walks over a board, with the runtime's queue of spaces."""

from __future__ import annotations

from rulewright.engine.wasm_backend.codegen.binary_encoder import I64
from rulewright.engine.wasm_backend.codegen.list_code import ListCode
from rulewright.engine.wasm_backend.codegen.memory_layout import NONE
from rulewright.ir.values import Value
from rulewright.language.types import ListOf


class Walks(ListCode):
    """Writes walks."""

    def _walk(self, value: Value) -> int:
        f = self.f
        variable, has_where, has_cost, has_limit, has_goal, each = value.data
        source, onward, *rest = value.args
        parts = iter(rest)
        where = next(parts) if has_where else None
        cost = next(parts) if has_cost else None
        limit = next(parts) if has_limit else None
        goal = next(parts) if has_goal else None
        walk, bound, end, total = (f.add_local(I64) for _ in range(4))
        self.call("walk")
        f.set(walk)
        starts = self._hold(source)
        if limit is not None:
            self.number(limit)
            f.set(bound)
        if goal is not None:
            self.number(goal)
            f.set(end)

        def start(place: Value) -> None:
            f.get(walk)
            self.number(place)
            self.call("walk_finds")
            f.begin_if()
            f.get(walk)
            f.push_i64(0)
            self.number(place)
            f.push_i64(NONE)
            self.call("walk_waits")
            f.end()

        self.each(starts, start)
        outer = self.variables.get(variable)
        here, there = f.add_local(I64), f.add_local(I64)
        done = f.block()
        again = f.loop()
        f.get(walk)
        self.call("walk_goes")
        f.do("i32.eqz")
        f.leave_if(done)
        f.get(walk)
        self.call("walk_place")
        f.set(here)
        if goal is not None:
            f.get(here)
            f.get(end)
            self.call("alike")
            f.leave_if(done)
        self.variables[variable] = here
        leads = self._leads(onward)
        f.get(leads)
        f.do("i32.wrap_i64")
        f.load()
        f.push_i64(1)
        f.do("i64.add")
        f.push_i64(each)
        f.do("i64.mul")
        self.spend()

        def come(place: Value) -> None:
            f.get(walk)
            self.number(place)
            f.keep_in_local(there)
            self.call("walk_finds")
            f.begin_if()
            self.variables[variable] = there
            if where is not None:
                self.push_truth(where)
                f.begin_if()
            if cost is not None:
                self.number(cost)
                f.set(total)
                f.get(total)
                f.push_i64(0)
                f.get(total)
                f.push_i64(0)
                f.do("i64.gt_s", "select")
            else:
                f.push_i64(1)
            f.get(walk)
            self.call("walk_total")
            f.do("i64.add")
            f.set(total)
            if limit is not None:
                # The limit may be `NONE`, which means that there is none.
                f.get(total)
                f.get(bound)
                f.do("i64.le_s")
                f.get(bound)
                f.push_i64(NONE)
                f.do("i64.eq", "i32.or")
                f.begin_if()
            f.get(walk)
            f.get(total)
            f.get(there)
            f.get(here)
            self.call("walk_waits")
            for part in (where, limit):
                if part is not None:
                    f.end()
            f.end()
            self.variables[variable] = here

        name = f"@{leads}"
        self.variables[name] = leads
        inner = onward.type if isinstance(onward.type, ListOf) else ListOf(onward.type)
        self.each(Value("var", inner, data=(name,)), come)
        f.leave(again)
        f.end()
        f.end()
        if outer is None:
            self.variables.pop(variable, None)
        else:
            self.variables[variable] = outer
        f.get(walk)
        match value.op:
            case "walk.reach":
                self.call("walk_all")
            case "walk.path":
                f.get(end)
                self.call("walk_way")
            case _:
                self.call("walk_total")
                f.push_i64(NONE)
                f.get(walk)
                self.call("walk_place")
                f.get(end)
                self.call("alike")
                f.do("select")
        return I64

    def _hold(self, source: Value) -> Value:
        f, value = self.f, self.f.add_local(I64)
        self.number(source)
        f.set(value)
        name = f"@{value}"
        self.variables[name] = value
        return Value("var", source.type, data=(name,))

    def _leads(self, onward: Value) -> int:
        """Emit code that evaluates the neighbours of a place, and return the local with them as a list."""
        f, leads = self.f, self.f.add_local(I64)
        self.number(onward)
        f.set(leads)
        if isinstance(onward.type, ListOf):
            return leads
        f.get(leads)
        f.push_i64(NONE)
        f.do("i64.ne")
        f.begin_if()
        result = f.add_local(I64)
        f.push_i64(1)
        self.call("new_block")
        f.keep_in_local(result)
        f.do("i32.wrap_i64")
        f.get(leads)
        f.store(8)
        f.get(result)
        f.set(leads)
        f.begin_else()
        f.push_i64(self.layout.block([]))
        f.set(leads)
        f.end()
        return leads
