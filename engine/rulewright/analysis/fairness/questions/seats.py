"""Question: does a seat win more than its share?"""

from __future__ import annotations

from dataclasses import replace

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric, list_metrics

PLACE = 10
TITLE = "Does any seat have an advantage?"
IN_BOOK = InBook.TURN_ORDER


def answer(table: GameCache) -> Answer:
    """Answer from the wins of each seat, for each number of players in `sizes` of the table.

    For a game of one player, the answer explains that there is no seat advantage. After an interrupt, it leaves out the
    remaining numbers of players, and may be empty.
    """
    if table.ruleset.players[1] < 2:
        return Answer((f"{table.ruleset.title} is for one player, so no seat can have an advantage.",))
    says: list[str] = []
    metrics: list[Metric] = []
    commands = []
    for players in table.sizes:
        sample = table.play_good_bots(players)
        if not sample.counts.games:
            break
        known = list_metrics(sample.counts, table.ruleset)
        edge = known["seat_edge"]
        seats = [replace(known[f"seat.{seat}"], title=f"seat {seat} of {players}") for seat in range(1, players + 1)]
        metrics += [*seats, replace(edge, title=f"seat advantage, {players} players")]
        says.append(_describe(players, sample.counts.games, edge, seats))
        commands.append(sample.command)
    return Answer(tuple(says), tuple(metrics), tuple(commands))


def _describe(players: int, games: int, edge: Metric, seats: list[Metric]) -> str:
    low, high = edge.interval
    between = f"With {format_count(players, 'player')}, in {format_count(games, 'game')}"
    if low <= 0:
        return f"{between}, no seat has a significant advantage; more than {format_share(high)} would show."
    even = sum(seat.value for seat in seats) / players
    most = max(seats, key=lambda seat: abs(seat.value - even))
    way = "more" if most.value > even else "less"
    return (
        f"{between}, {most.title} wins {format_share(most.value)}, which is "
        f"{format_share(abs(most.value - even))} {way} than an "
        "even share, a statistically significant difference."
    )
