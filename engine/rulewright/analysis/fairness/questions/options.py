"""Question: which options do good players never take, and which decisions always have the same answer?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import SOME, label_option
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.engine.narration.plain_names import Names
from rulewright.language.lowering import list_asks, list_offers

PLACE = 50
TITLE = "Which decisions are none?"
IN_BOOK = InBook.ONE_SIZE

RARE = 0.01
"""The share below which an option is reported as never taken, and above `1 - RARE` as the only one taken."""

ENOUGH = 100
"""The minimum number of decisions at a step for it to be reported."""


def answer(table: GameCache) -> Answer:
    """Answer from the decisions of good players, in games with coverage."""
    sample = table.play_good_bots(coverage=True)
    if not sample.counts.games:
        return Answer(("Too little was played to tell.",))
    names = Names(table.ruleset)
    never: list[Metric] = []
    always: list[Metric] = []
    few = 0
    for number, step in table.ruleset.steps.items():
        taken = {option: count for (asks, option), count in sample.counts.taken.items() if asks == number}
        answers = sum(taken.values())
        offered = {offer.id for ask in list_asks(step) for offer in list_offers(ask)}
        if not answers or (len(taken) < 2 and not offered - taken.keys()):
            continue
        if answers < ENOUGH:
            few += 1
            continue
        asked = names.format_words(step.words.get("ask", "")) or step.rule
        for option in sorted(taken.keys() | offered):
            if option == SOME:
                continue
            share = taken.get(option, 0) / answers
            label = f"{label_option(option, step, names)} ({asked})"
            figure = Metric(
                f"{step.rule}.{option}",
                label,
                share,
                compute_wilson_interval(taken.get(option, 0), answers),
                share=True,
            )
            if figure.interval[0] > 1 - RARE:
                always.append(figure)
            # A choice among numbers has many options that are seldom right. An option with a name is there for a
            # purpose.
            elif figure.interval[1] < RARE and option in offered | {"none"}:
                never.append(figure)
    says = []
    if always:
        says.append(f"These are hardly decisions, for nearly every answer is the same: {_list(always)}.")
    if never:
        says.append(f"Hardly anybody takes these, good or bad as they may be: {_list(never)}.")
    if not says:
        says.append(f"Not one: whatever is asked is answered in more than one way, by {table.good}.")
    if few:
        says.append(f"Of {format_count(few, 'further question')}, too few were answered to tell.")
    return Answer(tuple(says), (*always, *never), (sample.command,))


def _list(metrics: list[Metric]) -> str:
    return "; ".join(f"{figure.title}, {format_share(figure.value)}" for figure in metrics)
