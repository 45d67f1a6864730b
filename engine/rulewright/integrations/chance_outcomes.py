"""Chance outcomes as numbers: the result of a roll minus its minimum, or the index of a draw."""

from __future__ import annotations

from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.script import draw_value
from rulewright.engine.state.game_state import list_chances


def list_outcomes(source: Any, *, most: int) -> list[tuple[int, float]]:
    """Return every outcome's number with its probability, in ascending order.

    Raises `GameError` for a number of `most` or more, and `DiceError` if the roll exceeds the limits of exact
    computation.
    """
    values, probabilities = list_chances(source)
    outcomes = [(number_of(source, value), chance) for value, chance in zip(values, probabilities, strict=True)]
    if outcomes[-1][0] >= most:
        raise GameError(
            f"{len(outcomes)} outcomes exceed the limit of {most}: raise `most_outcomes`, or set chance=sampled"
        )
    return sorted(outcomes)


def sample_outcome(source: Any, generator: Generator) -> int:
    """Return the number of an outcome that the generator draws. It is fast even for many dice."""
    return number_of(source, draw_value(source, generator))


def number_of(source: Any, value: Any) -> int:
    """Return the number of an outcome."""
    if isinstance(source, Roll):
        return int(value) - compute_minimum(source)
    return 0 if isinstance(source, int) else tuple(source).index(value)


def find_outcome(source: Any, number: int) -> Any:
    """Return the outcome with a number. Raises `GameError` if the number is out of range."""
    if isinstance(source, Roll):
        least = compute_minimum(source)
        last = compute_maximum(source) - least
    else:
        least, last = 0, 0 if isinstance(source, int) else len(source) - 1
    if not 0 <= number <= last:
        raise GameError(f"outcomes are numbered from 0 to {last}, so {number} is not valid")
    if isinstance(source, Roll):
        return least + number
    return source if isinstance(source, int) else source[number]
