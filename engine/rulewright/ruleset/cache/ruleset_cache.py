"""Cache rulesets and manifests, and pickle rulesets.

What a game needs is unpacked at once. The rest when it is first read.
"""

from __future__ import annotations

import copyreg
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakValueDictionary

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once
from rulewright.ruleset.cache.fingerprint import build_key, is_program_unchanged
from rulewright.ruleset.cache.safe_unpickling import UnpackError, pack, unpack
from rulewright.ruleset.cache.storage import is_storing, read, write
from rulewright.ruleset.editions.edition import MANIFEST, BrokenEdition, Edition, read_edition
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.value_origins import ValueHistory
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.digest import RulesDigests
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.source_map import SOURCES

_DIGESTS = "digests"

_AT_ONCE = (
    *("reference", "title", "about", "version", "status", _DIGESTS),
    *("players", "start", "payoff", "evaluate", "simulations"),
    *("declarations", "steps", "warnings"),
)
"""The attributes of a ruleset that a game needs, packed together because they share objects."""

MOST_AT_HAND = 16
"""The maximum number of unpacked rulesets that a process keeps in memory; the least recently used is dropped."""

AT_HAND: dict[bytes, Ruleset] = {}
"""The unpacked rulesets by the content of their file, most recently used last."""

_LOCK = Lock()

_RESOLVED = "resolved"
"""The key of the merged rules, which are unpacked on demand along with the sections that share their nodes."""


def store(key: str, ruleset: Ruleset) -> None:
    """Store a ruleset in the cache, replacing an earlier one of the same key.

    Does nothing if the ruleset cannot be pickled or written, or if the program has changed since it started.
    """
    if not is_program_unchanged():
        return
    try:
        parts, played, later_names = split_first_parts(ruleset)
        first, later = pack((parts, played, later_names)), pack(_later(ruleset, later_names))
    except Exception:  # pickle may raise almost anything, such as RecursionError or TypeError
        return
    write(key, len(first).to_bytes(8, "big") + first + later)


def load_stored(key: str, again: Callable[[], Ruleset]) -> Ruleset | None:
    """Return the ruleset stored for `key`, or None if there is none or the file is invalid.

    Returns the same object again for the same content, for the last `MOST_AT_HAND` rulesets. `again` loads the
    ruleset from its rules, in case parts that are unpacked later turn out to be invalid. Thread-safe.
    """
    content = read(key)
    if content is None:
        return None
    with _LOCK:
        stored = AT_HAND.pop(content, None) or _unpack(content, again)
        if stored is not None:
            AT_HAND[content] = stored
            while len(AT_HAND) > MOST_AT_HAND:
                del AT_HAND[next(iter(AT_HAND))]
    return stored


def _unpack(content: bytes, again: Callable[[], Ruleset]) -> Ruleset | None:
    """Return the ruleset in stored bytes, or None if they are invalid.

    Most of it is unpacked later, or loaded by `again`.
    """
    size = 8 + int.from_bytes(content[:8], "big")
    try:
        parts, played, later_names = unpack(content[8:size])
        later = _Later(content[size:], later_names, again)
        entries = {**played, **{name: _Entries(later, name) for name in later_names}}
        return _from_parts({**parts, "sections": entries, _RESOLVED: _Resolved(later)})
    except (UnpackError, TypeError, ValueError):
        return None


def split_first_parts(ruleset: Ruleset) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """Return the attributes and sections that are unpacked at once, and the names of the other sections."""
    played = {name: result for name, result in ruleset.sections.items() if load_sections()[name].at_once}
    later_names = tuple(name for name in ruleset.sections if name not in played)
    return {name: _get_part(ruleset, name) for name in _AT_ONCE}, played, later_names


def _get_part(ruleset: Ruleset, name: str) -> Any:
    """Return an attribute of a ruleset in the form in which it is packed: without functions, and whole."""
    part = getattr(ruleset, name)
    if name == _DIGESTS:
        return part()
    return getattr(part, "whole", part) if name == _RESOLVED else part


def _from_parts(parts: dict[str, Any]) -> Ruleset:
    """Return the ruleset with these packed attributes. Raises `TypeError` if they are those of another version."""
    digests = parts.get(_DIGESTS)
    if not isinstance(digests, RulesDigests):
        raise TypeError("these are no digests")
    return Ruleset(**{**parts, _DIGESTS: lambda: digests})


def _later(ruleset: Ruleset, names: Iterable[str]) -> dict[str, Any]:
    """Return the parts of a ruleset that are unpacked on demand."""
    return {_RESOLVED: ruleset.resolved} | {name: ruleset.sections[name] for name in names}


