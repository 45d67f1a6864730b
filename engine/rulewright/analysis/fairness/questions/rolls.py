"""Question: the rolls that decide the winner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from rulewright.analysis.fairness.answer import (
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    format_count,
    format_effect,
    format_points,
    format_share,
)
from rulewright.analysis.fairness.game_cache import GameCache, choose_players
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.roll_leverage import RollLeverage, may_turn
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset

PLACE = 45
TITLE = "Which rolls decide?"
NOT_FROM_SAVES = "it plays games again with other rolls"
IN_BOOK = InBook.PLAYED

REPLAYS = 4
"""The maximum number of replays per game of a sample. With 4, this question takes about as long as the others."""

FEWEST_FORCED = 50
"""The minimum number of games with forced rolls. Each counts twice, with either result."""

MOST_LISTED = 8
"""The maximum number of rules with metrics."""

MOST_NAMED = 3
"""The maximum number of further rules named, after the most decisive one."""


def answer(table: GameCache) -> Answer | None:
    """Answer by forcing the first roll of each rule in games between good players.

    If games of this bot cannot run in WebAssembly, another one plays. Return None if no games can run in WebAssembly,
    if no rule rolls, for one player, or if no game was played.
    """
    bots = [table.good, choose_players(table.ruleset)[0], "random"]
    bot = next((each for each in bots if may_turn(table.ruleset, (each,) * table.fewest)), None)
    if bot is None or table.ruleset.players[1] < 2:
        return None
    return answer_each_size(table.sizes, lambda players: _answer_size(table, bot, players))


def _answer_size(table: GameCache, bot: str, players: int) -> Answer | None:
    """Return the effect of single rolls, or None if no rule rolled. Too few games only say that more are needed.

    Raises `RulewrightError` if the rules fail in play.
    """
    rolls = table.vary_rolls((bot,) * players, replays=REPLAYS * table.games)
    if not rolls.ends:
        return None
    described, command = table.describe_games(rolls.games, bot), table.build_fair_command()
    if rolls.games < FEWEST_FORCED:
        # Each game takes as many replays as it has rules that roll, so that a long one is replayed less often.
        needed = ceil(FEWEST_FORCED * rolls.replayed / rolls.games / REPLAYS)
        return build_unknown(table.games, described, command, fewest=max(needed, FEWEST_FORCED))
    rules = rolls.list_deciding(samples=len(table.sizes))
    return Answer(describe_rolls(table.ruleset, rules), tuple(_build_metrics(rules)), (command,), described)


def describe_rolls(ruleset: Ruleset, rules: Sequence[RollLeverage]) -> tuple[str, ...]:
    """Describe the most decisive rolls in sentences, with a summary of those without a significant effect.

    Args:
        ruleset: The rules.
        rules: The effects in the order of `list_deciding`, at least one.

    Returns:
        The sentences. A single one, which says so, if no roll has a significant effect or changes any winner.
    """
    deciding = [each for each in rules if each.decides]
    bending = [_describe_between(ruleset, each) for each in rules if each.bends]
    if not deciding and bending:
        return tuple(bending)
    if not any(each.other for each in rules):
        return (
            "No effect was found: the same players win whether the first roll of a rule is forced to its minimum or to "
            "its maximum.",
        )
    if not deciding:
        most = max(each.swings_around[1] for each in rules)
        other = max(each.other / each.games for each in rules)
        return (
            "No significant effect on the acting player, who wins about as often with the minimum as with the maximum "
            f"of a rule's first roll. An effect of more than {format_points(most)} is ruled out. With one rule, the "
            f"winner differs in {format_share(other)} of the games, which may also be due to later rolls and choices.",
        )
    first, *others = deciding
    what, by_least, by_most = (
        ("The draw", "is forced to the first card", "to the last card")
        if first.drawn
        else ("The roll", "is forced to its minimum", "to its maximum")
    )
    least, most = first.wins
    says = [
        f"{what} that decides most is {_name_roll(ruleset, first)}. If the first one in a game {by_least}, "
        f"the acting player wins {format_share(least)} of {format_count(first.games, 'game')}; if it is forced "
        f"{by_most}, with the same dice otherwise, {format_share(most)}. The effect is "
        f"{format_effect(first.swing, first.swings_between)}. A game has "
        f"{_format_often(first.often)} of them on average."
    ]
    if others:
        named = "; ".join(
            f"{_name_roll(ruleset, each)} ({format_points(each.swing)} in {format_count(each.games, 'game')})"
            for each in others[:MOST_NAMED]
        )
        more = len(others) - MOST_NAMED
        says.append(f"Next: {named}" + (f"; and {more:,} more." if more > 0 else "."))
    says += bending
    rest = len(rules) - len(deciding) - len(bending)
    if rest:
        says.append(f"The rolls of {format_count(rest, 'other rule')} have no significant effect on the acting player.")
    return tuple(says)


def _describe_between(ruleset: Ruleset, each: RollLeverage) -> str:
    """Return a sentence on a roll whose results between the minimum and the maximum make the difference."""
    return (
        f"The roll {_name_roll(ruleset, each)} decides by results between its minimum and its maximum. The acting "
        f"player wins {format_share(each.between_wins / each.between)} of {format_count(each.between, 'game')} with "
        f"such a result, and {format_share(each.outer_wins / each.between)} of the same games if the first roll is "
        f"forced to its {'maximum' if each.is_outer_most else 'minimum'}."
    )


def _build_metrics(rules: Sequence[RollLeverage]) -> Iterator[Metric]:
    """Yield the effect of up to `MOST_LISTED` rules, and if the first is significant, its share of other winners."""
    for each in rules[:MOST_LISTED]:
        yield Metric(f"decides.{each.rule}", each.rule, each.swing, each.swings_between, share=True, points=True)
    first = rules[0]
    if first.decides:
        title = "other winners, first rule"
        yield Metric(f"others.{first.rule}", title, first.other / first.games, first.others_between, share=True)


def _format_often(often: float) -> str:
    return "less than 0.1" if 0 < often < 0.05 else f"{often:,.1f}".removesuffix(".0")


def _name_roll(ruleset: Ruleset, each: RollLeverage) -> str:
    names = Names(ruleset)
    step = next(step for step in ruleset.steps.values() if step.rule == each.rule)
    title = names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure)
    return f"{title}, {each.rule}" if title else each.rule
