"""Question: the effects of other rules with the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.analysis.fairness.answer import Answer, answer_each_size, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.paired_comparison import Move, Pairs, compare, compare_metrics
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.base.significance import LEVEL
from rulewright.ruleset.ruleset import Ruleset

PLACE = 80
TITLE = "What would change under the other rules?"


def answer(table: GameCache) -> Answer | None:
    """Answer from pairs of games, with the same seeds under both rules, for each number of players that both allow.

    Return None without other rules, if there is no such number, or if no game was played. Ctrl+C ends the games early
    and sets `interrupted` of the table. Raises `RulewrightError` for bots or settings that do not fit the other rules,
    and if either rules fail in play.
    """
    other = table.other
    if other is None:
        return None
    fewest, most = other.players
    sizes = [players for players in table.sizes if fewest <= players <= most]
    return answer_each_size(sizes, lambda players: _answer_size(table, other, players, len(sizes)))


def _answer_size(table: GameCache, other: Ruleset, players: int, sizes: int) -> Answer | None:
    """Play pairs of games under both rules, and return their answer, or None if no game was played.

    Differences are adjusted for the number of `sizes`. Ctrl+C sets `interrupted` of the table. Raises `RulewrightError`
    for bots or settings that do not fit the other rules, and if either rules fail in play.
    """
    policies = (table.good,) * players
    first, second = (
        begin_run(rules, policies=policies, seed=table.seed, options=table.options, rules=table.folders)
        for rules in (table.ruleset, other)
    )
    pairs = Pairs((first.counts, second.counts))
    try:
        for _ in (
            ()
            if table.interrupted
            else compare(
                (table.ruleset, other),
                (first, second),
                pairs,
                games=table.games,
                workers=1 if table.helpers.executor is None else table.helpers.workers,
                executor=table.helpers.executor,
                progress=table.progress(),
            )
        ):
            pass
    except KeyboardInterrupt:
        table.interrupted = True
    games = pairs.counts[0].games
    if not games:
        return None
    differences = [
        # The more tables are compared, the more changes would be found by chance.
        replace(move, adjusted=min(1.0, sizes * move.adjusted))
        for move in select_differences(pairs, other)
    ]
    says = describe_change(differences, games, other)
    return Answer(
        tuple(says),
        tuple(
            Metric(
                f"change.{move.id}",
                f"change of {move.title}",
                move.difference,
                move.interval,
                move.share,
                points=move.share,
            )
            for move in differences
        ),
        (table.build_command(policies, games, "--compare", other.reference),),
    )


def select_differences(pairs: Pairs, other: Ruleset) -> list[Move]:
    """Return the compared metrics that can differ.

    A win rate by bot cannot, because one bot plays in every seat.
    """
    return [move for move in compare_metrics(pairs, other) if not move.id.startswith("wins.")]


def describe_change(moves: Sequence[Move], games: int, other: Ruleset) -> list[str]:
    """Return sentences that describe the significant changes with `other` and count the metrics without one.

    If there is none, the most likely change is named if more games may show it. `games` is the number of pairs of
    games.
    """
    played = f"In {format_count(games, 'pair')} of games with the same dice"
    moved = [move for move in sorted(moves, key=lambda move: move.adjusted) if move.moved]
    if not moved:
        says = [f"{played}, no statistic changes significantly with {other.reference}."]
        likely = min(moves, key=lambda move: move.chance, default=None)
        # On its own, this change would be significant, but one of many statistics often is by chance.
        if likely is not None and likely.chance < LEVEL:
            says.append(f"More games would show whether this is a change: {describe_move(likely)}.")
        return says
    says = [f"{played}, these change significantly with {other.reference}: {'; '.join(map(describe_move, moved))}."]
    still = len(moves) - len(moved)
    return [*says, f"{format_count(still, 'other statistic')} did not change significantly."] if still else says


def describe_move(move: Move) -> str:
    """Describe the change of one metric: `Days played, down from 6.2 to 4.1`."""
    way = "up" if move.difference > 0 else "down"
    first, second = (format_share(each) if move.share else f"{each:,.1f}" for each in (move.first, move.second))
    return f"{move.title}, {way} from {first} to {second}"
