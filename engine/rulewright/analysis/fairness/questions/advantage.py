"""Question: does a seat, or something else that set-up gives to one player, help to win?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, sqrt

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    describe_rare_payoffs,
    format_count,
    format_interval,
    format_mean,
    format_payoff,
    format_points,
    format_share,
)
from rulewright.analysis.fairness.game_cache import FEWEST_CHECKS, GameCache, SeatResults
from rulewright.analysis.fairness.joint_model import (
    Column,
    build_amount_column,
    build_column,
    compute_joint_chance,
    compute_seat_chance,
    estimate_effect,
    remove_seat_means,
)
from rulewright.analysis.fairness.setup_differences import FEWEST, SetupDifference
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import (
    Interval,
    compute_mean_interval,
    compute_newcombe_interval,
    compute_t_quantile,
    compute_wilson_interval,
)
from rulewright.base.significance import (
    LEVEL,
    adjust_by_holm,
    compute_binomial_chance,
    compute_chi_square_tail,
    find_detectable_share,
    find_noncentrality,
    is_mean_normal,
)

PLACE = 5
TITLE = "Who has an advantage from the start?"
IN_BOOK = InBook.PLAYED

DIGITS = 3
"""The number of decimal places of a payoff."""

MOST_NAMED = 4
"""The maximum number of advantages in one sentence."""

BESIDES = 0.01
"""The significance level of advantages besides the strongest, because that one is the answer."""

SEAT = "seat"
"""The beginning of the ids of advantages of a seat."""

Scores = Sequence[tuple[int, ...]]
"""The results of games by seat: 1 for a win and 0 for none, or the payoff."""


@dataclass(frozen=True, slots=True)
class Advantage:
    """The result of the player in a seat, or of the player who has something, over the games in which one has it.

    Attributes:
        id: The id of its metric.
        does: The player in words, as in `decides first`.
        even: The result that every player would have in a game without advantages.
        mean: The result of this player: a share of wins, or a mean payoff.
        interval: Its 95 % confidence interval.
        games: The number of games.
        share: Whether the results are shares of wins, and not payoffs.
        chance: The p-value. All seats of a table have one test, and therefore the same p-value.
        error: The standard error of a mean that comes from a regression, and otherwise None.
        groups: The number of groups of games that do not depend on each other, in a regression.
    """

    id: str
    does: str
    even: float
    mean: float
    interval: Interval
    games: int
    share: bool
    chance: float
    error: float | None = None
    groups: int = 0

    @property
    def is_seat(self) -> bool:
        """Whether this is the player in a seat."""
        return self.id.startswith(f"{SEAT}.")

    @property
    def effect(self) -> float:
        """The difference from an even result."""
        return self.mean - self.even

    def widen(self, tests: int) -> Interval:
        """Return the interval of this number of intervals that hold together."""
        if self.error is not None:
            return _build_interval(self.mean, self.error, self.groups, share=self.share, tests=tests)
        if self.share:
            return compute_wilson_interval(round(self.mean * self.games), self.games, tests=tests)
        wider = compute_t_quantile(self.games - 1, tests) / compute_t_quantile(self.games - 1)
        low, high = (self.mean + (end - self.mean) * wider for end in self.interval)
        return low, high

    def find_detectable(self, players: int, tests: int) -> float:
        """Return the size of an effect that is found in 9 of 10 such samples, if so many `tests` are corrected for."""
        degrees = players - 1 if self.is_seat else 1
        if self.error is not None:
            return min(1.0, self.error * sqrt(find_noncentrality(degrees, LEVEL / tests)))
        return find_detectable_share(self.games, players, degrees=degrees, tests=tests)


def find_advantages(table: GameCache) -> dict[int, tuple[int, list[Advantage]]]:
    """Return the number of games and the advantages for each number of players, the largest effect first.

    The p-values are corrected for all numbers of players together, or the more is asked, the more would be found by
    chance. Those of advantages besides the strongest are corrected so that `LEVEL` means `BESIDES`, and are 1 for an
    advantage that stronger ones explain. Empty for a game of one player. After an interrupt, the remaining numbers of
    players are left out.
    """
    return table.share("advantages", lambda: _find_advantages(table))


def _find_advantages(table: GameCache) -> dict[int, tuple[int, list[Advantage]]]:
    """Return the result of `find_advantages`."""
    measured: dict[int, tuple[int, list[Advantage]]] = {}
    for players in table.advantage_sizes if table.ruleset.players[1] > 1 else ():
        results = table.play_most_results(players)
        if results.games:
            measured[players] = len(results.games), measure_advantages(table.find_differences(players), results)
    tested = [(players, each) for players, (_, all_) in measured.items() for each in _choose_tests(all_)]
    chances = adjust_by_holm([each.chance for _, each in tested])
    adjusted = {(players, _name_test(each)): chance for (players, each), chance in zip(tested, chances, strict=True)}
    for players, (_, known) in measured.items():
        names = [_name_test(each) for each in sorted(_choose_tests(known), key=lambda each: each.chance)]
        certain = [name for name in names if adjusted[players, name] <= LEVEL]
        if len(certain) > 1:
            differences, results = table.find_differences(players), table.play_most_results(players)
            others = adjust_besides(certain, differences, results, len(tested))
            adjusted |= {(players, name): chance for name, chance in others.items()}
    return {
        players: (games, [replace(each, chance=adjusted[players, _name_test(each)]) for each in all_])
        for players, (games, all_) in measured.items()
    }


def adjust_besides(
    names: Sequence[str], differences: Sequence[SetupDifference], results: SeatResults, tests: int
) -> dict[str, float]:
    """Return the corrected p-values of advantages besides the first, which is the strongest.

    Each is tested with the stronger ones held fixed, the next strongest first. Those that are not significant are 1.
    `names` are the names of tests, and `tests` is the number of all tests.
    """
    games = _select_games(results)
    columns = {each.id: [games.build_column(each)] for each in differences if each.id in names}
    columns[SEAT] = [games.build_seat_column(seat) for seat in range(games.players)]
    fixed, rest, result = [names[0]], [*names[1:]], dict.fromkeys(names[1:], 1.0)
    while rest:
        held = [*games.held, *(columns[name] for name in fixed)]
        chance, name = min((games.compute_chance(columns[name], held), name) for name in rest)
        chance *= (tests - len(fixed)) * LEVEL / BESIDES
        if chance > LEVEL:
            break
        result[name] = chance
        fixed.append(name)
        rest.remove(name)
    return result


@dataclass(frozen=True, slots=True)
class _CountedGames:
    """The games that count, for regressions on columns of advantages.

    Attributes:
        places: The numbers of these games in their sample.
        scores: The results.
        groups: The group of each game, if games depend on each other.
        held: What is held fixed: the people in saved games, if they would otherwise make games depend on each other.
    """

    places: list[int]
    scores: list[tuple[int, ...]]
    groups: list[int]
    held: list[list[Column]]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.scores[0])

    @property
    def independent(self) -> int:
        """The number of games, or of groups of games, that do not depend on each other."""
        return len({*self.groups}) or len(self.scores)

    def build_column(self, difference: SetupDifference) -> Column:
        """Return the column of a difference."""
        if difference.amounts:
            return build_amount_column((difference.amounts[place] for place in self.places), self.players)
        return build_column((difference.holders[place] for place in self.places), self.players)

    def build_seat_column(self, seat: int) -> Column:
        """Return the column of a seat."""
        return build_column([seat] * len(self.places), self.players)

    def compute_chance(self, tested: Sequence[Column], fixed: Sequence[Sequence[Column]]) -> float:
        """Return the p-value of `compute_joint_chance`, or 1 for too few independent games."""
        if self.independent < FEWEST:
            return 1.0
        return compute_joint_chance(self.scores, tested, fixed, self.groups)

    def estimate(self, identity: str, does: str, column: Column, lead: float, *, share: bool) -> Advantage:
        """Return the advantage of a column, estimated by a regression.

        `lead` is by how many units of the column a player exceeds the mean of the others. Without an estimate, because
        what is held fixed explains the column, the interval is unbounded.
        """
        players = self.players
        own = [
            score
            for score, first in zip(self.scores, range(0, len(column), players), strict=True)
            if any(column[first : first + players])
        ]
        even = sum(map(sum, own)) / players / len(own)
        fit = estimate_effect(self.scores, column, self.held, self.groups)
        independent = self.independent if self.groups else len(own)
        if fit is None or independent < 2:
            return Advantage(identity, does, even, even, (-inf, inf), len(own), share, 1.0)
        effect, error = (each * lead * (players - 1) / players for each in fit)
        interval = _build_interval(even + effect, error, independent, share=share)
        chance = self.compute_chance([column], self.held)
        return Advantage(identity, does, even, even + effect, interval, len(own), share, chance, error, independent)


def _select_games(results: SeatResults) -> _CountedGames:
    """Return the games with winners and losers. Of payoffs, return all games, because their mean is that of all."""
    places = [place for place, score in enumerate(results.games) if results.are_payoffs or len(set(score)) > 1]
    players = len(results.games[0])
    return _CountedGames(
        places,
        [results.games[place] for place in places],
        [results.groups[place] for place in places] if results.groups else [],
        [[build_column((seats[place] for place in places), players)] for seats in results.held],
    )


def _build_interval(mean: float, error: float, groups: int, *, share: bool, tests: int = 1) -> Interval:
    """Return Student's interval from a standard error. That of a share is cut off at 0 and 1."""
    reach = compute_t_quantile(groups - 1, tests) * error
    return (max(0.0, mean - reach), min(1.0, mean + reach)) if share else (mean - reach, mean + reach)


