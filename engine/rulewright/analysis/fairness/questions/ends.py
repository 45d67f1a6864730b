"""Question: if most games have no winner, is the cause the bots or the rules?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    format_count,
    format_share,
)
from rulewright.analysis.fairness.dependent_games import widen_interval
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.strong_players import SOLVED
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset

PLACE = 25
TITLE = "Do the rules lead to a winner?"
IN_BOOK = InBook.PLAYED

UNDECIDED = 0.5
"""The minimum share of games without a winner for this question to apply."""

SEARCHER = "planner:8"
"""The bot that checks whether better play finds a winner. It searches to the end of its own turn."""

UNKNOWN = "Whether better players would win is not known."
"""What the answer says instead of naming a cause."""

GAMES = 20
"""The number of games with the searching bot. Few suffice, because a dead end in the rules shows in every game."""


def answer(table: GameCache) -> Answer | None:
    """Answer why games have no winner, for each number of players with which many of the good bot's games have none.

    A searching bot plays as well, unless the ruleset has no `evaluate`, the good bot is that bot, or the games are of
    people. Return None if fewer games are without a winner, for one player, and if no game was played.
    """
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players))


def _answer_size(table: GameCache, players: int) -> Answer | None:
    """Return why games have no winner, or None if few have none, for one player, and if no game was played.

    If possible, a searching bot plays further games, to tell whether the rules or the bots are the cause.
    """
    sample = table.play_good_bots(players)
    games, undecided = sample.counts.games, _count_undecided(sample.counts)
    if not games or players < 2 or undecided < UNDECIDED * games:
        return None
    described = table.describe_games(games, players=players)
    if games < FEWEST_GAMES:
        return build_unknown(games, described, sample.command)
    here = f"{format_share(undecided / games)} of the games have no winner."
    metric = _build_metric(f"undecided.{table.good}", table.good, sample.counts)
    results = [widen_interval(metric, [not row.winning_seats for row in sample.rows], table.list_groups(players))]
    if table.ruleset.evaluate is None or table.good == SEARCHER or not table.plays:
        searched = table.good in (SEARCHER, SOLVED)
        says = _name_cause(table.ruleset, sample.counts, searched=searched)
        return Answer((here, says), tuple(results), (sample.command,), described)
    again = table.play((SEARCHER,) * players, games=GAMES)
    counts = again.counts
    if not counts.games:
        says = "There are too few games with a searching bot to tell whether the rules or the bots are the cause."
        return Answer((here, says), tuple(results), (sample.command,), described)
    results.append(_build_metric(f"undecided.{SEARCHER}", SEARCHER, counts))
    if _count_undecided(counts) < UNDECIDED * counts.games:
        decided = counts.games - _count_undecided(counts)
        says = (
            f"The rules do lead to a winner: `{SEARCHER}`, which searches to the end of its turn, wins {decided:,} of "
            f"{format_count(counts.games, 'game')}. `{table.good}` plays too weakly to win, so try "
            "stronger bots: "
            f"`--players {SEARCHER},{table.good}`."
        )
    else:
        says = (
            f"`{SEARCHER}`, which searches to the end of its turn, does no better: of "
            f"{format_count(counts.games, 'game')}, {_count_undecided(counts):,} have no winner. "
            + _name_cause(table.ruleset, counts, searched=True)
        )
    return Answer((here, says), tuple(results), (sample.command, again.command), described)


def _count_undecided(counts: Counts) -> int:
    return counts.draws + counts.unfinished


def _build_metric(identity: str, bot: str, counts: Counts) -> Metric:
    part, whole = _count_undecided(counts), counts.games
    interval = compute_wilson_interval(part, whole)
    return Metric(identity, f"games of {bot} without a winner", part / whole, interval, share=True)


def _name_cause(ruleset: Ruleset, counts: Counts, *, searched: bool) -> str:
    """Return a sentence that names the cause: games that no rule ends, or the step that ends the most games in draws.

    At least one of the games must have no winner. Unless a strong bot has looked for a winner (`searched`), the cause
    may also be the players, so the text names the step, but no cause.
    """
    if counts.unfinished > counts.draws:
        share = format_share(counts.unfinished / counts.games)
        cause, says = "The rules are the cause.", f"When they were stopped, no rule had ended {share} of the games."
    else:
        number, times = max(counts.drawn.items(), key=lambda pair: (pair[1], -pair[0]))
        share, step = format_share(times / counts.games), ruleset.steps.get(number)
        if step is None:
            cause, says = "The rules are the cause.", f"{share} of the games reach their last step without a winner."
        else:
            title = Names(ruleset).format_words(step.words.get("title", ""))
            rule = f"{title}, {step.rule}" if title else step.rule
            cause = f"The main cause is the rule {rule}."
            says = f"It ends {share} of all games, without a winner."
            if not searched:
                return f"The rule that ends the most of these is {rule}: {share} of all games. {UNKNOWN}"
    return f"{cause} {says}" if searched else f"{says} {UNKNOWN}"
