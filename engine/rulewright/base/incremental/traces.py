"""Results that are reused while everything they have read is the same.

The result of a computation is stored as a `Trace`: with what it read, in order, and the digest of each. A trace is
valid for a state of the sources if every read still has its digest. Build systems call this a verifying trace. Because
digests are compared, and not times, a change that is taken back makes old results valid again, and a read that comes
out the same affects nothing that depends on it.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from rulewright.base.incremental.reads import Read, note_reads, record_reads
from rulewright.base.incremental.series import DigestSource, StateSeries

T = TypeVar("T")

Key = tuple[str, *tuple[Hashable, ...]]
"""The name of a computation: its kind, and what it is about."""

MOST_KEYS = 20_000
"""The maximum number of computations with stored results. The least recently used are dropped first."""

MOST_TRACES = 4
"""The maximum number of results stored of one computation, the latest first."""

MOST_SERIES = 32
"""The maximum number of series of states whose changes are known."""

MOST_TABLES = 16
"""The maximum number of tables that are kept."""


@dataclass(slots=True, eq=False)
class Trace:
    """A result, with everything its computation read and the digests at that time.

    It was last found to be valid at a revision of a series of states. `mask` is that of its plain reads there, and
    `others` are its other reads.
    """

    reads: tuple[tuple[Read, str], ...]
    value: Any
    series: StateSeries | None = None
    revision: int = 0
    mask: int = 0
    others: tuple[tuple[Read, str], ...] = ()


class Traces:
    """The stored results of computations by key.

    `work` counts the computations that were done by kind. Not for several threads at once.
    """

    def __init__(self, *, most: int = MOST_KEYS) -> None:
        self._most = most
        self._traces: OrderedDict[Hashable, tuple[Trace, ...]] = OrderedDict()
        self._tables: OrderedDict[Hashable, Any] = OrderedDict()
        self._series: OrderedDict[Hashable, StateSeries] = OrderedDict()
        self.work: Counter[str] = Counter()

    def share(self) -> Traces:
        """Return traces with the same results, for states that change apart from those here.

        Results of either are found by the other. Only one of them may be used at a time.
        """
        other = Traces(most=self._most)
        other._join(self)
        return other

    def _join(self, other: Traces) -> None:
        self._traces, self._tables, self.work = other._traces, other._tables, other.work

    def fetch(
        self,
        key: Key,
        sources: DigestSource,
        compute: Callable[[], T],
        *,
        keep: Callable[[T], bool] = lambda _: True,
        fits: Callable[[T], bool] = lambda _: True,
    ) -> T:
        """Return the result of a computation, from a trace if one is valid for `sources`, or else computed now.

        `compute` must depend only on `key` and on what it notes as read. A result is stored if `keep` returns True for
        it, and must not be changed afterwards. A stored one is used only if `fits` returns True for it.
        """
        trace = self.find(key, sources)
        if trace is not None and fits(trace.value):
            return trace.value  # type: ignore[no-any-return]
        self.work[key[0]] += 1
        with record_reads() as reads:
            value = compute()
        if keep(value):
            self.add(key, reads, sources, value)
        return value

    def keeps(self, kind: str) -> bool:
        """Return whether results of this kind of computation are stored."""
        return True

    def find(self, key: Hashable, sources: DigestSource) -> Trace | None:
        """Return a stored trace of a computation that is valid for `sources`, or None. Notes its reads."""
        traces = self._traces.get(key, ())
        if not traces:
            return None
        series = self._open_series(sources)
        for trace in traces:
            if _is_valid(trace, sources, series):
                self._traces.move_to_end(key)
                if trace is not traces[0]:
                    self._traces[key] = (trace, *(each for each in traces if each is not trace))
                note_reads(read for read, _ in trace.reads)
                return trace
        return None

    def add(self, key: Hashable, reads: Iterable[Read], sources: DigestSource, value: Any) -> None:
        """Store the result of a computation that has read `reads` of `sources`, and drop what exceeds the limits.

        The value must not be changed afterwards.
        """
        trace = Trace(tuple((read, sources.get_digest(read)) for read in reads), value)
        _mark_valid(trace, sources, self._open_series(sources))
        others = [each for each in self._traces.pop(key, ()) if each.reads != trace.reads]
        self._traces[key] = (trace, *others[: MOST_TRACES - 1])
        while len(self._traces) > self._most:
            self._traces.popitem(last=False)

    def open_table(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return a table that is kept with the traces, for values that depend on its key and theirs alone.

        It is made on first use, and again after others have been used more recently. It must not grow without limit.
        """
        table: T = self._tables.pop(key) if key in self._tables else make()
        self._tables[key] = table
        while len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
        return table

    def _open_series(self, sources: DigestSource) -> StateSeries:
        """Return the series that a state continues, and make this state its latest."""
        series = self._series.pop(sources.series, None) or StateSeries()
        self._series[sources.series] = series
        while len(self._series) > MOST_SERIES:
            self._series.popitem(last=False)
        series.move_to(sources)
        return series

    def __iter__(self) -> Iterator[tuple[Hashable, Trace]]:
        """Yield every stored trace with its key, the least recently used key first."""
        for key, traces in self._traces.items():
            for trace in reversed(traces):
                yield key, trace


def _is_valid(trace: Trace, sources: DigestSource, series: StateSeries) -> bool:
    """Return whether everything that a trace has read has the same digest in the latest state of a series.

    If so, the trace remembers that it was valid in this state, which makes the next check faster.
    """
    if trace.series is series and not series.has_changed(trace.mask, trace.revision):
        if not all(sources.get_digest(read) == digest for read, digest in trace.others):
            return False
        trace.revision = series.revision
        return True
    # Keep the order of the reads, because an earlier value may determine what to read next.
    if not all(sources.get_digest(read) == digest for read, digest in trace.reads):
        return False
    _mark_valid(trace, sources, series)
    return True


def _mark_valid(trace: Trace, sources: DigestSource, series: StateSeries) -> None:
    """Note that a trace is valid in the latest state of a series."""
    trace.series, trace.revision = series, series.revision
    trace.mask = series.make_mask(each for each in trace.reads if sources.is_plain(each[0]))
    trace.others = tuple(each for each in trace.reads if not sources.is_plain(each[0]))


class NoTraces(Traces):
    """Traces that store nothing, for a single check: it computes everything, and records no reads."""

    def keeps(self, kind: str) -> bool:
        return False

    def fetch(
        self,
        key: Key,
        sources: DigestSource,
        compute: Callable[[], T],
        *,
        keep: Callable[[T], bool] = lambda _: True,
        fits: Callable[[T], bool] = lambda _: True,
    ) -> T:
        return compute()