def answer(table: GameCache) -> Answer | None:
    """Answer for each number of players in `advantage_sizes` of the table.

    Return None for a game of one player, and if no game was played. After an interrupt, the answer leaves out the
    remaining numbers of players.
    """
    if table.ruleset.players[1] < 2:
        return None
    measured = find_advantages(table)
    tests = sum(len(_choose_tests(each)) for _, each in measured.values())
    # With two players, the interval of one seat mirrors that of the other.
    intervals = sum(len(each) - (players == 2) for players, (_, each) in measured.items() if each)
    checks: dict[int, tuple[str, list[Advantage]]] = {}
    for players, (_, known) in measured.items():
        paid = table.ruleset.payoff is not None
        other = None if paid else table.play_other_bot(players)
        if known and other is not None:
            checks[players] = other[0], measure_advantages(table.find_differences(players), other[1].list_wins())

    def answer_size(players: int) -> Answer | None:
        if players not in measured:
            return None
        games, known = measured[players]
        described, command = table.describe_games(games, players=players), table.build_fair_command(games)
        if games < FEWEST_GAMES:
            return build_unknown(games, described, command)
        text = (
            _describe(known, players, tests, intervals)
            if known
            else "These games show no advantage, because all players have the same result in each of them."
        )
        decisive = next((each.games for each in known if each.is_seat), games)
        if FEWEST <= decisive < games and all(each.chance > LEVEL for each in known):
            text += f" Only the {format_count(decisive, 'game')} with winners and losers count."
        if known and table.ruleset.payoff is not None:
            text += f" {describe_rare_payoffs(games)}"
        if players in checks:
            text += describe_check(known, *checks[players])
        listed = [each for each in known if not each.is_seat] + sorted(
            (each for each in known if each.is_seat), key=lambda each: each.id
        )
        return Answer((text,), tuple(map(_build_metric, listed)), (command,), described)

    return answer_each_size(table.advantage_sizes, answer_size)


