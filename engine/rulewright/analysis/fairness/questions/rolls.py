"""Question: the rolls that decide the winner."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.roll_leverage import LeverageResult, RollLeverage, may_turn
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset

PLACE = 45
TITLE = "Which rolls decide?"
IN_BOOK = InBook.ONE_SIZE

REPLAYS = 4
"""The maximum number of replays per game of a sample. With 4, this question takes about as long as the others."""

MOST_LISTED = 8
"""The maximum number of rules with metrics."""

MOST_NAMED = 3
"""The maximum number of further rules named, after the most decisive one."""


def answer(table: GameCache) -> Answer | None:
    """Answer by forcing the first roll of each rule in games between good players.

    If games of this bot cannot run in WebAssembly, the answer says so. Return None if no rule rolls, if the smallest
    table has one player, or if no game was played.
    """
    if table.fewest < 2:
        return None
    policies = (table.good,) * table.fewest
    if not may_turn(table.ruleset, policies):
        text = f"Rolls can only be forced in games played in WebAssembly, which games of `{table.good}` are not."
        return Answer((text,))
    rolls = table.vary_rolls(policies, replays=REPLAYS * table.games)
    if not rolls.ends:
        return None
    return Answer(describe_rolls(table.ruleset, rolls), tuple(_build_metrics(rolls)), (table.build_fair_command(),))


def describe_rolls(ruleset: Ruleset, leverage_result: LeverageResult) -> tuple[str, ...]:
    """Describe the most decisive rolls in complete sentences. At least one of the games must have had a roll."""
    rules = leverage_result.list_deciding()
    deciding = [each for each in rules if each.decides]
    if not any(each.other for each in rules):
        return (
            f"None: in {format_count(leverage_result.games, 'game')}, the same players win whether the first roll of a "
            "rule is forced to "
            "its minimum or its maximum.",
        )
    if not deciding:
        most = max(each.swings_between[1] for each in rules)
        return (
            f"No effect shows, in {format_count(leverage_result.games, 'game')}: the acting player wins about as often "
            "with the minimum "
            f"as with the maximum of a rule's first roll. An effect of more than {format_share(most)} would show.",
        )
    first, *others = deciding
    what, by_least, by_most = (
        ("The draw", "is forced to the first card", "to the last card")
        if first.drawn
        else ("The roll", "is forced to its minimum", "to its maximum")
    )
    least, most = first.wins
    low, high = first.swings_between
    says = [
        f"{what} that decides most is {_name_roll(ruleset, first)}. If the first one in a game {by_least}, "
        "the acting player "
        f"wins {format_share(least)} of {format_count(first.games, 'game')}; if it is forced {by_most}, with the "
        "same dice otherwise, "
        f"{format_share(most)}. The effect is {format_share(first.swing)} ({format_share(low)} to "
        f"{format_share(high)}). A game has "
        f"{f'{first.often:,.1f}'.removesuffix('.0')} of them on average."
    ]
    if others:
        named = "; ".join(f"{_name_roll(ruleset, each)} ({format_share(each.swing)})" for each in others[:MOST_NAMED])
        more = len(others) - MOST_NAMED
        says.append(f"Next: {named}" + (f"; and {more:,} more." if more > 0 else "."))
    if len(rules) > len(deciding):
        rest = len(rules) - len(deciding)
        says.append(f"The rolls of {format_count(rest, 'other rule')} have no significant effect.")
    return tuple(says)


def _build_metrics(leverage_result: LeverageResult) -> Iterator[Metric]:
    rules = leverage_result.list_deciding()
    for each in rules[:MOST_LISTED]:
        yield Metric(f"decides.{each.rule}", each.rule, each.swing, each.swings_between, share=True)
    first = rules[0]
    if first.decides:
        title = "other winners, first rule"
        yield Metric(f"others.{first.rule}", title, first.other / first.games, first.others_between, share=True)


def _name_roll(ruleset: Ruleset, each: RollLeverage) -> str:
    names = Names(ruleset)
    step = next(step for step in ruleset.steps.values() if step.rule == each.rule)
    title = names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure)
    return f"{title}, {each.rule}" if title else each.rule
