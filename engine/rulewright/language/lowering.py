"""Lowering of steps to operations: the part common to all statements. Each statement lowers its own steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from rulewright.base.plugins import PluginError
from rulewright.language import operations as op
from rulewright.language.checked_steps import Block, Step, Target
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    DeckCards,
    Entry,
    Items,
    Local,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.operations import CardsLeft, Costs, Operation, Region, Temporary
from rulewright.language.statement import Statement, list_expressions
from rulewright.language.types import BOOLEAN, INTEGER, NOTHING, ListOf, Type
from rulewright.language.visibility import SEERS, SHOWN

MOST_KEPT = 32_768
"""The size of the LRU caches by step. Weak references would not work as keys, because the cached operations refer to
their step and so keep it alive."""


class Lowering:
    """Lowers steps one after the other. Statements use it as their `Lower`."""

    def __init__(self) -> None:
        self._region: list[Operation[Typed]] = []
        self._steps: list[Step] = []
        self._temporaries = 0
        self._stops = 0
        self._loops = 0
        self._has_stop_in_loop = False
        self._blocks: list[Block] = []

    def block(self, block: Block) -> None:
        """Lower the steps of a block.

        Raise `PluginError` if the step lowers the block again: a pause in it must be at one place of the program.
        """
        if self._steps and block in self._blocks:
            raise PluginError(
                f"the statement `{self._step.verb.name}` lowers the same block twice: lower it once, after the branch"
            )
        self._blocks.append(block)
        for step in block.steps:
            self.step(step)

    def step(self, step: Step) -> None:
        """Lower a step, inside a branch if it has a condition.

        Raise `PluginError` if the statement stops more than once, and either its steps have no slot for their progress
        or one of the stops is in a loop. Also if it has a loop in a loop, or lowers a block twice or never.
        """
        outer = self._stops, self._loops, self._has_stop_in_loop, self._blocks
        self._stops, self._loops, self._has_stop_in_loop, self._blocks = 0, 0, False, []
        self._steps.append(step)
        if step.when is None:
            step.verb.lower(step, self)
        else:
            self.branch(
                step.when,
                lambda: step.verb.lower(step, self),
                # In a loop, an earlier round may have left a result in the slots.
                lambda: self._leave_nothing(step) if step.repeated else None,
            )
        if any(block.steps and block not in self._blocks for block in step.blocks):
            raise PluginError(f"the statement `{step.verb.name}` does not lower a block: call `lower.block` for each")
        self._steps.pop()
        self._stops, self._loops, self._has_stop_in_loop, self._blocks = outer

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

    def _within_loop(self, write: Callable[[], None]) -> Region[Typed]:
        """Return the operations that `write` adds, which are the body of a loop.

        Raises `PluginError` inside another loop of the same statement.
        """
        if self._loops:
            raise PluginError(
                f"the statement `{self._step.verb.name}` has a loop in a loop, and one slot for the progress of both: "
                "let the outer loop run a block of steps"
            )
        self._loops += 1
        inner = self._within(write)
        self._loops -= 1
        return inner

    def _temporary(self, kind: Type) -> Temporary:
        self._temporaries += 1
        return Temporary(kind, self._temporaries)

    @property
    def _step(self) -> Step:
        return self._steps[-1]

    # -- the interface for statements ----------------------------------------------------

    def keep(self, value: Typed) -> Typed:
        """Return a temporary with the value of an expression, evaluated here, which stays the same until the next stop.

        A constant or temporary is returned itself.
        """
        if isinstance(value, Constant | Temporary):
            return value
        saved = self._temporary(value.type)
        self._add(op.Keep(self._step, saved.number, value))
        return saved

    def bind(self, value: Typed, *, slot: int | None = None, bounded: bool = False) -> None:
        """Assign a value to a slot, by default the step's own. Do nothing if the step has none.

        A `bounded` value that is too large is a fault of the rules.
        """
        place = self._step.slot if slot is None else slot
        if place is not None:
            self._add(op.Bind(self._step, place, value, value.type, bounded=bounded))

    def store(
        self,
        target: Target,
        entity: Typed | None,
        value: Typed,
        *,
        row: Typed | None = None,
        by: Literal["", "+", "-"] = "",
    ) -> None:
        """Emit a change of a field of `entity`, or of a name of the procedure.

        If the field can be hidden, it is then hidden from everybody.

        Args:
            target: The field or name.
            entity: The object, or None for a name.
            value: The new value.
            row: The row whose entry changes, if the target is an entry of a map.
            by: `+` or `-` if the rules add or subtract an amount.
        """
        if target.slot is not None:
            text, table = target.field, target.table
            self._add(op.Bind(self._step, target.slot, value, target.type, True, text, row, table))
        else:
            assert entity is not None
            entity = self.keep(entity) if target.hidden else entity
            place = (target.kind, target.field, target.type, target.minimum)
            self._add(op.Write(self._step, entity, *place, value, by, row=row, table=target.table))
            if target.hidden:
                no_viewers = (target.kind, f"{SHOWN}{target.field}", SEERS, None, Items(SEERS, ()))
                self._add(op.Write(self._step, entity, *no_viewers))

    def create(self, kind: str, values: Mapping[str, Typed], least: Mapping[str, int], type_: Type) -> Typed:
        """Create an object and return it.

        Args:
            kind: The id of its kind.
            values: Values of its fields. Other fields get their default.
            least: Minimums of fields.
            type_: The type of the object.
        """
        typed = self._temporary(type_)
        self._add(op.Create(self._step, typed.number, kind, tuple(values.items()), tuple(least.items())))
        return typed

    def remove(self, entity: Typed, *, several: bool = False) -> None:
        """Remove an object, or every object of a list, from the game."""
        self._add(op.Remove(self._step, entity, several))

    def ask(self, who: Typed, options: Typed, kind: Type, costs: Costs = (), *, viewers: Typed | None = None) -> Typed:
        """Ask a player to choose one of the options, and return the choice.

        Raises `PluginError`, as the other methods that pause do, if the statement or its step cannot continue
        afterwards.

        Args:
            who: The player.
            options: The list of options.
            kind: The type of the choice.
            costs: The costs of an option, for players to see.
            viewers: The players who see the choice (None: all players). The methods below use it the same way.
        """
        self._stage()
        answer = self._temporary(kind)
        self._add(op.Ask(self._step, answer.number, who, options, costs, viewers))
        return answer

    def roll(self, dice: Typed, table: str | None = None, *, viewers: Typed | None = None) -> Typed:
        """Make a roll, on a table if one is given, and return the result."""
        self._stage()
        answer = self._temporary(INTEGER)
        self._add(op.Chance(self._step, answer.number, dice, table, viewers))
        return answer

    def draw(
        self, among: Typed, kind: Type, deck: CardsLeft | DeckCards | None = None, *, viewers: Typed | None = None
    ) -> Typed:
        """Draw an element of a list, and return it. With `deck`, the list is the rest of that deck.

        It is a fault if the list is empty, which the rest of a deck without more conditions never is.
        """
        self._stage()
        if among is not deck:
            among = self.keep(among)
            count = Aggregate(INTEGER, "count", Variable(kind, "each"), "each", among, None, None)
            nothing = Comparison(BOOLEAN, "==", count, Constant(INTEGER, 0))
            self.branch(nothing, lambda: self.emit_fault(op.Draw.NOTHING))
        answer = self._temporary(kind)
        owner = deck.owner if isinstance(deck, DeckCards) else None
        name = deck.deck if deck is not None else ""
        self._add(op.Draw(self._step, answer.number, among, name, deck, viewers, owner))
        return answer

    def reveal(self, who: Typed, answers: Typed) -> None:
        """Reveal the choices of several players to everybody."""
        self._add(op.Reveal(self._step, who, answers))

    def announce(self, text: str, given: Mapping[str, Typed]) -> None:
        """Add a sentence to the log, with `{given.name}` for the values in `given`."""
        self._add(op.Announce(self._step, text, tuple(given), tuple(given.values())))

    def call(self, procedure: str, arguments: tuple[Typed, ...], results: int) -> None:
        """Call another procedure and assign its results to the step's slots. `results` is their number."""
        self._stage()
        first = self._step.slot if results else None
        self._add(op.Call(self._step, procedure, arguments, first, results))

    def _stage(self) -> None:
        """Store in the hidden slot which stop of the step comes next. The first stop needs no mark.

        Raises `PluginError` if the statement cannot continue after a stop. For a later stop, also if the step has no
        hidden slot, or if this or an earlier stop is in a loop, because the loop keeps its own progress in that slot.
        """
        step = self._step
        if getattr(type(step.verb), "take", Statement.take) is Statement.take:
            raise PluginError(
                f"the statement `{step.verb.name}` pauses in `lower`, but has no method `take`, "
                "which continues with the answer"
            )
        self._has_stop_in_loop |= self._loops > 0
        if self._stops:
            if self._has_stop_in_loop:
                raise PluginError(
                    f"the statement `{step.verb.name}` pauses in a loop, so it cannot pause anywhere else: make it two "
                    "statements, or a loop over a block of steps"
                )
            hidden = self._get_hidden_slot("pauses more than once")
            self._add(op.Bind(step, hidden, Constant(INTEGER, self._stops), INTEGER))
        self._stops += 1

    def _get_hidden_slot(self, why: str) -> int:
        """Return the slot for the progress of the step.

        Raises `PluginError`, which says `why` it is needed, if there is none.
        """
        if self._step.hidden is None:
            raise PluginError(
                f"the statement `{self._step.verb.name}` {why}, so its `check` must return "
                "`CheckedStep(…, resumes=True)` to get a slot for its progress"
            )
        return self._step.hidden

    def finish_stops(self) -> None:
        """Clear the hidden slot, if the step has one, after its last stop."""
        if self._step.hidden is not None:
            self._add(op.Bind(self._step, self._step.hidden, Constant(NOTHING, None), NOTHING))

    def end(self) -> None:
        """End the procedure."""
        self._add(op.Give(self._step))

    def leave(self, loop: str) -> None:
        """End the loop around this step that has the id `loop`."""
        self._add(op.Leave(self._step, loop))

    def finish(self, winners: Typed) -> None:
        """End the game."""
        self._add(op.Finish(self._step, winners))

    def emit_fault(self, message: str) -> None:
        """End the game with a fault of the rules."""
        self._add(op.Fault(self._step, message))

    def branch(self, condition: Typed, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Run the code that `then` lowers if the condition is true, or else the code that `otherwise` lowers."""
        arms = self._within(then), self._within(otherwise) if otherwise is not None else ()
        self._add(op.Branch(self._step, condition, *arms))

    def loop(self, body: Callable[[], None], *, going: Typed | None, most: Typed | None, within: Typed | None) -> None:
        """Run the code that `body` lowers repeatedly. See `operations.Loop` for the other parameters."""
        hidden = self._get_hidden_slot("has a loop")
        self._add(op.Loop(self._step, hidden, going, most, within, self._within_loop(body)))

    def emit_each(self, source: Typed, item: int, body: Callable[[], None], *, entities: bool) -> None:
        """Run the code that `body` lowers for each element of a list. See `operations.Each` for the parameters."""
        hidden = self._get_hidden_slot("has a loop")
        self._add(op.Each(self._step, source, item, hidden, entities, self._within_loop(body)))


def lower_block(block: Block) -> Region[Typed]:
    """Return the operations of a block."""
    lowering = Lowering()
    lowering.block(block)
    return tuple(lowering._region)


def step_region(step: Step) -> Region[Typed]:
    """Return the operations of a step, including those of the steps inside it."""
    return lower_block(Block((step,)))


def list_operations(step: Step) -> Region[Typed]:
    """Return the operations of a step itself, in the order written, without those of the steps inside it. Cached.

    Raises `PluginError` if its statement lowers it to what back ends cannot run.
    """
    # A step is first lowered before it is known whether it is in a loop, which makes a difference with a condition.
    return _list_operations(step, step.repeated and step.when is not None)


@lru_cache(maxsize=MOST_KEPT)
def _list_operations(step: Step, _: bool) -> Region[Typed]:
    """Return the operations of a step itself. The last argument is only part of the key of the cache."""
    region = step_region(step)
    results = tuple(each for outer in region for each in outer.walk() if each.step is step)
    fault = next(_find_faults(step, region, results), None)
    if fault is not None:
        raise PluginError(f"the statement `{step.verb.name}` {fault}")
    return results


def list_step_expressions(step: Step) -> Iterator[Typed]:
    """Yield every expression that a step has for readers or evaluates, including its condition.

    Those of nested steps are left out, and also the old value of a field to which the step adds an amount, or from
    which it takes one. An expression may occur more than once.
    """
    yield from list_expressions(step.action)
    for each in list_operations(step):
        match each:
            case op.Write(
                by="+" | "-",
                value=Arithmetic(
                    left=Stored(kind=kind, field=name) | Entry(base=Stored(kind=kind, field=name)), right=amount
                ),
            ) if (kind, name) == (each.kind, each.field):
                yield from (value if value is not each.value else amount for value in each.values)
            case _:
                yield from each.values


def _find_faults(step: Step, region: Region[Typed], own: Region[Typed]) -> Iterator[str]:
    """Yield faults in the operations of a step.

    These are values that are lost at a pause, pauses that events cannot tell apart, and pauses and loops that do not
    end. `own` are these operations, and `region` also has those of the steps inside.
    """

    def list_read(operation: Operation[Typed]) -> Iterator[int]:
        if operation.step is step:
            yield from (part.number for each in operation.values for part in each.walk() if isinstance(part, Temporary))

    for each in own:
        if isinstance(each, op.Loop) and each.most is None and each.going is None and not step.verb.loops:
            yield "has a loop that never ends: pass `going` or `most` to `loop`"
    yield from _find_wrong_reveals(step, region, own)
    if step.verb.loops and _goes_on_after_loop(step, region):
        yield "has `loops = True`, and goes on after its loop: `stop` ends the step, so the loop must come last"
    counts = any(isinstance(each, op.Loop) or _counts_stops(each, step) for each in own)
    lists = {each.source.type for each in own if isinstance(each, op.Each)}
    if len(lists) + counts > 1:
        yield (
            "keeps its progress in one slot both as a list and as something else: with several pauses, or with another "
            "loop, use `loop` with a number of rounds in place of `emit_each`"
        )
    if any(each.suspends for each in own):
        for _, _, is_early in op.find_lost_temporaries(region, list_read):
            if is_early:
                yield "pauses with a value that `keep` read before a change: call `keep` after the change"
            else:
                lost = "uses a value of `keep`, `create` or a pause after a later pause, where it is lost"
                yield f"{lost}: `bind` it to a slot before that pause"
        progress = [each for each in own if isinstance(each, op.Bind) and each.slot == step.hidden]
        if progress and progress[-1].type != NOTHING:
            yield "pauses more than once, so its `lower` must call `finish_stops()` after the last pause"
        for kind, what in _ALIKE.items():
            if len({_find_event_form(each) for each in own if isinstance(each, kind)}) > 1:
                name = "roll" if kind is op.Chance else kind.__name__.lower()
                yield (
                    f"calls `lower.{name}` several times with different {what}, and an event does not say which call "
                    "it comes from: use the same for all, or make it several statements"
                )


def _counts_stops(operation: Operation[Typed], step: Step) -> bool:
    """Return whether an operation stores in the hidden slot of a step which of its stops comes next."""
    return isinstance(operation, op.Bind) and operation.slot == step.hidden and operation.type == INTEGER


def _goes_on_after_loop(step: Step, region: Region[Typed]) -> bool:
    """Return whether operations of a region follow a loop of the step."""
    loops = [any(isinstance(part, op.Loop | op.Each) and part.step is step for part in each.walk()) for each in region]
    ends = region[-1].regions if region and isinstance(region[-1], op.Branch) else ()
    return any(loops[:-1]) or any(_goes_on_after_loop(step, end) for end in ends)


def _find_wrong_reveals(step: Step, region: Region[Typed], own: Region[Typed]) -> Iterator[str]:
    """Yield a fault if a step reveals other answers than the simultaneous ones that all players have just given.

    Analyses treat the answers of a step that reveals as secret until its loop ends, and as public from then on.
    """
    reveals = [each for each in own if isinstance(each, op.Reveal)]
    body = region[0].then if step.when is not None and isinstance(region[0], op.Branch) else region
    before = [(first, second) for first, second in pairwise(body) if second in reveals]
    if reveals and not (len(reveals) == len(before) == 1 and _are_simultaneous(*before[0])):
        yield (
            "calls `reveal` for something other than simultaneous answers: call it once, outside branches, right after "
            "an `emit_each` over the players that only asks, with `viewers`, and adds each answer to the result"
        )


def _are_simultaneous(loop: Operation[Typed], reveal: Operation[Typed]) -> bool:
    """Return whether an operation reveals the result of its step, to which `loop` has only added secret answers."""

    def is_sealed(each: Operation[Typed]) -> bool:
        match each:
            case op.Bind(slot=slot, value=Arithmetic(operator="+", left=Local(slot=left), right=Items(items=(added,)))):
                return slot == left == reveal.step.slot and isinstance(added, Temporary)
            case op.Ask(viewers=viewers):
                return viewers is not None
        return isinstance(each, op.Keep)

    match loop, reveal:
        case op.Each(source=source, body=body), op.Reveal(who=who, answers=Local(slot=slot, type=ListOf())):
            sealed = all(each.step is reveal.step and is_sealed(each) for each in body)
            return sealed and slot == reveal.step.slot and who == source
    return False


_ALIKE = {
    op.Ask: "types or labels of the options",
    op.Chance: "tables, or with and without a table",
    op.Draw: "types of the elements, or with and without a deck",
    op.Call: "procedures",
}
"""The pauses, each with what must be the same for all pauses of its kind in a step."""


def _find_event_form(pause: Operation[Typed]) -> tuple[Any, ...]:
    """Return what logs and counts read from a pause to understand its event, besides the values of the event."""
    match pause:
        case op.Ask():
            return answer_type(pause), tuple((offer.id, offer.label) for offer in list_offers(pause))
        case op.Chance():
            return (pause.table,)
        case op.Draw():
            return pause.among.type, bool(pause.deck)
        case op.Call():
            return (pause.procedure,)
    return ()


def asks_player(step: Step) -> bool:
    """Return whether a step itself asks a player."""
    return bool(list_asks(step))


def has_chance(step: Step) -> bool:
    """Return whether a step itself makes a roll or a draw."""
    return any(isinstance(each, op.Chance | op.Draw) for each in list_operations(step))


def find_current_operation(step: Step, frame: Sequence[Any]) -> Operation[Typed]:
    """Return the operation at which `frame` is suspended in `step`.

    If several operations of the step may suspend, its hidden slot selects one of them.
    """
    results = [each for each in list_operations(step) if each.suspends]
    place = frame[step.hidden] if len(results) > 1 and step.hidden is not None else None
    return results[place or 0]


def answer_type(ask: op.Ask[Typed]) -> Type:
    """Return the type of a player's answer."""
    kind = ask.options.type
    return kind.inner if isinstance(kind, ListOf) else kind


def find_option_type(step: Step) -> Type:
    """Return the type of the options that a step offers. Raise `IndexError` if it asks no player."""
    return answer_type(list_asks(step)[0])


def list_offers(ask: op.Ask[Typed]) -> tuple[op.Offer, ...]:
    """Return the options of a decision that have an id, or empty for decisions of other forms."""
    options = ask.options.source if isinstance(ask.options, op.OrNone) else ask.options
    return options.offers if isinstance(options, op.Offered) else ()


def find_subsets(ask: op.Ask[Typed]) -> op.Subsets | None:
    """Return the options of a decision if they are all selections of some size from a list, with or without none."""
    options = ask.options.source if isinstance(ask.options, op.OrNone) else ask.options
    return options if isinstance(options, op.Subsets) else None


def may_choose_nothing(step: Step) -> bool:
    """Return whether a player can ever answer a step with none, or with an empty selection."""
    return any(isinstance(part, op.OrNone | op.Subsets) for ask in list_asks(step) for part in ask.options.walk())


@lru_cache(maxsize=MOST_KEPT)
def list_asks(step: Step) -> tuple[op.Ask[Typed], ...]:
    """Return the decisions of a step. Cached."""
    return tuple(each for each in list_operations(step) if isinstance(each, op.Ask))


def asks_at_once(step: Step) -> bool:
    """Return whether players decide at the same time at a step, without knowing the answers of each other."""
    return any(isinstance(each, op.Reveal) for each in list_operations(step))


def find_result(step: Step) -> Typed | None:
    """Return the value of the first slot that a step assigns, or None if it assigns none by an expression."""
    return next((each.value for each in list_operations(step) if isinstance(each, op.Bind)), None)


Mark = tuple[str, str]
"""Event that a step records: its type, and the field or name if it is a change (else empty)."""


def mark_of(operation: Operation[Any]) -> Mark | None:
    """Return the event that `operation` records, or None if it records none.

    The event is a pair of its kind and the name of the changed field, or "" if it has none.
    """
    match operation:
        case op.Write():
            return operation.event_kind, operation.field
        case op.Bind():
            return (operation.event_kind, operation.name) if operation.name else None
    return (operation.event_kind, "") if operation.event_kind else None


@lru_cache(maxsize=MOST_KEPT)
def list_marks(step: Step) -> frozenset[Mark]:
    """Return the events that count how often `step` was executed. Cached.

    If the step records events each time, the first of those counts. Otherwise all of its events count, except for the
    change of viewers that accompanies a change of a hidden field.
    """
    region = step_region(step)
    if step.when is not None and isinstance(region[-1], op.Branch):
        region = region[-1].then
    always = [mark for each in region if each.step is step and (mark := mark_of(each)) is not None]
    if always:
        return frozenset(always[:1])
    results = {mark for each in list_operations(step) if (mark := mark_of(each)) is not None}
    return frozenset(each for each in results if (each[0], each[1].removeprefix(SHOWN)) not in results - {each})


@lru_cache(maxsize=MOST_KEPT)
def list_block_slots(step: Step) -> frozenset[int]:
    """Return the slots of the names that only the step itself and its blocks can use, such as a loop's element. Cached.

    They include the hidden slot of a step that fills it by itself.
    """
    operations = list_operations(step)
    changed = {each.slot for each in operations if isinstance(each, op.Bind) and each.name}
    return frozenset(slot for each in operations for slot in each.fills) - changed - set(step.slots)


def is_group(step: Step) -> bool:
    """Return whether a step only holds other steps, with or without a condition."""
    return bool(step.blocks) and len(list_operations(step)) == (step.when is not None)


def find_called_procedure(step: Step) -> str:
    """Return the id of the procedure that a step calls, or an empty string."""
    return next((each.procedure for each in list_operations(step) if isinstance(each, op.Call)), "")