def measure_advantages(differences: Sequence[SetupDifference], seat_results: SeatResults) -> list[Advantage]:
    """Return the advantage of each seat and of each difference in these games, the largest effect first.

    Games in which all players win, or nobody does, do not count. The list is empty if there are no others, and if the
    payoffs of all players are the same in each game.
    """
    share = not seat_results.are_payoffs
    if not seat_results.games:
        return []
    moving = [each for each in differences if each.seat is None]
    fixed = {each.seat: each.does for each in differences if each.seat is not None}
    games = _select_games(seat_results)
    if all(len(set(score)) == 1 for score in games.scores):
        return []
    known = share or all(
        is_mean_normal(_compare_with_mean(games.scores, [seat] * len(games.scores))) for seat in range(games.players)
    )
    results = []
    for seat in range(games.players):
        does = f"sits in seat {seat + 1}" + (f" and {fixed[seat]}" if seat in fixed else "")
        results.append(_measure(games, f"{SEAT}.{seat + 1}", does, [seat] * len(games.places), share=share))
    if games.groups:
        chance = games.compute_chance([games.build_seat_column(seat) for seat in range(games.players)], games.held)
    else:
        chance = compute_seat_chance(games.scores) if len(games.scores) >= FEWEST else 1.0
    results = [replace(each, chance=chance if known and isfinite(each.interval[0]) else 1.0) for each in results]
    for difference in moving:
        if difference.amounts:
            column = games.build_column(difference)
            if known and any(column):
                # The rest is a matter of seats, such as when seat 1 always has more.
                column = remove_seat_means(column, games.players)
                results.append(games.estimate(difference.id, difference.does, column, difference.lead, share=share))
            continue
        holders = [difference.holders[place] for place in games.places]
        if any(holder is not None for holder in holders):
            results.append(_measure(games, difference.id, difference.does, holders, share=share))
    # Of two effects of the same size, the positive one comes first. Rounding errors must not decide.
    return sorted(results, key=lambda each: (-round(abs(each.effect), 9), each.effect < 0))


