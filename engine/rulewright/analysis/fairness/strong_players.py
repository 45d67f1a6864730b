"""A race between all bots for the strongest one that is affordable in the games of a ruleset.

The bots challenge the best one so far, the cheapest bots first. A challenge is played in stages, and ends as soon as
one of the two is significantly better. The budget counts work, not time, so that the result is the same on every
computer. Its unit is a decision of `greedy`.

Source of racing: O. Maron and A. W. Moore, "Hoeffding races", NIPS 1993. The strict level of every look but the last is
that of J. L. Haybittle, British Journal of Radiology 44 (1971), 793-797.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

from rulewright.ai import bots
from rulewright.ai.solving.solution import UnsolvedError
from rulewright.ai.solving.solver import get_solver
from rulewright.analysis.fairness.seat_measures import list_payoffs, with_payoffs
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.analysis.simulation.shard import ANY, play_games
from rulewright.analysis.simulation.tournament import choose_table_size
from rulewright.base.confidence_intervals import Interval, compute_mean_interval, compute_mean_share_interval
from rulewright.base.errors import RulewrightError
from rulewright.base.significance import LEVEL, compute_chi_square_tail
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.state.faults import RulesFault
from rulewright.ruleset.ruleset import Ruleset

STAGES = (20, 40, 80, 160)
"""The numbers of games after which a challenge is judged."""

STRICT = 0.002
"""The p-value below which a challenge ends before the last stage."""

BUDGET, LEAST_BUDGET = 3, 600
"""The budget of the race for each game of a sample: so many games of `greedy`, and at least so many decisions."""

AFFORDABLE, LEAST_AFFORDABLE = 8, 1_000
"""The maximum cost of a game between affordable bots: so many games of `greedy`, or so many decisions."""


SOLVED = "solved"
"""The bot that plays solved games. If something is hidden, no other bot gains on it in the long run, but it gains
little on weak bots. Therefore, it need not win its challenge, unlike other bots."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The games between two bots: the mean result of the first, which is its share of wins, or its payoff.

    Draws count as half a win. `chance` is the p-value of a difference, adjusted for all challenges of a race.
    """

    first: str
    second: str
    games: int
    mean: float
    interval: Interval
    chance: float
    share: bool

    @property
    def is_won(self) -> bool:
        """Whether the first bot is significantly better."""
        return self.chance <= LEVEL and self.mean > (0.5 if self.share else 0.0)

    @property
    def is_lost(self) -> bool:
        """Whether the second bot is significantly better."""
        return self.chance <= LEVEL and not self.is_won


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The result of a race.

    Attributes:
        best: The strongest affordable bot.
        lesser: The strongest bot that is significantly weaker, or `random`.
        ties: The bots that are neither significantly better nor worse than the best.
        stronger: Challenges won by bots that are too slow for whole samples.
        challenges: All challenges, in their order.
        spent: The part of the budget that was used, in decisions of `greedy`.
        budget: The budget.
        costs: The work of each bot for a decision, in decisions of `greedy`.
        seats: The number of players in the challenges.
        larger: The number of players at the largest table, and a challenge of the best bot by a strong rival there.
            None without a larger table or a budget for it.
    """

    best: str
    lesser: str
    ties: tuple[str, ...]
    stronger: tuple[Challenge, ...]
    challenges: tuple[Challenge, ...]
    spent: float
    budget: float
    costs: Mapping[str, float]
    seats: int = 2
    larger: tuple[int, Challenge] | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """The bots that are not known to be weaker than the best affordable one: stronger ones first, then ties."""
        return (*(each.first for each in reversed(self.stronger)), *self.ties)


