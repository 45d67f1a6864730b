"""Question: which options do good players never take, and which decisions always have the same answer?"""

from __future__ import annotations

from collections import Counter

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share, join_words
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import SOME, Counts, Taken, label_option
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.clustered_intervals import ClusterSums, compute_clustered_share_interval
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.language.lowering import list_asks, list_offers

PLACE = 50
TITLE = "Which decisions are not real choices?"
IN_BOOK = InBook.PLAYED

RARE = 0.01
"""The share below which an option is reported as never taken, and above `1 - RARE` as the only one taken."""

ENOUGH = 100
"""A step is reported only if players made at least this many decisions at it."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the decisions of good players, in games with coverage.

    The metrics are the options that players nearly always or hardly ever take. Return None if no game was played.
    """
    return answer_from_games(table, lambda played, players: _answer_size(table, played.counts, players), coverage=True)


def _answer_size(table: GameCache, counts: Counts, players: int) -> Answer:
    """Return which options strong players take nearly always or hardly ever. May play games of another strong bot."""
    if not counts.taken:
        return Answer(("Nobody makes a decision in these games.",))
    names = Names(table.ruleset)
    other = table.play_other_bot(players)
    checks = [] if other is None else [other[1]]
    strong = [table.good] if other is None else [table.good, other[0]]
    who = join_words([f"`{bot}`" for bot in strong]) if table.plays else "players"
    players_named = f"{who} takes" if table.plays and other is None else f"{who} take"
    unseen: list[Metric] = []
    never: list[Metric] = []
    always: list[Metric] = []
    few = 0
    for number, step in table.ruleset.steps.items():
        times = {option: count for (asks, option), count in counts.taken.items() if asks == number}
        answers = sum(times.values())
        offered = {offer.id for ask in list_asks(step) for offer in list_offers(ask)}
        if not answers or (len(times) < 2 and not offered - times.keys()):
            continue
        if answers < ENOUGH:
            few += 1
            continue
        prompt = names.format_words(step.words.get("ask", "")) or step.rule
        for option in sorted(times.keys() | offered):
            if option == SOME:
                continue
            sums = _sum_clusters(counts, number, option)
            label = f"{label_option(option, step, names)} ({prompt})"
            metric = Metric(
                f"{step.rule}.{option}",
                label,
                sums.mean,
                compute_clustered_share_interval(sums),
                share=True,
            )
            # The choices of another strong player count as much as those of the good one.
            elsewhere = [_compute_share(each.counts.taken, number, option) for each in checks]
            if metric.interval[0] > 1 - RARE and all(each is None or each > 1 - RARE for each in elsewhere):
                always.append(metric)
            # Most numbers that can be chosen are rarely right, so only named options, which exist for a purpose, count.
            elif option in offered | {"none"} and all(each is None or each < RARE for each in elsewhere):
                if metric.interval[1] < RARE:
                    never.append(metric)
                elif not sums.total and not any(elsewhere):
                    unseen.append(metric)
    says = []
    if always:
        says.append(f"At these decisions, {players_named} the same option nearly always: {_list(always)}.")
    if never:
        says.append(
            f"{capitalize(players_named)} these options hardly ever, which a stronger player may: {_list(never)}."
        )
    if unseen:
        most = format_share(max(each.interval[1] for each in unseen))
        listed = "; ".join(each.title for each in unseen)
        says.append(f"{capitalize(who)} never took these options, which up to {most} of the answers may do: {listed}.")
    if not says:
        several = "more than one option at every decision that comes often"
        says.append(f"No such option is known: {players_named} {several}.")
    if few:
        says.append(f"There are too few answers to judge {format_count(few, 'further decision')}.")
    return Answer(tuple(says), (*always, *never, *unseen))


def _sum_clusters(counts: Counts, step: int, option: str) -> ClusterSums:
    """Return the sums of the answers at a step, which depend on each other in a game, and of those for an option."""
    games, squares = counts.answers[step]
    answers = sum(count for (asks, _), count in counts.taken.items() if asks == step)
    own, products = counts.takes.get((step, option), (0, 0))
    return ClusterSums(games, counts.taken[step, option], answers, own, squares, products)


def _compute_share(counts: Counter[Taken], step: int, option: str) -> float | None:
    """Return the share of the decisions at a step that took an option, or None if nobody was asked there."""
    answers = sum(count for (asks, _), count in counts.items() if asks == step)
    return counts[step, option] / answers if answers else None


def _list(metrics: list[Metric]) -> str:
    return "; ".join(f"{metric.title}, {format_share(metric.value)}" for metric in metrics)
