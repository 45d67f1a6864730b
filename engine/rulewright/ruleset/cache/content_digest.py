"""Digests of what rules say, without their positions in files.

The digest of a value covers everything that it holds, and which layer wrote it. Two values with the same digest are
interchangeable, except for the positions that errors report and the numbers of steps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import count
from types import FunctionType
from typing import Any

from rulewright.language.checked_steps import Block, Step
from rulewright.source.nodes import Entry, Mapping, Scalar, Sequence
from rulewright.source.span import Span

_LEFT_OUT: dict[type, frozenset[str]] = {
    Step: frozenset(("number", "container", "place")),
    Block: frozenset(("owner",)),
    Scalar: frozenset(("raw", "style")),
}
"""The fields that only say where something is: in the whole ruleset, in the steps around it, or in a file."""

_DESCRIPTION = "means"
"""The name of descriptions, in the objects that have a field for them, and among the `words` of others."""

_UNIQUE = count()

_NODES = (Scalar, Entry, Mapping, Sequence)
"""The types of nodes, which are the same objects in all rulesets that read the same files."""

KnownDigests = dict[int, tuple[Any, bytes]]
"""The digest of each object by its address, with the object, so that no other can have this address."""


@cache
def _list_fields(kind: type) -> tuple[str, ...]:
    """Return the names of the fields that a digest covers."""
    left_out = _LEFT_OUT.get(kind, frozenset())
    return tuple(each.name for each in fields(kind) if each.name not in left_out)


class ContentDigests:
    """The digests of the values of one ruleset. Values that occur several times are read once.

    Of a position, they cover what `place` returns for its file, or the whole position without it. `nodes` has the
    digests of nodes that others with an equal `place` have computed, and gets those computed here. Digests of what
    counts `in_play` leave descriptions out, which no game shows.
    """

    def __init__(
        self, place: Callable[[str], str] | None = None, *, nodes: KnownDigests | None = None, in_play: bool = False
    ) -> None:
        self._place = place
        self._in_play = in_play
        self._places: dict[str, bytes] = {}
        self._nodes: KnownDigests = {} if nodes is None else nodes
        self._known: KnownDigests = {}

    def compute(self, value: Any) -> str:
        """Return the digest of a value.

        If the value holds something of an unknown type, the digest differs from all others.
        """
        return self._digest(value).hex()

    def _digest(self, value: Any) -> bytes:
        parts: list[bytes] = []
        self._write(value, parts.append)
        return hashlib.blake2b(b"".join(parts), digest_size=16).digest()

    def _write(self, value: Any, write: Callable[[bytes], Any]) -> None:
        kind = type(value)
        if kind is str:
            data = value.encode("utf-8", "surrogatepass")
            write(b"s%d:" % len(data))
            write(data)
        elif value is None or kind is bool or kind is int or kind is float or kind is Fraction:
            write(f"{kind.__name__}{value!r};".encode())
        elif kind is tuple or kind is list:
            write(b"(%d:" % len(value))
            for item in value:
                self._write(item, write)
        elif kind is frozenset or kind is set:
            write(b"{%d:" % len(value))
            for digest in sorted(map(self._digest, value)):
                write(digest)
        elif kind is Span:
            write(self._of_span(value))
        elif is_dataclass(value):
            write(self._of_object(value, kind))
        elif isinstance(value, ReadOnlyMapping):
            write(b"m%d:" % len(value))
            for key, item in value.items():
                self._write(key, write)
                self._write(item, write)
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

    def _of_object(self, value: Any, kind: type) -> bytes:
        results = self._nodes if kind in _NODES else self._known
        known = results.get(id(value))
        if known is not None:
            return known[1]
        parts: list[bytes] = [f"d{kind.__module__}.{kind.__qualname__}:".encode()]
        for name in _list_fields(kind):
            part = getattr(value, name)
            if self._in_play and name == _DESCRIPTION:
                continue
            if self._in_play and name == "words":
                part = {key: word for key, word in part.items() if key != _DESCRIPTION}
            self._write(part, parts.append)
        digest = hashlib.blake2b(b"".join(parts), digest_size=16).digest()
        results[id(value)] = value, digest
        return digest


def _has_state(value: Any) -> bool:
    """Return whether an object has attributes of its own, so that another of its type may differ from it."""
    slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()) if name != "__weakref__"]
    return bool(slots) or bool(getattr(value, "__dict__", None))
