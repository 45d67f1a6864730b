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
"""The maximum number of rules named after the most decisive one."""


def answer(table: GameCache) -> Answer | None:
    """Answer by forcing the first roll of each rule in games between good players.

    Return None if no rule rolls, or if a table has only one player.
    """
    if table.fewest < 2:
        return None
    policies = (table.good,) * table.fewest
    if not may_turn(table.ruleset, policies):
        text = f"Rolls are turned in games that are played as WebAssembly, and those of `{table.good}` are not here."
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
            "rule comes to "
            "its least or to its most.",
        )
    if not deciding:
        most = max(each.swings_between[1] for each in rules)
        return (
            f"No roll is seen to, in {format_count(leverage_result.games, 'game')}: whoever makes the first roll of a "
            "rule wins about "
            f"as often by its least as by its most. One that moves them by more than {format_share(most)} would show.",
        )
    first, *others = deciding
    what, by_least, by_most = (
        ("The draw", "takes the first there is", "takes the last")
        if first.drawn
        else ("The roll", "comes to its least", "comes to its most")
    )
    least, most = first.wins
    low, high = first.swings_between
    says = [
        f"{what} that decides most is {_name_roll(ruleset, first)}. Where the first of a game {by_least}, "
        "whoever makes it "
        f"wins {format_share(least)} of {format_count(first.games, 'game')}, and where it {by_most}, with the "
        "same dice otherwise, "
        f"{format_share(most)}: it moves them by {format_share(first.swing)} ({format_share(low)} to "
        f"{format_share(high)}). A game has "
        f"{f'{first.often:,.1f}'.removesuffix('.0')} of them."
    ]
    if others:
        named = "; ".join(f"{_name_roll(ruleset, each)} ({format_share(each.swing)})" for each in others[:MOST_NAMED])
        more = len(others) - MOST_NAMED
        says.append(f"Next: {named}" + (f"; and {more:,} more." if more > 0 else "."))
    if len(rules) > len(deciding):
        rest = len(rules) - len(deciding)
        says.append(f"Of {format_count(rest, 'other rule')} that roll{'s' if rest == 1 else ''}, it cannot be told.")
    return tuple(says)


def _build_metrics(leverage_result: LeverageResult) -> Iterator[Metric]:
    rules = leverage_result.list_deciding()
    for each in rules[:MOST_LISTED]:
        yield Metric(f"decides.{each.rule}", each.rule, each.swing, each.swings_between, share=True)
    first = rules[0]
    if first.decides:
        title = "others win by the first"
        yield Metric(f"others.{first.rule}", title, first.other / first.games, first.others_between, share=True)


def _name_roll(ruleset: Ruleset, each: RollLeverage) -> str:
    names = Names(ruleset)
    step = next(step for step in ruleset.steps.values() if step.rule == each.rule)
    title = names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure)
    return f"{title}, {each.rule}" if title else each.rule