class _Later:
    """The parts that are unpacked on demand: the merged rules, and the sections in `told`."""

    def __init__(self, packed: bytes, names: Iterable[str], again: Callable[[], Ruleset]) -> None:
        self._packed = packed
        self._names = tuple(names)
        self._again = again
        self._parts: Mapping[str, Any] | None = None
        self._lock = Lock()

    def part(self, name: str) -> Any:
        """Return a part by name. The first call unpacks all of them. Thread-safe.

        If the bytes are invalid, the first call loads the whole ruleset again instead, which may raise
        `DiagnosticError`. Raises `KeyError` for an unknown name.
        """
        with self._lock:
            if self._parts is None:
                try:
                    parts = unpack(self._packed)
                    self._parts = {part: parts[part] for part in (_RESOLVED, *self._names)}
                except (UnpackError, TypeError, KeyError):
                    self._parts = _later(self._again(), self._names)
                self._packed = b""
        return self._parts[name]


class _Entries(Mapping[str, Any]):
    """A mapping that is unpacked on first use."""

    def __init__(self, later: _Later, name: str) -> None:
        self._later = later
        self._name = name

    def __getitem__(self, key: str) -> Any:
        return self._later.part(self._name)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._later.part(self._name))

    def __len__(self) -> int:
        return len(self._later.part(self._name))


class _Resolved(ResolvedRules):
    """Merged rules that are unpacked on first use."""

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
    def history(self) -> ValueHistory:
        return self.whole.history

    @property
    def whole(self) -> ResolvedRules:
        """The unpacked merged rules."""
        whole: ResolvedRules = self._later.part(_RESOLVED)
        return whole


_PACKED: WeakKeyDictionary[Ruleset, bytes] = WeakKeyDictionary()
_READ: WeakValueDictionary[bytes, Ruleset] = WeakValueDictionary()


def reduce_ruleset(ruleset: Ruleset) -> tuple[Any, tuple[bytes]]:
    """Return the function and arguments by which pickle rebuilds a ruleset.

    Parts of a cached ruleset that are still packed are unpacked for it. The bytes are kept for the ruleset's lifetime.
    Raises what `pack` raises.
    """
    packed = _PACKED.get(ruleset)
    if packed is None:
        parts = {field.name: _get_part(ruleset, field.name) for field in fields(Ruleset) if field.init}
        packed = _PACKED[ruleset] = pack(parts)
    return unpickle_ruleset, (packed,)


def unpickle_ruleset(packed: bytes) -> Ruleset:
    """Return the ruleset in the bytes; the same object for equal bytes while it is alive.

    Raises `RulewrightError` if this version of the program cannot read it.
    """
    key = hashlib.sha256(packed).digest()
    ruleset = _READ.get(key)
    if ruleset is None:
        try:
            ruleset = _from_parts(unpack(packed))
        except (UnpackError, TypeError) as error:
            raise RulewrightError(f"this pickle has no ruleset that this version can read: {error}") from error
        _READ[key] = ruleset
    return ruleset


copyreg.pickle(Ruleset, reduce_ruleset)


class EditionReader(Protocol):
    """A function that returns the edition in a folder. `entry` is the position of the folder in the search path."""

    def __call__(self, folder: Path, *, entry: int = 0) -> Edition | BrokenEdition: ...


def make_edition_reader() -> EditionReader:
    """Return a function that reads editions through the cache, for one search for them.

    Whether the program has changed is only asked once: whatever reads a manifest was imported before the first one.
    """
    return partial(_read_cached_edition, compute_once(is_program_unchanged))


def _read_cached_edition(may_store: Callable[[], bool], folder: Path, *, entry: int = 0) -> Edition | BrokenEdition:
    """Return the edition in `folder` as `read_edition` does, from the cache if its manifest has not changed.

    Stores an edition that was not cached, and registers the manifest's text in `SOURCES`. A `BrokenEdition` is
    returned but never cached.
    """
    if not is_storing():
        return read_edition(folder, entry=entry)
    path = folder / MANIFEST
    try:
        text = read_bytes_as_text(path)
    except DiagnosticError:
        return read_edition(folder, entry=entry)
    SOURCES.remember(os.fspath(path), text)
    key = build_key("manifest", os.fspath(folder), str(entry), text)
    saved = read(key)
    if saved is not None:
        try:
            return _edition_in(saved)
        except UnpackError:
            pass
    edition = read_edition(folder, entry=entry)
    # The manifest may have changed between the two reads, so its text is compared once more.
    if isinstance(edition, Edition) and _text(path) == text and may_store():
        write(key, pack(edition))
    return edition


@lru_cache(maxsize=1_000)
def _edition_in(packed: bytes) -> Edition:
    """Return the edition in the bytes. Cached. Raises `UnpackError`."""
    edition = unpack(packed)
    if not isinstance(edition, Edition):
        raise UnpackError("it contains something else")
    return edition


def _text(path: Path) -> str | None:
    try:
        return read_bytes_as_text(path)
    except DiagnosticError:
        return None
