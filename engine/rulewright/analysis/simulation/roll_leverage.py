"""The leverage of single rolls: games replayed with one roll forced to its minimum and its maximum.

For each rule, its first roll in a game is forced, or its first draw to the first and the last card. A different
winner proves little, because all later dice shift to other players. Therefore the analysis counts wins of the acting
player, who made the last decision before the roll: a decisive roll makes that player win more often at one end than
at the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from math import comb

from rulewright.analysis.simulation.run_simulation import begin_run, count_shards_under_way
from rulewright.analysis.simulation.shard import (
    Shard,
    build_series,
    find_native_bots,
    get_native_games,
    load_shared,
    split_into_chunks,
    transport_faults,
)
from rulewright.analysis.simulation.workers import iterate_in_order, open_processes, refuse_others
from rulewright.base.confidence_intervals import (
    Interval,
    adjust_by_holm,
    compute_paired_newcombe_interval,
    compute_wilson_interval,
)
from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.editions.search_path import Folders
from rulewright.ruleset.ruleset import Ruleset

MOST = 200
"""The maximum number of games with forced rolls."""

FEWEST = 10
"""The minimum number of games with forced rolls, if that many are requested."""


CERTAIN = 0.05
"""The chance at which all rules together are blamed wrongly, if no roll of theirs matters."""


@dataclass(frozen=True, slots=True)
class RollLeverage:
    """The results for the first roll of one rule, in the `games` that have one.

    In `other` games, the winners differ between the maximum and the minimum. For the acting player, `both` are games
    won either way, and `by_least` and `by_most` those won only one way. `chance` is the p-value of that difference
    (McNemar's exact test), corrected for all rules. `often` is the average number of such rolls in a game, and
    `drawn` is true for draws.
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

    @property
    def wins(self) -> tuple[float, float]:
        """The win rates of the acting player with the minimum and with the maximum."""
        return (self.both + self.by_least) / self.games, (self.both + self.by_most) / self.games

    @property
    def swing(self) -> float:
        """The absolute difference between these win rates."""
        return abs(self.by_most - self.by_least) / self.games

    @property
    def swings_between(self) -> Interval:
        """The 95 % confidence interval of that difference."""
        less, more = sorted((self.by_least, self.by_most))
        low, high = compute_paired_newcombe_interval(self.both, less, more, self.games - self.both - less - more)
        return max(0.0, low), high

    @property
    def others_between(self) -> Interval:
        """The 95 % confidence interval of the share of games with different winners."""
        return compute_wilson_interval(self.other, self.games)

    @property
    def decides(self) -> bool:
        """Whether the effect is statistically significant."""
        return self.chance <= CERTAIN


@dataclass(slots=True)
class LeverageResult:
    """The results of games with forced rolls: the number of games, and the number of replays.

    By rule: the number of its random rolls, the number of draws among them, and the results of its first roll:
    whether the acting player wins with the minimum and with the maximum, and whether the winners differ.
    """

    games: int = 0
    replayed: int = 0
    rolls: Counter[str] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)
    ends: Counter[tuple[str, bool, bool, bool]] = field(default_factory=Counter)

    def take(self, other: LeverageResult) -> None:
        """Count the games of `other` too."""
        self.games += other.games
        self.replayed += other.replayed
        self.rolls += other.rolls
        self.draws += other.draws
        self.ends += other.ends

    def list_deciding(self) -> list[RollLeverage]:
        """Return every rule that rolls, those first that decide for certain, and of these those that decide most."""
        rules = sorted({rule for rule, *_ in self.ends})
        chances = adjust_by_holm([_mcnemar(*self._apart(rule)) for rule in rules])
        results = [self._of(rule, chance) for rule, chance in zip(rules, chances, strict=True)]
        return sorted(results, key=lambda each: (not each.decides, -each.swing, -each.other / each.games, each.rule))

    def _apart(self, rule: str) -> tuple[int, int]:
        by_least, by_most = (
            sum(self.ends[rule, not most, most, other] for other in (False, True)) for most in (False, True)
        )
        return by_least, by_most

    def _of(self, rule: str, chance: float) -> RollLeverage:
        own = {ends: games for ends, games in self.ends.items() if ends[0] == rule}
        by_least, by_most = self._apart(rule)
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
        )


def _mcnemar(one: int, other: int) -> float:
    """Return the chance of so uneven a pair if either were as likely.

    Source: Q. McNemar, Psychometrika 12 (1947), exactly.
    """
    most, whole = max(one, other), one + other
    ways = sum(comb(whole, each) for each in range(most, whole + 1))
    return min(1.0, 2 * ways / (1 << whole))