def _measure(
    games: _CountedGames, identity: str, does: str, holders: Sequence[int | None], *, share: bool
) -> Advantage:
    """Return the result of the player in these seats, by a regression if the games depend on each other."""
    if games.groups:
        return games.estimate(identity, does, build_column(holders, games.players), 1, share=share)
    own = [(score, seat) for score, seat in zip(games.scores, holders, strict=True) if seat is not None]
    return measure_player(identity, does, own, share=share)


def measure_player(
    identity: str,
    does: str,
    own: Sequence[tuple[tuple[int, ...], int]],
    *,
    share: bool,
) -> Advantage:
    """Return the result of one player in each of these games, tested alone.

    With fewer than `FEWEST` games, the p-value is 1. If rare payoffs can decide the mean, the interval is unbounded,
    too. `own` has the results of each game with the seat of the player.
    """
    players, games = len(own[0][0]), len(own)
    total = sum(score[seat] for score, seat in own)
    even = sum(sum(score) for score, _ in own) / players / games
    chance = None
    if share:
        interval = compute_wilson_interval(total, games)
    else:
        above = _compare_with_mean(*zip(*own, strict=True))
        if is_mean_normal(above):
            low, high = compute_mean_interval(games, sum(above), sum(each * each for each in above))
            interval = even + low / players, even + high / players
        else:
            interval, chance = (-inf, inf), 1.0
    if chance is None:
        if games < FEWEST:
            chance = 1.0
        elif share and all(sum(score) == 1 for score, _ in own):
            chance = compute_binomial_chance(total, games, even)
        else:
            spread = sum(players * sum(x * x for x in score) - sum(score) ** 2 for score, _ in own) / players**2
            chance = compute_chi_square_tail((total - even * games) ** 2 / spread, 1)
    return Advantage(identity, does, even, total / games, interval, games, share, chance)


def _compare_with_mean(scores: Scores, seats: Sequence[int]) -> list[int]:
    """Return the result of a seat in each game minus the mean of the same game, times the number of players.

    The means of games may differ.
    """
    return [len(score) * score[seat] - sum(score) for score, seat in zip(scores, seats, strict=True)]


def _choose_tests(advantages: Sequence[Advantage]) -> list[Advantage]:
    """Return one advantage for each test."""
    return list({_name_test(each): each for each in advantages}.values())


def _name_test(advantage: Advantage) -> str:
    return SEAT if advantage.is_seat else advantage.id


def _describe(advantages: Sequence[Advantage], players: int, tests: int, intervals: int) -> str:
    """Return sentences on the strongest significant advantage and the next ones, or on what is ruled out without any.

    `advantages` are sorted by effect, and include a seat. `tests` and `intervals` are the numbers of all tests and of
    all intervals of the question.
    """
    # Name only the strongest seat, because the joint test of the seats shows only that they differ.
    strongest = next(each for each in advantages if each.is_seat)
    if strongest.games < FEWEST:
        return (
            f"Not known: only {format_count(strongest.games, 'game')} had winners and losers, and this takes at least "
            f"{FEWEST}."
        )
    if strongest.error is not None and strongest.groups < FEWEST:
        return (
            f"Not known: {format_count(strongest.games, 'game')} with so few different dice are like "
            f"{strongest.groups:,} games, and this takes at least {FEWEST}."
        )
    named = [each for each in advantages if each is strongest or not each.is_seat]
    certain = [each for each in named if each.chance <= LEVEL]
    if not all(map(isfinite, strongest.interval)) and strongest.share and not certain:
        return (
            "Not known: the same people have the same seats too often, so these games cannot tell a good seat from a "
            "good player."
        )
    if not all(map(isfinite, strongest.interval)) and not strongest.share:
        mean = format_payoff(strongest.mean, DIGITS)
        return (
            f"Not known: {format_count(strongest.games, 'game')} are too few, because rare payoffs may decide the mean."
            f" In these games, whoever {strongest.does} gains {mean} on average."
        )
    if not certain:
        return _describe_none(advantages, players, tests, intervals)
    first, *others = certain
    away = format_points(abs(first.effect)) if first.share else format_payoff(abs(first.effect), DIGITS)
    size = (
        f"wins {format_share(first.mean)} ({format_interval(first.interval)}) of "
        f"{format_count(first.games, 'game')} with winners and losers{'' if first.error is None else ' (estimated)'}"
        if first.share
        else f"gains {format_mean(first.mean, first.interval, DIGITS)} on average"
    )
    text = f"Whoever {first.does} {size}, which is {away} {'more' if first.effect > 0 else 'less'} than an even share."
    if others:
        listed = "; ".join(
            f"whoever {each.does}, {format_share(each.mean) if each.share else format_payoff(each.mean, DIGITS)}"
            for each in others[:MOST_NAMED]
        )
        text += f" Also significant: {listed}."
    return text


