"""What a game's events say of its rules: which fired, which rows came up, who took which option and how it went."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.lowering import offers_of, operations, questions
from rulewright.language.operations import Bind, Chance
from rulewright.language.step import Step
from rulewright.language.types import Choice, ListOf, Optional, Row, Thing, Type, present
from rulewright.play.boards.board import has_places
from rulewright.play.machine.state import State
from rulewright.play.telling.names import Names, capital
from rulewright.play.telling.told_apart import NOTHING_CHOSEN
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.counts import Counts, Taken

SOME = "any"
"""What is said of an option that is one of many alike: a thing, a place."""


def add_details(counts: Counts, state: State, winners: Collection[int] | None) -> None:
    """Count what the events of a game tell. `winners` are seats, from 0; None where the game did not end."""
    ruleset = state.machine.ruleset
    steps = ruleset.steps
    seats: dict[int, set[int]] = {}
    takers: dict[Taken, set[int]] = {}
    for number, told, *details in state.events or ():
        counts.steps[number] += 1
        step = steps[number]
        match told:
            case "asked":
                who, value = details
                option = (number, option_key(value, step.binds, ruleset))
                counts.taken[option] += 1
                seats.setdefault(number, set()).add(who)
                takers.setdefault(option, set()).add(who)
            case "rolled" if (table := _rolled_on(step)) is not None:
                counts.rows[table, ruleset.declarations.tables[table].by_face[details[1]]] += 1
            case "drawn" if (table := _table(step)) is not None and not has_places(ruleset.declarations.tables[table]):
                counts.rows[table, details[0]] += 1
    if winners is None:
        return
    for number, players in seats.items():
        for player in players:
            counts.add_seat(number, won=player - FIRST_PLAYER in winners)
    for option, players in takers.items():
        for player in players:
            counts.add_taker(option, won=player - FIRST_PLAYER in winners)


def _table(step: Step) -> str | None:
    """The table whose row a step leaves; one that may be passed over leaves it or none."""
    kind = step.binds.inner if isinstance(step.binds, Optional) else step.binds
    return kind.table if isinstance(kind, Row) else None


def option_key(value: Any, kind: Type | None, ruleset: Ruleset) -> str:
    """What was chosen, told so that the same choice in another game is told alike."""
    match kind, value:
        case _, None:
            return "none"
        case Optional(inner=inner), _:
            return option_key(value, inner, ruleset)
        case ListOf(), tuple():
            return f"{len(value)} of them"
        case Thing(), _:
            return SOME
        case Row(table=table), _ if has_places(ruleset.declarations.tables[table]):
            return SOME
    return str(value)


def option_label(key: str, step: Step, names: Names) -> str:
    """What readers call what `option_key` tells."""
    kind = present(step.binds) if step.binds is not None else None
    if key == "none":
        words = step.words.get("none", "")
        return names.words(words) if words else NOTHING_CHOSEN
    if key == SOME and isinstance(kind, (Thing, Row)):
        return "Whichever"
    if isinstance(kind, Choice):
        offers = (offer for ask in questions(step) for offer in offers_of(ask))
        label = next((offer.label for offer in offers if offer.id == key), "")
        return names.words(label) if label else names.choice(key)
    return names.row(kind.table, key) if isinstance(kind, Row) else capital(key)


def leaves_events(step: Step) -> bool:
    """Whether a step leaves an event of its own; blocks, loops and what only names a value leave none."""
    return any(each.told and not (isinstance(each, Bind) and not each.said) for each in operations(step))


def _rolled_on(step: Step) -> str | None:
    """The roll table that a step rolls on."""
    return next((each.table for each in operations(step) if isinstance(each, Chance)), None)
