"""The host that runs modules with wasmtime: calls, memory, and faults of the rules."""

from __future__ import annotations

import atexit
import ctypes
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, Generic, TypeVar
from weakref import WeakSet, ref

import wasmtime

from rulewright.base.lazy import compute_once, lazy_property
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, STATE
from rulewright.engine.wasm_backend.fault_messages import FAULTS
from rulewright.engine.wasm_backend.interrupts import defer_interrupts
from rulewright.engine.wasm_backend.module_assembly import ModuleInfo
from rulewright.ruleset.cache import storage
from rulewright.ruleset.cache.fingerprint import build_key, is_program_unchanged
from rulewright.ruleset.ruleset import Ruleset

T = TypeVar("T")

MOST_BYTES = 1 << 31
"""The maximum size of a memory in bytes."""

_STACK = 1 << 20
"""The size of the stack in bytes. It suffices, because rules have a maximum call depth."""


@compute_once
def get_engine() -> wasmtime.Engine:
    """Return the engine that runs all modules.

    It does not use wasmtime's own cache, because wasmtime would run its files without checking who wrote them.
    """
    config = wasmtime.Config()
    config.max_wasm_stack = _STACK
    return wasmtime.Engine(config)


def load_module(code: bytes) -> wasmtime.Module:
    """Return a compiled module, from the cache if possible. Otherwise compile and cache it.

    Raises `wasmtime.WasmtimeError` if `code` is not a module.
    """
    key = build_key("native", version("wasmtime"), sha256(code).hexdigest())
    saved = storage.read(key)
    # An interrupt during one of these calls could get lost in the bindings, so it is deferred.
    if saved is not None:
        with defer_interrupts(), suppress(wasmtime.WasmtimeError):  # it may be for another processor
            return wasmtime.Module.deserialize(get_engine(), saved)
    with defer_interrupts():
        module = wasmtime.Module(get_engine(), code)
    if is_program_unchanged():
        storage.write(key, bytes(module.serialize()))
    return module


