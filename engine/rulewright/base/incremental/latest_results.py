"""Results about the latest versions of many things, such as the nodes of each file's latest texts.

A cache that only counts results would fill with versions of the one file that is edited.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

MOST_VERSIONS = 4
"""The number of versions of one thing whose results are kept. Traces keep as many results of one computation."""

MOST_NAMES = 256
"""The number of things whose results are kept. The least recently used are dropped first."""


class LatestResults(Generic[P, T]):
    """A function that depends on nothing but its arguments, with its results about the latest versions of each thing.

    `find_name` returns the name of the thing that some arguments are about.
    """

    def __init__(self, function: Callable[P, T], find_name: Callable[P, Hashable]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._find_name = find_name
        self._results: dict[Hashable, dict[Hashable, T]] = {}
        self._lock = Lock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        name, version = self._find_name(*args, **kwargs), (args, *kwargs.items())
        with self._lock:
            results = self._results.get(name, {})
            if version in results:
                return self._use(name, version, results[version])
        result = self._function(*args, **kwargs)  # may call itself, or take long
        with self._lock:
            return self._use(name, version, result)

    def _use(self, name: Hashable, version: Hashable, result: T) -> T:
        """Make a result the latest, drop what exceeds the limits, and return the result."""
        results = self._results.pop(name, {})
        results.pop(version, None)
        results[version] = result
        self._results[name] = results
        if len(results) > MOST_VERSIONS:
            del results[next(iter(results))]
        if len(self._results) > MOST_NAMES:
            del self._results[next(iter(self._results))]
        return result

    def cache_clear(self) -> None:
        """Drop all results."""
        with self._lock:
            self._results.clear()


def keep_latest(find_name: Callable[P, Hashable]) -> Callable[[Callable[P, T]], LatestResults[P, T]]:
    """Keep the results of a function for the latest versions of each thing. Used as a decorator.

    The arguments must be hashable. An exception is raised again by each call.
    """
    return lambda function: LatestResults(function, find_name)
