"""Question: how much is skill, and how much are the dice and the seat?"""

from __future__ import annotations

from collections import Counter

from rulewright.analysis.fairness.answer import Answer, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.shard import GameRow
from rulewright.analysis.simulation.tournament import BETTER, LESSER, OPEN, SEAT, judge_deal
from rulewright.base.confidence_intervals import compute_wilson_interval

PLACE = 40
TITLE = "Luck or skill?"

MOSTLY = 0.9
"""The minimum share of pairs that the good bot wins twice in a game of skill."""

WORTH_TELLING = 0.1
"""The minimum share of pairs in which one seat wins twice for the answer to report the maximum win rate."""


def answer(table: GameCache) -> Answer:
    """Answer from paired games with the same seed, in which a good bot and a weaker bot swap seats.

    If the game does not allow two players, or if both bots are the same, the answer explains this and has no metrics.
    """
    if table.ruleset.players[1] < 2:
        return Answer((f"{table.ruleset.title} is for one player, so no player can be better than another.",))
    if table.good == table.lesser:
        return Answer(
            (f"There is no weaker bot to compare `{table.good}` with: name a better one, as in `--players mcts:50`.",)
        )
    if table.fewest > 2:
        return Answer((f"{table.ruleset.title} needs at least {table.fewest} players, but only two can swap seats.",))
    one = table.play((table.good, table.lesser), rows=True)
    other = table.play((table.lesser, table.good), rows=True)
    played = list(zip(one.rows, other.rows, strict=False))
    deals = Counter(judge_deal(first, second, table.good) for first, second in played)
    pairs = deals.total()
    if not pairs:
        return Answer(("There are too few games to tell.",))
    wins = sum(_wins(row, table.good) for each in played for row in each)
    results = [
        Metric("wins", f"{table.good} wins", wins / (2 * pairs), compute_wilson_interval(wins, 2 * pairs), share=True),
        *(
            Metric(f"deals.{kind}", title, deals[kind] / pairs, compute_wilson_interval(deals[kind], pairs), share=True)
            for kind, title in (
                (BETTER, f"{table.good} wins both"),
                (SEAT, "one seat wins both"),
                (LESSER, f"{table.lesser} wins both"),
                (OPEN, "at least one draw"),
            )
        ),
    ]
    better, seat, lesser = (deals[kind] / pairs for kind in (BETTER, SEAT, LESSER))
    dealt = f"Of {format_count(pairs, 'pair')} of games with the same dice and the seats swapped"
    if lesser > better:
        says = [
            f"{dealt}, `{table.lesser}` wins both in {format_share(lesser)} and `{table.good}` in "
            f"{format_share(better)}: the "
            "supposedly better bot plays worse, so check how bots judge positions (`evaluate:`)."
        ]
    else:
        says = [
            f"{dealt}, the better bot wins both in {format_share(better)}, and the side with the better seat "
            "and dice wins both "
            f"in {format_share(seat)}, regardless of the bot."
        ]
        if 2 * deals[OPEN] > pairs:
            says.append("Neither skill nor luck decides enough: most pairs include a draw.")
        elif better >= MOSTLY:
            says.append("It is a game of skill: the better bot hardly ever loses.")
        else:
            says.append(
                "Between these two bots, luck decides more games than skill does."
                if seat > better
                else "Skill decides more games than luck does, but luck decides enough to give the weaker bot a chance."
            )
            if seat >= WORTH_TELLING:
                most = _most(deals[SEAT], pairs)
                says.append(
                    f"In these pairs, either bot could win at most {format_share(most.value)} of the games, because it "
                    "loses one "
                    "game of every pair in which one seat wins twice."
                )
                results.append(most)
    return Answer(tuple(says), tuple(results), (one.command, other.command))


def _most(by_seat: int, pairs: int) -> Metric:
    """Return the highest win rate that either bot could reach, if one seat won both games of `by_seat` pairs."""
    low, high = compute_wilson_interval(by_seat, pairs)
    title = "highest possible win rate"
    return Metric("deals.most", title, 1 - by_seat / pairs / 2, (1 - high / 2, 1 - low / 2), share=True)


def _wins(row: GameRow, good: str) -> int:
    """Return 1 if the bot `good` has won the game, alone or with others, and 0 if not."""
    return sum(row.seats[winner] == good for winner in row.winners or ())
