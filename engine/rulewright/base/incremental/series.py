"""What has changed between the states of a series, such as the rules of an edition after each edit.

Thousands of results may have read the same few hundred things. So each state is compared with the one before only once,
read by read, and the reads that came out otherwise become a bit mask. A result that was valid before is still valid if
the mask of its reads has no bit of that one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Protocol
from weakref import ref

from rulewright.base.incremental.reads import Read

MOST_STATES = 32
"""The number of states back to which a series knows the changes."""

MOST_READS = 100_000
"""The maximum number of reads that a series compares. After that, it begins anew."""

_EVERY_READ = -1
"""The mask with all bits."""


class DigestSource(Protocol):
    """One state of everything that computations read. It does not change while it is used."""

    @property
    def series(self) -> Hashable:
        """The name of the series of states that this one continues."""

    def get_digest(self, read: Read) -> str:
        """Return a digest of what `read` names. It is equal only for equal content."""

    def is_plain(self, read: Read) -> bool:
        """Return whether `get_digest` has one answer for a read in this state, computed without other reads.

        It must also have one for a plain read of something that no longer exists.
        """


class StateSeries:
    """The digests of one state after the other. `revision` counts the states, and masks before `_first` are void."""

    def __init__(self) -> None:
        self.revision = 0
        self._source: Callable[[], DigestSource | None] = lambda: None
        """The latest state, which lives no longer for being the latest."""
        self._bits: dict[Read, int] = {}
        self._digests: dict[Read, str] = {}
        self._first = 0
        self._changes: deque[int] = deque(maxlen=MOST_STATES)
        """The masks of the changes that led to the latest revisions."""

    def move_to(self, source: DigestSource) -> None:
        """Make `source` the latest state, unless it is, and compare it with the one before."""
        if source is self._source():
            return
        self._source = ref(source)
        self.revision += 1
        if len(self._bits) > MOST_READS:
            self._bits.clear()
            self._digests.clear()
            self._first = self.revision
        self._changes.append(_EVERY_READ)  # until the comparison is complete
        before, changed = list(self._digests.items()), 0
        for read, digest in before:
            now = source.get_digest(read)
            if now != digest:
                changed |= self._bits[read]
                self._digests[read] = now
        self._changes[-1] = changed

    def make_mask(self, reads: Iterable[tuple[Read, str]]) -> int:
        """Return the mask of reads that have these digests in the latest state, and watch them from now on."""
        mask = 0
        for read, digest in reads:
            bit = self._bits.get(read)
            if bit is None:
                bit = self._bits[read] = 1 << len(self._bits)
            self._digests[read] = digest
            mask |= bit
        return mask

    def has_changed(self, mask: int, since: int) -> bool:
        """Return whether reads may have changed since a revision in which they were watched."""
        ago = self.revision - since
        if since < self._first or ago > len(self._changes):
            return True
        return any(self._changes[-each] & mask for each in range(1, ago + 1))