def describe_check(advantages: Sequence[Advantage], bot: str, check: Sequence[Advantage]) -> str:
    """Return a sentence on whether the strongest advantage is the same among other players. Empty without enough games.

    If another one differs and the strongest does not, the sentence is about the other one. Two results differ if the
    interval of their difference does not include 0. The intervals hold for all advantages together, because the
    strongest of many looks weaker in other games even if nothing has changed.
    """
    others = {each.id: each for each in check if each.games >= FEWEST_CHECKS // 2}
    pairs = [(each, others[each.id]) for each in advantages if each.id in others]
    first = next((each for each in advantages if each.chance <= LEVEL), next(iter(advantages), None))
    if first is None or first.id not in others:
        return ""
    # With two players, the interval of one seat mirrors that of the other.
    tests = len(pairs) - (sum(each.is_seat for each, _ in pairs) == 2)
    changed = [(own, other) for own, other in pairs if _differ(own, other, tests)]
    own, other = max(
        changed,
        key=lambda pair: (pair[0] is first, abs(pair[0].mean - pair[1].mean)),
        default=(first, others[first.id]),
    )
    what = (
        f"whoever {other.does} wins {format_share(other.mean)} ({format_interval(other.interval)}) of {other.games:,}"
    )
    instead = "" if own is first else f", and not {format_share(own.mean)}"
    return f" Among `{bot}`, {what}{instead}{': it changes with the players' if changed else ''}."


def _differ(one: Advantage, other: Advantage, tests: int) -> bool:
    """Return whether the interval of the difference of two results, of so many that hold together, leaves out 0."""
    if one.error is None or other.error is None:
        shares = ((round(each.mean * each.games), each.games) for each in (one, other))
        low, high = compute_newcombe_interval(*shares, tests=tests)
        return not low <= 0 <= high
    reach = compute_t_quantile(min(one.groups, other.groups) - 1, tests) * sqrt(one.error**2 + other.error**2)
    return abs(one.mean - other.mean) > reach


def _describe_none(advantages: Sequence[Advantage], players: int, tests: int, intervals: int) -> str:
    """Return sentences for no significant advantage, on how large one can still be.

    Leaves out those without an interval. The arguments are those of `_describe`.
    """
    advantages = [each for each in advantages if isfinite(each.interval[0])]
    holders = [f"whoever {each.does}" for each in advantages if not each.is_seat]
    what = ", ".join(["the seats", *holders[:MOST_NAMED]])
    ruled_out = max(abs(end - each.even) for each in advantages for end in each.widen(intervals))
    if not advantages[0].share:
        bound = format_payoff(ruled_out, DIGITS)
        return f"No significant advantage ({what}). One of more than {bound} on average is ruled out."
    detectable = max(each.find_detectable(players, tests) for each in advantages)
    return (
        f"No significant advantage ({what}). One of more than {format_points(ruled_out)} is ruled out; one of "
        f"{format_points(detectable)} would be found in 9 of 10 such samples."
    )


def _build_metric(each: Advantage) -> Metric:
    title = each.id.replace(".", " ") if each.is_seat else each.does
    return Metric(each.id, title, each.mean, each.interval, share=each.share)
