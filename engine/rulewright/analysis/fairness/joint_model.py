"""Tests of advantages in a joint model, in which the stronger advantages are held fixed.

An advantage is a column with a number for each seat of each game: 1 for the player who has it, minus an even share for
each player. The results are another column, and each test is one of a linear regression on these columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from operator import mul
from random import Random

from rulewright.base.significance import compute_binomial_chance, compute_chi_square_tail

Column = list[float]
"""A number for each seat of each game, game after game."""

NEGLIGIBLE = 1e-9
"""The part of a column below which the rest of it is a rounding error."""

FEW = 10
"""The mean number of games for each seat below which the chi-square distribution is not close enough."""

DRAWS, ENOUGH = 9_999, 50
"""The maximum number of random samples with which a sample is compared, and how many as extreme as it suffice."""


def build_column(holders: Iterable[int | None], players: int) -> Column:
    """Return the column of an advantage from the seat that has it in each game. Nobody has it if the seat is None."""
    column: Column = []
    for holder in holders:
        column += [0.0 if holder is None else (seat == holder) - 1 / players for seat in range(players)]
    return column


def build_amount_column(amounts: Iterable[Sequence[int] | None], players: int) -> Column:
    """Return the column of an amount from what each seat has in each game: how far it is from the mean of the game."""
    column: Column = []
    for each in amounts:
        column += [0.0] * players if each is None else [value - sum(each) / players for value in each]
    return column


def remove_seat_means(column: Column, players: int) -> Column:
    """Return what a column has beyond the mean of each seat, so that it says nothing about seats."""
    means = [sum(column[seat::players]) * players / len(column) for seat in range(players)]
    return [value - means[place % players] for place, value in enumerate(column)]


def compute_seat_chance(scores: Sequence[Sequence[int]], groups: Sequence[Hashable] = ()) -> float:
    """Return the p-value of the hypothesis that all seats are equal, by the test of `compute_joint_chance`.

    With one winner in each game, it is the exact binomial test for two players. With few games for each seat, the
    statistic is compared with that of random winners instead (Monte Carlo test), because it does not have a chi-square
    distribution yet. The random numbers are always the same. The scores must differ in at least one game.

    Source: J. Besag and P. Clifford, Biometrika 78 (1991), 301-304.
    """
    players, games = len(scores[0]), len(scores)
    if groups or not _have_one_winner(scores) or (players > 2 and games >= FEW * players):
        seats = [build_column([seat] * games, players) for seat in range(players)]
        return compute_joint_chance(scores, seats, (), groups)
    wins = [sum(score[seat] for score in scores) for seat in range(players)]
    if players == 2:
        return compute_binomial_chance(wins[0], games, 0.5)
    # Pearson's statistic grows with the sum of the squares.
    statistic = sum(each * each for each in wins)
    random, extreme, drawn = Random(0), 0, 0
    while drawn < DRAWS and extreme < ENOUGH:
        drawn += 1
        winners = Counter(random.choices(range(players), k=games))
        extreme += sum(each * each for each in winners.values()) >= statistic
    return extreme / drawn if extreme == ENOUGH else (extreme + 1) / (drawn + 1)


def compute_joint_chance(
    scores: Sequence[Sequence[int]],
    tested: Sequence[Column],
    fixed: Iterable[Sequence[Column]],
    groups: Sequence[Hashable] = (),
) -> float:
    """Return the p-value of an advantage with others held fixed, by the score test of a linear regression.

    An advantage may consist of several columns, such as one for each seat. If none is fixed, the test of all seats is
    Friedman's. What is fixed may explain the advantage completely. The p-value is then 1.

    Friedman's test needs games in which each player is as likely to win with one other player as with another. If
    partners win together, or with payoffs, this is not so, and the covariance comes from the games instead (sandwich
    estimator). So it does with `groups`: games of the same group may depend on each other.

    Sources: M. Friedman, JASA 32 (1937), 675-701; C. R. Rao, Proceedings of the Cambridge Philosophical Society 44
    (1948), 50-57; K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986), 13-22.
    """
    players = len(scores[0])
    basis: list[Column] = []
    for columns in fixed:
        _orthogonalize(columns, basis)
    rest = [each - sum(score) / players for score in scores for each in score]
    _remove(rest, basis)
    free = len(scores) * (players - 1) - len(basis)
    fixed_parts = len(basis)
    added = _orthogonalize(tested, basis)
    if not added or not any(rest) or free <= 0:
        return 1.0
    if not groups and _have_one_winner(scores):
        spread = _multiply(rest, rest) / free
        explained = sum(_multiply(column, rest) ** 2 / _multiply(column, column) for column in added)
        return compute_chi_square_tail(explained / spread, len(added))
    results = _multiply(rest, rest)
    sums = [(_add_by_group(column, rest, players, groups), results * _multiply(column, column)) for column in added]
    # If partners have the same results, some of the sums are nothing but rounding errors.
    parts = _orthogonalize([each for each, most in sums if _multiply(each, each) > NEGLIGIBLE**2 * most], [])
    if not parts:
        return 1.0
    ones = [1.0] * len(parts[0])
    explained = sum(_multiply(part, ones) ** 2 / _multiply(part, part) for part in parts)
    # What is fixed also takes up some of the chance, which makes the rest look smaller than it is.
    return compute_chi_square_tail(explained * free / (free + fixed_parts), len(parts))


def estimate_effect(
    scores: Sequence[Sequence[int]], column: Column, fixed: Iterable[Sequence[Column]], groups: Sequence[Hashable] = ()
) -> tuple[float, float] | None:
    """Return the effect of one unit of a column on the results, and its standard error, with others held fixed.

    The error is that of the sandwich estimator. None if what is fixed explains the column completely.
    """
    players = len(scores[0])
    basis: list[Column] = []
    for columns in fixed:
        _orthogonalize(columns, basis)
    rest = [each - sum(score) / players for score in scores for each in score]
    added = _orthogonalize([column], basis)
    if not added:
        return None
    (own,) = added
    squares = _multiply(own, own)
    effect = _multiply(own, rest) / squares
    _remove(rest, basis)
    sums = _add_by_group(own, rest, players, groups)
    free = len(scores) * (players - 1)
    inflation = free / max(1, free - len(basis))
    return effect, (_multiply(sums, sums) * inflation) ** 0.5 / squares


def _have_one_winner(scores: Sequence[Sequence[int]]) -> bool:
    return all(sum(score) == 1 and max(score) == 1 and min(score) == 0 for score in scores)


def _add_by_group(column: Column, rest: Column, players: int, groups: Sequence[Hashable]) -> Column:
    """Return the sum of the products of two columns for each group of games, or for each game without groups."""
    products = [
        _multiply(column[first : first + players], rest[first : first + players])
        for first in range(0, len(rest), players)
    ]
    if not groups:
        return products
    sums: dict[Hashable, float] = {}
    for group, product in zip(groups, products, strict=True):
        sums[group] = sums.get(group, 0.0) + product
    return [*sums.values()]


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
