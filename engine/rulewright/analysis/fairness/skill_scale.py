"""A scale of luck and skill: known games and the game in question, measured with the same bots.

There are three measures, and each of them rests on pairs of games with the same dice and the seats swapped.

- The spread of ratings is the standard deviation of the ratings of `BOTS`. Source: P. Duersch, M. Lambrecht and
  J. Oechssler, "Measuring skill and chance in games", European Economic Review 127 (2020), with people instead of bots.
- The rating per doubling is what a search gains if it may think twice as long. Source: K. Thompson, "Computer chess
  strength", Advances in Computer Chess 3 (1982), with the depth of search instead of its time.
- The share of pairs that one seat wins twice between `EQUALS` shows how much the dice and the seat decide. Source:
  J. Goodman, D. Perez-Liebana and S. Lucas, "Seeding for Success: Skill and Stochasticity in Tabletop Games", IEEE
  Conference on Games (2024), with more games for each seed.

`rules/skill_scale.json` holds the results of `benchmarks/skill_scale.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil, hypot, log, log2, sqrt
from statistics import pstdev
from typing import Any

from rulewright.ai import bots
from rulewright.analysis.fairness.answer import format_interval, format_mean, format_share, join_words
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.tournament import OPEN, POINTS, SEAT, judge_deal
from rulewright.base.confidence_intervals import Z, compute_wilson_interval
from rulewright.base.lazy import compute_once
from rulewright.base.resources import find_resource

BOTS = ("random", "mcts:4", "mcts:16", "mcts:64")
"""The bots of the scale, each of which plays against the next."""

EQUALS = ("mcts:16", "mcts:15")
"""Two bots of the same strength that do not make the same choices, as two copies of one bot would with equal seeds."""

DOUBLINGS = log2(64 / 4)
"""How often the number of playouts doubles from the second bot to the last."""

FEWEST_PAIRS = 50
"""The minimum number of pairs between two bots for a comparison with known games."""

PAIRS_OF_GAMES = 5
"""The number of games in a sample for each pair between two bots."""

BUDGET, LEAST_BUDGET = 7, 1_000
"""The work for each game of a sample: that of so many games of `greedy`, or so many of its decisions."""

FILE = find_resource("rules") / "skill_scale.json"

Pairs = Sequence[tuple[GameRow, GameRow]]


@dataclass(frozen=True, slots=True)
class RatingStep:
    """The difference of the ratings of two bots, in points on the Elo scale, and half of its 95 % interval."""

    points: float
    around: float


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game of the scale: the reference and title of its rules, their gameplay digest, and its metrics by id."""

    reference: str
    title: str
    digest: str
    metrics: Mapping[str, Metric]


@dataclass(frozen=True, slots=True)
class SkillScale:
    """The known games, and how they were measured: the commit, the random seed and the number of pairs."""

    commit: str
    seed: int
    pairs: int
    games: tuple[KnownGame, ...]


