"""What a ruleset gives the notation of dice: names of its own, and how it rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulewright.dice.ast import Die, Roll


@dataclass(frozen=True, slots=True)
class RollFunction:
    """A roll that was given a name: `body`, which may use `names`, what it is given.

    One name is for the outcome of a roll, several for dice side by side, the highest first; without any it is a roll
    like others.
    """

    names: tuple[str, ...]
    body: Roll


NO_DICE: Mapping[str, Die] = MappingProxyType({})
NO_FUNCTIONS: Mapping[str, RollFunction] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DiceContext:
    """What a ruleset gives the notation: dice by name (`dP`), rolls and functions by name, and how it rounds.

    `names` are those that a function is given, while its body is read.
    """

    dice: Mapping[str, Die]
    functions: Mapping[str, RollFunction]
    rounding: str
    names: tuple[str, ...] = ()
