"""What a function of the rules language is, and the registry that finds them: `functions/`, one file each.

Functions are a closed set, each pure and defined for every argument of its types. A function on a list also takes the
form `function(element for x in list if condition by order)`; one that walks takes that form alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginError, PluginFolder
from rulewright.language.expressions.typed_ast import Apply, Typed
from rulewright.language.types import Type

FOLDER = PluginFolder("rulewright.language.builtins", "the functions' module")


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtin:
    """One function, and all that whoever reads or runs rules need know of it.

    What it comes down to is said in one of two ways. `operation` names the operation of programs that works it out, by
    the types of the arguments and of the result; `spelled` writes a call in terms of other functions and operators, so
    that no machine need know the function at all. It may use no function of a list: these are charged by how they are
    written.
    """

    name: str
    signature: str
    """How a call is written, for the reference."""
    means: str
    """What it comes to, in a sentence or two, for the reference."""
    result: Callable[[Sequence[Type]], Type | str]
    """The types of the arguments → the type of the result, or a sentence saying what is wrong with them."""
    evaluate: Callable[..., Any]
    """Works it out, in the plain interpreter."""
    operation: Callable[[Sequence[Type], Type], str] | None = None
    definition: Callable[[Apply], Typed] | None = None
    description: tuple[str | int, ...] = ()
    """How the rulebook says a call, its arguments by their places: `("the sum of ", 0, " and ", 1)`."""
    of_list: bool = False
    """Whether it is a function of one list. A name may be both: `max(list)` and `max(a, b)`."""
    walks: bool = False
    """Whether it goes from place to place: of `onward for x in list if condition by cost within limit`."""
    to_goal: bool = False
    """Whether it goes to a place that is said with `to`."""
    ranked: bool = False
    """Whether it compares. It is given the order of rows where the values are rows of a table."""


def list_functions_of_values() -> Mapping[str, Builtin]:
    """Return functions of plain arguments, by name."""
    return _load_functions()[0]


def list_functions() -> Mapping[str, Builtin]:
    """Return functions of one list, by name."""
    return _load_functions()[1]


def list_walks() -> Mapping[str, Builtin]:
    """Return functions that go from place to place, by name."""
    return _load_functions()[2]


def spell_out(call: Apply) -> Typed | None:
    """Return a call in terms of other functions and operators, where its function is said in these."""
    spelled = list_functions_of_values()[call.function].definition
    return spelled(call) if spelled is not None else None


@compute_once
def _load_functions() -> tuple[Mapping[str, Builtin], Mapping[str, Builtin], Mapping[str, Builtin]]:
    """Return the functions of values, of a list, and of walks. One that is declared twice or incomplete is reported."""
    found: dict[tuple[bool, str], Builtin] = {}
    for name, function in FOLDER.iterate_objects(Builtin):
        FOLDER.check(name, partial(_add, found, function))
    plain, of_list = (
        {name: found[kind, name] for each, name in sorted(found) if each is kind and not found[kind, name].walks}
        for kind in (False, True)
    )
    return plain, of_list, {name: function for (_, name), function in sorted(found.items()) if function.walks}


def _add(found: dict[tuple[bool, str], Builtin], function: Builtin) -> None:
    if (function.operation is None) == (function.definition is None) or (function.of_list and function.definition):
        raise PluginError(f"the function {function.name} needs either an operation or a definition in other functions")
    if found.setdefault((function.of_list, function.name), function) is not function:
        raise PluginError(f"the function {function.name} is declared twice")
