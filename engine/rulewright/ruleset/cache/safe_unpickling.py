"""Objects ↔ bytes, so that reading bytes makes values of the package's own types and can do nothing else."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType, MethodType
from typing import Any

from rulewright.language.statement import Statement, load_statements
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import CODES, Code

_FLOORS = ("rulewright.dice.", "rulewright.source.", "rulewright.language.", "rulewright.ruleset.")
"""Where the types lie that a ruleset is made of."""

MOST_IN_A_RANGE = 1_000_000
"""Numbers of a range: a few bytes say how long it is, and whoever goes through it pays for that."""


_FIXED = re.compile(
    b"(?:["
    + re.escape(
        pickle.EMPTY_DICT + pickle.EMPTY_LIST + pickle.EMPTY_TUPLE + pickle.EMPTY_SET + pickle.MARK + pickle.NONE
        + pickle.NEWTRUE + pickle.NEWFALSE + pickle.TUPLE + pickle.TUPLE1 + pickle.TUPLE2 + pickle.TUPLE3
        + pickle.SETITEM + pickle.SETITEMS + pickle.APPEND + pickle.APPENDS + pickle.ADDITEMS + pickle.FROZENSET
        + pickle.REDUCE + pickle.BUILD + pickle.STACK_GLOBAL + pickle.BINPERSID + pickle.MEMOIZE + pickle.STOP
    )
    + b"]|["
    + re.escape(pickle.BININT1 + pickle.BINGET + pickle.PROTO)
    + b"].|"
    + re.escape(pickle.BININT2)
    + b"..|["
    + re.escape(pickle.BININT + pickle.LONG_BINGET)
    + b"].{4}|["
    + re.escape(pickle.FRAME + pickle.BINFLOAT)
    + b"].{8})*",
    re.DOTALL,
)  # fmt: skip
"""Opcodes that `pack` writes, each with as many bytes as always follow it: none says how much memory to ask for."""

_SHORT = pickle.SHORT_BINUNICODE + pickle.LONG1
"""Opcodes followed by a length of one byte and so many bytes."""

(_LONG,) = pickle.BINUNICODE
"""The opcode followed by a length of four bytes and so many bytes."""


class UnpackError(Exception):
    """Bytes that `pack` did not write."""


def pack(value: Any) -> bytes:
    """Return the bytes of a value. Raises `PicklingError`, `TypeError` or the like for one that no rule can hold."""
    file = BytesIO()
    _Packer(file, protocol=5).dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """Return what `pack` made the bytes of.

    Raises `UnpackError` for others; whatever they say, none of it is carried out.
    """
    _refuse_other_opcodes(data)
    try:
        return _Unpacker(BytesIO(data)).load()
    except Exception as error:  # what a broken pickle raises may be anything
        raise UnpackError(str(error)) from error


def _refuse_other_opcodes(data: bytes) -> None:
    """Raise `UnpackError` for opcodes that `pack` never writes: a few bytes of some ask for all the memory there is."""
    at, end = 0, len(data)
    while True:
        found = _FIXED.match(data, at)
        assert found is not None  # it matches nothing at all, too
        at = found.end()
        if at >= end:
            return
        code = data[at]
        if code in _SHORT:
            at += 2 + (data[at + 1] if at + 1 < end else end)
        elif code == _LONG:
            at += 5 + int.from_bytes(data[at + 1 : at + 5], "little")
        else:
            raise UnpackError(f"the opcode {code:#x} is no part of a ruleset")


class _Packer(pickle.Pickler):
    def persistent_id(self, thing: Any) -> tuple[str, str] | None:
        # There is one of each, wherever it is met again.
        if isinstance(thing, Statement):
            return "verb", thing.name
        if isinstance(thing, Code):
            return "code", thing.id
        if isinstance(thing, Path):
            return "path", str(thing)
        return None

    def reducer_override(self, thing: Any) -> Any:
        kind = type(thing)
        if is_dataclass(kind):
            # Those that can be changed may lie in circles, and are filled after they are made.
            if _is_frozen(kind):
                return kind, tuple([getattr(thing, name) for name in _given(kind)])
            return kind, (), thing.__getstate__()
        if kind is Diagnostics:
            return kind, (), thing.__getstate__()
        if kind is MappingProxyType:
            return read_only, (dict(thing),)
        if isinstance(thing, type):
            return NotImplemented
        if isinstance(thing, Mapping) and not isinstance(thing, dict):
            # A mapping of promises, all of them kept by now.
            return dict, (list(thing.items()),)
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        return _maker(module, name)

    def persistent_load(self, identity: Any) -> Any:
        kind, name = identity
        match kind:
            case "verb":
                return load_statements()[name]
            case "code":
                if name not in CODES:
                    import rulewright.ruleset.ruleset_builder  # noqa: F401 (declares every code there may be)
                return CODES[name]
            case "path":
                return Path(name)
        raise pickle.UnpicklingError(f"there is nothing of the kind {kind!r}")


def read_only(entries: dict[str, Any]) -> Mapping[str, Any]:
    """Return a mapping that cannot be changed."""
    return MappingProxyType(entries)


@cache
def _given(kind: type) -> tuple[str, ...]:
    """Return what a frozen dataclass is made from, in order."""
    return tuple(field.name for field in fields(kind) if field.init)


class _Plain:
    """Makers of what is no type of the package's own, bounded where a few bytes could ask for much."""

    __slots__ = ()

    def numbers(self, *bounds: int) -> range:
        found = range(*bounds)
        if len(found) > MOST_IN_A_RANGE:
            raise pickle.UnpicklingError(f"a range of {len(found):,} numbers is no part of a ruleset")
        return found

    def fraction(self, numerator: int, denominator: int) -> Fraction:
        if type(numerator) is not int or type(denominator) is not int:
            raise pickle.UnpicklingError("a fraction is of two whole numbers")
        return Fraction(numerator, denominator)


_PLAIN: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("builtins", "range"): _Plain().numbers,
    ("fractions", "Fraction"): _Plain().fraction,
    ("builtins", "dict"): dict,
    (__name__, "read_only"): MappingProxyType,
}


@cache
def _maker(module: str, name: str) -> Callable[..., Any]:
    """Return what makes values of a type that files may name. Raises `UnpicklingError` for anything else.

    It is never the type itself, nor anything else that has attributes to set: a pickle may say so of whatever it gets
    hold of, and all that it gets hold of here are values, and makers of values.
    """
    plain = _PLAIN.get((module, name))
    if plain is not None:
        return plain
    if module.startswith(_FLOORS) and "." not in name:
        found = getattr(import_module(module), name, None)
        if found is Diagnostics:
            return MethodType(object.__new__, found)
        # Making a code registers it, and so codes go by their names.
        if isinstance(found, type) and is_dataclass(found) and found is not Code:
            return type.__call__.__get__(found) if _is_frozen(found) else MethodType(object.__new__, found)
    raise pickle.UnpicklingError(f"{module}.{name} is no type of a ruleset")


def _is_frozen(kind: type) -> bool:
    frozen: bool = kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return frozen
