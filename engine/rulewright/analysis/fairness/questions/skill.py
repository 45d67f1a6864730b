"""Question: how much is skill, and how much are the dice and the seat?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    answer_each_size,
    build_unknown,
    format_count,
    format_interval,
    format_share,
)
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.skill_scale import (
    FEWEST_PAIRS,
    count_games_needed,
    count_pairs,
    describe_places,
    load_scale,
    measure_skill,
)
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.tournament import BETTER, LESSER, OPEN, SEAT, judge_deal
from rulewright.base.confidence_intervals import compute_mean_share_interval, compute_wilson_interval
from rulewright.base.significance import LEVEL, compute_mcnemar_chance

PLACE = 40
TITLE = "Luck or skill?"
NOT_FROM_SAVES = "it needs games that are played twice with the same dice, and with the seats swapped"

WORTH_TELLING = 0.1
"""The minimum share of pairs in which one seat wins twice for the answer to say what they do not show."""


def answer(table: GameCache) -> Answer | None:
    """Answer from paired games with the same dice, in which a good bot and a weaker bot swap seats.

    Dice belong to steps, so that the choices of one game change no roll that the other game makes as well. If the game
    does not allow two players, or if nobody makes a decision, the answer explains this and has no metrics. If both bots
    are the same, it only compares the game with known games. Return None if no game was played. Raises
    `RulewrightError` if the rules fail in play.
    """
    if table.ruleset.players[1] < 2:
        return Answer((f"{table.ruleset.title} is for one player, so no player can be better than another.",))
    if not any(table.play_good_bots(players).counts.decisions for players in table.sizes):
        return answer_from_games(table, lambda _, __: Answer(("Luck alone: nobody makes a decision.",)))
    if table.fewest > 2:
        return Answer((f"{table.ruleset.title} needs at least {table.fewest} players, but only two can swap seats.",))
    return answer_each_size([2], lambda _: _answer_pairs(table))


def _answer_pairs(table: GameCache) -> Answer | None:
    """Return the answer from paired games of two players, or None if no game was played.

    Raises `RulewrightError` if the rules fail in play.
    """
    if table.good == table.lesser:
        sentences, metrics = _compare_with_known_games(table)
        why = f"There is no weaker bot to compare `{table.good}` with: name a better one, as in `--players mcts:50`."
        return Answer((why, *sentences), tuple(metrics), (table.build_fair_command(),))
    one = table.play((table.good, table.lesser), rows=True, dice_by_step=True)
    other = table.play((table.lesser, table.good), rows=True, dice_by_step=True)
    played = list(zip(one.rows, other.rows, strict=False))
    if not played:
        return None
    dealt = f"{format_count(len(played), 'pair')} of games with the same dice and the seats swapped"
    if len(played) < FEWEST_GAMES:
        return build_unknown(len(played), dealt, one.command)
    deals = Counter(judge_deal(first, second, table.good) for first, second in played)
    pairs = deals.total()
    wins = measure_wins(played, table.good)
    results = [
        wins,
        *(
            Metric(f"deals.{kind}", title, deals[kind] / pairs, compute_wilson_interval(deals[kind], pairs), share=True)
            for kind, title in (
                (BETTER, f"{table.good} wins both"),
                (SEAT, "one seat wins both"),
                (LESSER, f"{table.lesser} wins both"),
                (OPEN, "a draw or shared win"),
            )
        ),
    ]
    says = [
        f"`{table.good}` wins both games in {format_share(deals[BETTER] / pairs)}, `{table.lesser}` in "
        f"{format_share(deals[LESSER] / pairs)}, and in {format_share(deals[SEAT] / pairs)} the same seat wins both, "
        "whoever sits there.",
        _judge(table, deals, wins),
    ]
    if 2 * deals[OPEN] > pairs:
        says.append("Most pairs include a game without a single winner, which says nothing about luck or skill.")
    elif deals[SEAT] >= WORTH_TELLING * pairs:
        says.append(
            "The dice and the seat decide these pairs only between these two bots: a better player may win both games."
        )
    sentences, metrics = _compare_with_known_games(table)
    return Answer((*says, *sentences), (*results, *metrics), (one.command,), dealt)


def _compare_with_known_games(table: GameCache) -> tuple[list[str], list[Metric]]:
    """Return sentences on where the game is on the scale of known games, and the metrics of the scale.

    If the run cannot afford enough games, a sentence says how many it takes, and there are no metrics. After an
    interrupt, there are neither. Raises `RulewrightError` if the rules fail in play.
    """
    pairs = count_pairs(table)
    if pairs < FEWEST_PAIRS:
        return [f"A comparison with known games takes `--games {count_games_needed(table)}` or more."], []
    metrics = measure_skill(table, pairs)
    others = [game for game in load_scale().games if game.digest != table.ruleset.digest]
    return describe_places(metrics, others, pairs), metrics


def _judge(table: GameCache, deals: Counter[str], wins: Metric) -> str:
    """Return what McNemar's test says about which bot is better, in one or two sentences, from the pairs that one wins.

    `wins` is the share of games that the good bot wins. If the difference is not significant, the text says so.
    """
    share = f"{format_share(wins.value)} ({format_interval(wins.interval)}) of the games"
    if compute_mcnemar_chance(deals[BETTER], deals[LESSER]) > LEVEL:
        return (
            f"No significant difference: `{table.good}` wins {share}. Either better play gains nothing here, or these "
            "two bots play alike."
        )
    if deals[LESSER] > deals[BETTER]:
        return (
            f"The supposedly better bot plays worse: `{table.good}` wins {share}. Check how bots judge positions "
            "(`evaluate:`)."
        )
    return f"Better play gains something: `{table.good}` wins {share} against `{table.lesser}`."


def measure_wins(pairs: Sequence[tuple[GameRow, GameRow]], bot: str) -> Metric:
    """Return the win rate of a bot, from pairs of games that depend on each other."""
    values = [sum(_count_win(row, bot) for row in pair) for pair in pairs]
    count, total = len(values), sum(values)
    interval = compute_mean_share_interval(count, total, sum(value * value for value in values), most=2)
    return Metric("wins", f"{bot} wins", total / count / 2, interval, share=True)


def _count_win(row: GameRow, bot: str) -> int:
    """Return 1 if the bot has won the game, alone or with others, and 0 if not."""
    return int(bot in row.list_winning_bots())
