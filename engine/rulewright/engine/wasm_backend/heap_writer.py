"""The heap of a state. All of its blocks are written at once, because a call for each would be slow."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.wasm_backend.codegen.memory_layout import BLOCK
from rulewright.engine.wasm_backend.wasmtime_host import Host


class Heap:
    """Consecutive blocks of words from an address on."""

    def __init__(self, host: Host, start: int) -> None:
        self._host = host
        self._start = start
        self._words: list[int] = []

    def clear(self) -> None:
        """Remove all blocks."""
        self._words.clear()

    def make_block(self, words: Sequence[int]) -> int:
        """Return the word of a block of these words, which is in memory when the heap is `put` there."""
        at = self._start + 8 * len(self._words)
        self._words += (len(words), *words)
        return BLOCK | at

    def put(self) -> None:
        """Write all blocks to memory, at the start of an empty heap."""
        if self._words:
            # Allocate a single block of the total size, so that the memory and the heap grow as needed.
            self._host.call("new_block", len(self._words) - 1)
            self._host.write(self._start, self._words)
