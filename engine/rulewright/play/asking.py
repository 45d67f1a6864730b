"""The question at a stop, with a label for each option; and which option an answer means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.dice.text import text
from rulewright.dice.tree import Roll
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.step import Procedure, Step
from rulewright.language.types import Row, Thing, present
from rulewright.play.costs import cost_of
from rulewright.play.decision import Decision, Option, Subject
from rulewright.play.names import Names, identity
from rulewright.play.save_file import GameError
from rulewright.play.script import find_option
from rulewright.play.state import State
from rulewright.play.told_apart import numbered, option_labels


def seat_of(player: int) -> int:
    """The seat of a player, from 1."""
    return player - FIRST_PLAYER + 1


def rolled(source: Any) -> str:
    """What is rolled or drawn at a chance: the notation of a roll, or that it is a card."""
    return text(source) if isinstance(source, Roll) else str(source) if isinstance(source, int) else "a card"


def decision_at(state: State) -> Decision:
    """The question that a state stands at."""
    step = state.program.step(state)
    assert step is not None
    assert step.binds is not None
    names = Names.at(state)
    offers = getattr(step.action, "offers", ())
    labels = {offer.id: names.words(offer.label) for offer in offers if offer.label}
    said = []
    for value, called in zip(state.options, option_labels(state.options, step.binds, names), strict=True):
        label = labels.get(value) or called
        cost = cost_of(state, step, value, names)
        said.append(f"{label} ({cost})" if cost else label)
    options = [
        Option(identity(value, step.binds), label, value, index)
        for index, (value, label) in enumerate(zip(state.options, numbered(said), strict=True))
    ]
    ask = names.words(step.words.get("ask", "")) or names.words(step.words.get("title", "")) or step.id
    return Decision(seat_of(state.who), ask, step.rule, tuple(options), tuple(_about(state, step, names)))


def _about(state: State, step: Step, names: Names) -> Iterator[Subject]:
    """What the procedure that asks knows by name: what it was given, and objects and rows that it has found so far."""
    procedure = state.program.ruleset.procedures[step.procedure]
    told = {state.who}
    for slot in _known(step, procedure):
        kind, value = procedure.types.get(slot), state.frame[slot]
        kind = present(kind) if kind is not None else None
        if value is None or "(" in procedure.names.get(slot, "("):
            continue
        if isinstance(kind, Thing) and value not in told and state.objects[value] is not None:
            told.add(value)
            yield Subject(procedure.names[slot], kind.kind, identity(value, kind), names.thing(kind.kind, value))
        elif isinstance(kind, Row):
            yield Subject(procedure.names[slot], kind.table, value, names.row(kind.table, value))


def _known(step: Step, procedure: Procedure) -> list[int]:
    """The slots whose names hold something when a step begins: parameters, and what lies before it, outermost first."""
    path: list[Step] = []
    around: Step | None = step
    while around is not None:
        path.append(around)
        around = around.container.owner if around.container is not None else None
    found = list(range(1, len(procedure.parameters) + 1))
    for inner in reversed(path):
        if inner.container is not None:
            for before in inner.container.steps[: inner.place]:
                found += before.slots
        if inner is not step and inner.hidden is not None and getattr(inner.action, "slot", None) is not None:
            found.append(inner.action.slot)  # the one whose turn it is in a loop
    return found


def place_of(option: Any, ids: Sequence[str], step: Step, who: str) -> int:
    """The place of the option that an answer means: itself, its id or its index. Raises `GameError`."""
    if isinstance(option, Option):
        return find_option(option.id, ids, step, who)
    if isinstance(option, str):
        return find_option(option, ids, step, who)
    if isinstance(option, bool) or not isinstance(option, int):
        raise GameError(f"an option is chosen by itself, its id or its index, not by {option!r}")
    if 0 <= option < len(ids):
        return option
    last = len(ids) - 1
    message = f"{who} cannot choose option number {option} at `{step.rule}`: a number is an index, from 0 to {last}"
    hint = f'; the option whose id is {option} is chosen by the text "{option}"' if str(option) in ids else ""
    raise GameError(message + hint)
