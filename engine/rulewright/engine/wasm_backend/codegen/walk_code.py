"""Code generation for walks over a board, with the runtime's queue of spaces."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.wasm_backend.codegen.binary_encoder import I64
from rulewright.engine.wasm_backend.codegen.list_code import ListCode
from rulewright.engine.wasm_backend.codegen.memory_layout import NONE
from rulewright.ir.values import Value
from rulewright.language.types import ListOf, Row, Type


class Walks(ListCode):
    """Writes walks."""

    def is_line(self, value: Value) -> bool:
        """Return whether a value is a walk from one space that never has a choice of the next one."""
        if value.op not in ("walk.reach", "walk.ray"):
            return False
        _, _, has_cost, has_limit, *_ = value.data
        source, onward, *_ = value.args
        while source.op == "list.of":
            source = source.args[0]
        alone = source.op == "list" and len(source.args) == 1 and isinstance(source.args[0].type, Row)
        return alone and not has_cost and not has_limit and not isinstance(onward.type, ListOf)

    def follow_line(self, walk: Value, begin: Callable[[Value], None], body: Callable[[Value], None]) -> None:
        """Emit a loop over such a walk, with the code of `begin` for its start and of `body` for each later space.

        It needs no queue. As in other walks, a space is tested and entered at most once, so a ring ends at its start.
        """
        f, (variable, has_where, *_, has_until, each) = self.f, walk.data
        source, onward, *rest = walk.args
        while source.op == "list.of":
            source = source.args[0]
        place = source.args[0]
        assert isinstance(place.type, Row)
        where, until = rest[0] if has_where else None, rest[-1] if has_until else None
        start, here, there = (f.add_local(I64) for _ in range(3))
        self.number(place)
        f.keep_in_local(start)
        f.set(here)
        seen = self.make_mask(place.type.table)
        self.add_to_mask(seen, start)
        begin(self._name(start, place.type))
        outer = self.variables.get(variable)
        done, again = f.block(), f.loop()
        self.variables[variable] = here
        self.number(onward)
        f.set(there)
        f.push_i64(2 * each)
        f.push_i64(each)
        f.get(there)
        f.push_i64(NONE)
        f.do("i64.ne", "select")
        self.spend()
        self.variables[variable] = there
        space = self._name(there, place.type)
        f.get(there)
        f.push_i64(NONE)
        f.do("i64.eq")
        f.leave_if(done)
        self.test_mask(space, seen)
        f.leave_if(done)
        self.add_to_mask(seen, there)
        if where is not None:
            self.push_truth(where)
            f.do("i32.eqz")
            f.leave_if(done)
        # The caller's code must not see the variable of the walk, which gets its value back afterwards.
        self._restore_variable(variable, outer)
        body(space)
        self.variables[variable] = there
        if until is not None:
            self.push_truth(until)
            f.begin_if()
            f.push_i64(each)
            self.spend()
            f.leave(done)
            f.end()
        f.get(there)
        f.set(here)
        f.leave(again)
        f.end()
        f.end()
        self._restore_variable(variable, outer)

    def _name(self, local: int, kind: Type) -> Value:
        """Return the value in a local as a variable."""
        self.variables[f"@{local}"] = local
        return Value("var", kind, data=(f"@{local}",))

    def _restore_variable(self, variable: str, outer: int | None) -> None:
        if outer is None:
            self.variables.pop(variable, None)
        else:
            self.variables[variable] = outer

    def _line(self, walk: Value) -> int:
        """Push the list of the spaces of a line. Return the type on the stack."""
        f, result, count = self.f, self.f.add_local(I64), self.f.add_local(I64)
        inner = walk.type.inner if isinstance(walk.type, ListOf) else walk.type
        assert isinstance(inner, Row)
        f.push_i64(len(self.layout.rows[inner.table]))
        self.make_block(result)
        f.push_i64(0)
        f.set(count)

        def put(space: Value) -> None:
            self._put(result, count, space)

        self.follow_line(walk, put if walk.op == "walk.reach" else lambda start: None, put)
        self.shorten(result, count)
        f.get(result)
        return I64

    def _walk(self, value: Value) -> int:
        """Push the result of a search over spaces: a list of spaces, of groups or of a path, or a cost.

        Returns the type on the stack.
        """
        if self.is_line(value):
            return self._line(value)
        f = self.f
        variable, has_where, has_cost, has_limit, has_goal, has_until, each = value.data
        source, onward, *rest = value.args
        parts = iter(rest)
        where = next(parts) if has_where else None
        cost = next(parts) if has_cost else None
        limit = next(parts) if has_limit else None
        goal = next(parts) if has_goal else None
        until = next(parts) if has_until else None
        apart = value.op == "walk.groups"
        walk, bound, end, here = (f.add_local(I64) for _ in range(4))
        # The number of places where the walk has begun, and how many of them it has not expanded yet.
        begun, fresh = f.add_local(I64), f.add_local(I64)
        result, count, visited, first = (f.add_local(I64) for _ in range(4))
        self.call("walk")
        f.set(walk)
        for local in (begun, fresh, count, visited):
            f.push_i64(0)
            f.set(local)
        starts = self._hold(source)
        if limit is not None:
            self.number(limit)
            f.set(bound)
        if goal is not None:
            self.number(goal)
            f.set(end)
        if apart:
            self.number(starts)
            f.do("i32.wrap_i64")
            f.load()
            self.make_block(result)
        outer = self.variables.get(variable)

        def search() -> None:
            self._search(value, walk, here, (bound, end), (fresh, visited), (onward, where, cost, until), (limit, goal))

        def start(place: Value) -> None:
            """Emit the code for a start: it waits to be visited or, for groups, is searched from at once."""
            f.get(walk)
            self.number(place)
            f.keep_in_local(here)
            self.call("walk_finds")
            f.begin_if()
            if apart:
                f.push_i64(each)
                self.spend()
                if where is not None:
                    self.variables[variable] = here
                    self.push_truth(where)
                    f.begin_if()
            f.get(walk)
            f.push_i64(0)
            f.get(here)
            f.push_i64(NONE)
            self.call("walk_waits")
            for local in (begun, fresh):
                self._increase(local)
            if apart:
                f.get(visited)
                f.set(first)
                search()
                f.get(visited)
                f.get(first)
                f.do("i64.sub")
                f.get(walk)
                self.call("walk_all")
                self.call("take_last")
                f.set(here)
                inner = value.type.inner if isinstance(value.type, ListOf) else value.type
                self.variables["@group"] = here
                self._put(result, count, Value("var", inner, data=("@group",)))
                if where is not None:
                    f.end()
            f.end()

        self.each(starts, start)
        if not apart:
            search()
        self._restore_variable(variable, outer)
        match value.op:
            case "walk.groups":
                self.shorten(result, count)
                f.get(result)
            case "walk.reach":
                f.get(walk)
                self.call("walk_all")
            case "walk.ray":
                # The starts come first, because reaching them costs nothing and they are found first.
                f.get(visited)
                f.get(begun)
                f.do("i64.sub")
                f.get(walk)
                self.call("walk_all")
                self.call("take_last")
            case "walk.path":
                f.get(walk)
                f.get(end)
                self.call("walk_way")
            case _:
                f.get(walk)
                self.call("walk_total")
                f.push_i64(NONE)
                f.get(walk)
                self.call("walk_place")
                f.get(end)
                self.call("alike")
                f.do("select")
        return I64

    def _search(
        self,
        value: Value,
        walk: int,
        here: int,
        bounds: tuple[int, int],
        counts: tuple[int, int],
        inside: tuple[Value, Value | None, Value | None, Value | None],
        outside: tuple[Value | None, Value | None],
    ) -> None:
        """Emit the loop that visits places until none waits, or the goal has come.

        Args:
            value: The walk.
            walk: The local with the search of the runtime.
            here: A local for the place that is visited.
            bounds: The locals with the limit and the goal.
            counts: The locals with the number of starts that were not visited yet, and of all visited places.
            inside: What is evaluated for each place: where it goes on to, the condition, the cost, and where it ends.
            outside: The limit and the goal, or None for none.
        """
        f, variable, each = self.f, value.data[0], value.data[-1]
        (bound, end), (fresh, visited), (onward, where, cost, until) = bounds, counts, inside
        limit, goal = outside
        there, total = f.add_local(I64), f.add_local(I64)
        done = f.block()
        again = f.loop()
        f.get(walk)
        self.call("walk_goes")
        f.do("i32.eqz")
        f.leave_if(done)
        f.get(walk)
        self.call("walk_place")
        f.set(here)
        self._increase(visited)
        if goal is not None:
            f.get(here)
            f.get(end)
            self.call("alike")
            f.leave_if(done)
        self.variables[variable] = here
        leads = self._leads(onward, until, fresh)
        f.get(leads)
        f.do("i32.wrap_i64")
        f.load()
        f.push_i64(1)
        f.do("i64.add")
        f.push_i64(each)
        f.do("i64.mul")
        self.spend()

        def come(place: Value) -> None:
            """Emit the code for a neighbour, which waits to be visited if it is new, allowed and within the limit."""
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

    def _increase(self, local: int) -> None:
        """Emit code that adds 1 to a local."""
        f = self.f
        f.get(local)
        f.push_i64(1)
        f.do("i64.add")
        f.set(local)

    def _hold(self, source: Value) -> Value:
        """Emit code that evaluates a list into a local, and return the local as a variable."""
        f, value = self.f, self.f.add_local(I64)
        self.number(source)
        f.set(value)
        name = f"@{value}"
        self.variables[name] = value
        return Value("var", source.type, data=(name,))

    def _leads(self, onward: Value, until: Value | None, fresh: int) -> int:
        """Emit code that evaluates the neighbours of a place, and return the local with them as a list.

        The list is empty if the walk ends at the place. It does not end at its first places: the
        local `fresh` has the number of those that were not visited yet.
        """
        f, leads = self.f, self.f.add_local(I64)
        if until is not None:
            f.get(fresh)
            f.push_i64(0)
            f.do("i64.gt_s")
            f.begin_if()
            f.get(fresh)
            f.push_i64(1)
            f.do("i64.sub")
            f.set(fresh)
            self._set_leads(onward, leads)
            f.begin_else()
            self.push_truth(until)
            f.begin_if()
            f.push_i64(self.layout.block([]))
            f.set(leads)
            f.begin_else()
            self._set_leads(onward, leads)
            f.end()
            f.end()
            return leads
        self._set_leads(onward, leads)
        return leads

    def _set_leads(self, onward: Value, leads: int) -> None:
        """Emit code that evaluates the neighbours of a place into a local, as a list."""
        f = self.f
        self.number(onward)
        f.set(leads)
        if isinstance(onward.type, ListOf):
            return
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
