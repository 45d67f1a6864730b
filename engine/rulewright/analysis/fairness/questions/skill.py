"""Question: how much is skill, and how much are the dice and the seat?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    answer_each_size,
    build_unknown,
    format_count,
    format_interval,
    format_mean,
    format_share,
)
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.seat_measures import list_payoffs, with_payoffs
from rulewright.analysis.fairness.skill_scale import (
    FEWEST_PAIRS,
    count_games_needed,
    count_pairs,
    describe_places,
    load_scale,
    measure_skill,
)
from rulewright.analysis.fairness.strong_players import Challenge, judge_results
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.tournament import BETTER, LESSER, OPEN, SEAT, judge_deal
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.significance import compute_mcnemar_chance

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
    played = _play_pairs(table)
    if not played:
        return None
    dealt = f"{format_count(len(played), 'pair')} of games with the same dice and the seats swapped"
    if len(played) < FEWEST_GAMES:
        return build_unknown(len(played), dealt, one.command)
    deals = Counter(judge_deal(first, second, table.good) for first, second in played)
    pairs = deals.total()
    share = table.ruleset.payoff is None
    challenge = judge_bots(played, table.good, table.lesser, share=share)
    title = f"{table.good} {'wins' if share else 'gains'}"
    results = [
        Metric("wins" if share else "payoff", title, challenge.mean, challenge.interval, share=share),
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
        _judge(challenge, draws=share and deals[OPEN] > 0),
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


def _play_pairs(table: GameCache) -> list[tuple[GameRow, GameRow]]:
    """Return the pairs of games, whose rows include the payoffs if the rules have some."""
    seats = (table.good, table.lesser), (table.lesser, table.good)
    measured = with_payoffs(table.ruleset, 2)
    if measured is None:
        one, other = (table.play(each, rows=True, dice_by_step=True).rows for each in seats)
    else:
        one, other = (
            tuple(row for game in table.play_each(measured, each, dice_by_step=True) for row in game.rows)
            for each in seats
        )
    return list(zip(one, other, strict=False))


def _judge(challenge: Challenge, *, draws: bool) -> str:
    """Return which bot is better, in one or two sentences. If the difference is not significant, the text says so."""
    good, lesser = f"`{challenge.first}`", f"`{challenge.second}`"
    if challenge.share:
        gains = f"{good} wins {format_share(challenge.mean)} ({format_interval(challenge.interval)}) of the games"
    else:
        gains = f"{good} gains {format_mean(challenge.mean, challenge.interval, 2)} on average"
    half = ", with a draw or a shared win as half a win" if draws else ""
    if challenge.is_won:
        return f"Better play gains something: {gains} against {lesser}{half}."
    if challenge.is_lost:
        return f"The supposedly better bot plays worse: {gains}{half}. Check how bots judge positions (`evaluate:`)."
    return (
        f"No significant difference: {gains}{half}. Either better play gains nothing here, or these two bots play "
        "alike."
    )


def judge_bots(pairs: Sequence[tuple[GameRow, GameRow]], good: str, lesser: str, *, share: bool) -> Challenge:
    """Return the result of the good bot in pairs of games with the seats swapped.

    It is the share of games that the bot wins, with a draw or a shared win as half a win, or its mean payoff beyond
    that of the other. If the bots are equal, each pair might as well have the opposite result: the p-value of wins is
    that of an exact sign test, and without draws, of McNemar's.
    """
    results = []
    for pair in pairs:
        scores = [(row.list_wins() if share else list_payoffs(row), row.seats.index(good)) for row in pair]
        results.append(sum(score[seat] - score[1 - seat] for score, seat in scores))
    challenge = judge_results(good, lesser, results, scale=2 if share else 4, share=share)
    if share:
        signs = Counter(result > 0 for result in results if result)
        challenge = replace(challenge, chance=compute_mcnemar_chance(signs[True], signs[False]))
    return replace(challenge, games=2 * len(results))