@dataclass(frozen=True, slots=True)
class _First:
    """The first roll or draw of a rule in a game.

    It has its index among the chance events, the acting seat (the first if there was no decision), its two ends, and
    its original result if known.
    """

    rule: str
    place: int
    seat: int
    ends: tuple[int, int]
    came: int | None


def may_turn(ruleset: Ruleset, policies: Sequence[str]) -> bool:
    """Return whether rolls can be turned in games of these bots: they are played as WebAssembly."""
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
    """Force rolls in up to `games` games of these bots, at most `MOST`, and yield the result of each game in turn.

    The games are those of `simulate`. After `FEWEST` of them, it ends with the game that reaches the number of
    `replays` in total. The results are the same for any number of workers. `before` has earlier results, and the
    games continue after them. Raises `RulewrightError` if the rules fail, or if `may_turn` returns False.
    """
    if not may_turn(ruleset, policies):
        raise RulewrightError("rolls can only be forced with the WebAssembly back end")
    run = begin_run(ruleset, policies=policies, seed=seed, options=options, rules=rules)
    so_far = LeverageResult()
    if before is not None:
        so_far.take(before)
    numbers = range(so_far.games, min(games, MOST))
    shards = (replace(run.shard, first=number, last=number + 1) for number in numbers)
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
    if executor is None and workers == 1:
        for shard in shards:
            yield turn_game(ruleset, shard)
        return
    with open_processes(workers) if executor is None else nullcontext(executor) as pool:
        yield from iterate_in_order(pool, turn, shards, ahead=count_shards_under_way(workers, executor))


def turn(shard: Shard) -> LeverageResult:
    """Turn the rolls of a shard's one game, in a worker. Raises `RulewrightError` as `play` of a shard does."""
    refuse_others(shard.programs)
    return turn_game(load_shared(shard.reference, shard.rules, shard.digest, shard.values), shard)


def turn_game(ruleset: Ruleset, shard: Shard) -> LeverageResult:
    """Turn the rolls of a shard's one game, of a ruleset that is loaded already."""
    from rulewright.engine.wasm_backend.bot_games import Turn

    result = LeverageResult(games=1)
    thinkers = find_native_bots(ruleset, shard.policies)
    assert thinkers is not None
    inside, series = get_native_games(ruleset), build_series(shard, thinkers)
    with transport_faults():
        (game,) = filter(None, split_into_chunks(inside.play_watched(series, shard.first, shard.last), inside))
        assert game.happened is not None
        rolls = _first_rolls(ruleset, game.happened.events, result)
        # The original result of the roll is known already.
        turns = [Turn(each.place, end) for each in rolls for end in each.ends if end != each.came]
        ends = iter(
            [
                each
                for each in split_into_chunks(inside.play_variants(series, shard.first, turns), inside)
                if each is not None
            ]
        )
        for each in rolls:
            least, most = (frozenset((game if end == each.came else next(ends)).winners or ()) for end in each.ends)
            result.ends[each.rule, each.seat in least, each.seat in most, least != most] += 1
    result.replayed = len(turns)
    return result


def _first_rolls(
    ruleset: Ruleset, events: Sequence[tuple[object, ...]], leverage_result: LeverageResult
) -> list[_First]:
    """Return the first roll with several results, or the first draw, of each rule.

    Counts all of them in `leverage_result`.
    """
    firsts: dict[str, _First] = {}
    place, seat = -1, 0
    for number, told, *details in events:
        if told == "asked":
            who = details[0]
            assert isinstance(who, int)
            seat = who - FIRST_PLAYER
        if told not in ("rolled", "drawn"):
            continue
        place += 1
        assert isinstance(number, int)
        rule = ruleset.steps[number].rule
        ends = (0, 1) if told == "drawn" else _ends(details[0])
        if ends is None:
            continue
        leverage_result.rolls[rule] += 1
        leverage_result.draws[rule] += told == "drawn"
        if rule not in firsts:
            came = details[1] if told == "rolled" else None
            assert came is None or isinstance(came, int)
            firsts[rule] = _First(rule, place, seat, ends, came)
    return list(firsts.values())


def _ends(roll: object) -> tuple[int, int] | None:
    """Return the minimum and the maximum of a roll, or None if it is constant or too expensive."""
    if not isinstance(roll, Roll):
        return None
    try:
        least, most = compute_minimum(roll), compute_maximum(roll)
    except DiceError:
        return None
    return (least, most) if least < most else None
