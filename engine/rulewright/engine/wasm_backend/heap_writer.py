"""The heap of a state that is put into memory: all of its blocks at once, for a call costs more than most of them."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.wasm_backend.codegen.memory_layout import BLOCK
from rulewright.engine.wasm_backend.wasmtime_host import Host


class Heap:
    """Blocks of words, one behind the other from an address on."""

    def __init__(self, host: Host, start: int) -> None:
        self._host = host
        self._start = start
        self._words: list[int] = []

    def clear(self) -> None:
        """Begin anew."""
        self._words.clear()

    def make_block(self, words: Sequence[int]) -> int:
        """Return the word of a block of these words, which is in memory when the heap is `put` there."""
        at = self._start + 8 * len(self._words)
        self._words += (len(words), *words)
        return BLOCK | at

    def put(self) -> None:
        """Write all blocks to memory, at the start of an empty heap."""
        if self._words:
            # One block of that length: the memory becomes large enough for it, and its end the end of the heap.
            self._host.call("new_block", len(self._words) - 1)
            self._host.write(self._start, self._words)
