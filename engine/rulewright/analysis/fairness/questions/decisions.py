"""Question: what is each decision worth to the player who makes it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    describe_rare_payoffs,
    format_count,
    format_effect,
    format_mean,
    format_payoff,
    format_points,
    join_words,
)
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import Counts, is_one_option
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.paired_comparison import compute_noise_chance
from rulewright.analysis.simulation.shard import ANY
from rulewright.base.confidence_intervals import Interval, compute_mean_interval, compute_paired_newcombe_interval
from rulewright.base.significance import LEVEL, adjust_by_holm, compute_mcnemar_chance, is_mean_normal
from rulewright.engine.narration.plain_names import Names
from rulewright.language.lowering import list_asks

PLACE = 52
TITLE = "What is each decision worth?"
NOT_FROM_SAVES = "it plays games again with random choices"
IN_BOOK = InBook.NEVER

ENOUGH = 100
"""A decision is examined only if players made it at least this often."""

SAMPLES = 3
"""The number of games with random answers, in samples. All decisions and numbers of players share them. If they are too
few, larger tables are left out."""

MOST_NAMED = 6
"""The maximum number of decisions in one sentence."""

ALWAYS = 0.99
"""The minimum share of an option that is taken every time."""

NOT_KNOWN = "Not known, because no bot is known to play better than at random."


@dataclass(frozen=True, slots=True)
class DecisionValue:
    """What a player loses with random answers at one step: a difference of two shares of wins, or of mean payoffs.

    A game without a winner counts as an even share of a win, or a choice between a draw and a loss would be worth
    nothing; `draws` is true if there is one. If rare payoffs can decide the mean, the intervals are unbounded.

    `always` is true if the player always takes the same option. `changed` counts the games with another result for
    this player, and `changed_others` those with another result for the others only. `around` is the interval that holds
    for all decisions together.
    """

    step: int
    value: float
    interval: Interval
    around: Interval
    chance: float
    changed: int
    always: bool
    share: bool
    changed_others: int = 0
    draws: bool = False


def answer(table: GameCache) -> Answer | None:
    """Answer from pairs of games with the same dice, in which one player answers one question at random.

    Numbers of players whose games would cost too much are left out. Return None for one player, for players that were
    chosen to answer at random, and if nobody is asked anything. If no bot plays better than at random, the answer says
    so, and names only the decisions that never change a result of the player.
    """
    if table.ruleset.players[1] < 2 or (table.good == ANY and table.race is None):
        return None
    bot = _choose_bot(table)
    if not bot:
        return Answer((NOT_KNOWN,))
    by_players: dict[int, list[DecisionValue]] = {}
    left = SAMPLES * table.games
    decisions = {players: list_decisions(table, players) for players in table.sizes}
    tests = sum(map(len, decisions.values()))
    for players, steps in decisions.items():
        cost = len(steps) * _count_games(table, bot, len(steps))
        if cost <= left or not by_players:
            left -= cost
            by_players[players] = measure_decisions(table, players, steps, tests, bot)
    tested = [(players, each) for players, decisions in by_players.items() for each in decisions]
    chances = adjust_by_holm([each.chance for _, each in tested])
    adjusted = {(players, each.step): chance for (players, each), chance in zip(tested, chances, strict=True)}

    def answer_size(players: int) -> Answer | None:
        """Return the answer for a number of players, from games that are played on first use.

        None if nothing is known of a measured decision, and an answer without a verdict if there are too few games.
        """
        games = table.play_good_bots(players, coverage=True).counts.games
        described, command = table.describe_games(games), table.build_fair_command()
        if not by_players.get(players):
            return None
        if games < FEWEST_GAMES:
            return build_unknown(games, described, command)
        pairs = _count_games(table, bot, len(by_players[players]))
        sample = f"{format_count(pairs, 'pair')} of games of `{bot}`"
        if bot != table.good:
            says = _describe_unchanged(table, by_players[players])
            return Answer(tuple(says), (), (command,), sample) if says else None
        results = [replace(each, chance=adjusted[players, each.step]) for each in by_players[players]]
        results.sort(key=lambda each: -each.value)
        metrics = tuple(_build_metric(table, each) for each in results)
        says = _describe(table, results, players)
        if not results[0].share:
            says.append(describe_rare_payoffs(pairs))
        return Answer(tuple(says), metrics, (command,), sample)

    sizes = answer_each_size(table.sizes, answer_size)
    if bot == table.good:
        return sizes
    return replace(sizes, sentences=(NOT_KNOWN, *sizes.sentences)) if sizes else Answer((NOT_KNOWN,))


def _choose_bot(table: GameCache) -> str:
    """Return the good bot, or if it is `random`, the cheapest bot as good as it, or "" without one.

    Random answers in place of those of `random` would show nothing, because both are often the same.
    """
    if table.good != ANY or table.race is None:
        return table.good
    costs = table.race.costs
    return min((each for each in table.race.ties if each != ANY), key=lambda each: costs[each], default="")


def list_decisions(table: GameCache, players: int) -> list[int]:
    """Return the numbers of the steps with a decision that comes often enough, in the order of the rules."""
    counts = table.play_good_bots(players, coverage=True).counts
    steps = (number for number, step in table.ruleset.steps.items() if list_asks(step))
    return [number for number in steps if _count_answers(counts, number) >= ENOUGH]


def measure_decisions(
    table: GameCache, players: int, steps: Sequence[int], tests: int, bot: str
) -> list[DecisionValue]:
    """Play the games of `bot` for the decision at each step, and return what the decisions are worth.

    `tests` is the number of decisions for all numbers of players.

    The list is empty without steps or if an interrupt came before, and shorter after an interrupt. Raises
    `RulewrightError` if the rules fail in play.
    """
    if not steps or table.interrupted:
        return []
    counts = table.play_good_bots(players, coverage=True).counts
    games = _count_games(table, bot, len(steps))
    careful, share = _play_results(table, players, bot, games, None)
    results = []
    for step in steps:
        careless, _ = _play_results(table, players, bot, games, step)
        both = [*zip(careful, careless, strict=False)]
        if both:
            answers = {option: times for (asking_step, option), times in counts.taken.items() if asking_step == step}
            always = any(
                times > ALWAYS * sum(answers.values()) and is_one_option(option) for option, times in answers.items()
            )
            pairs = [(before[0], after[0]) for before, after in both]
            decision = judge_pairs(step, pairs, always=always, win=players if share else 0, tests=tests)
            others = sum(before != after for before, after in both) - decision.changed
            results.append(replace(decision, changed_others=others))
    return results


def _count_games(table: GameCache, bot: str, steps: int) -> int:
    cost = max(1.0, table.race.costs[bot]) if table.race and bot != table.good else 1.0
    share = SAMPLES * table.games / (max(1, steps) * len(table.sizes) * cost)
    return min(table.games, max(FEWEST_GAMES, int(share)))


def _count_answers(counts: Counts, step: int) -> int:
    return sum(times for (asking_step, _), times in counts.taken.items() if asking_step == step)


def _play_results(
    table: GameCache, players: int, bot: str, games: int, careless: int | None
) -> tuple[list[tuple[int, ...]], bool]:
    """Return the results of all players in each game, from the bot of the first place on, and whether they are wins.

    A win counts as many points as there are players, and a game without a winner one point for each.
    """
    results = table.play_results(players, bot=bot, games=games, dice_by_step=True, careless=careless)
    scored: Iterable[tuple[int, ...]] = results.games
    if not results.are_payoffs:
        scored = (tuple(players * win for win in wins) if any(wins) else (1,) * players for wins in results.games)
    rotated = [
        (*scores[seat:], *scores[:seat]) for number, scores in enumerate(scored) for seat in (-number % players,)
    ]
    return rotated, not results.are_payoffs


def judge_pairs(
    step: int, pairs: Sequence[tuple[int, int]], *, always: bool, win: int, tests: int = 1
) -> DecisionValue:
    """Return the worth of a decision from the results with the player's own answers and with random ones.

    `pairs` has both results of each pair of games, and must not be empty. They are at most `win` points, of which a win
    has all, a loss none, and a game without a winner some; or payoffs, if `win` is 0. The p-value is that of McNemar's
    exact test, or of a paired t test of payoffs and of points with draws. `step` and `always` go to the result
    unchanged. `tests` is the number of intervals that hold together.
    """
    games, changes = len(pairs), [own - other for own, other in pairs]
    changed, total = games - changes.count(0), sum(changes)
    draws = win > 0 and any(0 < result < win for pair in pairs for result in pair)
    scale, chance = win or 1, 1.0
    interval = around = (-inf, inf)
    if win and not (draws and changed):
        both, lost, won = (sum(pair == outcome for pair in pairs) for outcome in ((win, win), (win, 0), (0, win)))
        counts = both, lost, won, games - both - lost - won
        interval, around = (compute_paired_newcombe_interval(*counts, tests=each) for each in (1, tests))
        chance = compute_mcnemar_chance(lost, won)
    elif win or not changed or is_mean_normal(changes):
        squares = sum(change**2 for change in changes)
        bounds = (compute_mean_interval(games, total, squares, tests=each) for each in (1, tests))
        interval, around = ((low / scale, high / scale) for low, high in bounds)
        chance = compute_noise_chance(games, changed, total, squares)
    return DecisionValue(
        step, total / games / scale, interval, around, chance, changed, always, share=win > 0, draws=draws
    )


def _describe(table: GameCache, decisions: Sequence[DecisionValue], players: int) -> list[str]:
    """Return sentences on decisions: those that gain, those that lose, those that change nothing, and the open ones."""
    names = Names(table.ruleset)
    certain = [each for each in decisions if each.chance <= LEVEL]
    gains = [each for each in certain if each.value > 0]
    losses = [each for each in certain if each.value < 0]
    rare = [each for each in decisions if not isfinite(each.interval[0])]
    open_ = [each for each in decisions if each.chance > LEVEL and each.changed and each not in rare]
    says = []
    if gains:
        listed = "; ".join(f"{_name(table, names, each)}, {_format(each)}" for each in gains[:MOST_NAMED])
        more = f"; and {len(gains) - MOST_NAMED:,} more" if len(gains) > MOST_NAMED else ""
        what = "wins less often" if gains[0].share else "gains less"
        says.append(f"A player who answers one of these questions at random {what}: {listed}{more}.")
    else:
        says.append("At no question are random answers known to be worse.")
    dominated = [each for each in gains if each.always]
    if dominated:
        listed = join_words([_name(table, names, each) for each in dominated[:MOST_NAMED]])
        says.append(f"At {listed}, `{table.good}` always takes the same option, and the others are worse on average.")
    if losses:
        listed = "; ".join(f"{_name(table, names, each)}, {_format(each)}" for each in losses[:MOST_NAMED])
        says.append(
            f"Random answers are better than those of `{table.good}`, which misjudges these questions: {listed}."
        )
    says += _describe_unchanged(table, decisions)
    if rare:
        listed = "; ".join(_name(table, names, each) for each in rare[:MOST_NAMED])
        says.append(f"Not known, because rare payoffs may decide the mean: {listed}.")
    if any(each.draws for each in decisions):
        says.append(f"A game without a winner counts as {'half' if players == 2 else f'1/{players} of'} a win.")
    if open_:
        most = max(max(map(abs, each.around)) for each in open_)
        ruled_out = format_points(most) if open_[0].share else format_payoff(most, 2)
        says.append(
            f"No significant effect is known of {format_count(len(open_), 'other decision')}; more than {ruled_out} is "
            "ruled out."
        )
    return says


def _describe_unchanged(table: GameCache, decisions: Sequence[DecisionValue]) -> list[str]:
    """Return sentences on decisions that change no result of the player, but those of others, or none at all."""
    names = Names(table.ruleset)
    unchanged = [each for each in decisions if not each.changed]
    kings = [_name(table, names, each) for each in unchanged if each.changed_others]
    nothing = [_name(table, names, each) for each in unchanged if not each.changed_others]
    says = []
    if kings:
        says.append(
            "The answer changes no result of the player who gives it, but decides among the others (kingmaking): "
            f"{'; '.join(kings[:MOST_NAMED])}."
        )
    if nothing:
        says.append(f"The answer changes the result of no game: {'; '.join(nothing[:MOST_NAMED])}.")
    return says


def _format(each: DecisionValue) -> str:
    if each.share:
        return format_effect(each.value, each.interval)
    return format_mean(each.value, each.interval, 2)


def _name(table: GameCache, names: Names, each: DecisionValue) -> str:
    """Return the question of a step in quotes, or its rule."""
    step = table.ruleset.steps[each.step]
    prompt = names.format_words(step.words.get("ask", ""))
    return f"“{prompt}”" if prompt else step.rule


def _build_metric(table: GameCache, each: DecisionValue) -> Metric:
    rule = table.ruleset.steps[each.step].rule
    return Metric(f"worth.{rule}", rule, each.value, each.interval, share=each.share, points=each.share)
