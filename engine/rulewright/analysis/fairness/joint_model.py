"""Tests of advantages in a joint model, in which the stronger advantages are held fixed.

An advantage is a column with a number for each seat of each game: 1 for the player who has it, minus an even share for
each player. The results are another column, and each test is one of a linear regression on these columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul

from rulewright.base.significance import compute_chi_square_tail

Column = list[float]
"""A number for each seat of each game, game after game."""

NEGLIGIBLE = 1e-9
"""The part of a column below which the rest of it is a rounding error."""


def build_column(holders: Iterable[int | None], players: int) -> Column:
    """Return the column of an advantage from the seat that has it in each game. Nobody has it if the seat is None."""
    column: Column = []
    for holder in holders:
        column += [0.0 if holder is None else (seat == holder) - 1 / players for seat in range(players)]
    return column


def compute_joint_chance(
    scores: Sequence[Sequence[int]], tested: Sequence[Column], fixed: Iterable[Sequence[Column]]
) -> float:
    """Return the p-value of an advantage with others held fixed, by the score test of a linear regression.

    An advantage may consist of several columns, such as one for each seat. If none is fixed, the test of all seats is
    Friedman's. What is fixed may explain the advantage completely. The p-value is then 1.

    Source: C. R. Rao, Proceedings of the Cambridge Philosophical Society 44 (1948), 50-57.
    """
    players = len(scores[0])
    basis: list[Column] = []
    for columns in fixed:
        _orthogonalize(columns, basis)
    rest = [each - sum(score) / players for score in scores for each in score]
    _remove(rest, basis)
    spread = _multiply(rest, rest) / (len(scores) * (players - 1) - len(basis))
    added = _orthogonalize(tested, basis)
    if not added or not spread:
        return 1.0
    explained = sum(_multiply(column, rest) ** 2 / _multiply(column, column) for column in added)
    return compute_chi_square_tail(explained / spread, len(added))


def _orthogonalize(columns: Iterable[Column], basis: list[Column]) -> list[Column]:
    """Add to an orthogonal basis what the columns have that it lacks, and return the added columns.

    The method is that of Gram and Schmidt. A column in the span of the others adds nothing.
    """
    added = []
    for column in columns:
        rest = [*column]
        _remove(rest, basis)
        if _multiply(rest, rest) > NEGLIGIBLE * _multiply(column, column):
            basis.append(rest)
            added.append(rest)
    return added


def _remove(column: Column, basis: Iterable[Column]) -> None:
    """Subtract the projections of a column on an orthogonal basis from it."""
    for other in basis:
        factor = _multiply(column, other) / _multiply(other, other)
        column[:] = [one - factor * two for one, two in zip(column, other, strict=True)]


def _multiply(one: Column, other: Column) -> float:
    """Return the scalar product."""
    return float(sum(map(mul, one, other)))
