"""A ruleset in the cache: what playing needs is unpacked at once, what only readers ask for when they first do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from threading import Lock
from typing import Any

from rulewright.ruleset.cache.fingerprint import steady
from rulewright.ruleset.cache.folder import read, write
from rulewright.ruleset.cache.packed import UnpackError, pack, unpack
from rulewright.ruleset.layers.history import History
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode

_AT_ONCE = (
    *("reference", "title", "about", "version", "status", "digest", "players", "start", "evaluate", "simulations"),
    *("measures", "declarations", "procedures", "steps", "warnings"),
)
"""The parts of a ruleset that a game needs, in one piece because they share what they are made of."""

_LATER = tuple(field.name for field in fields(Ruleset) if field.name not in _AT_ONCE)
"""All others: the resolved tree, and mappings that share its nodes. They are most of the bytes."""


def store(key: str, ruleset: Ruleset) -> None:
    """Keep a ruleset. One that cannot be packed is not kept: the rules are read again next time."""
    if not steady():
        return
    try:
        first = pack({name: getattr(ruleset, name) for name in _AT_ONCE})
        later = pack({name: getattr(ruleset, name) for name in _LATER})
    except Exception:  # what pickle raises may be anything, from a depth to a type
        return
    write(key, len(first).to_bytes(8, "big") + first + later)


def stored(key: str, again: Callable[[], Ruleset]) -> Ruleset | None:
    """The ruleset that was kept under `key`, if there is one. `again` loads it from its rules."""
    content = read(key)
    if content is None:
        return None
    size = 8 + int.from_bytes(content[:8], "big")
    try:
        first = unpack(content[8:size])
        later = _Later(content[size:], again)
        parts: dict[str, Any] = {name: _Entries(later, name) for name in _LATER} | {"resolved": _Resolved(later)}
        return Ruleset(**first, **parts)
    except (UnpackError, TypeError):
        return None


class _Later:
    """The parts that are not unpacked yet."""

    def __init__(self, packed: bytes, again: Callable[[], Ruleset]) -> None:
        self._packed = packed
        self._again = again
        self._parts: Mapping[str, Any] | None = None
        self._lock = Lock()

    def part(self, name: str) -> Any:
        with self._lock:
            if self._parts is None:
                try:
                    parts = unpack(self._packed)
                    self._parts = {part: parts[part] for part in _LATER}
                except (UnpackError, TypeError, KeyError):
                    ruleset = self._again()
                    self._parts = {part: getattr(ruleset, part) for part in _LATER}
                self._packed = b""
        return self._parts[name]


class _Entries(Mapping[str, Any]):
    """A mapping that is unpacked when it is first looked into."""

    def __init__(self, later: _Later, name: str) -> None:
        self._later = later
        self._name = name

    def __getitem__(self, key: str) -> Any:
        return self._later.part(self._name)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._later.part(self._name))

    def __len__(self) -> int:
        return len(self._later.part(self._name))


class _Resolved(Resolved):
    """A resolved tree that is unpacked when something of it is first asked for."""

    __slots__ = ("_later",)
    _later: _Later

    def __init__(self, later: _Later) -> None:
        object.__setattr__(self, "_later", later)

    @property
    def manifest(self) -> MappingNode:
        return self.whole.manifest

    @property
    def rules(self) -> MappingNode:
        return self.whole.rules

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.whole.layers

    @property
    def history(self) -> History:
        return self.whole.history

    @property
    def whole(self) -> Resolved:
        """The tree itself."""
        whole: Resolved = self._later.part("resolved")
        return whole
