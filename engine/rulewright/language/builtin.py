"""Builtin functions of the rules language: their base class, and the registry that finds them in `builtins/`.

Builtins are a closed set. Each is pure and defined for every argument of its types. A function of a list also takes the
form `function(element for x in list if condition by order)`. A walk takes that form only.
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
    """One function of the language with its documentation, typing, evaluation and lowering.

    It declares exactly one of `operation` and `definition`. `operation` names the program operation that computes it,
    from the types of the arguments and of the result. `definition` rewrites a call in terms of other functions and
    operators, so that back ends need not know the function. A function of a list cannot have a `definition`, because
    its cost depends on how the call is written.
    """

    name: str
    signature: str
    """Form of a call, for the reference."""
    means: str
    """Description of the result in a sentence or two, for the reference."""
    result: Callable[[Sequence[Type]], Type | str]
    """Maps the types of the arguments to the type of the result, or to an error message if they do not fit."""
    evaluate: Callable[..., Any]
    """Computes the result in the reference interpreter."""
    operation: Callable[[Sequence[Type], Type], str] | None = None
    definition: Callable[[Apply], Typed] | None = None
    description: tuple[str | int, ...] = ()
    """Phrase for a call in the rulebook, with the index of each argument: `("the sum of ", 0, " and ", 1)`."""
    of_list: bool = False
    """True for a function of one list. A name may have both forms: `max(list)` and `max(a, b)`."""
    walks: bool = False
    """True for a walk, such as `reach(onward for x in list if condition by cost within limit)`."""
    to_goal: bool = False
    """True for a walk that takes a goal, written after `to`."""
    parts_only: bool = False
    """True for a walk that divides its starts and what it reaches into groups. It takes a condition only."""
    of_players: bool = False
    """True if a call with nothing but a player is about all players: `next(player)` is `next(player, players)`."""
    looks_ahead: bool = False
    """True for `after(procedure(…), condition)`, whose first argument is a call of a procedure."""
    ranked: bool = False
    """True if it compares its arguments. It receives the order of the rows if they are rows of a table."""


def list_functions_of_values() -> Mapping[str, Builtin]:
    """Return the functions of plain arguments, by name."""
    return _load_functions()[0]


def list_functions() -> Mapping[str, Builtin]:
    """Return the functions of one list, by name."""
    return _load_functions()[1]


def list_walks() -> Mapping[str, Builtin]:
    """Return the functions that walk from space to space, by name."""
    return _load_functions()[2]


def spell_out(call: Apply) -> Typed | None:
    """Return a call rewritten in terms of other functions and operators, or None if its function has no definition."""
    spelled = list_functions_of_values()[call.function].definition
    return spelled(call) if spelled is not None else None


@compute_once
def _load_functions() -> tuple[Mapping[str, Builtin], Mapping[str, Builtin], Mapping[str, Builtin]]:
    """Return the functions of values, the functions of a list, and the walks, each by name.

    Plug-ins that are incomplete or declared twice are reported on stderr and left out.
    """
    results: dict[tuple[bool, str], Builtin] = {}
    for name, function in FOLDER.iterate_objects(Builtin):
        FOLDER.check(name, partial(_add, results, function))
    plain, of_list = (
        {name: results[kind, name] for each, name in sorted(results) if each is kind and not results[kind, name].walks}
        for kind in (False, True)
    )
    return plain, of_list, {name: function for (_, name), function in sorted(results.items()) if function.walks}


def _add(results: dict[tuple[bool, str], Builtin], function: Builtin) -> None:
    if (function.operation is None) == (function.definition is None) or (function.of_list and function.definition):
        raise PluginError(f"the function {function.name} needs either an operation or a definition in other functions")
    if results.setdefault((function.of_list, function.name), function) is not function:
        raise PluginError(f"the function {function.name} is declared twice")
