"""The common base of code generators: values on the stack, blocks on the heap, and failures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, WasmFunction
from rulewright.engine.wasm_backend.codegen.int_widths import IntWidths
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, BLOCK, MemoryLayout
from rulewright.ir.values import Value

# The runtime's numbers of faults, which index `FAULTS` in `fault_messages`.
SAID, NOTHING_TO_CHOOSE, GONE, BELOW, BELOW_ROW, TOO_LARGE, TOO_MUCH_WORK = range(1, 8)
UNFINISHED_LOOP = 20


@dataclass(frozen=True, slots=True)
class Bits:
    """A set of rows: the bits of a number in a local or, of `several` numbers, of a block."""

    local: int
    several: bool


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value that was computed before with its local, the arm of the code in which it is valid, and its cost."""

    local: int
    arm: int
    cost: int | None


class Instructions(ABC):
    """A generator of code for one function.

    `runtime` has the functions of the runtime, and `formula` returns the function of a formula. `frame` is the local
    with the address of the frame, if there is one. The frame has the slots in order, except for those with a local,
    in `locals`, or another position, in `frame_places`. While `unchanging` code runs, no state changes.
    """

    def __init__(
        self,
        function: WasmFunction,
        layout: MemoryLayout,
        runtime: Mapping[str, int],
        formula: Callable[[str], int],
        bounds: IntWidths,
    ) -> None:
        self.f = function
        self.layout = layout
        self.runtime = runtime
        self.formula = formula
        self.bounds = bounds
        self.frame: int | None = None
        self.locals: dict[int, int] = {}
        self.frame_places: dict[int, int] = {}
        self.temporaries: dict[int, int] = {}
        self.variables: dict[str, int] = {}
        self.masks: dict[str, Bits] = {}
        self.unchanging = False
        self._known: dict[tuple[Any, ...], CachedValue] = {}

    # -- the interface for other generators ------------------------------------------------------

    def call(self, name: str) -> None:
        """Call a function of the runtime."""
        self.f.call(self.runtime[name])

    def number(self, value: Value) -> None:
        """Push a value as 64 bits."""
        if self.write(value) == I32:
            self.f.do("i64.extend_i32_u")

    def push_truth(self, value: Value) -> None:
        """Push a boolean as 32 bits."""
        if self.write(value) == I64:
            self.f.do("i32.wrap_i64")

    @abstractmethod
    def write(self, value: Value) -> int:
        """Leave a value of some number of bits."""

    def fail(self, reason: int, *details: int) -> None:
        """Emit code that stops the game with a fault, given by its number."""
        for each in (reason, *details, *(0,) * (3 - len(details))):
            self.f.push_i64(each)
        self.call("fail")
        self.f.do("unreachable")

    def spend(self) -> None:
        """Charge the number of operations on the stack, multiplied by the crowd factor.

        Fails if the budget is exhausted.
        """
        self.f.push_i32(0)
        self.f.load(AT["crowd"])
        self.f.do("i64.mul")
        self.pay()

    def pay(self) -> None:
        """Emit code that charges the cost on the stack, and fails if the budget is exhausted."""
        f, left = self.f, self.f.add_local(I64)
        f.set(left)
        f.push_i32(0)
        f.push_i32(0)
        f.load(AT["work"])
        f.get(left)
        f.do("i64.sub")
        f.keep_in_local(left)
        f.store(AT["work"])
        f.get(left)
        f.push_i64(0)
        f.do("i64.lt_s")
        f.begin_if()
        self.fail(TOO_MUCH_WORK)
        f.end()

    def _count_of(self, local: int) -> None:
        """Push the length of a block as 32 bits."""
        self.f.get(local)
        self.f.do("i32.wrap_i64")
        self.f.load_32()

    def make_block(self, into: int) -> None:
        """Emit code that allocates a block for as many values as the number on the stack, and stores it in a local."""
        f, count, at, end = self.f, self.f.add_local(I64), self.f.add_local(I32), self.f.add_local(I32)
        f.keep_in_local(count)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl")
        f.push_i32(0)
        f.load_32(AT["top"])
        f.keep_in_local(at)
        f.do("i32.add")
        f.push_i32(8)
        f.do("i32.add")
        f.keep_in_local(end)
        f.push_i32(0)
        f.load_32(self.layout.room)
        f.do("i32.le_u")
        f.begin_if(I64)
        f.get(at)
        f.get(count)
        f.store()
        f.push_i32(0)
        f.get(end)
        f.do("i64.extend_i32_u")
        f.store(AT["top"])
        f.get(at)
        f.do("i64.extend_i32_u")
        f.push_i64(BLOCK)
        f.do("i64.or")
        f.begin_else()
        f.get(count)
        self.call("new_block")
        f.end()
        f.set(into)

    def shorten(self, block: int, count: int) -> None:
        """Emit code that shrinks a block to its final length. Both parameters are locals.

        If it is the last block of the heap, the rest is freed.
        """
        f, at = self.f, self.f.add_local(I32)
        f.get(block)
        f.do("i32.wrap_i64")
        f.keep_in_local(at)
        f.get(at)
        f.load_32()
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.push_i32(8)
        f.do("i32.add")
        f.push_i32(0)
        f.load_32(AT["top"])
        f.do("i32.eq")
        f.begin_if()
        f.push_i32(0)
        f.get(at)
        f.get(count)
        f.do("i32.wrap_i64")
        f.push_i32(3)
        f.do("i32.shl", "i32.add")
        f.push_i32(8)
        f.do("i32.add", "i64.extend_i32_u")
        f.store(AT["top"])
        f.end()
        f.get(at)
        f.get(count)
        f.store()
