"""Dataclasses whose methods are compiled when they are first used.

`dataclasses.dataclass` compiles up to eight functions for each class, which takes most of the time to import a module
of small classes. A command calls only a few of them. Plug-ins may use either decorator, and their classes may inherit
from those of the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from inspect import get_annotations
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, **options):
        """Return the dataclass of a class, as `dataclasses.dataclass` does with the same options."""
        return partial(_process, **options) if cls is None else _process(cls, **options)


_OPERATORS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


class _Factory:
    """The type of the default of a parameter whose value a factory makes, as signatures show it."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _process(
    cls: Any,
    *,
    frozen: bool = False,
    eq: bool = True,
    order: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    weakref_slot: bool = False,
) -> Any:
    """Return the dataclass of a class: a new class with `slots`, and otherwise the same one."""
    _read_fields(cls, frozen=frozen, kw_only=kw_only)
    methods = ["__init__", "__repr__", *_OPERATORS][: 7 if order else 3 if eq else 2]
    if eq and frozen and cls.__dict__.get("__hash__") is None:
        methods.append("__hash__")
    hashable = "__hash__" in methods or not eq or cls.__dict__.get("__hash__") is not None
    if slots:
        cls = _add_slots(cls, weakref_slot=weakref_slot)
    for name in methods:
        if cls.__dict__.get(name) is None:
            setattr(cls, name, _UncompiledMethod(cls, name))
    if not hashable:
        cls.__hash__ = None
    if frozen:
        _freeze(cls, slots=slots)
    return cls


def _read_fields(cls: Any, *, frozen: bool, kw_only: bool) -> None:
    """Set the attributes of a class that describe its fields, and its defaults, as the standard decorator does."""
    annotations = get_annotations(cls)
    defaults = {name: cls.__dict__[name] for name in annotations if name in cls.__dict__}
    names = {"__annotations__": annotations, "__module__": cls.__module__, "__doc__": cls.__name__}
    # The standard decorator compiles nothing for a class that has nothing but these fields.
    bare: Any = type(cls.__name__, (), {**defaults, **names})
    dataclasses.dataclass(bare, init=False, repr=False, eq=False, kw_only=kw_only)
    bare.__dataclass_params__.frozen = frozen
    cls.__dataclass_params__ = bare.__dataclass_params__
    cls.__dataclass_fields__ = {
        name: field
        for each in (*cls.__mro__[:0:-1], bare)
        for name, field in getattr(each, "__dataclass_fields__", {}).items()
    }
    positional = tuple(each.name for each in dataclasses.fields(cls) if each.init and not each.kw_only)
    setattr(cls, "__match_args__", positional)  # noqa: B010 (mypy lets nobody assign to it)
    for name in defaults:
        if name in bare.__dict__:
            setattr(cls, name, bare.__dict__[name])
        else:
            delattr(cls, name)


def _add_slots(cls: Any, *, weakref_slot: bool) -> Any:
    """Return a new class with the same attributes, and slots for its fields instead of their defaults."""
    names = [*(field.name for field in dataclasses.fields(cls)), *(["__weakref__"] if weakref_slot else [])]
    inherited = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    left_out = {*names, "__dict__", "__weakref__"}
    namespace = {name: value for name, value in cls.__dict__.items() if name not in left_out}
    namespace |= {"__slots__": tuple(name for name in names if name not in inherited), "__qualname__": cls.__qualname__}
    return type(cls)(cls.__name__, cls.__bases__, namespace)


def _freeze(cls: Any, *, slots: bool) -> None:
    """Make the fields of a dataclass read-only. If it has slots, say how to pickle and copy it."""
    names = {field.name for field in dataclasses.fields(cls)}

    def set_attribute(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = set_attribute, delete_attribute
    if slots and "__getstate__" not in cls.__dict__:
        cls.__getstate__, cls.__setstate__ = _get_state, _set_state


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


class _UncompiledMethod:
    """A method of a dataclass that puts the compiled one in its place when somebody first gets it."""

    __slots__ = ("_cls", "_name")

    def __init__(self, cls: type, name: str) -> None:
        self._cls = cls
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        method: Any = _compile(self._cls, self._name)
        setattr(self._cls, self._name, method)
        return method.__get__(instance, owner)


def _compile(cls: Any, name: str) -> Callable[..., Any]:
    """Return the method of a dataclass with this name."""
    fields = dataclasses.fields(cls)
    if name == "__init__":
        return _compile_init(cls, fields)
    if name == "__repr__":
        shown = ", ".join(f"{each.name}={{self.{each.name}!r}}" for each in fields if each.repr)
        return recursive_repr()(_define(cls, name, "self", [f"return f'{{type(self).__qualname__}}({shown})'"], {}))
    if name == "__hash__":
        hashed = _write_tuple("self", (each.name for each in fields if (each.hash, each.compare)[each.hash is None]))
        return _define(cls, name, "self", [f"return hash({hashed})"], {})
    ours, theirs = (_write_tuple(one, (each.name for each in fields if each.compare)) for one in ("self", "other"))
    body = ["if type(other) is type(self):", f"    return {ours} {_OPERATORS[name]} {theirs}", "return NotImplemented"]
    return _define(cls, name, "self, other", body, {})


def _compile_init(cls: Any, fields: Sequence[dataclasses.Field[Any]]) -> Callable[..., Any]:
    """Return the `__init__` of a dataclass."""
    positional, keywords, body = ["self"], ["*"], []
    values: dict[str, Any] = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    for field in fields:
        name = field.name
        slot: Any = getattr(cls, name, None)
        has_slot = isinstance(slot, MemberDescriptorType)
        made, given = (each is not dataclasses.MISSING for each in (field.default_factory, field.default))
        if not (field.init or made or (given and has_slot)):
            continue  # the default is an attribute of the class, or there is none
        value, default = name, ""
        if made or given:
            default = f"_default_{name}"
            values[default] = field.default_factory if made else field.default
            value = default if not field.init else name
        if made:
            value = f"{default}()" if not field.init else f"{default}() if {name} is _FACTORY else {name}"
            default = "_FACTORY"
        if field.init:
            (keywords if field.kw_only else positional).append(f"{name}={default}" if default else name)
        if not cls.__dataclass_params__.frozen:
            body.append(f"self.{name} = {value}")
        elif has_slot:  # the slot itself does not refuse the assignment, and takes less time than looking for it
            values[f"_set_{name}"] = slot.__set__
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(positional + (keywords if len(keywords) > 1 else []))
    method = _define(cls, "__init__", parameters, body, values)
    method.__annotations__ = {each.name: each.type for each in fields if each.init} | {"return": None}
    return method


def _write_tuple(owner: str, names: Iterable[str]) -> str:
    """Return an expression for the tuple of these attributes of a variable."""
    return f"({''.join(f'{owner}.{name}, ' for name in names)})"


def _define(cls: Any, name: str, parameters: str, body: Sequence[str], values: dict[str, Any]) -> Callable[..., Any]:
    """Return a compiled method that may use these values as global variables."""
    namespace = {"__name__": cls.__module__, **values}
    exec("\n    ".join([f"def {name}({parameters}):", *(body or ["pass"])]), namespace)
    method: Callable[..., Any] = namespace[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method
