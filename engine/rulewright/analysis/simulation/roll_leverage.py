"""The effect of single rolls on who wins, measured by replays with one roll forced to its minimum and maximum.

For each rule that rolls, the first roll of a game is forced (for a draw, to the first and last possible card). Dice
belong to steps (`Shard.dice_by_step`), so that the other rolls stay as they were. Still, a different winner proves
little, because players then decide otherwise and roll for other things. The analysis therefore counts the wins of the
acting player, the last player to decide before the roll, or else seat 1. If a roll matters, this player wins more often
with one result than with the other. Only the last roll of a game without decisions is different: if the winner
changes, the roll is the cause, whoever wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from rulewright.analysis.simulation.failed_game import transport_faults
from rulewright.analysis.simulation.run_simulation import begin_run, count_shards_under_way
from rulewright.analysis.simulation.shard import (
    Shard,
    build_series,
    find_native_bots,
    get_native_games,
    load_shared,
    split_into_chunks,
)
from rulewright.analysis.simulation.workers import iterate_in_order, open_processes, refuse_others
from rulewright.base.confidence_intervals import Interval, compute_paired_newcombe_interval, compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.base.significance import adjust_by_holm, compute_mcnemar_chance
from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.ruleset import Ruleset

MOST = 1_000
"""The maximum number of games with forced rolls."""

FEWEST = 10
"""The minimum number of games with forced rolls, if that many are requested."""


EXTREMES, BETWEEN = 0.04, 0.01
"""The significance levels of the minimum against the maximum, and of results between them against either. Their sum is
the level of the whole question."""


@dataclass(frozen=True, slots=True)
class RollLeverage:
    """The effect of the first roll of one rule, over the `games` in which the rule rolled.

    In `other` of these games, the winners differ between the minimum and the maximum. The acting player wins `both`
    games with either result, and `by_least` or `by_most` only with the minimum or the maximum. `chance` is the p-value
    of this difference (McNemar's exact test), adjusted for all rules. `often` is the average number of rolls per game.
    `drawn` is true if the rule draws instead of rolling.

    In `between` games, the roll had a result between both in the game as played, and the acting player won
    `between_wins` of these and `outer_wins` with the extreme that differs more, which is the maximum if
    `is_outer_most`. `between_chance` is the p-value of this difference, adjusted for both extremes and all rules.
    `tests` is the number of rules and samples that are tested together.
    """

    rule: str
    games: int
    other: int
    both: int
    by_least: int
    by_most: int
    chance: float
    often: float
    drawn: bool
    between: int = 0
    between_wins: int = 0
    outer_wins: int = 0
    is_outer_most: bool = False
    between_chance: float = 1.0
    tests: int = 1

    @property
    def wins(self) -> tuple[float, float]:
        """The win rates of the acting player with the minimum and with the maximum."""
        return (self.both + self.by_least) / self.games, (self.both + self.by_most) / self.games

    @property
    def swing(self) -> float:
        """The effect of the roll: the absolute difference between the two win rates of the acting player."""
        return abs(self.by_most - self.by_least) / self.games

    @property
    def swings_between(self) -> Interval:
        """The 95 % confidence interval of the effect."""
        return self._bound_swing(1)

    @property
    def swings_around(self) -> Interval:
        """The interval of the effect that holds for all `tests` together."""
        return self._bound_swing(self.tests)

    def _bound_swing(self, tests: int) -> Interval:
        less, more = sorted((self.by_least, self.by_most))
        neither = self.games - self.both - less - more
        low, high = compute_paired_newcombe_interval(self.both, more, less, neither, tests=tests)
        return max(0.0, low), high

    @property
    def others_between(self) -> Interval:
        """The 95 % confidence interval of the share of games with different winners."""
        return compute_wilson_interval(self.other, self.games)

    @property
    def decides(self) -> bool:
        """Whether the difference between the minimum and the maximum is statistically significant."""
        return self.chance <= EXTREMES

    @property
    def bends(self) -> bool:
        """Whether only results between the minimum and the maximum differ significantly from one of the two."""
        return not self.decides and self.between_chance <= BETWEEN


@dataclass(slots=True)
class LeverageResult:
    """The results of games with forced rolls: the number of games and of replays.

    For each rule, `rolls` counts the rolls with more than one possible result, and `draws` those that are draws. `ends`
    counts games by the rule, whether the acting player wins with the minimum, whether with the maximum, and whether the
    winners differ. `inner` counts games whose actual result is between both, by the rule, whether the acting player
    wins with the minimum, whether with the maximum, and whether in the game as played.
    """

    games: int = 0
    replayed: int = 0
    rolls: Counter[str] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)
    ends: Counter[tuple[str, bool, bool, bool]] = field(default_factory=Counter)
    inner: Counter[tuple[str, bool, bool, bool]] = field(default_factory=Counter)

    def take(self, other: LeverageResult) -> None:
        """Add the games of `other`."""
        self.games += other.games
        self.replayed += other.replayed
        self.rolls += other.rolls
        self.draws += other.draws
        self.ends += other.ends
        self.inner += other.inner

    def list_deciding(self, *, samples: int = 1) -> list[RollLeverage]:
        """Return the effect of every rule that rolls: significant rules first, then by the effect on all games.

        A rule that seldom rolls has a small effect on all games, even if its roll decides. The p-values are adjusted
        for all rules, and for the number of samples that are tested like this one.
        """
        rules = sorted({rule for rule, *_ in self.ends})
        chances = adjust_by_holm([compute_mcnemar_chance(*self._apart(rule)) for rule in rules])
        chances = [min(1.0, samples * chance) for chance in chances]
        results = [self._of(rule, chance, samples * len(rules)) for rule, chance in zip(rules, chances, strict=True)]
        return sorted(
            results,
            key=lambda each: (not each.decides, not each.bends, -each.swing * each.games, -each.other, each.rule),
        )

    def _apart(self, rule: str) -> tuple[int, int]:
        by_least, by_most = (
            sum(self.ends[rule, not most, most, other] for other in (False, True)) for most in (False, True)
        )
        return by_least, by_most

    def _of(self, rule: str, chance: float, tests: int) -> RollLeverage:
        """Return the effect of a rule, with its adjusted p-value. `tests` is that of the effect."""
        own = {ends: games for ends, games in self.ends.items() if ends[0] == rule}
        by_least, by_most = self._apart(rule)
        inner = [(ends, won, games) for (name, *ends, won), games in self.inner.items() if name == rule]
        between_wins = sum(games for _, won, games in inner if won)
        outer = []
        for end in (False, True):
            gained = sum(games for ends, won, games in inner if won and not ends[end])
            lost = sum(games for ends, won, games in inner if ends[end] and not won)
            outer.append((compute_mcnemar_chance(gained, lost), between_wins - gained + lost, end))
        between_chance, outer_wins, is_outer_most = min(outer)
        return RollLeverage(
            rule,
            games=sum(own.values()),
            other=sum(games for (_, _, _, other), games in own.items() if other),
            both=sum(games for (_, least, most, _), games in own.items() if least and most),
            by_least=by_least,
            by_most=by_most,
            chance=chance,
            often=self.rolls[rule] / self.games,
            drawn=bool(self.draws[rule]),
            between=sum(games for _, _, games in inner),
            between_wins=between_wins,
            outer_wins=outer_wins,
            is_outer_most=is_outer_most,
            between_chance=min(1.0, 2 * tests * between_chance),
            tests=tests,
        )


@dataclass(frozen=True, slots=True)
class _First:
    """The first roll or draw of a rule in a game.

    `place` is its index among all rolls of the game. `seat` is the last seat to decide before it, or seat 0. `ends` are
    its minimum and maximum, and `outcome` is its actual result, if known. `settles` is true if it is the last roll of a
    game in which nobody decides.
    """

    rule: str
    place: int
    seat: int
    ends: tuple[int, int]
    outcome: int | None
    settles: bool = False


def may_turn(ruleset: Ruleset, policies: Sequence[str]) -> bool:
    """Return whether rolls can be forced in games of these bots, which requires the WebAssembly back end."""
    return find_native_bots(ruleset, policies) is not None


def turn_rolls(
    ruleset: Ruleset,
    policies: Sequence[str],
    *,
    games: int,
    replays: int,
    before: LeverageResult | None = None,
    seed: int | str = 0,
    options: dict[str, str] | None = None,
    rules: Folders = (),
    workers: int = 1,
    executor: Executor | None = None,
) -> Iterator[LeverageResult]:
    """Yield the effect of forced rolls in each game of these bots, up to `games` or `MOST` games.

    The games are the same as those of `simulate`. After at least `FEWEST` games, the iteration ends once it has reached
    `replays` replays. The results are the same for any number of workers. `before` holds the results of earlier games,
    after which the iteration continues. Raises `RulewrightError` if the rules fail in play or `may_turn` is false.
    """
    if not may_turn(ruleset, policies):
        raise RulewrightError("rolls can only be forced with the WebAssembly back end")
    run = begin_run(ruleset, policies=policies, seed=seed, options=options, rules=rules)
    so_far = LeverageResult()
    if before is not None:
        so_far.take(before)
    numbers = range(so_far.games, min(games, MOST))
    shards = (replace(run.shard, first=number, last=number + 1, dice_by_step=True) for number in numbers)
    all_turned = _vary_all(ruleset, shards, workers, executor)
    while not (so_far.games >= FEWEST and so_far.replayed >= replays):
        result = next(all_turned, None)
        if result is None:
            return
        so_far.take(result)
        yield result


def _vary_all(
    ruleset: Ruleset, shards: Iterator[Shard], workers: int, executor: Executor | None
) -> Iterator[LeverageResult]:
    """Yield the result of each shard, in order. One worker without an executor plays them in this process.

    Raises `RulewrightError` if the rules fail in play, and `WorkersLostError` if a worker process is killed.
    """
    if executor is None and workers == 1:
        for shard in shards:
            yield force_rolls(ruleset, shard)
        return
    with open_processes(workers) if executor is None else nullcontext(executor) as pool:
        yield from iterate_in_order(pool, turn, shards, ahead=count_shards_under_way(workers, executor))


def turn(shard: Shard) -> LeverageResult:
    """Force the rolls of a shard's one game, in a worker. Raises `RulewrightError` like `play` of a shard."""
    refuse_others(shard.programs)
    return force_rolls(load_shared(shard.reference, shard.rules, shard.digest, shard.values), shard)


def force_rolls(ruleset: Ruleset, shard: Shard) -> LeverageResult:
    """Force the rolls of a shard's one game, with a loaded ruleset.

    The result also counts the rolls and draws of that game. All bots must be native (`find_native_bots`). Raises
    `RulewrightError` if the rules fail in play.
    """
    from rulewright.engine.wasm_backend.bot_games import ForcedOutcome

    result = LeverageResult(games=1)
    thinkers = find_native_bots(ruleset, shard.policies)
    assert thinkers is not None
    inside, series = get_native_games(ruleset), build_series(shard, thinkers)
    with transport_faults():
        (game,) = filter(None, split_into_chunks(inside.play_watched(series, shard.first, shard.last), inside))
        assert game.step_counts is not None
        rolls = _first_rolls(ruleset, game.step_counts.events, result)
        # If the forced result equals the original one, the winners are already known.
        outcomes = [ForcedOutcome(each.place, end) for each in rolls for end in each.ends if end != each.outcome]
        ends = iter(
            [
                each
                for each in split_into_chunks(inside.play_variants(series, shard.first, outcomes), inside)
                if each is not None
            ]
        )
        for each in rolls:
            least, most = (frozenset((game if end == each.outcome else next(ends)).winners or ()) for end in each.ends)
            own = frozenset(game.winners or ())
            seat = next(iter(sorted(most - least) or sorted(own - least)), each.seat) if each.settles else each.seat
            result.ends[each.rule, seat in least, seat in most, least != most] += 1
            if each.outcome is not None and each.outcome not in each.ends:
                result.inner[each.rule, seat in least, seat in most, seat in own] += 1
    result.replayed = len(outcomes)
    return result


def _first_rolls(
    ruleset: Ruleset, events: Sequence[tuple[object, ...]], leverage_result: LeverageResult
) -> list[_First]:
    """Return the first uncertain roll, or the first draw, of each rule.

    Also add all uncertain rolls and draws to the counts of `leverage_result`.
    """
    firsts: dict[str, _First] = {}
    place, seat, has_decided = -1, 0, False
    for number, event_kind, *details in events:
        if event_kind == "asked":
            who = details[0]
            assert isinstance(who, int)
            seat, has_decided = who - FIRST_PLAYER, True
        if event_kind not in ("rolled", "drawn"):
            continue
        place += 1
        assert isinstance(number, int)
        rule = ruleset.steps[number].rule
        ends = (0, 1) if event_kind == "drawn" else _ends(details[0])
        if ends is None:
            continue
        leverage_result.rolls[rule] += 1
        leverage_result.draws[rule] += event_kind == "drawn"
        if rule not in firsts:
            total = details[1] if event_kind == "rolled" else None
            assert total is None or isinstance(total, int)
            firsts[rule] = _First(rule, place, seat, ends, total)
    return [replace(each, settles=not has_decided and each.place == place) for each in firsts.values()]


def _ends(roll: object) -> tuple[int, int] | None:
    """Return the minimum and maximum of a roll.

    None if it has only one possible result, if its bounds are unknown, or if the value is not a roll.
    """
    if not isinstance(roll, Roll):
        return None
    try:
        least, most = compute_minimum(roll), compute_maximum(roll)
    except DiceError:
        return None
    return (least, most) if least < most else None
