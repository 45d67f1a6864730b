"""Equilibria of two-player games with hidden information, by counterfactual regret minimization.

Both players play against themselves, over the whole game tree at once. Each round increases the frequency of options
that would have paid better, and the average strategies converge to an equilibrium. Sources: M. Zinkevich et al.,
"Regret minimization in games with incomplete information", NIPS 2007; O. Tammelin, "Solving large imperfect information
games using CFR+", arXiv:1407.5042 (2014).
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ai.solving.game_tree import AT_CHANCE, AT_END, Tree
from rulewright.ai.solving.solution import UnsolvedError

CLOSE = 1e-4
"""The exploitability at which the search stops, as a share of the largest possible win."""

ENOUGH = 1e-2
"""The largest exploitability accepted when no rounds are left."""

ROUNDS = 100
"""The number of rounds before the first exploitability check. The number doubles after each check."""

MOST_WORK = 200_000_000
"""The maximum number of node visits in all rounds together."""

Strategy = list[list[float]]
"""The probability of each option, by the number of the information set."""


class Regret:
    """An approximate equilibrium of a tree. `average` is the strategy of both players.

    `gain` is how much both together could gain by a better strategy. Raises `UnsolvedError` if it is still too large
    after the maximum number of rounds.
    """

    def __init__(self, tree: Tree) -> None:
        """Play rounds until little can be gained by deviating from the average strategies.

        Raises `UnsolvedError` if too much can still be gained after the maximum of work.
        """
        self.tree = tree
        self.largest = max((abs(payoff) for payoff in tree.payoffs), default=0.0) or 1.0
        self._regrets: Strategy = [[0.0] * sight.options for sight in tree.sights]
        self._sums: Strategy = [[0.0] * sight.options for sight in tree.sights]
        done, until = 0, ROUNDS
        while True:
            while done < until:
                done += 1
                for who in (0, 1):
                    self._round(who, done)
            self.average = [_shares(sums) for sums in self._sums]
            self.gain = sum(compute_best_answer(tree, self.average, who) for who in (0, 1))
            if self.gain <= CLOSE * self.largest:
                return
            until *= 2
            if until * len(tree.at) > MOST_WORK:
                break
        if self.gain > ENOUGH * self.largest:
            raise UnsolvedError(
                f"no solution is close enough: after {done:,} rounds of self-play, "
                f"deviating could still gain {self.gain:g}"
            )

    def compute_value(self, of: Sequence[float]) -> float:
        """Return the expected value of the game, given the value of each end."""
        reach = _reach(self.tree, self.average)
        return sum(often * payoff for often, payoff in zip(reach, of, strict=True) if payoff)

    def _round(self, who: int, number: int) -> None:
        """Play one round over the whole tree, and update the regrets and average of `who` (from 0).

        `number`, the number of the round, is its weight in the average.
        """
        tree, sums = self.tree, self._sums
        now = [_shares(regrets) for regrets in self._regrets]
        own = _reach(tree, now, only=who)
        rest = _reach(tree, now, without=who)
        values = self._compute_values(now, 1 if who == 0 else -1)
        for sight, seen in enumerate(tree.sights):
            if seen.who != who:
                continue
            regrets, shares = self._regrets[sight], now[sight]
            for option in range(seen.options):
                gained = 0.0
                for place in seen.places:
                    gained += rest[place] * (values[tree.leads[place][option]] - values[place])
                regrets[option] = max(0.0, regrets[option] + gained)
            # The player's own reach probability is the same at all nodes of an information set.
            weight = number * own[seen.places[0]]
            sums[sight] = [saved + weight * share for saved, share in zip(sums[sight], shares, strict=True)]

    def _compute_values(self, strategy: Strategy, sign: int) -> list[float]:
        """Return the value of each node if both follow `strategy`, for the first player with `sign` 1, else with -1."""
        tree = self.tree
        results = [sign * payoff for payoff in tree.payoffs]
        for place in range(len(tree.at) - 1, -1, -1):
            at = tree.at[place]
            if at != AT_END:
                shares = tree.shares[place] if at == AT_CHANCE else strategy[at]
                results[place] = sum(
                    share * results[lead] for share, lead in zip(shares, tree.leads[place], strict=True)
                )
        return results


def _shares(weights: Sequence[float]) -> list[float]:
    """Return weights as shares of their sum, or equal shares if the sum is 0."""
    whole = sum(weights)
    return [weight / whole for weight in weights] if whole > 0 else [1 / len(weights)] * len(weights)


def _reach(tree: Tree, strategy: Strategy, *, only: int = -1, without: int = -1) -> list[float]:
    """Return the probability of reaching each node.

    With `only`, just this player's choices count. With `without`, this player's choices do not count.
    """
    result = [0.0] * len(tree.at)
    result[0] = 1.0
    for place, at in enumerate(tree.at):
        here = result[place]
        if at == AT_END or not here:
            continue
        if at == AT_CHANCE:
            shares: Sequence[float] = tree.shares[place]
            counts = only < 0
        else:
            shares = strategy[at]
            counts = tree.sights[at].who not in (without,) if only < 0 else tree.sights[at].who == only
        for share, lead in zip(shares, tree.leads[place], strict=True):
            result[lead] = here * share if counts else here
    return result


def compute_best_answer(tree: Tree, strategy: Strategy, who: int) -> float:
    """Return the value of the game for `who` (from 0) with a best response to the other player's strategy."""
    reach = _reach(tree, strategy, without=who)
    sign = 1 if who == 0 else -1
    best: dict[int, int] = {}
    known: dict[int, float] = {}

    def compute_node(place: int) -> float:
        """Return the value of a node for `who`, who plays a best response. Cached."""
        result = known.get(place)
        if result is None:
            at = tree.at[place]
            if at == AT_END:
                result = sign * tree.payoffs[place]
            elif at >= 0 and tree.sights[at].who == who:
                result = compute_node(tree.leads[place][option(at)])
            else:
                shares = tree.shares[place] if at == AT_CHANCE else strategy[at]
                result = sum(
                    share * compute_node(lead) for share, lead in zip(shares, tree.leads[place], strict=True) if share
                )
            known[place] = result
        return result

    def option(sight: int) -> int:
        """Return the index of the best option in an information set of `who`. Cached."""
        if sight not in best:
            seen = tree.sights[sight]
            best[sight] = max(
                range(seen.options),
                key=lambda index: sum(
                    reach[place] * compute_node(tree.leads[place][index]) for place in seen.places if reach[place]
                ),
            )
        return best[sight]

    return compute_node(0)
