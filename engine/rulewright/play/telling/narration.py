"""What events say: their values by name, a sentence for players, and what they are worth telling.

An event names the step that left it, the kind of operation it was (`told`), and that operation's details. What is said
of it follows from the operation, whatever the verb of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.language.expression.typed import Typed
from rulewright.language.lowering import offers_of, operations
from rulewright.language.operations import Ask, Bind, Chance, Create, Draw, Operation, Remove, Write
from rulewright.language.step import Step
from rulewright.language.types import DICE, INTEGER, PLAYER, TEXT, Choice, ListOf, Row, Thing, Type, maybe, present
from rulewright.language.weight import Weight
from rulewright.play.telling.names import Names, capital

Details = tuple[Any, ...]

Fact = tuple[str, Any, Type]
"""A value of an event: its name, itself, its type."""


class Narration:
    """Tells events of one game, as things are when each of them is told."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def facts(self, step: Step, told: str, details: Details) -> tuple[Fact, ...]:
        """What an event holds, by name."""
        match told, details, _operation(step, told, details, self.names):
            case "asked", (who, value), Ask() as ask:
                return ("player", who, PLAYER), ("chosen", value, _inner(ask.options.type))
            case "rolled", (roll, total), Chance(table=table):
                made: tuple[Fact, ...] = ("roll", roll, DICE), ("total", total, INTEGER)
                return made if table is None else (*made, ("row", self.names.row_for(table, total), Row(table)))
            case "drawn", (card,), Draw() as draw:
                return (("card", card, _inner(draw.among.type)),)
            case "created", (thing, _), Create(kind=kind):
                return (("object", thing, Thing(kind)),)
            case "removed", (thing,), Remove() as remove:
                return (("object", thing, _each(remove)),)
            case "written", (thing, name, old, new), Write(kind=kind, type=type_):
                return _change(thing, name, old, new, kind, type_)
            case "written", (thing, name, old, new), Bind(type=type_):
                return _change(thing, name, old, new, "", type_)
            case "finished", (winners,), _:
                return (("winners", winners, ListOf(PLAYER)),)
        return ()

    def weight(self, step: Step, told: str, details: Details) -> Weight:
        """What an event is worth telling: little, where nothing changes, or nothing but a name of a procedure."""
        match told, details:
            case "written", (thing, _, old, new):
                return Weight.ASIDE if thing is None or old == new else Weight.NORMAL
            case (("called" | "ended"), _):
                return Weight.DETAIL
            case "finished", _:
                return Weight.MAJOR
        return Weight.NORMAL

    def sentence(self, step: Step, told: str, details: Details) -> str:
        """An event in a sentence for players; empty where nothing is worth saying."""
        say = _SENTENCES.get(told)
        return say(self.names, step, _operation(step, told, details, self.names), details) if say else ""


def _change(thing: Any, name: str, old: Any, new: Any, kind: str, type_: Type) -> tuple[Fact, ...]:
    """The facts of a change; without an object, it is a name of the procedure that has changed."""
    return (
        ("object", thing, maybe(Thing(kind))),
        ("field", name, TEXT),
        ("before", old, maybe(type_)),
        ("after", new, maybe(type_)),
    )


def _operation(step: Step, told: str, details: Details, names: Names) -> Operation[Typed]:
    """The operation of a step that left an event."""
    found = [each for each in operations(step) if each.told == told]
    if told == "written":
        thing, name, *_ = details
        found = [each for each in found if _name(each) == name and (thing is None) == isinstance(each, Bind)]
        # Two kinds may both have a field of this name.
        kind = None if thing is None else names.kind_of(thing)
        return next((each for each in found if isinstance(each, Write) and each.kind == kind), found[0])
    return found[0]


def _name(operation: Operation[Typed]) -> str:
    """The field, or the name of the procedure, that an operation changes."""
    match operation:
        case Write(field=name) | Bind(said=name):
            return name
    return ""


