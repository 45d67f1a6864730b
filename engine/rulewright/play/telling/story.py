"""A log as people want to read it: what is worth telling, and how the table was set in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rulewright.play.telling.events import CHANCES, Event, Weight
from rulewright.program.program import Layout
from rulewright.ruleset.ruleset import Ruleset


def story(ruleset: Ruleset, log: Sequence[Event], *, since: int = 0) -> tuple[str, ...]:
    """The sentences of a log worth reading, from its event number `since` on.

    What came into play before anybody chose anything is counted, and told once, where that part of the log ends; of the
    dice and cards that placed it nothing is said.
    """
    told: list[str] = []
    laid: Counter[str] = Counter()
    kinds = Layout(ruleset.declarations).names
    for event in log[since:]:
        if event.set_up:
            if event.told == "created":
                laid[kinds[event.details[1][0]]] += 1
            elif event.told not in CHANCES and event.weight >= Weight.NORMAL:
                told.append(event.text)
            continue
        if laid:
            told.append(_table(ruleset, laid))
            laid.clear()
        if event.weight >= Weight.NORMAL:
            told.append(event.text)
    if laid:
        told.append(_table(ruleset, laid))
    return tuple(text for text in told if text)


def _table(ruleset: Ruleset, laid: Counter[str]) -> str:
    return f"On the table: {', '.join(_counted(ruleset, laid.items()))}."


def _counted(ruleset: Ruleset, laid: Iterable[tuple[str, int]]) -> list[str]:
    found = []
    for kind, count in laid:
        term = ruleset.declarations.terms.get(ruleset.declarations.kinds[kind].term)
        named = kind.replace("_", " ") if term is None else term.name if count == 1 else term.plural
        found.append(f"{count} {named}")
    return found
