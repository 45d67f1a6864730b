"""Serialize objects so that deserialization can only create values of the package's own types, and run nothing."""

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
"""The packages with the types that a ruleset consists of."""

MOST_IN_A_RANGE = 1_000_000
"""The maximum length of a range, because a few bytes can encode a huge one."""


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
"""The opcodes that `pack` writes, each with its fixed number of argument bytes; none can request memory."""

_SHORT = pickle.SHORT_BINUNICODE + pickle.LONG1
"""Opcodes followed by a one-byte length and that many bytes."""

(_LONG,) = pickle.BINUNICODE
"""The opcode followed by a four-byte length and that many bytes."""


class UnpackError(Exception):
    """An error for bytes that `pack` did not write."""


def pack(value: Any) -> bytes:
    """Return a value as bytes.

    Raises whatever pickle raises for values that cannot be packed, such as `PicklingError` or `TypeError`.
    """
    file = BytesIO()
    _Packer(file, protocol=5).dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """Return the value that `pack` turned into the bytes.

    Raises `UnpackError` for any other bytes. Never executes them. Some objects are shared with the program, such as
    statements and codes.
    """
    _refuse_other_opcodes(data)
    try:
        return _Unpacker(BytesIO(data)).load()
    except Exception as error:  # a broken pickle may raise almost anything
        raise UnpackError(str(error)) from error


def _refuse_other_opcodes(data: bytes) -> None:
    """Raise `UnpackError` for opcodes that `pack` never writes. Some of them can request unlimited memory."""
    at, end = 0, len(data)
    while True:
        match = _FIXED.match(data, at)
        assert match is not None  # the pattern also matches the empty string
        at = match.end()
        if at >= end:
            return
        code = data[at]
        if code in _SHORT:
            at += 2 + (data[at + 1] if at + 1 < end else end)
        elif code == _LONG:
            at += 5 + int.from_bytes(data[at + 1 : at + 5], "little")
        else:
            raise UnpackError(f"the opcode {code:#x} is not allowed in a ruleset")


class _Packer(pickle.Pickler):
    # Both methods are called for every object, so what they do for a type is found only once.

    def persistent_id(self, entity: Any) -> tuple[str, str] | None:
        kind: type = type(entity)
        name = _find_naming(kind)
        return None if name is None else name(entity)

    def reducer_override(self, entity: Any) -> Any:
        kind: type = type(entity)
        reduce = _find_reduction(kind)
        return NotImplemented if reduce is None else reduce(entity)


@cache
def _find_naming(kind: type[Any]) -> Callable[[Any], tuple[str, str]] | None:
    """Return the function that names the objects of a type that are stored by name, or None for other types."""
    # Statements and codes are singletons.
    if issubclass(kind, Statement):
        return lambda entity: ("verb", entity.name)
    if issubclass(kind, Code):
        return lambda entity: ("code", entity.id)
    if issubclass(kind, Path):
        return lambda entity: ("path", str(entity))
    return None


@cache
def _find_reduction(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]] | None:
    """Return the function that takes objects of a type apart, or None for a type that pickle takes apart itself."""
    if is_dataclass(kind) and _is_frozen(kind):
        names = _list_parameters(kind)
        return lambda entity: (kind, tuple([getattr(entity, name) for name in names]))
    if is_dataclass(kind) or kind is Diagnostics:
        # Mutable objects may be in reference cycles, so they are created empty and filled later.
        return lambda entity: (kind, (), entity.__getstate__())
    if kind is MappingProxyType:
        return lambda entity: (read_only, (dict(entity),))
    if issubclass(kind, Mapping) and not issubclass(kind, dict):
        # A lazy mapping has all its values by now, so a plain dict replaces it.
        return lambda entity: (dict, (list(entity.items()),))
    return None


class _Unpacker(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        return _maker(module, name)

    def persistent_load(self, identity: Any) -> Any:
        """Return a statement, code or path by its name.

        Raises `UnpicklingError` for another kind, and `KeyError` for an unknown name.
        """
        kind, name = identity
        match kind:
            case "verb":
                return load_statements()[name]
            case "code":
                if name not in CODES:
                    import rulewright.ruleset.ruleset_builder  # noqa: F401 (registers all codes)
                return CODES[name]
            case "path":
                return Path(name)
        raise pickle.UnpicklingError(f"a cached value has the unknown type {kind!r}")


def read_only(entries: dict[str, Any]) -> Mapping[str, Any]:
    """Return a read-only view of the mapping."""
    return MappingProxyType(entries)


@cache
def _list_parameters(kind: type) -> tuple[str, ...]:
    """Return the parameters of a frozen dataclass, in order."""
    return tuple(field.name for field in fields(kind) if field.init)


class _Plain:
    """Constructors for built-in types, with bounds where a few bytes could request much memory."""

    __slots__ = ()

    def numbers(self, *bounds: int) -> range:
        """Return a range. Raises `UnpicklingError` if it is too long."""
        result = range(*bounds)
        if len(result) > MOST_IN_A_RANGE:
            raise pickle.UnpicklingError(f"a range of {len(result):,} numbers is not allowed in a ruleset")
        return result

    def fraction(self, numerator: int, denominator: int) -> Fraction:
        """Return a fraction. Raises `UnpicklingError` unless both numbers are integers."""
        if type(numerator) is not int or type(denominator) is not int:
            raise pickle.UnpicklingError("a fraction needs two whole numbers")
        return Fraction(numerator, denominator)


_PLAIN: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("builtins", "range"): _Plain().numbers,
    ("fractions", "Fraction"): _Plain().fraction,
    ("builtins", "dict"): dict,
    (__name__, "read_only"): MappingProxyType,
}


@cache
def _maker(module: str, name: str) -> Callable[..., Any]:
    """Return a function that creates values of the type with this name. Cached.

    Only the types that `pack` writes are allowed. Raises `UnpicklingError` for anything else, and `ImportError` if
    the module does not exist.

    The result is never the type itself, nor anything else with writable attributes. A pickle can set attributes of
    every object it gets, and here it only gets values and functions that create values.
    """
    plain = _PLAIN.get((module, name))
    if plain is not None:
        return plain
    if module.startswith(_FLOORS) and "." not in name:
        result = getattr(import_module(module), name, None)
        if result is Diagnostics:
            return MethodType(object.__new__, result)
        # Creating a diagnostic code would register it, so codes are restored by name.
        if isinstance(result, type) and is_dataclass(result) and result is not Code:
            return type.__call__.__get__(result) if _is_frozen(result) else MethodType(object.__new__, result)
    raise pickle.UnpicklingError(f"{module}.{name} is not allowed in a ruleset")


def _is_frozen(kind: type) -> bool:
    frozen: bool = kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return frozen
