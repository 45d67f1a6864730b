"""A round-robin tournament that rates bots against each other.

Ratings follow the model of R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952). Newton's method maximizes the log likelihood, and the intervals use Fisher information. Ratings are on the Elo
scale, on which 400 points are odds of ten to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, log, sqrt

from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.run_simulation import Progress, begin_run, iterate_steps
from rulewright.base.confidence_intervals import Z
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.ruleset import Ruleset

POINTS = 400 / log(10)
"""The rating difference, in points, for odds of e to one."""

STEEP = 0.8
"""The minimum share of decisive games that a bot should win against the next weaker one."""

BETTER, SEAT, LESSER, OPEN = "both", "seat", "neither", "open"
"""What won both games of a pair: the better bot, one seat, or the lesser bot. Open if a game has no single winner."""

_ROUNDS = 200
_SEEN_BEFORE = 0.5
"""The prior wins of each bot in a pair, so that a bot without losses has a finite rating."""


@dataclass(frozen=True, slots=True)
class BotPair:
    """The results of the games between two bots, from the view of the first. A shared win counts as a draw."""

    first: str
    second: str
    wins: int
    losses: int
    draws: int
    unfinished: int

    @property
    def decided(self) -> int:
        """The number of decisive games, which only one of the bots won."""
        return self.wins + self.losses

    def from_view_of(self, bot: str) -> BotPair:
        """Return the same results from the view of `bot`."""
        if bot == self.first:
            return self
        return BotPair(self.second, self.first, self.losses, self.wins, self.draws, self.unfinished)


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a bot, in points above the first bot named, with its 95 % confidence interval."""

    bot: str
    points: float
    low: float
    high: float


def choose_table_size(ruleset: Ruleset) -> int:
    """Return the smallest even number of players, at least 2, so that both bots get the same number of seats.

    Raises `RulewrightError` if the ruleset allows no such number.
    """
    fewest, most = ruleset.players
    seats = max(2, fewest + fewest % 2)
    if seats > most:
        raise RulewrightError(
            f"{ruleset.title} is for {ruleset.format_players()}: two bots cannot share the seats equally"
        )
    return seats


