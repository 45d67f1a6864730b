"""Keys of positions: two states with the same continuations have the same key.

If a game uses a list only as a set, two orders of its elements are the same position. Some expressions see the order
of a list (its first element, a loop over it, a choice from it) and some do not (membership, counts, `any`, `all`). A
field has no order if every expression of the rules reads it without seeing the order, or passes it on to fields
without an order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.engine.state.game_state import CHANCE, DECISION, State
from rulewright.ir.analyses.liveness import Liveness
from rulewright.ir.program import StateLayout
from rulewright.language.checked_steps import Procedure
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Apply,
    Arithmetic,
    Coalesce,
    If,
    Membership,
    Stored,
    Typed,
)
from rulewright.language.lowering import answer_type, find_current_operation, list_operations, lower_block
from rulewright.language.operations import Ask, Create, Draw, Each, Keep, Loop, Operation, Temporary, Write
from rulewright.language.types import BOOLEAN, INTEGER, Entity, ListOf, MapOf, Optional, RecordOf, Type
from rulewright.ruleset.ruleset import Ruleset

Key = tuple[Any, ...]
Renumber = Callable[[int], int]


class StateKeys:
    """A generator of keys for the states of one ruleset. Objects before number `kept` keep their numbers."""

    def __init__(self, ruleset: Ruleset, liveness: Liveness, *, first_new: int) -> None:
        self.ruleset = ruleset
        self.liveness = liveness
        self.first_new = first_new
        self.layout = StateLayout(ruleset.declarations)
        self._forgotten: dict[tuple[int, int], tuple[int, ...]] = {}
        self._promises: dict[int, tuple[int, ...]] = {}
        self._references: dict[int, Mapping[int, Type]] = {}
        self._held: dict[str, Mapping[int, Type]] = {}

    def compute_key(self, state: State, *, named: bool = False) -> Key:
        """Return the key of a state at a pause point. Equal keys mean that both positions continue alike.

        Changes `state`: it clears the slots that no later step reads, and renumbers objects. With `named`, objects keep
        their numbers, because a script refers to them by number.
        """
        for frame in state.stack:
            number = frame[0]
            for slot in self._slots_to_forget(number, len(frame)):
                frame[slot] = None
            for slot in self.promised(number):
                if frame[slot] is not None:
                    frame[slot] = 1
        if not named:
            self._renumber(state)
        return (
            tuple(map(tuple, state.stack)),
            tuple([None if item is None else tuple(item) for item in state.objects]),
        )

    def _slots_to_forget(self, step: int, size: int) -> tuple[int, ...]:
        """Return the slots of a frame at a step that no later step reads. Cached."""
        result = self._forgotten.get((step, size))
        if result is None:
            saved = self.liveness.find_live_slots(step) if step else frozenset(range(size))
            result = tuple(slot for slot in range(1, size) if slot not in saved)
            self._forgotten[step, size] = result
        return result

    def promised(self, number: int) -> tuple[int, ...]:
        """Return the slots with the counters of loops around a step that count rounds only to check `within`.

        The key ignores those counts and assumes that `within` is true. Cached.
        """
        result = self._promises.get(number)
        if result is None:
            slots = []
            step = self.ruleset.steps.get(number)
            while step is not None:
                for each in list_operations(step):
                    if isinstance(each, Loop) and each.within is not None and each.most is None:
                        slots.append(each.counter)
                step = step.container.owner if step.container is not None else None
            result = self._promises[number] = tuple(slots)
        return result

    # -- the numbers of objects ------------------------------------------------------------

    def _renumber(self, state: State) -> None:
        """Renumber objects by kind and, within a kind, by creation, without gaps.

        The language never sees numbers: it distinguishes objects of a kind and lists them in order of creation, and
        both are preserved. An object that has left the game but is still referenced only equals itself. Changes
        `state`.
        """
        objects, saved = state.objects, self.first_new
        result = range(saved, len(objects))
        live = sorted((number for number in result if objects[number] is not None), key=lambda n: (objects[n][0], n))
        if live == list(result):
            return
        numbers = {old: new for new, old in enumerate(live, start=saved)}

        def renumbered(number: int) -> int:
            # Objects that have left the game get the last numbers, in the order in which they are referenced.
            return number if number < saved else numbers.setdefault(number, saved + len(numbers))

        state.objects = objects = [*objects[:saved], *(objects[old] for old in live)]
        state.live = tuple(tuple([renumbered(number) for number in kind]) for kind in state.live)
        for entity in objects:
            if entity is not None:
                _replace(entity, self._fields(entity[0]), renumbered)
        for procedure, frame, _ in state.machine.iterate_frames(state):
            _replace(frame, self._slots(procedure), renumbered)
        step = state.machine.step(state)
        if step is not None and state.mode in (DECISION, CHANCE):
            _renumber_stop(state, find_current_operation(step, state.frame), renumbered)
        objects += [None] * (saved + len(numbers) - len(objects))

    def _fields(self, kind: int) -> Mapping[int, Type]:
        """Return the fields of a kind that refer to objects, with their types. Cached."""
        results = self._references.get(kind)
        if results is None:
            name = self.layout.names[kind]
            fields = self.ruleset.declarations.kinds[name].fields.values()
            results = {self.layout.places[name, each.name]: each.type for each in fields if holds_objects(each.type)}
            self._references[kind] = results
        return results

    def _slots(self, procedure: str) -> Mapping[int, Type]:
        """Return the slots of a frame that may refer to objects, with their types. Cached.

        These are names, and the remaining elements of loops over objects.
        """
        results = self._held.get(procedure)
        if results is None:
            results = {}
            if procedure in self.ruleset.procedures:
                body = self.ruleset.procedures[procedure]
                results = {slot: kind for slot, kind in body.types.items() if holds_objects(kind)}
                for step in body.iterate_steps():
                    for each in list_operations(step):
                        if isinstance(each, Each) and each.of_entities:
                            results[each.rest] = ListOf(Entity(""))
            self._held[procedure] = results
        return results


def _renumber_stop(state: State, stop: Operation[Typed], renumbered: Renumber) -> None:
    """Renumber the objects in the options of a decision, or in the elements of a draw."""
    match stop:
        case Ask():
            kind = answer_type(stop)
            state.options = tuple([_renumber_value(option, kind, renumbered) for option in state.options])
        case Draw(among=Typed(type=ListOf(inner=kind))):
            state.roll = tuple([_renumber_value(item, kind, renumbered) for item in state.roll])


def _replace(values: list[Any], places: Mapping[int, Type], renumbered: Renumber) -> None:
    for place, kind in places.items():
        values[place] = _renumber_value(values[place], kind, renumbered)


def _renumber_value(value: Any, kind: Type, renumbered: Renumber) -> Any:
    """Return `value` with the numbers of the objects in it replaced."""
    match kind, value:
        case _, None:
            return None
        case Optional(inner=inner), _:
            return _renumber_value(value, inner, renumbered)
        case Entity(), int():
            return renumbered(value)
        case ListOf(inner=inner) | MapOf(inner=inner), tuple():
            return tuple([_renumber_value(item, inner, renumbered) for item in value])
        case RecordOf(parts=parts), tuple():
            return tuple(
                [_renumber_value(item, part, renumbered) for (_, part), item in zip(parts, value, strict=True)]
            )
    return value


def holds_objects(kind: Type) -> bool:
    """Return whether values of a type are objects or contain objects."""
    if isinstance(kind, (Optional, ListOf, MapOf)):
        return holds_objects(kind.inner)
    if isinstance(kind, RecordOf):
        return any(holds_objects(part) for _, part in kind.parts)
    return isinstance(kind, Entity)


Field = tuple[str, str]
"""A kind, and the name of one of its fields."""

_BLIND = frozenset({"count", "any", "none", "all", "max", "min", "sum"})
"""The functions of a list whose results, if numbers or booleans, do not depend on its order."""


def list_unordered_fields(ruleset: Ruleset) -> frozenset[Field]:
    """Return the fields with lists whose order no rule can observe, as kind and name.

    Decks and lists of objects, lists or records are never among them.
    """
    lists = {
        (kind.id, field.name)
        for kind in ruleset.declarations.kinds.values()
        for field in kind.fields.values()
        # Not lists of objects, whose order determines the indices of options, nor the fields of decks.
        if isinstance(field.type, ListOf)
        and not isinstance(field.type.inner, ListOf | RecordOf | Entity)
        and "." not in field.name
    }
    read = list(_read(ruleset))
    while True:
        fields: set[Field] = set()
        for expression, into in read:
            fields |= set(_list_ordered_fields(expression, into is None or into not in lists))
        if not lists & fields:
            return frozenset(lists)
        lists -= fields


def _read(ruleset: Ruleset) -> Iterator[tuple[Typed, Field | None]]:
    """Yield the expressions of procedures, formulas and measures, each with the field it is written to, or None."""
    for procedure in ruleset.procedures.values():
        yield from _read_in(procedure)
        for expression in procedure.gives.values():
            yield expression, None
    for formula in ruleset.declarations.formulas.values():
        yield formula.body, None
    for measure in ruleset.measures.values():
        yield measure.value, None


def _read_in(procedure: Procedure) -> Iterator[tuple[Typed, Field | None]]:
    """Yield the expressions in the steps of a procedure, each with the field that it is written to, or None.

    A temporary counts as part of the expression that reads it.
    """
    read: dict[int, list[Field | None]] = {}
    for each in reversed([each for outer in lower_block(procedure.body) for each in outer.walk()]):
        saved = [(each.value, into) for into in read.get(each.into, ())] if isinstance(each, Keep) else _read_by(each)
        for value, into in saved:
            yield value, into
            for part in value.walk():
                if isinstance(part, Temporary):
                    read.setdefault(part.number, []).append(into if part is value else None)


def _read_by(operation: Operation[Typed]) -> Iterator[tuple[Typed, Field | None]]:
    """Yield the expressions that an operation reads, each with the field that it is written to, or None."""
    match operation:
        case Write(kind=kind, field=name, entity=entity, value=value, row=row):
            yield entity, None
            if row is not None:
                yield row, None
            yield value, (kind, name)
        case Create(kind=kind, given=given):
            for name, value in given:
                yield value, (kind, name)
        case _:
            for value in operation.values:
                yield value, None


def _list_ordered_fields(node: Typed, ordered: bool) -> Iterator[Field]:
    """Yield the fields whose order an expression sees. `ordered` says whether the order of its own value is seen."""
    match node:
        case Stored(base=base, kind=kind, field=name):
            if ordered and isinstance(node.type, ListOf):
                yield kind, name
            yield from _list_ordered_fields(base, True)
        case Membership(item=item, source=source):
            yield from _list_ordered_fields(item, True)
            yield from _list_ordered_fields(source, False)
        case Aggregate(function=function, source=source):
            blind = function in _BLIND and _is_plain(node)
            yield from _list_ordered_fields(
                source, not blind and (function != "list" or ordered or node.order is not None)
            )
            for part in (node.element, node.condition, node.order):
                if part is not None:
                    yield from _list_ordered_fields(part, True)
        case Apply(function=function, arguments=arguments):
            blind = function in _BLIND and len(arguments) == 1 and _is_plain(node)
            for argument in arguments:
                yield from _list_ordered_fields(argument, not blind)
        case Arithmetic(operator=operator, left=left, right=right) if isinstance(node.type, ListOf):
            yield from _list_ordered_fields(left, ordered)
            yield from _list_ordered_fields(right, ordered and operator == "+")
        case If(condition=condition, then=then, otherwise=otherwise):
            yield from _list_ordered_fields(condition, True)
            yield from _list_ordered_fields(then, ordered)
            yield from _list_ordered_fields(otherwise, ordered)
        case Coalesce(first=first, otherwise=otherwise):
            yield from _list_ordered_fields(first, ordered)
            yield from _list_ordered_fields(otherwise, ordered)
        case _:
            for child in node.children:
                yield from _list_ordered_fields(child, True)


def _is_plain(node: Typed) -> bool:
    """Return whether a result is a number or a boolean. For rolls and rows, the order may decide ties."""
    return node.type in (INTEGER, BOOLEAN)
