"""Does a seat win more than its share?"""

from __future__ import annotations

from dataclasses import replace

from rulewright.analysis.fairness.answer import Answer, percent, times
from rulewright.analysis.fairness.game_cache import Table
from rulewright.analysis.simulation.metrics import Figure, figures

PLACE = 10
TITLE = "Who has the edge?"


def answer(table: Table) -> Answer:
    """By seat, for every number of players that may be."""
    if table.ruleset.players[1] < 2:
        return Answer((f"{table.ruleset.title} is played alone: nobody has an edge over anybody.",))
    says: list[str] = []
    found: list[Figure] = []
    commands = []
    for players in table.sizes:
        sample = table.among_good(players)
        if not sample.counts.games:
            break
        known = figures(sample.counts, table.ruleset)
        edge = known["seat_edge"]
        seats = [replace(known[f"seat.{seat}"], title=f"seat {seat} of {players}") for seat in range(1, players + 1)]
        found += [*seats, replace(edge, title=f"edge of a seat, of {players}")]
        says.append(_said(players, sample.counts.games, edge, seats))
        commands.append(sample.command)
    return Answer(tuple(says), tuple(found), tuple(commands))


def _said(players: int, games: int, edge: Figure, seats: list[Figure]) -> str:
    low, high = edge.interval
    between = f"Among {players}, in {times(games, 'game')}"
    if low <= 0:
        return f"{between}, no seat is seen to have an edge; one of more than {percent(high)} would show."
    even = sum(seat.value for seat in seats) / players
    most = max(seats, key=lambda seat: abs(seat.value - even))
    way = "more" if most.value > even else "less"
    return (
        f"{between}, {most.title} wins {percent(most.value)}, which is {percent(abs(most.value - even))} {way} than an "
        "even share, and no whim of the dice."
    )