def count_pairs(table: GameCache) -> int:
    """Return how many pairs of games between two bots the run can afford."""
    return min(table.games // PAIRS_OF_GAMES, int(table.games * _measure_budget(table)))


def count_games_needed(table: GameCache) -> int:
    """Return how many games a sample must have for a comparison with known games."""
    return max(FEWEST_PAIRS * PAIRS_OF_GAMES, ceil(FEWEST_PAIRS / _measure_budget(table)))


def _measure_budget(table: GameCache) -> float:
    """Return how many pairs of games between all bots the budget for one game of a sample pays for.

    The unit of work is a decision of `greedy`, so that the result is the same on every computer.
    """
    counts = table.play_good_bots(2).counts
    length = max(1.0, counts.decisions / max(1, counts.games))
    costs = {name: bots.estimate_cost(name, table.ruleset, length) for name in {*BOTS, *EQUALS}}
    work = sum(costs[one] + costs[other] for one, other in (*pairwise(BOTS), EQUALS))
    return max(BUDGET * length, LEAST_BUDGET) / (work * length)


def measure_skill(table: GameCache, pairs: int) -> list[Metric]:
    """Play so many pairs between each two bots, and return the three measures of the scale.

    After an interrupt, there are fewer pairs, and the list is empty if one of the measures has none. Raises
    `RulewrightError` if the rules fail in play.
    """
    played = [_play_pairs(table, better, lesser, pairs) for lesser, better in pairwise(BOTS)]
    equal = _play_pairs(table, *EQUALS, pairs)
    if not all(map(len, [*played, equal])):
        return []
    steps = [measure_step(each, better) for each, better in zip(played, BOTS[1:], strict=True)]
    return [*measure_ratings(steps), measure_seats(equal)]


def _play_pairs(table: GameCache, one: str, other: str, pairs: int) -> Pairs:
    first, second = (
        table.play(bots, rows=True, dice_by_step=True, games=pairs).rows for bots in ((one, other), (other, one))
    )
    return [*zip(first, second, strict=False)]


def measure_step(pairs: Pairs, better: str) -> RatingStep:
    """Return how much higher the rating of a bot is than that of its opponent, from pairs of games.

    A game without a single winner counts as half a win. The interval is that of the log odds with half a win added to
    either side (J. B. S. Haldane, Annals of Human Genetics 20 (1956), 309-311), narrowed or widened by the variance of
    the pairs. Pairs with equal results do not show how much they vary, so that each counts as one game.
    """
    quarters = [sum(_score(row, better) for row in pair) for pair in pairs]
    count, share = len(quarters), sum(quarters) / len(quarters) / 4
    won, lost = count * share + 0.5, count * (1 - share) + 0.5
    variance = 1.0
    if len(set(quarters)) > 1:
        deviations = sum((each / 4 - share) ** 2 for each in quarters)
        variance = deviations / (count - 1) / (share * (1 - share))
    return RatingStep(POINTS * log(won / lost), POINTS * Z * sqrt(variance * (1 / won + 1 / lost)))


def _score(row: GameRow, bot: str) -> int:
    """Return 2 if the bot alone has won the game, 0 if the other one has, and 1 if not."""
    winners = set(row.list_winning_bots())
    return 1 if len(winners) != 1 else 2 if bot in winners else 0


def measure_ratings(steps: Sequence[RatingStep]) -> list[Metric]:
    """Return the spread of the ratings of the bots and the rating per doubling, from the step to each next bot.

    A step can change the standard deviation by no more than that of ratings that differ in this step alone. The
    interval of the spread is therefore at least as wide as a 95 % interval.
    """
    ratings = [0.0, *accumulate(step.points for step in steps)]
    count, spread = len(ratings), pstdev(ratings)
    around = hypot(*(step.around * sqrt(low * (count - low)) / count for low, step in enumerate(steps, 1)))
    thought = steps[1:]
    doubling = sum(step.points for step in thought) / DOUBLINGS
    beside = hypot(*(step.around for step in thought)) / DOUBLINGS
    return [
        Metric(
            "scale.spread", "spread of ratings, in points", spread, (max(0.0, spread - around), spread + around), False
        ),
        Metric("scale.doubling", "rating points per doubling", doubling, (doubling - beside, doubling + beside), False),
    ]


def measure_seats(pairs: Pairs) -> Metric:
    """Return the share of pairs that one seat wins twice, of those in which each game has a single winner."""
    deals = Counter(judge_deal(one, other, EQUALS[0]) for one, other in pairs)
    decided = deals.total() - deals[OPEN]
    interval = compute_wilson_interval(deals[SEAT], decided)
    title = "one seat wins both, between equals"
    return Metric("scale.seat", title, deals[SEAT] / decided if decided else 0.5, interval, share=True)


@compute_once
def load_scale() -> SkillScale:
    """Return the scale that comes with the program. Cached."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    games = tuple(
        KnownGame(
            each["ruleset"],
            each["title"],
            each["digest"],
            {name: _read_metric(name, one) for name, one in each["metrics"].items()},
        )
        for each in data["games"]
    )
    return SkillScale(data["commit"], data["seed"], data["pairs"], games)


def _read_metric(name: str, data: Mapping[str, Any]) -> Metric:
    low, high = data["interval"]
    return Metric(name, name, data["value"], (low, high), data["share"])


def describe_places(metrics: Sequence[Metric], games: Sequence[KnownGame], pairs: int) -> list[str]:
    """Return a sentence for each measure on which known games have less of it, and which have more."""
    what = {
        "scale.spread": "Their ratings spread by {} points",
        "scale.doubling": "Twice as many playouts gain {} rating points",
        "scale.seat": f"Between `{EQUALS[0]}` and `{EQUALS[1]}`, one seat wins both games in {{}} of the pairs",
    }
    sentences = []
    for metric in metrics:
        if metric.share and metric.interval == (0.0, 1.0):
            sentences.append(f"Between `{EQUALS[0]}` and `{EQUALS[1]}`, no pair has one winner in each game.")
            continue
        value = (
            f"{format_share(metric.value)} ({format_interval(metric.interval)})"
            if metric.share
            else format_mean(metric.value, metric.interval, 0)
        )
        sentences.append(f"{what[metric.id].format(value)}: {describe_place(metric, games)}.")
    players = join_words([f"`{bot}`" for bot in BOTS])
    return [f"Of {players}, each plays {pairs:,} pairs against the next.", *sentences] if sentences else []


def describe_place(metric: Metric, games: Sequence[KnownGame]) -> str:
    """Return which known games have less of a measure and which have more, as far as the intervals do not overlap.

    If two 95 % intervals do not overlap, the p-value of the difference is about half a percent if they have the same
    width, and about one percent if one of them is three times as wide. A comparison with six games needs such a margin.
    """
    low, high = metric.interval
    less: list[str] = []
    more: list[str] = []
    unknown: list[str] = []
    for game in sorted(games, key=lambda game: game.metrics[metric.id].value):
        each = game.metrics[metric.id].interval
        side = less if each[1] < low else more if each[0] > high else unknown
        side.append(game.title)
    if not less and not more:
        return "its place among known games is not known yet"
    place = f"above {less[-1]}" if less else f"below {more[0]}"
    if less and more:
        place = f"between {less[-1]} and {more[0]}"
    if len(unknown) > len(less) + len(more):
        return f"known only to be {place}"
    return f"{place} (compared with {join_words(unknown)}, not known yet)" if unknown else place