def _inner(kind: Type) -> Type:
    return kind.inner if isinstance(kind, ListOf) else kind


def _each(remove: Remove[Typed]) -> Type:
    return _inner(remove.thing.type)


# -- sentences -------------------------------------------------------------------------------


def _asked(names: Names, step: Step, operation: Any, details: Details) -> str:
    who, value = details
    label = next((offer.label for offer in offers_of(operation) if offer.id == value), "")
    label = step.words.get("none", "") if value in (None, ()) else label
    if label:
        return f"{names.player(who)} chooses: {names.words(label)}."
    if value in (None, ()):
        return f"{names.player(who)} wants none of them."
    kind = present(_inner(operation.options.type))
    if isinstance(kind, Choice):
        return f"{names.player(who)} chooses: {names.choice(value)}."
    return f"{names.player(who)} chooses {names.value(value, kind)}."


def _rolled(names: Names, step: Step, operation: Any, details: Details) -> str:
    roll, total = details
    made = f"{names.value(roll, DICE)} comes to {total}"
    if operation.table is None:
        return f"{made}."
    return f"{made}: {names.value(names.row_for(operation.table, total), Row(operation.table))}."


def _drawn(names: Names, step: Step, operation: Any, details: Details) -> str:
    return f"{names.value(details[0], _inner(operation.among.type))} is drawn."


def _created(names: Names, step: Step, operation: Any, details: Details) -> str:
    words = names.told(operation.kind, details[0], "comes", step.words)
    if words is not None:
        return words
    new = names.new(operation.kind, details[0])
    return f"{new} {'come' if _several(new) else 'comes'} into play."


def _removed(names: Names, step: Step, operation: Any, details: Details) -> str:
    kind = _each(operation)
    words = names.told(kind.kind, details[0], "goes", step.words) if isinstance(kind, Thing) else None
    if words is not None:
        return words
    gone = capital(names.value(details[0], kind))
    return f"{gone} {'leave' if _several(gone) else 'leaves'} play."


def _several(said: str) -> bool:
    """Whether what a sentence speaks of is more than one: `6 Plums`, and not `1 Plum`."""
    first = said.partition(" ")[0]
    return first.isdigit() and first != "1"


def _written(names: Names, step: Step, operation: Any, details: Details) -> str:
    thing, name, old, new = details
    if thing is None:
        return names.noted(name, new, operation.type, step.procedure)
    if operation.by:
        return _moved(names, operation, details)
    option = name.removeprefix("options.")
    if option != name:
        return f"{names.field(operation.kind, thing, name)}: {names.setting(option, new)}."
    return names.changed(operation.kind, thing, name, old, new, operation.type)


def _moved(names: Names, operation: Any, details: Details) -> str:
    """What was added or taken, and what there is now."""
    thing, name, old, new = details
    words = names.told_change(operation.kind, thing, name, new)
    if words is not None:
        return words
    added = operation.by == "+"
    does, left = ("gains", "now has") if added else ("pays", "has")
    amount = names.amount_of(operation.kind, name, new - old if added else old - new)
    rest = f"{new}" if added else f"{new} left"
    return f"{capital(names.thing(operation.kind, thing))} {does} {amount} and {left} {rest}."


def _called(names: Names, step: Step, operation: Any, details: Details) -> str:
    return f"{names.procedure(operation.procedure)}."


def _finished(names: Names, step: Step, operation: Any, details: Details) -> str:
    winners = details[0]
    if not winners:
        return "The game is over, and nobody has won."
    said = " and ".join(names.player(winner) for winner in winners)
    return f"The game is over: {said} {'wins' if len(winners) == 1 else 'win'}."


_SENTENCES: Mapping[str, Callable[[Names, Step, Any, Details], str]] = {
    "asked": _asked,
    "rolled": _rolled,
    "drawn": _drawn,
    "created": _created,
    "removed": _removed,
    "written": _written,
    "called": _called,
    "finished": _finished,
}