def find_strong_players(
    ruleset: Ruleset, *, games: int, seed: int | str, options: dict[str, str], positions: int, largest: int = 0
) -> RaceResult | None:
    """Return the result of a race between the bots, whose budget is some samples of so many games.

    Return None for a game of one player, or if nobody makes a decision. A bot that needs a solved game takes part if
    the game is solved within `positions`. If the rules allow more players than the race has, up to `largest`, the best
    bot meets its strongest rival once more at the largest table. Raises `RulewrightError` if the rules fail in play.
    """
    if ruleset.players[1] < 2:
        return None
    try:
        race = _Race(ruleset, choose_table_size(ruleset), seed, options)
    except RulewrightError:  # the rules do not allow an even number of players
        race = _Race(ruleset, ruleset.players[0], seed, options)
    length = race.measure_length()
    if not length:
        return None
    costs = {name: bots.estimate_cost(name, ruleset, length) for name in _list_candidates(race, positions)}
    budget = games * max(BUDGET * length, LEAST_BUDGET)
    most = max(AFFORDABLE * length, LEAST_AFFORDABLE)
    affordable = {name for name, cost in costs.items() if cost * length <= most}
    best, spent = ANY, 0.0
    challenges: list[Challenge] = []
    for name in sorted(costs, key=lambda name: (name not in affordable, costs[name])):
        if name == ANY:
            continue
        a_game = length * (costs[name] + costs[best]) / 2
        challenge = _play_stages(race, name, best, most=(budget - spent) / a_game, tests=len(costs) - 1)
        if challenge is None:
            continue
        spent += challenge.games * a_game
        challenges.append(challenge)
        unbeaten = challenge.is_won or (name == SOLVED and race.is_hidden and not challenge.is_lost)
        if unbeaten and name in affordable:
            best = name
    ties = [each.first for each in challenges if each.second == best and not (each.is_won or each.is_lost)]
    stronger = [each for each in challenges if each.second == best and each.is_won]
    beaten = [each for each in challenges if each.second == best and each.is_lost]
    lost = [(1 - each.mean if each.share else -each.mean, each.first) for each in beaten]
    lost += [(each.mean, each.second) for each in challenges if each.first == best and each.is_won]
    lesser = min(lost)[1] if lost else ANY
    larger, cost = None, 0.0
    table = min(largest, ruleset.players[1])
    if table > race.players and challenges:
        rivals = [name for name in (*reversed(ties), lesser) if name in affordable and name != best]
        larger, cost = _challenge_at(_Race(ruleset, table, seed, options), rivals, best, costs, budget - spent)
    return RaceResult(
        best, lesser, tuple(ties), tuple(stronger), tuple(challenges), spent + cost, budget, costs, race.players, larger
    )


def _challenge_at(
    race: _Race, rivals: Sequence[str], best: str, costs: Mapping[str, float], budget: float
) -> tuple[tuple[int, Challenge] | None, float]:
    """Return the number of players with a challenge of the best bot by its first rival within the budget, and its cost.

    The challenge is None if there is no such rival.
    """
    length = race.measure_length()
    for rival in rivals:
        a_game = length * (costs[rival] + costs[best]) / 2
        challenge = _play_stages(race, rival, best, most=budget / a_game, tests=1) if length else None
        if challenge is not None:
            return (race.players, challenge), a_game * challenge.games
    return None, 0.0


def _play_stages(race: _Race, first: str, second: str, *, most: float, tests: int) -> Challenge | None:
    """Return a challenge after its last stage, which takes at most `most` games. None if the first takes more.

    Stages after a clear result are left out. The p-value is adjusted for `tests` challenges (Bonferroni's correction).
    """
    challenge = None
    for stage in STAGES:
        if stage > most or (challenge is not None and challenge.chance <= STRICT):
            break
        played = race.play(first, second, stage)
        challenge = replace(played, chance=min(1.0, tests * played.chance))
    return challenge


def _list_candidates(race: _Race, positions: int) -> Iterator[str]:
    """Yield the names of the bots that can play these rules.

    The bot `solved` is only one of them if `is_worth_solving`, which first solves the game.
    """
    for kind in bots.list_names():
        for name in bots.list_candidates(kind):
            if kind == SOLVED and not race.is_worth_solving(positions):
                continue
            try:
                bots.make(name, race.ruleset, seed=0, seat=1)
            except RulewrightError:  # the bot needs something that the rules lack
                continue
            yield name


