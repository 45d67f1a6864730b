"""Steps → operations: each verb lowers its own, and what they have in common is done here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from rulewright.language import operations as op
from rulewright.language.checked_steps import Block, Step, Target
from rulewright.language.expressions.typed_ast import Constant, Items, Typed
from rulewright.language.operations import CardsLeft, Costs, Operation, Region, Temporary
from rulewright.language.types import INTEGER, NOTHING, ListOf, Type
from rulewright.language.visibility import SEERS, SHOWN

MOST_KEPT = 32_768
"""Steps whose operations are remembered, those that were asked for last: they refer to their step, so that a table of
weak references would keep it for ever."""


class Lowering:
    """Lowers steps, one after the other. Verbs are given it as their `Lower`."""

    def __init__(self) -> None:
        self._region: list[Operation[Typed]] = []
        self._steps: list[Step] = []
        self._temporaries = 0
        self._stops = 0

    def block(self, block: Block) -> None:
        """Carry out the steps of a block."""
        for step in block.steps:
            self.step(step)

    def step(self, step: Step) -> None:
        """Carry out a step, where its condition holds. Raises `TypeError` for a verb that cannot be resumed."""
        outer, self._stops = self._stops, 0
        self._steps.append(step)
        if step.when is None:
            step.verb.lower(step, self)
        else:
            self.branch(
                step.when,
                lambda: step.verb.lower(step, self),
                # In a loop, the step may have left something here in an earlier round.
                lambda: self._leave_nothing(step) if step.repeated else None,
            )
        self._steps.pop()
        self._stops = outer

    def _leave_nothing(self, step: Step) -> None:
        for slot in step.slots:
            self._add(op.Bind(step, slot, Constant(NOTHING, None), NOTHING))

    def _add(self, operation: Operation[Typed]) -> None:
        self._region.append(operation)

    def _within(self, write: Callable[[], None]) -> Region[Typed]:
        outer, self._region = self._region, []
        write()
        inner, self._region = tuple(self._region), outer
        return inner

    def _temporary(self, kind: Type) -> Temporary:
        self._temporaries += 1
        return Temporary(kind, self._temporaries)

    @property
    def _step(self) -> Step:
        return self._steps[-1]

    # -- what verbs ask ------------------------------------------------------------------

    def keep(self, value: Typed) -> Typed:
        """Return a value that is worked out here, once, and stays as it is until the next stop."""
        if isinstance(value, Constant | Temporary):
            return value
        kept = self._temporary(value.type)
        self._add(op.Keep(self._step, kept.number, value))
        return kept

    def bind(self, value: Typed, *, slot: int | None = None, bounded: bool = False) -> None:
        """Leave a value in a slot, the step's own if no other is named. A `bounded` one is refused if too large."""
        place = self._step.slot if slot is None else slot
        if place is not None:
            self._add(op.Bind(self._step, place, value, value.type, bounded=bounded))

    def store(
        self,
        target: Target,
        thing: Typed | None,
        value: Typed,
        *,
        row: Typed | None = None,
        by: Literal["", "+", "-"] = "",
    ) -> None:
        """Change a field of `thing`, or a name of the procedure; `by` says that something was added or taken.

        What a map holds for a row changes where `target` has one; `row` is that row.
        """
        if target.slot is not None:
            said, table = target.field, target.table
            self._add(op.Bind(self._step, target.slot, value, target.type, True, said, row, table))
        else:
            assert thing is not None
            thing = self.keep(thing) if target.hidden else thing
            place = (target.kind, target.field, target.type, target.minimum)
            self._add(op.Write(self._step, thing, *place, value, by, row=row, table=target.table))
            if target.hidden:
                nobody = (target.kind, f"{SHOWN}{target.field}", SEERS, None, Items(SEERS, ()))
                self._add(op.Write(self._step, thing, *nobody))

    def create(self, kind: str, values: Mapping[str, Typed], least: Mapping[str, int], type_: Type) -> Typed:
        """Make an object; fields that `values` leaves out start at their default, and some have a `least` value."""
        made = self._temporary(type_)
        self._add(op.Create(self._step, made.number, kind, tuple(values.items()), tuple(least.items())))
        return made

    def remove(self, thing: Typed, *, several: bool = False) -> None:
        """Take an object, or every object of a list, out of the game."""
        self._add(op.Remove(self._step, thing, several))

    def ask(self, who: Typed, options: Typed, kind: Type, costs: Costs = (), *, seen: Typed | None = None) -> Typed:
        """Ask a player to take one of the options; the answer. `costs` are those of any option, for players to see.

        Here and below, `seen` are those who are told what came of it, where not everybody is.
        """
        self._stage()
        answer = self._temporary(kind)
        self._add(op.Ask(self._step, answer.number, who, options, costs, seen))
        return answer

    def roll(self, dice: Typed, table: str | None = None, *, seen: Typed | None = None) -> Typed:
        """Make a roll, perhaps on a table; what it comes to."""
        self._stage()
        answer = self._temporary(INTEGER)
        self._add(op.Chance(self._step, answer.number, dice, table, seen))
        return answer

    def draw(self, among: Typed, kind: Type, deck: CardsLeft | None = None, *, seen: Typed | None = None) -> Typed:
        """Draw one of a list that is not empty, perhaps the cards left of a deck; what was drawn."""
        self._stage()
        answer = self._temporary(kind)
        self._add(op.Draw(self._step, answer.number, among, deck.deck if deck is not None else "", deck, seen))
        return answer

    def reveal(self, who: Typed, answers: Typed) -> None:
        """Tell everybody what each of several players chose."""
        self._add(op.Reveal(self._step, who, answers))

    def call(self, procedure: str, arguments: tuple[Typed, ...], results: int) -> None:
        """Carry out another procedure; its results go to the step's slots."""
        self._stage()
        first = self._step.slot if results else None
        self._add(op.Call(self._step, procedure, arguments, first, results))

    def _stage(self) -> None:
        """Record in the hidden slot at which of its stops a step stands."""
        if self._stops:
            step = self._step
            if step.hidden is None:
                raise TypeError(f"the verb {step.verb.name} stops more than once: let its steps keep their place")
            self._add(op.Bind(step, step.hidden, Constant(INTEGER, self._stops), INTEGER))
        self._stops += 1

    def finish_stops(self) -> None:
        """Clear the hidden slot after the last stop of a step."""
        if self._step.hidden is not None:
            self._add(op.Bind(self._step, self._step.hidden, Constant(NOTHING, None), NOTHING))

    def end(self) -> None:
        """End the procedure."""
        self._add(op.Give(self._step))

    def finish(self, winners: Typed) -> None:
        """End the game."""
        self._add(op.Finish(self._step, winners))

    def emit_fault(self, message: str) -> None:
        """Stop with a fault of the rules."""
        self._add(op.Fault(self._step, message))

    def branch(self, condition: Typed, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Carry out what `then` lowers where the condition holds, and what `otherwise` lowers where it does not."""
        arms = self._within(then), self._within(otherwise) if otherwise is not None else ()
        self._add(op.Branch(self._step, condition, *arms))

    def loop(self, body: Callable[[], None], *, going: Typed | None, most: Typed | None, within: Typed | None) -> None:
        """Carry out what `body` lowers again and again, as `operations.Loop` says."""
        assert self._step.hidden is not None
        self._add(op.Loop(self._step, self._step.hidden, going, most, within, self._within(body)))

    def emit_each(self, source: Typed, item: int, body: Callable[[], None], *, things: bool) -> None:
        """Carry out what `body` lowers for each of a list, as `operations.Each` says."""
        assert self._step.hidden is not None
        self._add(op.Each(self._step, source, item, self._step.hidden, things, self._within(body)))


def lower_block(block: Block) -> Region[Typed]:
    """Return the operations of a block."""
    lowering = Lowering()
    lowering.block(block)
    return tuple(lowering._region)


def step_region(step: Step) -> Region[Typed]:
    """Return the operations of a step, those of the steps inside it among them."""
    return lower_block(Block((step,)))


@lru_cache(maxsize=MOST_KEPT)
def list_operations(step: Step) -> Region[Typed]:
    """Return the operations of a step itself, in the order written; not those of the steps inside it."""
    return tuple(each for outer in step_region(step) for each in outer.walk() if each.step is step)


def asks_player(step: Step) -> bool:
    """Return whether a step asks a player."""
    return bool(list_asks(step))


def has_chance(step: Step) -> bool:
    """Return whether a step leaves something to chance."""
    return any(isinstance(each, op.Chance | op.Draw) for each in list_operations(step))


def find_current_operation(step: Step, frame: Sequence[Any]) -> Operation[Typed]:
    """Return the operation at which a frame stands that stands at `step`.

    Of several, the one that its own slot says.
    """
    found = [each for each in list_operations(step) if each.suspends]
    place = frame[step.hidden] if len(found) > 1 and step.hidden is not None else None
    return found[place or 0]


def answer_type(ask: op.Ask[Typed]) -> Type:
    """Return the type of what a player answers."""
    kind = ask.options.type
    return kind.inner if isinstance(kind, ListOf) else kind


def find_option_type(step: Step) -> Type:
    """Return the type of what a step that asks players offers them."""
    return answer_type(list_asks(step)[0])


def list_offers(ask: op.Ask[Typed]) -> tuple[op.Offer, ...]:
    """Return the options of a question that are offered by id."""
    options = ask.options.source if isinstance(ask.options, op.OrNone) else ask.options
    return options.offers if isinstance(options, op.Offered) else ()


@lru_cache(maxsize=MOST_KEPT)
def list_asks(step: Step) -> tuple[op.Ask[Typed], ...]:
    """Return what a step asks players."""
    return tuple(each for each in list_operations(step) if isinstance(each, op.Ask))


def find_result(step: Step) -> Typed | None:
    """Return the value that a step leaves under its name, where it is worked out from an expression alone."""
    return next((each.value for each in list_operations(step) if isinstance(each, op.Bind)), None)


Mark = tuple[str, str]
"""An event that a step leaves: its kind, and of a change the field, or the name."""


def mark_of(operation: Operation[Any]) -> Mark | None:
    """Return the event that `operation` leaves; None where it leaves none."""
    match operation:
        case op.Write():
            return operation.told, operation.field
        case op.Bind():
            return (operation.told, operation.said) if operation.said else None
    return (operation.told, "") if operation.told else None


@lru_cache(maxsize=MOST_KEPT)
def list_marks(step: Step) -> frozenset[Mark]:
    """Return the events by which it is counted how often `step` was carried out.

    A step that leaves several events each time is counted by the first of those that it always leaves. Where all of
    them depend on something, each counts, but for the note that nobody was shown what a field holds from now on.
    """
    region = step_region(step)
    if step.when is not None and isinstance(region[-1], op.Branch):
        region = region[-1].then
    always = [mark for each in region if each.step is step and (mark := mark_of(each)) is not None]
    if always:
        return frozenset(always[:1])
    found = {mark for each in list_operations(step) if (mark := mark_of(each)) is not None}
    return frozenset(each for each in found if (each[0], each[1].removeprefix(SHOWN)) not in found - {each})


def is_group(step: Step) -> bool:
    """Return whether a step does nothing but hold others, perhaps under its condition."""
    return bool(step.blocks) and len(list_operations(step)) == (step.when is not None)


def find_called_procedure(step: Step) -> str:
    """Return the procedure that a step carries out; empty where it carries out none."""
    return next((each.procedure for each in list_operations(step) if isinstance(each, op.Call)), "")
