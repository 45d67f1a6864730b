"""Results of checks on disk, entry by entry, so that a check after an edit does only what the edit touches.

Everything is compared by content. So another copy of the rules starts where the last one ended, on another Python, too.
Results that contain anything but plain data, or have read files, are not stored.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import isclass
from typing import Any

from rulewright.base.incremental.reads import Read
from rulewright.base.incremental.series import DigestSource
from rulewright.base.incremental.traces import NoTraces, Trace, Traces
from rulewright.ruleset.cache.fingerprint import digest_program, is_program_unchanged
from rulewright.ruleset.cache.storage import is_storing, read, write
from rulewright.ruleset.cache.stored_results import build_content_key
from rulewright.ruleset.cache.stored_values import reuse_values

_NAMED = "named"
"""The tag of a class of the program, with its module and name."""

_MAPPED = "mapped"
"""The tag of a mapping, with its keys and values."""

_PACKAGE = "rulewright."

_SPARE = 1_000_000
"""The number of bytes of values that are kept without being used, such as those of the last edit."""

_NO_DATA = frozenset({"procedure", "section", "declarations", "ruleset"})
"""The kinds of computations whose results are no plain data."""


class StoredTraces(Traces):
    """Traces that begin with those on disk of the last check of the same name.

    A damaged file counts as empty. Call `save` at the end to store the traces that were used. They are added to those
    of a longer task, `beside` which they are used, if there is one.
    """

    def __init__(
        self, name: Sequence[str], identify: Callable[[], str] = digest_program, *, beside: Traces | None = None
    ) -> None:
        super().__init__()
        self._is_alone = beside is None
        if beside is not None:
            self._join(beside)
        self._identify, self._program = identify, identify()
        self._key = build_content_key(["traces", *name, self._program])
        self._used: dict[tuple[Hashable, int], Trace] = {}
        self._plain: dict[Trace, str] = {}
        """The traces from disk, with their keys and values as JSON."""
        self._is_new = False
        with suppress(ValueError, TypeError, LookupError, AttributeError, ImportError):
            for key, trace in [*self._load(json.loads(read(self._key) or b"null"))]:
                self._traces[key] = (*self._traces.get(key, ()), trace)

    def keeps(self, kind: str) -> bool:
        return not self._is_alone or kind not in _NO_DATA

    def find(self, key: Hashable, sources: DigestSource) -> Trace | None:
        trace = super().find(key, sources)
        if trace is not None:
            self._used[key, id(trace)] = trace
        return trace

    def add(self, key: Hashable, reads: Iterable[Read], sources: DigestSource, value: Any) -> None:
        super().add(key, reads, sources, value)
        trace = self._traces[key][0]
        self._used[key, id(trace)] = trace
        self._is_new = True

    def save(self) -> None:
        """Store the traces that were used, unless all of them were on disk already."""
        if not self._is_new or not is_storing() or not is_program_unchanged() or self._identify() != self._program:
            return
        places: dict[tuple[Read, str], int] = {}
        traces = []
        for (key, _), trace in self._used.items():
            try:
                plain = self._plain.get(trace) or json.dumps([_encode(key), _encode(trace.value)])
            except TypeError:
                continue
            if not any(isinstance(each, tuple) and each[0] in ("file", "whole") for each, _ in trace.reads):
                traces.append([plain, [places.setdefault(each, len(places)) for each in trace.reads]])
        table = [[_encode(each), digest] for each, digest in places]
        write(self._key, json.dumps({"reads": table, "traces": traces}).encode())

    def _load(self, stored: Any) -> Iterator[tuple[Hashable, Trace]]:
        """Yield the traces in stored data with their keys. Raises various exceptions for another format."""
        if stored is None:
            return
        table = [(_decode(each), str(digest)) for each, digest in stored["reads"]]
        for plain, places in stored["traces"]:
            key, value = map(_decode, json.loads(plain))
            trace = Trace(tuple(table[place] for place in places), value)
            self._plain[trace] = plain
            yield key, trace


@contextmanager
def open_traces(*name: str, identify: Callable[[], str] = digest_program, spare: int = _SPARE) -> Iterator[Traces]:
    """Yield the traces on disk of this name, and store those that were used at the end. Empty if the cache is off.

    Values that the block reads from texts, such as the nodes of a file, are stored, too. `identify` and `spare` are
    those of `reuse_values`. After an exception in the block, nothing is stored.
    """
    if not is_storing():
        yield NoTraces()
        return
    traces = StoredTraces(name, identify)
    with reuse_values(["traces", *name], identify, spare=spare):
        yield traces
    traces.save()


def _encode(value: Any) -> Any:
    """Return a value as JSON data. Raises `TypeError` if it is not plain."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple | list | frozenset):
        return [_encode(each) for each in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, Mapping):
        return {_MAPPED: [[_encode(key), _encode(each)] for key, each in value.items()]}
    if isclass(value) and value.__module__.startswith(_PACKAGE):
        return {_NAMED: [value.__module__, value.__qualname__]}
    raise TypeError(f"{type(value).__name__} is not plain data")


def _decode(data: Any) -> Any:
    """Return the value that was encoded, with tuples for all lists.

    Raises `LookupError` for a class that is not allowed.
    """
    if isinstance(data, list):
        return tuple(_decode(each) for each in data)
    if isinstance(data, dict):
        if _MAPPED in data:
            return {_decode(key): _decode(each) for key, each in data[_MAPPED]}
        module, name = data[_NAMED]
        return _find_class(module, name)
    return data


def _find_class(module: str, name: str) -> Any:
    """Return a class of this program. Raises `LookupError` for anything else."""
    result = getattr(sys.modules.get(module) or import_module(module), name) if module.startswith(_PACKAGE) else None
    if not isclass(result):
        raise LookupError(name)
    return result
