"""The context of dice notation that a ruleset defines: names and rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulewright.dice.ast import Die, Roll


@dataclass(frozen=True, slots=True)
class RollFunction:
    """A named roll: `body`, which may use its parameters `names`.

    One name takes the outcome of a roll, and several take the dice of a pool, highest first. Without names it is an
    ordinary roll.
    """

    names: tuple[str, ...]
    body: Roll


NO_DICE: Mapping[str, Die] = MappingProxyType({})
NO_FUNCTIONS: Mapping[str, RollFunction] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DiceContext:
    """The definitions of a ruleset for dice notation: named dice (`dP`), named rolls and functions, and rounding.

    `names` are the parameters of a function while its body is parsed.
    """

    dice: Mapping[str, Die]
    functions: Mapping[str, RollFunction]
    rounding: str
    names: tuple[str, ...] = ()
