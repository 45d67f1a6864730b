"""Digests of what rules say, without their positions in files.

The digest of a value covers everything that it holds, and which layer wrote it. Two values with the same digest are
interchangeable, except for the positions that errors report and the numbers of steps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import count
from operator import attrgetter
from types import FunctionType, MappingProxyType
from typing import Any
from weakref import ref

from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.source.nodes import Entry, Mapping, Scalar, Sequence
from rulewright.source.span import Span

_LEFT_OUT: dict[type, tuple[str, ...]] = {Step: ("number", "container", "place"), Block: ("owner",)}
"""The fields that only say where something is, in the whole ruleset or in the steps around it."""

_PLACED: dict[type, tuple[str, ...]] = {Scalar: ("raw", "style")}
"""The fields that say where something is in a file. Digests that cover positions cover them, too."""

_DESCRIPTION = "means"
"""The name of descriptions, in the objects that have a field for them, and among the `words` of others."""

_UNIQUE = count()

_SHARED = (Mapping, Sequence, Procedure)
"""The types of objects that several rulesets may share, if they read the same files."""

_WORDS = "words"
"""The name of fields that may hold a description among other words."""

Digest = tuple[bytes, bytes]
"""The digest of everything but descriptions, and that of the descriptions, which is empty if there are none."""


class _Address(ref[Any]):
    """A weak reference to an object with its address."""

    __slots__ = ("address",)

    address: int


class KnownDigests:
    """The digests of objects, which are forgotten together with the objects, and those of the latest entries."""

    __slots__ = ("_results", "latest")

    def __init__(self) -> None:
        self._results: dict[int, tuple[_Address, Digest]] = {}
        self.latest: dict[Hashable, tuple[Any, Digest]] = {}
        """The latest object of each entry with its digest. The next ruleset may have the same object."""

    def get(self, value: Any) -> Digest | None:
        """Return the digest of an object, or None if it is unknown."""
        known = self._results.get(id(value))
        return None if known is None else known[1]

    def put(self, value: Any, digest: Digest) -> None:
        """Store the digest of an object of a type that weak references can refer to."""
        address = _Address(value, self._forget)
        address.address = id(value)
        self._results[address.address] = address, digest

    def _forget(self, reference: Any) -> None:
        self._results.pop(reference.address, None)


@dataclass(frozen=True, slots=True)
class _Fields:
    """What a digest covers of the objects of a type: its name, and the fields, those with descriptions apart."""

    type: bytes
    read: Callable[[Any], tuple[Any, ...]]
    has_description: bool
    has_words: bool


@cache
def _list_fields(kind: type, placed: bool) -> _Fields:
    """Return the fields of a type that a digest covers. With `placed`, they include those that hold positions."""
    left_out = (*_LEFT_OUT.get(kind, ()), *(() if placed else _PLACED.get(kind, ())))
    names = [each.name for each in fields(kind) if each.name not in left_out]
    plain = [name for name in names if name not in (_DESCRIPTION, _WORDS)]
    # For several names, it returns a tuple, and is faster than any loop.
    read = attrgetter(*plain) if len(plain) > 1 else lambda value: tuple(getattr(value, name) for name in plain)
    return _Fields(f"d{_name_type(kind)}:".encode(), read, _DESCRIPTION in names, _WORDS in names)


@cache
def _is_record(kind: type) -> bool:
    return is_dataclass(kind)


def _name_type(kind: type | FunctionType) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


class ContentDigests:
    """The digests of the values of one ruleset. Values that occur several times are read once.

    Of a position, they cover what `place` returns for its file, or the whole position without it. `shared` has
    the digests that others with an equal `place` have computed of objects that rulesets share, and gets those computed
    here.
    """

    def __init__(self, place: Callable[[str], str] | None = None, *, shared: KnownDigests | None = None) -> None:
        self._place = place
        self._places: dict[str, bytes] = {}
        self._shared = KnownDigests() if shared is None else shared
        self._known: dict[int, tuple[Any, Digest]] = {}
        """The digests of other objects, with the objects, so that no other can have the same address."""

    def compute(self, value: Any) -> str:
        """Return the digest of a value.

        If the value holds something of an unknown type, the digest differs from all others.
        """
        content, descriptions = self._digest(value)
        return (content + descriptions).hex()

    def compute_in_play(self, value: Any) -> str:
        """Return the digest of a value without its descriptions, which no game shows."""
        return self._digest(value)[0].hex()

    def compute_entry(self, name: Hashable, value: Any, *, in_play: bool) -> str:
        """Return the digest of the value of an entry with a name, `in_play` without its descriptions."""
        object_, digest = self._shared.latest.get(name, (None, (b"", b"")))
        if object_ is not value:
            digest = self._digest(value)
            self._shared.latest[name] = value, digest
        content, descriptions = digest
        return content.hex() if in_play else (content + descriptions).hex()

    def _digest(self, value: Any) -> Digest:
        parts: list[bytes] = []
        descriptions: list[bytes] = []
        self._write(value, parts.append, descriptions)
        return _join(parts), _join(descriptions) if descriptions else b""

    def _write(self, value: Any, write: Callable[[bytes], Any], descriptions: list[bytes]) -> None:
        """Write an unambiguous form of a value, and append the digests of its descriptions to `descriptions`.

        A value of an unknown type differs from every other, also from itself.
        """
        kind: type = type(value)
        if kind is str:
            data = value.encode() if value.isascii() else value.encode("utf-8", "surrogatepass")
            write(b"s%d:%b" % (len(data), data))
        elif kind is bytes:
            write(b"b%d:%b" % (len(value), value))
        elif value is None or kind is bool or kind is int or kind is float or kind is Fraction:
            write(f"{kind.__name__}{value!r};".encode())
        elif kind is tuple or kind is list:
            write(b"(%d:" % len(value))
            for item in value:
                self._write(item, write, descriptions)
        elif kind is dict or kind is MappingProxyType:
            self._write_mapping(value, write, descriptions)
        elif kind is Scalar or kind is Entry:
            # These are so many, with so few parts each, that caching their digests would take longer.
            self._write_parts(value, kind, write, descriptions)
        elif kind is Span:
            write(self._of_span(value))
        elif _is_record(kind):
            content, described = self._of_object(value, kind)
            write(content)
            descriptions += [described] if described else []
        elif kind is frozenset or kind is set:
            write(b"{%d:" % len(value))
            for content, described in sorted(map(self._digest, value)):
                write(content)
                descriptions += [described] if described else []
        elif isinstance(value, ReadOnlyMapping):
            self._write_mapping(value, write, descriptions)
        elif isinstance(value, type | FunctionType):
            write(f"f{_name_type(value)};".encode())
        elif isinstance(value, Enum) or not _has_state(value):
            name = value.name if isinstance(value, Enum) else ""
            write(f"o{_name_type(kind)}.{name};".encode())
        else:
            write(b"u%d;" % next(_UNIQUE))

    def _write_mapping(
        self, value: ReadOnlyMapping[Any, Any], write: Callable[[bytes], Any], descriptions: list[bytes]
    ) -> None:
        write(b"m%d:" % len(value))
        for key, item in value.items():
            self._write(key, write, descriptions)
            self._write(item, write, descriptions)

    def _of_span(self, span: Span) -> bytes:
        """Return a form of a position, or of the layer of its file if the digests leave out positions."""
        if self._place is None:
            return f"{span.file!r}{span.line}:{span.column}-{span.end_line}:{span.end_column};".encode()
        known = self._places.get(span.file)
        if known is None:
            known = self._places[span.file] = f"p{self._place(span.file)};".encode()
        return known

    def _of_object(self, value: Any, kind: type) -> Digest:
        """Return the digest of an object, and that of its descriptions, which is empty if it has none. Cached."""
        is_shared = kind in _SHARED
        known = self._shared.get(value) if is_shared else self._known.get(id(value), (None, None))[1]
        if known is not None:
            return known
        parts: list[bytes] = []
        descriptions: list[bytes] = []
        self._write_parts(value, kind, parts.append, descriptions)
        digest = _join(parts), _join(descriptions) if descriptions else b""
        if is_shared:
            self._shared.put(value, digest)
        else:
            self._known[id(value)] = value, digest
        return digest

    def _write_parts(self, value: Any, kind: type, write: Callable[[bytes], Any], descriptions: list[bytes]) -> None:
        """Write the type of an object and what it holds."""
        covered = _list_fields(kind, self._place is None)
        write(covered.type)
        for part in covered.read(value):
            self._write(part, write, descriptions)
        if covered.has_description:
            self._write(value.means, descriptions.append, descriptions)
        if covered.has_words:
            self._write({key: word for key, word in value.words.items() if key != _DESCRIPTION}, write, descriptions)
            self._write(value.words.get(_DESCRIPTION), descriptions.append, descriptions)


def _join(parts: Iterable[bytes]) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def _has_state(value: Any) -> bool:
    """Return whether an object has attributes of its own, so that another of its type may differ from it."""
    slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()) if name != "__weakref__"]
    return bool(slots) or bool(getattr(value, "__dict__", None))
