"""Digests of what rules say, without their positions in files.

The digest of a value covers everything that it holds, and which layer wrote it. Two values with the same digest are
interchangeable, except for the positions that errors report and the numbers of steps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import count
from types import FunctionType
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

_SHARED = (Scalar, Entry, Mapping, Sequence, Procedure)
"""The types of objects that several rulesets may share, if they read the same files."""

Digest = tuple[bytes, bytes]
"""The digest of everything but descriptions, and that of the descriptions, which is empty if there are none."""


class _Address(ref[Any]):
    """A weak reference to an object with its address."""

    __slots__ = ("address",)

    address: int


class KnownDigests:
    """The digests of objects, which are forgotten together with the objects."""

    __slots__ = ("_results",)

    def __init__(self) -> None:
        self._results: dict[int, tuple[_Address, Digest]] = {}

    def get(self, value: Any) -> Digest | None:
        """Return the digest of an object, or None if it is unknown."""
        known = self._results.get(id(value))
        return None if known is None else known[1]

    def put(self, value: Any, digest: Digest) -> None:
        """Store the digest of an object of a type that weak references can refer to."""
        address = _Address(value, self._forget)
        address.address = id(value)
        self._results[address.address] = address, digest

    def _forget(self, gone: Any) -> None:
        self._results.pop(gone.address, None)


@cache
def _list_fields(kind: type, placed: bool) -> tuple[str, ...]:
    """Return the names of the fields that a digest covers, which may cover positions."""
    left_out = (*_LEFT_OUT.get(kind, ()), *(() if placed else _PLACED.get(kind, ())))
    return tuple(each.name for each in fields(kind) if each.name not in left_out)


@cache
def _is_record(kind: type) -> bool:
    return is_dataclass(kind)


@cache
def _name_type(kind: type) -> bytes:
    return f"d{kind.__module__}.{kind.__qualname__}:".encode()


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

    def _digest(self, value: Any) -> Digest:
        parts: list[bytes] = []
        descriptions: list[bytes] = []
        self._write(value, parts.append, descriptions)
        return _join(parts), _join(descriptions) if descriptions else b""

    def _write(self, value: Any, write: Callable[[bytes], Any], descriptions: list[bytes]) -> None:
        kind: type = type(value)
        if kind is str:
            data = value.encode("utf-8", "surrogatepass")
            write(b"s%d:" % len(data))
            write(data)
        elif value is None or kind is bool or kind is int or kind is float or kind is Fraction:
            write(f"{kind.__name__}{value!r};".encode())
        elif kind is tuple or kind is list:
            write(b"(%d:" % len(value))
            for item in value:
                self._write(item, write, descriptions)
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
            write(b"m%d:" % len(value))
            for key, item in value.items():
                self._write(key, write, descriptions)
                self._write(item, write, descriptions)
        elif isinstance(value, type | FunctionType):
            write(f"f{value.__module__}.{value.__qualname__};".encode())
        elif isinstance(value, Enum) or not _has_state(value):
            name = value.name if isinstance(value, Enum) else ""
            write(f"o{kind.__module__}.{kind.__qualname__}.{name};".encode())
        else:
            write(b"u%d;" % next(_UNIQUE))

    def _of_span(self, span: Span) -> bytes:
        if self._place is None:
            return f"{span.file!r}{span.line}:{span.column}-{span.end_line}:{span.end_column};".encode()
        known = self._places.get(span.file)
        if known is None:
            known = self._places[span.file] = f"p{self._place(span.file)};".encode()
        return known

    def _of_object(self, value: Any, kind: type) -> Digest:
        is_shared = kind in _SHARED
        known = self._shared.get(value) if is_shared else self._known.get(id(value), (None, None))[1]
        if known is not None:
            return known
        parts: list[bytes] = [_name_type(kind)]
        descriptions: list[bytes] = []
        for name in _list_fields(kind, self._place is None):
            part = getattr(value, name)
            if name == _DESCRIPTION:
                self._write(part, descriptions.append, descriptions)
            elif name == "words":
                said = {key: word for key, word in part.items() if key != _DESCRIPTION}
                self._write(said, parts.append, descriptions)
                self._write(part.get(_DESCRIPTION), descriptions.append, descriptions)
            else:
                self._write(part, parts.append, descriptions)
        digest = _join(parts), _join(descriptions) if descriptions else b""
        if is_shared:
            self._shared.put(value, digest)
        else:
            self._known[id(value)] = value, digest
        return digest


def _join(parts: Iterable[bytes]) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def _has_state(value: Any) -> bool:
    """Return whether an object has attributes of its own, so that another of its type may differ from it."""
    slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()) if name != "__weakref__"]
    return bool(slots) or bool(getattr(value, "__dict__", None))