class Host:
    """An instance of a module: one memory, in which one game runs at a time.

    `module_info` returns the module's information, which is needed for error messages and new dice. After `stopped` is
    set, the memory is undefined and the host must not be used again.
    """

    stopped = False

    def __init__(self, module: wasmtime.Module, result: Callable[[], ModuleInfo]) -> None:
        self._get_module_info = result
        self._store = wasmtime.Store(get_engine())
        with defer_interrupts():
            instance = wasmtime.Instance(self._store, module, [])
        exports = instance.exports(self._store)
        self._functions = {name: each for name, each in exports.items() if isinstance(each, wasmtime.Func)}
        self._called: dict[str, wasmtime.Func] = {}
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._behind = 0
        # A memory of up to 2 GiB never moves, because wasmtime reserves twice that address space.
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._words = (ctypes.c_int64 * (MOST_BYTES // 8)).from_address(self._base)
        self._stop_at: int = self.call("stop_at")

    @lazy_property
    def module_info(self) -> ModuleInfo:
        """Return the information about the module."""
        return self._get_module_info()

    # -- memory ------------------------------------------------------------------------------------

    def read(self, address: int, count: int) -> list[int]:
        """Return a number of words from an address on, which must be a multiple of eight."""
        first = address >> 3
        return self._words[first : first + count]

    def write(self, address: int, words: Sequence[int]) -> None:
        """Put words into memory."""
        first = address >> 3
        self._words[first : first + len(words)] = list(words)

    def take(self, address: int, size: int) -> bytes:
        """Return bytes from an address on."""
        return ctypes.string_at(self._base + address, size)

    def put(self, address: int, content: bytes) -> None:
        """Put bytes into memory."""
        ctypes.memmove(self._base + address, content, len(content))

    def place(self, address: int) -> int:
        """Return the address in this process of an address in the module. Only valid until the memory grows."""
        return self._base + address

    def get(self, name: str) -> int:
        """Return a global word of the current game by name."""
        return self.read(AT[name], 1)[0]

    def set(self, name: str, word: int) -> None:
        """Set a global word of the current game by name."""
        self.write(AT[name], (word,))

    def block(self, address: int) -> list[int]:
        """Return the words of a block."""
        count = self.read(address & 0xFFFFFFFF, 1)[0]
        return self.read((address & 0xFFFFFFFF) + 8, count)

    def keep(self, numbers: Iterable[int]) -> int:
        """Store numbers permanently after the constants of the ruleset, and return their address.

        Raises `MemoryError` if there is no space left.
        """
        words = list(numbers)
        at = self._behind = self._behind or self.module_info.layout.end
        if at + 8 * len(words) > STATE:
            raise MemoryError("too many different dice")
        self._behind += 8 * len(words)
        self.write(at, words)
        return at

    # -- calls -------------------------------------------------------------------------------------

    def call(self, name: str, *arguments: int) -> Any:
        """Call a function of the module.

        Raises `RulesFault` if the rules fail, `KeyboardInterrupt` if the host was stopped meanwhile, and
        `wasmtime.Trap` if the module fails in any other way.
        """
        function = self._called.get(name) or self._first_call(name)
        try:
            result = function(self._store, *arguments)
        except wasmtime.Trap as trap:
            raise self._fault(trap) from None
        if self.stopped:  # the result may be of an interrupted game
            raise KeyboardInterrupt
        return result

    def call_bots(self, name: str, *arguments: int) -> Any:
        """Call a function in which bots look ahead. The result is 1 if the rules failed in a state that a bot made up.

        Bots then continue at the next call. Raises the same exceptions as `call`.
        """
        function = self._called.get(name) or self._first_call(name)
        stack = self.call("stack_at")
        try:
            result = function(self._store, *arguments)
        except wasmtime.Trap as trap:
            if not self.stopped and self.read(AT["fault"], 1)[0]:
                self.call("stack_back", stack)
                if self.call("give_up"):
                    self.set("fault", 0)
                    return 1
            raise self._fault(trap) from None
        if self.stopped:
            raise KeyboardInterrupt
        return result

    def stop(self) -> None:
        """Make the running call in another thread, and all later calls, raise `KeyboardInterrupt`.

        A game that is about to begin may miss it: call it again until the call has stopped.
        """
        self.stopped = True
        # In games without pauses, decisions check only this limit.
        self.set("most_decisions", 0)
        self.write(self._stop_at, (1,))

    def _first_call(self, name: str) -> wasmtime.Func:
        """Return a function of the module with its type cached.

        The bindings ask for the type in every call, which takes as long as the rest.
        """
        function = self._functions[name]
        signature = function.type(self._store)
        simple_namespace = SimpleNamespace(params=signature.params, results=signature.results)
        function.type = lambda _: simple_namespace  # type: ignore[method-assign, assignment, return-value]
        self._called[name] = function
        return function

    def _fault(self, trap: wasmtime.Trap) -> BaseException:
        """Return the exception for a trap, and clear the fault in memory.

        It is `KeyboardInterrupt` if the host was stopped, `RulesFault` if the rules failed, and otherwise the trap
        itself.
        """
        reason, value, text, row = self.read(AT["fault"], 4)
        self.set("fault", 0)
        if self.stopped:
            return KeyboardInterrupt()
        if not reason:
            return trap
        rule = self.get("rule")
        ruleset = self.module_info.layout.ruleset
        where = ruleset.steps[rule] if rule > 0 else ruleset.procedures[self.module_info.order[-1 - rule]]
        return RulesFault(where, self._format_fault(reason, value, text, row))

    def _format_fault(self, reason: int, value: int, text: int, row: int) -> str:
        message, words, rows = FAULTS[reason], list(self.module_info.layout.words), self.module_info.layout.row_ids
        text_value = words[text] if "{text}" in message else ""
        where = rows[words[row >> 32]][row & 0xFFFFFFFF] if "{row}" in message else ""
        return message.format(text=text_value, value=value, row=where)


MOST_AT_HAND = 4
"""The number of recently used modules that a thread keeps. Each may need 254 MiB of memory."""


def share_per_thread(make: Callable[[Ruleset], T], host: Callable[[T], Host]) -> Callable[[Ruleset], T]:
    """Return a function that creates one `T` per ruleset and thread, and caches it.

    A running module releases the interpreter lock, so no other thread may access its memory. A `T` is created again
    if its host was stopped, or if too many other rulesets were used since.
    """
    weak_set: WeakSet[_OfThread[T]] = WeakSet()
    recent: _Recent[T] = _Recent()

    def of_thread(_: Ruleset) -> _OfThread[T]:
        of_thread: _OfThread[T] = _OfThread()
        weak_set.add(of_thread)
        return of_thread

    def forget() -> None:
        for each in list(weak_set):
            each.__dict__.clear()

    # wasmtime cannot free a module while Python shuts down, so free all before.
    atexit.register(forget)

    def get(ruleset: Ruleset) -> T:
        """Return the `T` of a ruleset for this thread, and drop the least recently used ones if there are too many."""
        own = ruleset.get_or_make(of_thread)
        result = own.value
        if result is None or host(result).stopped:
            result = own.value = make(ruleset)
        others = [other for each in recent.others if (other := each()) is not None and other is not own]
        recent.others = [ref(other) for other in (*others, own)]
        while len(recent.others) > MOST_AT_HAND:
            oldest = recent.others.pop(0)()
            if oldest is not None:
                oldest.value = None
        return result

    return get


class _OfThread(threading.local, Generic[T]):
    """The object that one thread has created for a ruleset."""

    value: T | None = None


class _Recent(threading.local, Generic[T]):
    """The objects that one thread has created for several rulesets, the most recently used last."""

    def __init__(self) -> None:
        self.others: list[ref[_OfThread[T]]] = []
