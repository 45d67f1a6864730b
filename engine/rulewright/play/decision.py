"""What players and integrators are shown at a stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen: `id` is stable, `label` is for people, `value` what the rules get.

    `index` is its place among the options, from 0.
    """

    id: str
    label: str
    value: Any
    index: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a player: `player` is the seat, from 1; `rule` the step that asks (`procedure.step`)."""

    player: int
    ask: str
    rule: str
    options: tuple[Option, ...]

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)


@dataclass(frozen=True, slots=True)
class Chance:
    """A roll or a draw: `roll` is its notation, or the deck's name; `rule` the step that makes it.

    `outcomes` gives each outcome with its exact probability. It is worked out when it is asked for: many dice have
    many outcomes, and sampling needs none of them.
    """

    rule: str
    roll: str
    source: Any

    @property
    def outcomes(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every outcome (the total of a roll, a card's id) with its probability.

        Raises `DiceError` for a roll beyond the limits.
        """
        from rulewright.play.outcomes import outcomes

        return outcomes(self.source)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the seats of the winners, from 1; none of them is a draw."""

    winners: tuple[int, ...]