def play_tournament(
    ruleset: Ruleset,
    bots: Sequence[str],
    *,
    games: int,
    seed: int | str = 0,
    options: dict[str, str] | None = None,
    rules: Folders = (),
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[BotPair]:
    """Play `games` games between every two bots, and yield the results of each pair when its games are complete.

    With an even number of games, both bots play equally often in each seat. Raises `RulewrightError` for fewer than two
    bots, for duplicate bots, for rules without an even number of players, for settings that `simulate` refuses, and if
    the rules fail in play.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise RulewrightError("a tournament needs at least two different bots, as in random,greedy,mcts:50")
    seats = choose_table_size(ruleset)
    for first, second in combinations(bots, 2):
        policies = [first, second] * (seats // 2)
        run = begin_run(ruleset, policies=policies, seed=seed, options=options, rules=rules, rows=True)
        counter: Counter[frozenset[str] | None] = Counter()
        for rows in iterate_steps(ruleset, run, games=games, workers=workers, executor=executor, progress=progress):
            counter.update(find_winning_bots(row) for row in rows)
        both = counter[frozenset()] + counter[frozenset((first, second))]
        won, lost = counter[frozenset((first,))], counter[frozenset((second,))]
        yield BotPair(first, second, won, lost, both, counter[None])


def find_winning_bots(row: GameRow) -> frozenset[str] | None:
    """Return the bots that won a game, in any seat, or None if the game did not end."""
    return None if row.winning_seats is None else frozenset(row.list_winning_bots())


def judge_deal(first: GameRow, second: GameRow, better: str) -> str:
    """Return the result of a pair of games with the same seed, in which the bots swap seats.

    `BETTER` or `LESSER` if one bot wins both games, and `SEAT` if one seat does. `OPEN` if either game did not end or
    does not have exactly one winner.
    """
    if (
        first.winning_seats is None
        or second.winning_seats is None
        or len(first.winning_seats) != 1
        or len(second.winning_seats) != 1
    ):
        return OPEN
    if first.winning_seats == second.winning_seats:
        return SEAT
    return BETTER if first.list_winning_bots() == [better] else LESSER


def rate_bots(bots: Sequence[str], pairs: Sequence[BotPair]) -> list[Rating]:
    """Return the ratings of bots, best first, from the results of every two of them.

    The first of `bots` has 0 points.
    """
    wins = {(pair.first, pair.second): pair.wins + _SEEN_BEFORE for pair in pairs}
    wins |= {(pair.second, pair.first): pair.losses + _SEEN_BEFORE for pair in pairs}
    strengths = dict.fromkeys(bots, 0.0)
    others = [*bots[1:]]
    for _ in range(_ROUNDS):
        surplus = [_surplus(bot, strengths, wins) for bot in others]
        moves = solve_linear(_information(others, strengths, wins), surplus)
        # A larger step would overshoot the maximum if games were one-sided.
        longest = max(1.0, *(abs(move) for move in moves))
        for bot, move in zip(others, moves, strict=True):
            strengths[bot] += move / longest
        if longest == 1.0 and max(map(abs, moves)) < 1e-9:
            break
    information = _information(others, strengths, wins)
    results = [Rating(bots[0], 0.0, 0.0, 0.0)]
    for place, bot in enumerate(others):
        variance = solve_linear(information, [float(number == place) for number in range(len(others))])[place]
        points, around = POINTS * strengths[bot], POINTS * Z * sqrt(variance)
        results.append(Rating(bot, points, points - around, points + around))
    return sorted(results, key=lambda rating: -rating.points)


def find_flat_rungs(ratings: Sequence[Rating], pairs: Sequence[BotPair]) -> list[BotPair]:
    """Return the adjacent pairs without a clear skill step, from the top and from the view of the better bot.

    The better bot wins less than `STEEP` of their decisive games, or there are no decisive games.
    """
    bot_pairs = []
    for upper, lower in pairwise(ratings):
        pair = next(pair for pair in pairs if {pair.first, pair.second} == {upper.bot, lower.bot}).from_view_of(
            upper.bot
        )
        if pair.wins < STEEP * pair.decided or not pair.decided:
            bot_pairs.append(pair)
    return bot_pairs


def _chance(own: float, other: float) -> float:
    return 1 / (1 + exp(other - own))


def _surplus(bot: str, strengths: Mapping[str, float], wins: Mapping[tuple[str, str], float]) -> float:
    """Return the wins of a bot minus the wins that its strength predicts."""
    return sum(
        won - (won + wins[other, bot]) * _chance(strengths[bot], strengths[other])
        for (own, other), won in wins.items()
        if own == bot
    )


def _information(
    bots: Sequence[str], strengths: Mapping[str, float], wins: Mapping[tuple[str, str], float]
) -> list[list[float]]:
    """Return the Fisher information matrix of the strengths of bots."""
    results = [[0.0] * len(bots) for _ in bots]
    places = {bot: place for place, bot in enumerate(bots)}
    for (own, other), won in wins.items():
        chance = _chance(strengths[own], strengths[other])
        weight = (won + wins[other, own]) * chance * (1 - chance)
        if own in places:
            results[places[own]][places[own]] += weight
            if other in places:
                results[places[own]][places[other]] -= weight
    return results


def solve_linear(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations with a symmetric, positive definite matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for place in range(size):
        for below in range(place + 1, size):
            factor = rows[below][place] / rows[place][place]
            rows[below] = [value - factor * above for value, above in zip(rows[below], rows[place], strict=True)]
    result = [0.0] * size
    for place in reversed(range(size)):
        known = sum(rows[place][other] * result[other] for other in range(place + 1, size))
        result[place] = (rows[place][size] - known) / rows[place][place]
    return result
