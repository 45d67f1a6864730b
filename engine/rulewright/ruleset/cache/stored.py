"""A ruleset in the cache: what playing needs is unpacked at once, what only readers ask for when they first do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import Any

from rulewright.ruleset.cache.fingerprint import steady
from rulewright.ruleset.cache.folder import read, write
from rulewright.ruleset.cache.packed import UnpackError, pack, unpack
from rulewright.ruleset.layers.history import History
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import sections
from rulewright.source.nodes import Mapping as MappingNode

_AT_ONCE = (
    *("reference", "title", "about", "version", "status", "digest", "players", "start", "evaluate", "simulations"),
    *("declarations", "steps", "warnings"),
)
"""The parts of a ruleset that a game needs, in one piece because they share what they are made of."""

_RESOLVED = "resolved"
"""The resolved tree. It is unpacked later, with the sections that share its nodes: they are most of the bytes."""


def store(key: str, ruleset: Ruleset) -> None:
    """Keep a ruleset. One that cannot be packed is not kept: the rules are read again next time."""
    if not steady():
        return
    try:
        parts, played, told = _first(ruleset)
        first, later = pack((parts, played, told)), pack(_later(ruleset, told))
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
        parts, played, told = unpack(content[8:size])
        later = _Later(content[size:], told, again)
        entries = {**played, **{name: _Entries(later, name) for name in told}}
        return Ruleset(**parts, sections=entries, resolved=_Resolved(later))
    except (UnpackError, TypeError, ValueError):
        return None


def _first(ruleset: Ruleset) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """The parts of a ruleset that are unpacked at once, those of its sections, and the names of the other sections."""
    played = {name: found for name, found in ruleset.sections.items() if sections()[name].at_once}
    told = tuple(name for name in ruleset.sections if name not in played)
    return {name: getattr(ruleset, name) for name in _AT_ONCE}, played, told


def _later(ruleset: Ruleset, told: Iterable[str]) -> dict[str, Any]:
    """The parts of a ruleset that are unpacked later."""
    return {_RESOLVED: ruleset.resolved} | {name: ruleset.sections[name] for name in told}


class _Later:
    """The parts that are not unpacked yet: the resolved tree, and the sections that are only `told`."""

    def __init__(self, packed: bytes, told: Iterable[str], again: Callable[[], Ruleset]) -> None:
        self._packed = packed
        self._told = tuple(told)
        self._again = again
        self._parts: Mapping[str, Any] | None = None
        self._lock = Lock()

    def part(self, name: str) -> Any:
        with self._lock:
            if self._parts is None:
                try:
                    parts = unpack(self._packed)
                    self._parts = {part: parts[part] for part in (_RESOLVED, *self._told)}
                except (UnpackError, TypeError, KeyError):
                    self._parts = _later(self._again(), self._told)
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
        whole: Resolved = self._later.part(_RESOLVED)
        return whole