class _Race:
    """The games of a race, of which a later stage continues an earlier one."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int | str, options: dict[str, str]) -> None:
        """Set up a race without games. It counts payoffs instead of wins if the rules have some."""
        self.ruleset = ruleset
        self.players = players
        self.seed = f"{seed}/race"
        self.options = options
        self.is_hidden = not analyze_sight(ruleset).everything
        self._played: dict[tuple[str, str], list[int]] = {}
        measured = with_payoffs(ruleset, players)
        self.has_payoffs = measured is not None
        self.measured = measured or ruleset

    def measure_length(self) -> float:
        """Return the mean number of decisions in a few random games."""
        rows = self._play_rows((ANY,) * self.players, 0, STAGES[0], self.seed)
        return sum(row.decisions for row in rows) / len(rows)

    def is_worth_solving(self, positions: int) -> bool:
        """Solve the game, and return whether this succeeded. Games with a variable number of players are not solved."""
        fewest, most = self.ruleset.players
        if not positions or fewest != most or self.ruleset.start is None:
            return False
        options = {**self.ruleset.simulations, **self.options}
        try:
            get_solver(self.ruleset).find_solution(self.players, options, most=positions)
        except (UnsolvedError, RulesFault):
            return False
        return True

    def play(self, first: str, second: str, games: int) -> Challenge:
        """Return the result of `games` games between two bots in all, and play only those not played before.

        The dice of each challenge are its own, because with common dice, all challengers would be lucky together.
        Raises `RulewrightError` if the rules fail in play.
        """
        results = self._played.setdefault((first, second), [])
        alternate = tuple((first, second)[seat % 2] for seat in range(self.players))
        tables = [alternate]
        if self.players % 2:
            # One of the bots has a seat more than the other, so the same game is also played the other way round.
            tables.append(tuple(second if bot == first else first for bot in alternate))
        each = len(tables)
        played = [
            self._play_rows(policies, len(results), games // each, f"{self.seed}/{first}/{second}")
            for policies in tables
        ]
        results += [sum(self._score(row, first) for row in rows) for rows in zip(*played, strict=True)]
        scale = each * (self.players if self.has_payoffs else self._shares)
        challenge = judge_results(first, second, results, scale=scale, share=not self.has_payoffs)
        return replace(challenge, games=each * challenge.games)

    @property
    def _shares(self) -> int:
        """A number that so many winners as there can be divide."""
        return lcm(*range(1, self.players + 1))

    def _play_rows(self, policies: Sequence[str], first: int, last: int, seed: str) -> list[GameRow]:
        run = begin_run(self.measured, policies=policies, seed=seed, options=self.options, rows=True)
        return play_games(self.measured, replace(run.shard, first=first, last=last)).rows

    def _score(self, row: GameRow, bot: str) -> int:
        """Return the result of a bot in a game as a whole number: its wins or payoffs, less those of the other bot.

        A win counts `_shares`, divided among all winners. A game without winners counts 0.
        """
        own = [1 if policy == bot else -1 for policy in row.seats]
        if self.has_payoffs:
            return sum(sign * value for sign, value in zip(own, list_payoffs(row), strict=True))
        winners = row.winning_seats or ()
        return sum(own[seat - 1] for seat in winners) * self._shares // len(winners) if winners else 0


def judge_results(first: str, second: str, results: Sequence[int], *, scale: int, share: bool) -> Challenge:
    """Return the challenge with these results of the first bot, which are 0 on average if the two are equal.

    `scale` is the result of a win, or of one point. `share` says whether results are shares of wins, and not payoffs.

    The p-value is that of a sign test with sizes: if the bots are equal, each result might as well be the opposite.
    """
    games, total, squares = len(results), sum(results), sum(each * each for each in results)
    chance = 1.0
    if total:
        different = sum(each != 0 for each in results)
        # The normal distribution never gives certainty, and a few results with the same sign may also be chance.
        chance = max(compute_chi_square_tail(total * total / squares, 1), 2.0 ** (1 - min(different, 1000)))
    if not share:
        low, high = compute_mean_interval(games, total, squares)
        return Challenge(first, second, games, total / games / scale, (low / scale, high / scale), chance, share)
    # Shift results from -scale..scale to 0..2*scale, so that a loss counts as a share of 0.
    squares += 2 * scale * total + games * scale * scale
    total += games * scale
    interval = compute_mean_share_interval(games, total, squares, most=2 * scale)
    return Challenge(first, second, games, total / games / (2 * scale), interval, chance, share)
