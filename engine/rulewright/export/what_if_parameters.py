"""The parameters of a ruleset that can change in a compiled module, and their limits.

A module with parameters reads them from memory. Whether a change is complete is tested: house rules with another
value must compile to the same module except for that value. Values computed before a game starts, such as decks,
boards and consequences of rolls, change the module, and so do values that the checks refuse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rulewright.base.incremental.known_values import get_value
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.engine.wasm_backend.initial_state import InitialLayout
from rulewright.engine.wasm_backend.module_assembly import ModuleInfo
from rulewright.export.interface import build_interface
from rulewright.export.wasm_module import RequestTable, build_module
from rulewright.ir.parameters import Parameters, can_vary, find_limits, list_parameters
from rulewright.ir.program import Program
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.cache.content_digest import ContentDigests
from rulewright.ruleset.cache.tracked_declarations import DECLARED
from rulewright.ruleset.overlay import find_node, with_values
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.span import Span

MOST_TRIALS = 400
"""The maximum number of trial rulesets. Parameters that are undecided after that stay fixed."""

_ONLY_WORDS = frozenset({"pages", "rulings", "faq"})
"""The sections that no check of a value depends on."""

Key = tuple[str, ...]
"""The key of a parameter: the name of a number, or the table, row and column of a cell."""


class Why(Enum):
    """The reason that a parameter cannot be changed."""

    UNREAD = "unread"
    """No step and no formula reads the parameter, because its effects are computed before a game starts."""
    WORKED_OUT = "worked-out"
    """The value is not in the rules, but computed from the shape of a board."""
    BUILT_IN = "built-in"
    """A change of the parameter also changes other parts of the compiled module."""
    REFUSED = "refused"
    """House rules with another value of the parameter are invalid."""
    NO_NUMBER = "no-number"
    """The value is a list, a text or a boolean."""


@dataclass(frozen=True, slots=True)
class ParameterData:
    """A changeable parameter with its path in house rules, its published value, and its address in memory.

    A whole number can be from `least` to `most`. Both are None for a roll.
    """

    path: str
    published: int | Roll
    address: int
    least: int | None
    most: int | None

    @property
    def written(self) -> str:
        """The published value as rules write it."""
        return format_roll(self.published) if isinstance(self.published, Roll) else str(self.published)


@dataclass(frozen=True, slots=True)
class ParameterModule:
    """A module with its changeable parameters, and the paths of the fixed ones, each with the reason."""

    module_info: ModuleInfo
    requests: RequestTable
    figures: tuple[ParameterData, ...]
    fixed: Mapping[str, Why]


def build_path(key: Key) -> str:
    """Return the path of a parameter in the rules."""
    return f"numbers.{key[0]}" if len(key) == 1 else "tables.{}.rows.{}.{}".format(*key)


def open_parameters(ruleset: Ruleset, ends: Sequence[Typed] = ()) -> ParameterModule:
    """Return the module of a ruleset that reads every changeable parameter from memory.

    `ends` are additional expressions for finished procedures. Trial values decide which parameters can change, and
    within which limits, so the rules are compiled many times. The result has the reason for each fixed parameter.
    """
    values = _values(ruleset)
    written = {key for key in values if _is_written(ruleset, key)}
    tried = get_value(["trials of parameters", _digest_numbers(ruleset)], lambda: _try_values(ruleset, values, written))
    limits: dict[Key, tuple[int | None, int | None]] = {tuple(key): (low, high) for key, low, high in tried["free"]}
    why = {tuple(key): Why(reason) for key, reason in tried["why"]}
    changeable = _holding_any(list_parameters(ruleset.declarations), set(limits))
    result, requests = build_module(ruleset, changeable, ends)
    addresses = result.layout.map_figure_addresses()
    parameters = (
        ParameterData(build_path(key), values[key], addresses[key], least, most)
        for key, (least, most) in limits.items()
    )
    fixed = {f"numbers.{each.id}": Why.NO_NUMBER for each in ruleset.declarations.numbers.values()}
    for key in values:
        fixed.pop(build_path(key), None)
        if key not in written:
            # If no cell of a table is literal, report the table.
            fixed[build_path(key) if len(key) == 1 else f"tables.{key[0]}"] = Why.WORKED_OUT
        elif key not in limits:
            fixed[build_path(key)] = why.get(key, Why.UNREAD)
    return ParameterModule(result, requests, tuple(parameters), fixed)


def _try_values(ruleset: Ruleset, values: Mapping[Key, Any], written: set[Key]) -> dict[str, list[Any]]:
    """Return the parameters that can change with their limits, and the reasons of those that cannot, as JSON data."""
    parameters = _holding_any(list_parameters(ruleset.declarations), written)
    while True:
        trials = _Trials(ruleset, parameters, values)
        free = trials.free([key for key in values if key in written and key in trials.addresses])
        needed = _holding_any(parameters, set(free))
        if needed == parameters:
            break
        parameters = needed
    least, most = trials.lowest(free), trials.highest(free)
    return {
        "free": [[key, least.get(key), most.get(key)] for key in free],
        "why": [[key, why.value] for key, why in trials.why.items()],
    }


def _digest_numbers(ruleset: Ruleset) -> str:
    """Return a digest of everything in rules that trials depend on, which is all but descriptions and pages."""
    contents = ContentDigests(lambda file: ruleset.resolved.find_layer(Span.for_file(file)))
    declared = [getattr(ruleset.declarations, name) for name in DECLARED]
    sections = [[key, read] for key, read in ruleset.sections.items() if key not in _ONLY_WORDS]
    settings = [ruleset.resolved.manifest, ruleset.players, ruleset.start, ruleset.payoff, ruleset.evaluate]
    return contents.compute_in_play([declared, sections, settings, ruleset.simulations])


def _holding_any(parameters: Parameters, keys: set[Key]) -> Parameters:
    """Return the parameters restricted to these numbers, and to the columns with at least one of these cells."""
    return Parameters(
        parameters.numbers & {key[0] for key in keys if len(key) == 1},
        parameters.columns & {(key[0], key[2]) for key in keys if len(key) == 3},
    )


def build_parametric_interface(parameter_module: ParameterModule) -> dict[str, Any]:
    """Return the interface data of a module with parameters, as JSON data.

    These are the data of `build_interface`, with `figures`, the values that can change with their addresses and
    limits, and `fixed`, the reasons by path for values that cannot.
    """
    described = [
        {
            "path": each.path,
            "at": each.address,
            "dice": isinstance(each.published, Roll),
            "published": each.written,
            "least": each.least,
            "most": each.most,
        }
        for each in parameter_module.figures
    ]
    fixed = {path: why.value for path, why in parameter_module.fixed.items()}
    return build_interface(
        parameter_module.module_info.layout.ruleset, parameter_module.module_info, parameter_module.requests
    ) | {
        "figures": described,
        "fixed": fixed,
    }


def _values(ruleset: Ruleset) -> dict[Key, Any]:
    """Return every whole number and roll among the constants and the table cells, by key."""
    declared = ruleset.declarations
    results: dict[Key, Any] = {(each.id,): each.value for each in declared.numbers.values() if can_vary(each.type)}
    for table in declared.tables.values():
        columns = [column for column, kind in table.columns.items() if can_vary(kind)]
        results |= {(table.id, row.id, column): row.cells[column] for row in table.rows.values() for column in columns}
    return {key: value for key, value in results.items() if value is not None}


def _is_written(ruleset: Ruleset, key: Key) -> bool:
    """Return whether the rules have a literal for a parameter, which can be edited."""
    try:
        find_node(ruleset, build_path(key))
    except DiagnosticError:
        return False
    return True


class _Trials:
    """Trial compilations of house rules with other parameters, compared with the module of their base."""

    def __init__(self, ruleset: Ruleset, parameters: Parameters, values: Mapping[Key, Any]) -> None:
        self.ruleset = ruleset
        self.figures = parameters
        self.values = values
        self.module_info, _ = build_module(ruleset, parameters)
        self.addresses = self.module_info.layout.map_figure_addresses()
        self.why: dict[Key, Why] = {}
        self._form = _form(ruleset, self.module_info)
        self._left = MOST_TRIALS

    def free(self, keys: Sequence[Key]) -> list[Key]:
        """Return the parameters that can be changed."""
        result = self._list_accepted({key: _another(self.values[key]) for key in keys})
        for key in result:
            self.why.pop(key, None)
        return result

    def lowest(self, keys: Iterable[Key]) -> dict[Key, int]:
        """Return the lower limits of whole numbers.

        A divisor must not be 0, and a count must not be negative.
        """
        dividing = _divisors(self.module_info.layout.program)
        return self._limits(keys, lambda key, value, step: _low(value, step + (_name(key) in dividing)))

    def highest(self, keys: Iterable[Key]) -> dict[Key, int]:
        """Return the upper limits of whole numbers."""
        return self._limits(keys, lambda _, value, step: _high(value, step))

    def _limits(self, keys: Iterable[Key], limit: Callable[[Key, int, int], int]) -> dict[Key, int]:
        """Return the limit of each whole number among the parameters, or a narrower one if the rules refuse it.

        `limit` returns the limit to try from a key, its published value and a step: 0, or 1 for the narrower limit. If
        the rules refuse both, the limit is the published value.
        """
        results: dict[Key, int] = {}
        left = {key: self.values[key] for key in keys if isinstance(self.values[key], int)}
        for step in range(2):
            targets = {key: limit(key, value, step) for key, value in left.items()}
            for key in self._list_accepted({key: str(value) for key, value in targets.items()}):
                results[key] = targets[key]
                del left[key]
        return results | left

    def _list_accepted(self, values: Mapping[Key, str]) -> list[Key]:
        """Return the parameters that the rules accept with these values.

        All are tried together first, and then in halves, as long as trials are left. After that, those not yet accepted
        are left out.
        """
        keys = list(values)
        if not keys or self._holds(values):
            return keys
        if len(keys) == 1 or self._left <= 0:
            return []
        half = len(keys) // 2
        parts = keys[:half], keys[half:]
        return [key for part in parts for key in self._list_accepted({each: values[each] for each in part})]

    def _holds(self, values: Mapping[Key, str]) -> bool:
        """Return whether the rules are valid with these values and otherwise the same. Uses up a trial.

        If not, `why` gets the reason for all of these parameters.
        """
        self._left -= 1
        try:
            other = with_values(self.ruleset, [(build_path(key), value) for key, value in values.items()])
        except DiagnosticError:
            self._note(values, Why.REFUSED)
            return False
        result, _ = build_module(other, self.figures)
        changed = _values(other)
        others = all(changed.get(key) == value for key, value in self.values.items() if key not in values)
        if others and len(changed) == len(self.values) and _form(other, result) == self._form:
            return True
        self._note(values, Why.BUILT_IN)
        return False

    def _note(self, values: Mapping[Key, str], why: Why) -> None:
        for key in values:
            self.why[key] = why


def _another(value: Any) -> str:
    return f"{format_roll(value)} +1" if isinstance(value, Roll) else str(value + 1)


def _low(value: int, step: int) -> int:
    """Return the lower limit of a number to try. The limits of later steps are closer to its value."""
    return min(value, (0, 1, value)[step]) if value >= 0 else (find_limits(value)[0], 2 * value, value)[step]


def _high(value: int, step: int) -> int:
    return (find_limits(value)[1], 10 * max(value, 1))[step]


def _name(key: Key) -> Key:
    """Return the program's name for a parameter: a number, or a column of a table."""
    return key if len(key) == 1 else (key[0], key[2])


def _divisors(program: Program) -> set[Key]:
    """Return the parameters that a program divides by, which therefore must not be 0.

    They are named as `_name` does: by number, or by table and column.
    """
    return {
        (part.data[0],) if part.op == "figure" else (part.data[0], part.data[1])
        for value in program.iterate_values()
        for divided in value.walk()
        if divided.op in ("int.div", "int.mod")
        for part in divided.args[1].walk()
        if part.op in ("figure", "cell")
    }


def _form(ruleset: Ruleset, module_info: ModuleInfo) -> str:
    """Return everything in a module except its parameters, and the initial memory of a game, as text to compare."""
    beginning = InitialLayout.for_module(module_info).to_plain() if ruleset.start is not None else {}
    return json.dumps([module_info.form, beginning, list(module_info.layout.words), module_info.layout.fixed])
