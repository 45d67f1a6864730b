"""Which rolls decide who wins?"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.analysis.fairness.answer import Answer, percent, times
from rulewright.analysis.fairness.game_cache import Table
from rulewright.analysis.simulation.metrics import Figure
from rulewright.analysis.simulation.roll_leverage import Deciding, Turned, may_turn
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset

PLACE = 45
TITLE = "Which rolls decide?"

REPLAYS = 4
"""Games that are played again for each that is asked of a kind, at the most: about as many as other questions take."""

MOST_TOLD = 8
"""Rules of which there are figures."""

MOST_NAMED = 3
"""Rules that are named besides the one that decides most."""


def answer(table: Table) -> Answer | None:
    """By turning the first roll of each rule in games between good players.

    Not asked where nothing is left to chance, or nobody can win against anybody.
    """
    if table.fewest < 2:
        return None
    policies = (table.good,) * table.fewest
    if not may_turn(table.ruleset, policies):
        said = f"Rolls are turned in games that are played as WebAssembly, and those of `{table.good}` are not here."
        return Answer((said,))
    found = table.turned(policies, replays=REPLAYS * table.games)
    if not found.ends:
        return None
    return Answer(told(table.ruleset, found), tuple(_figures(found)), (table.asking(),))


def told(ruleset: Ruleset, found: Turned) -> tuple[str, ...]:
    """Which rolls decide most, in whole sentences, of games of which some had rolls."""
    rules = found.deciding()
    deciding = [each for each in rules if each.decides]
    if not any(each.other for each in rules):
        return (
            f"None: in {times(found.games, 'game')}, the same players win whether the first roll of a rule comes to "
            "its least or to its most.",
        )
    if not deciding:
        most = max(each.swings_between[1] for each in rules)
        return (
            f"No roll is seen to, in {times(found.games, 'game')}: whoever makes the first roll of a rule wins about "
            f"as often by its least as by its most. One that moves them by more than {percent(most)} would show.",
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
        f"{what} that decides most is {_named(ruleset, first)}. Where the first of a game {by_least}, whoever makes it "
        f"wins {percent(least)} of {times(first.games, 'game')}, and where it {by_most}, with the same dice otherwise, "
        f"{percent(most)}: it moves them by {percent(first.swing)} ({percent(low)} to {percent(high)}). A game has "
        f"{f'{first.often:,.1f}'.removesuffix('.0')} of them."
    ]
    if others:
        named = "; ".join(f"{_named(ruleset, each)} ({percent(each.swing)})" for each in others[:MOST_NAMED])
        more = len(others) - MOST_NAMED
        says.append(f"Next: {named}" + (f"; and {more:,} more." if more > 0 else "."))
    if len(rules) > len(deciding):
        rest = len(rules) - len(deciding)
        says.append(f"Of {times(rest, 'other rule')} that roll{'s' if rest == 1 else ''}, it cannot be told.")
    return tuple(says)


def _figures(found: Turned) -> Iterator[Figure]:
    rules = found.deciding()
    for each in rules[:MOST_TOLD]:
        yield Figure(f"decides.{each.rule}", each.rule, each.swing, each.swings_between, share=True)
    first = rules[0]
    if first.decides:
        title = "others win by the first"
        yield Figure(f"others.{first.rule}", title, first.other / first.games, first.others_between, share=True)


def _named(ruleset: Ruleset, each: Deciding) -> str:
    names = Names(ruleset)
    step = next(step for step in ruleset.steps.values() if step.rule == each.rule)
    title = names.words(step.words.get("title", "")) or names.procedure(step.procedure)
    return f"{title}, {each.rule}" if title else each.rule
