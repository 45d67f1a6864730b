"""Code generation for formulas with cached results: return the cached value, or compute it if it is stale.

`memo_analysis` decides what is cached and what invalidates it. A cached result costs as many operations as computing
it: caching makes it faster, not cheaper.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.wasm_backend.codegen.binary_encoder import I32, I64, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.codegen.expression_code import ExpressionCode
from rulewright.engine.wasm_backend.codegen.memo_analysis import MemoTable
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, is_scalar
from rulewright.ir.program import LoweredFormula
from rulewright.language.types import Boolean

_MIXES = 0x9E3779B97F4A7C15 - (1 << 64)
"""The multiplier of multiplicative hashing: 2^64 divided by the golden ratio, as a signed number."""


class MemoCode:
    """A generator of functions with cached results.

    `expressions` creates code generators, and `stands` is the last version's address.
    """

    def __init__(self, expressions: Callable[[WasmFunction], ExpressionCode], validity: int) -> None:
        self._expressions = expressions
        self._stands = validity

    def write_single(self, formula: LoweredFormula, written: int, at: int) -> WasmFunction:
        """Return the memoizing function of a formula without parameters.

        Its three words are at the address `at`, and the function with index `written` computes the formula.
        """
        truth = isinstance(formula.value.type, Boolean)
        f = WasmFunction(f"kept {formula.id}", WasmSignature((), (I32 if truth else I64,)))
        result, before = f.add_local(I64), f.add_local(I64)
        f.push_i32(0)
        f.load(at + 16)
        f.push_i32(0)
        f.load(AT["crowd"])
        f.do("i64.eq")
        f.begin_if()
        f.push_i32(0)
        f.load(at + 8)
        self._expressions(f).pay()
        f.begin_else()
        f.push_i32(0)
        f.load(AT["work"])
        f.set(before)
        f.call(written)
        if truth:
            f.do("i64.extend_i32_u")
        f.set(result)
        f.push_i32(0)
        f.get(result)
        f.store(at)
        f.push_i32(0)
        f.get(before)
        f.push_i32(0)
        f.load(AT["work"])
        f.do("i64.sub")
        f.store(at + 8)
        f.push_i32(0)
        f.push_i32(0)
        f.load(AT["crowd"])
        f.store(at + 16)
        f.end()
        f.push_i32(0)
        f.load(at)
        if truth:
            f.do("i32.wrap_i64")
        return f

    def write_constant(
        self,
        formula: LoweredFormula,
        written: int,
        sizes: tuple[int, ...],
        base: int,
        epoch_at: int,
        keep_outside: int,
        copied: int,
    ) -> WasmFunction:
        """Return the memoizing function of a formula that depends on rows alone.

        Its results are in a table at `base`, with the epoch at `epoch_at`, the cost and the value for each combination
        of rows. Blocks are outside of games, and the functions `keep_outside` and `copied` copy them there and back.
        The function with index `written` computes the formula. A large list raises the crowd factor, and is not cached.
        """
        truth, scalar = isinstance(formula.value.type, Boolean), is_scalar(formula.value.type)
        f = WasmFunction(f"constant {formula.id}", WasmSignature((I64,) * len(sizes), (I32 if truth else I64,)))
        entry, before, result = f.add_local(I32), f.add_local(I64), f.add_local(I64)
        f.get(0)
        for parameter, size in enumerate(sizes[1:], start=1):
            f.push_i64(size)
            f.do("i64.mul")
            f.get(parameter)
            f.do("i64.add")
        f.do("i32.wrap_i64")
        f.push_i32(24)
        f.do("i32.mul")
        f.keep_in_local(entry)
        f.load(base)
        f.push_i32(0)
        f.load(epoch_at)
        f.do("i64.eq")
        f.begin_if()
        f.get(entry)
        f.load(base + 8)
        self._expressions(f).spend()
        f.get(entry)
        f.load(base + 16)
        if not scalar:
            f.call(copied)
        f.set(result)
        f.begin_else()
        f.push_i32(0)
        f.load(AT["work"])
        f.set(before)
        for parameter in range(len(sizes)):
            f.get(parameter)
        f.call(written)
        if truth:
            f.do("i64.extend_i32_u")
        f.set(result)
        f.push_i32(0)
        f.load(AT["crowd"])
        f.push_i64(1)
        f.do("i64.eq")
        f.begin_if()
        f.get(entry)
        f.get(result)
        if not scalar:
            f.call(keep_outside)
        f.store(base + 16)
        f.get(entry)
        f.get(before)
        f.push_i32(0)
        f.load(AT["work"])
        f.do("i64.sub")
        f.store(base + 8)
        f.get(entry)
        f.push_i32(0)
        f.load(epoch_at)
        f.store(base)
        f.end()
        f.end()
        f.get(result)
        if truth:
            f.do("i32.wrap_i64")
        return f

    def write_several(
        self, formula: LoweredFormula, written: int, table: MemoTable, stand_at: int, base: int
    ) -> WasmFunction:
        """Return the memoizing function of a formula with parameters.

        Its results are in a table at `base`, and its version is at `stand_at`. The function with index `written`
        computes the formula.
        """
        truth = isinstance(formula.value.type, Boolean)
        f = WasmFunction(f"table {formula.id}", WasmSignature((I64,) * table.parameters, (I32 if truth else I64,)))
        entry, stand, before, result = f.add_local(I32), f.add_local(I64), f.add_local(I64), f.add_local(I64)
        f.push_i32(0)
        f.load(stand_at)
        f.keep_in_local(stand)
        f.do("i64.eqz")
        f.begin_if()
        f.push_i32(0)
        f.push_i32(0)
        f.load(self._stands)
        f.push_i64(1)
        f.do("i64.add")
        f.keep_in_local(stand)
        f.store(self._stands)
        f.push_i32(0)
        f.get(stand)
        f.store(stand_at)
        f.end()
        # A multiplicative hash of the arguments: its upper bits depend on all of their bits (Knuth 6.4).
        f.get(0)
        for parameter in range(1, table.parameters):
            f.push_i64(_MIXES)
            f.do("i64.mul")
            f.get(parameter)
            f.do("i64.add")
        f.push_i64(_MIXES)
        f.do("i64.mul")
        f.push_i64(64 - (table.entries.bit_length() - 1))
        f.do("i64.shr_u", "i32.wrap_i64")
        f.push_i32(8 * table.size)
        f.do("i32.mul")
        f.set(entry)
        # Compare the version and the crowd factor first, then the arguments.
        f.get(entry)
        f.load(base)
        f.get(stand)
        f.do("i64.eq")
        f.get(entry)
        f.load(base + 8)
        f.push_i32(0)
        f.load(AT["crowd"])
        f.do("i64.eq", "i32.and")
        for parameter in range(table.parameters):
            f.get(entry)
            f.load(base + 32 + 8 * parameter)
            f.get(parameter)
            f.do("i64.eq", "i32.and")
        f.begin_if()
        f.get(entry)
        f.load(base + 16)
        self._expressions(f).pay()
        f.get(entry)
        f.load(base + 24)
        f.set(result)
        f.begin_else()
        f.push_i32(0)
        f.load(AT["work"])
        f.set(before)
        for parameter in range(table.parameters):
            f.get(parameter)
        f.call(written)
        if truth:
            f.do("i64.extend_i32_u")
        f.set(result)

        def put(place: int, leave: Callable[[], None]) -> None:
            f.get(entry)
            leave()
            f.store(base + 8 * place)

        def crowd() -> None:
            f.push_i32(0)
            f.load(AT["crowd"])

        def put_values() -> None:
            f.get(before)
            f.push_i32(0)
            f.load(AT["work"])
            f.do("i64.sub")

        put(0, lambda: f.get(stand))
        put(1, crowd)
        put(2, put_values)
        put(3, lambda: f.get(result))
        for parameter in range(table.parameters):
            put(4 + parameter, lambda parameter=parameter: f.get(parameter))  # type: ignore[misc]
        f.end()
        f.get(result)
        if truth:
            f.do("i32.wrap_i64")
        return f
