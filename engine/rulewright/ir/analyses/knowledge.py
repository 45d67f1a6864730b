"""Knowledge analysis: which players know secret names of procedures, because they have seen all inputs.

A frame has the value of a name, but not its viewers. They follow from the rules if nothing that the value depends on
has changed since. If something may have changed, or if the rules compute the viewers instead of naming them, the
analysis assumes that no player knows the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language import operations as op
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.typed_ast import After, If, Invoke, Items, Local, Objects, Present, Stored, Typed
from rulewright.language.lowering import lower_block
from rulewright.language.operations import Operation
from rulewright.language.types import ListOf, Record, Type
from rulewright.ruleset.ruleset import Ruleset

Path = list[Any]
"""A path to a player, a list of players or an object: `["slot", number]`, `["players"]`, or `["field", kind, name,
path]` with the path of the object, None for the game.
"""

Source = list[Any]
"""A source that a player must have seen to know a value: `["told", paths]` for one of these players, `["field", kind,
name, path]` of an object, or `["every", kind, name]` of every object of a kind.
"""


class Knowledge:
    """The players' knowledge of the names of procedures of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._secrets = find_secrets(ruleset)
        self._bodies = {name: _Body(lower_block(procedure.body)) for name, procedure in ruleset.procedures.items()}
        self._changes: dict[str, frozenset[Any]] = {}
        self._known: dict[tuple[str, int, int, tuple[int, ...]], list[Source] | None] = {}

    def find_sources(self, procedure: str, slot: int, step: int) -> list[Source] | None:
        """Return the sources that a player must have seen to know a slot while a step is running.

        The result is None if no player knows the slot, and an empty list if all players do.
        """
        body = self._bodies[procedure]
        if any(_is_asked(each, slot) for each in body.of_step(step)):
            # All players see who decides now, but not values computed from an earlier deciding player.
            return [_make_asked_source(slot)]
        # Whether an argument is known is determined at the call.
        return self._find_at(procedure, slot, step, body.list_stops(step)) if slot in body.bound else None

    def list_passed_slots(self, procedure: str, step: int) -> list[tuple[int, int]]:
        """Return the secret slots that a step hands to the procedure it calls, each with its slot there.

        `step` is the number of the step. Slots that the called procedure changes are left out.
        """
        passed_slots = []
        for each in self._bodies[procedure].of_step(step):
            if isinstance(each, op.Call):
                rebound = self._bodies[each.procedure].bound
                for place, value in enumerate(each.arguments, start=1):
                    secret = isinstance(value, Local) and value.slot in self._secrets.find_slots(procedure)
                    if secret and place not in rebound and isinstance(value, Local):
                        passed_slots.append((value.slot, place))
        return passed_slots

    def list_shared_answers(self, procedure: str) -> list[int]:
        """Return the secret slots whose value is the list of all players' choices, in ascending order."""
        results = set()
        for each in self._bodies[procedure].operations:
            if isinstance(each, op.Each) and isinstance(each.source, Objects) and each.source.kind == PLAYER_KIND:
                asks = [inner for inner in each.walk() if isinstance(inner, op.Ask) and inner.step is each.step]
                if asks and each.step.slot in self._secrets.find_slots(procedure):
                    results.add(each.step.slot)
        return sorted(slot for slot in results if slot is not None)

    def find_type(self, procedure: str, slot: int) -> Type:
        """Return the type of a slot of a procedure. A slot with the rest of a list has the type of the list."""
        types = self._ruleset.procedures[procedure].types
        for each in self._bodies[procedure].operations:
            if isinstance(each, op.Each) and each.rest == slot:
                return ListOf(types[each.item])
        return types[slot]

    def list_stops(self, procedure: str) -> list[int]:
        """Return the steps of a procedure that may request a decision, directly or in a procedure that it calls."""
        asking = (op.Ask, op.Call)
        return sorted({each.step.number for each in self._bodies[procedure].operations if isinstance(each, asking)})

    # -- internals ---------------------------------------------------------------------------

    def _find_at(self, procedure: str, slot: int, step: int, places: tuple[int, ...]) -> list[Source] | None:
        """Return the sources of the value that a slot has just before one of some operations, given by number.

        None means that no player can be sure of the value: a source is unknown, may change until then, or is the name
        itself, or there are no operations. `step` is the running step.
        """
        key = (procedure, slot, step, places)
        if key not in self._known:
            self._known[key] = None  # the result if the name depends on itself
            self._known[key] = self._combine_definitions(procedure, slot, step, places) if places else None
        return self._known[key]

    def _combine_definitions(
        self, procedure: str, slot: int, step: int, places: tuple[int, ...]
    ) -> list[Source] | None:
        """Return the sources of all values that may be in a slot at some places, or None as `_find_at` does.

        Not cached.
        """
        body = self._bodies[procedure]
        results: list[Source] = []
        for at, each in enumerate(body.operations):
            between = body.find_between(at, slot, places) if slot in _fills(each) else None
            if between is None:
                continue
            sources = self._of_operation(procedure, at, step)
            if sources is None:
                return None
            if _adds_to(each, slot):
                # A value from an earlier round depends on earlier values of the sources.
                between |= body.rounds(at)
            if isinstance(each, op.Each):
                between |= body.inside(at)  # the list has its value from before the first round
            changed = {key for place in between for key in self._changed_by(body.operations[place])}
            if changed & {key for source in sources for key in self._reads(source)}:
                return None
            results += [source for source in sources if source not in results]
        return results

    def _of_operation(self, procedure: str, at: int, step: int) -> list[Source] | None:
        """Return the sources a player must have seen to know the value that an operation stores in a slot.

        None if it stores none in a slot, only an entry of a map, or a value that no player knows. `at` is its number,
        and `step` is the running step.
        """
        match self._bodies[procedure].operations[at]:
            case op.Bind(value=value, row=None) | op.Each(source=value):
                return self._of_value(procedure, value, at, step)
        return None

    def _of_value(self, procedure: str, value: Typed, at: int, step: int) -> list[Source] | None:
        """Return the sources of a value that an operation computes, or None if one of them is unknown.

        The list is empty if all players see the value. `at` is the number of the operation, and `step` is the running
        step.
        """
        body, secret = self._bodies[procedure], self._secrets.find_slots(procedure)
        answer_slots = {slot for each in body.of_step(step) for slot in secret if _is_asked(each, slot)}
        sources: list[Source] = []
        for part in value.walk():
            match part:
                case Local(slot=slot, type=kind) if slot in secret and not isinstance(kind, Record):
                    if slot in _fills(body.operations[at]):
                        continue
                    more: list[Source] | None = [_make_asked_source(slot)]
                    if slot not in answer_slots:
                        more = self._find_at(procedure, slot, step, (at,))
                case op.Temporary(number=number):
                    more = self._of_temporary(procedure, body.temporaries.get(number), at, step)
                case Stored(kind=kind_, field=field) if field in self._secrets.fields[kind_]:
                    more = self._of_field(part)
                case op.CardsLeft(deck=deck) if f"deck.{deck}" in self._secrets.decks:
                    more = None
                case Invoke():
                    more = self._of_formula(part.formula)
                case After() if self._secrets.reads_secret(part, procedure):
                    more = None
                case _:
                    continue
            if more is None:
                return None
            sources += more
        return sources

    def _of_temporary(self, procedure: str, result: Operation[Typed] | None, at: int, step: int) -> list[Source] | None:
        """Return the sources of a temporary that the operation `result` stores, or None if they are unknown.

        Empty if all players see it, which also holds for a created object. A choice has the choosing player and the
        viewers as its sources.
        """
        match result:
            case op.Keep(value=value):
                return self._of_value(procedure, value, at, step)
            case op.Ask(viewers=seen, who=who):
                if seen is None:
                    return []
                # The choosing player and the viewers know the choice.
                paths = [path for path in (find_path(who), *(_paths(seen) or ())) if path is not None]
                return [["told", paths]] if paths else None
            case op.Chance(viewers=seen) | op.Draw(viewers=seen):
                if seen is None:
                    return []
                viewer_paths = _paths(seen)
                return None if viewer_paths is None else [["told", viewer_paths]]
            case op.Create():
                return []
        return None

    def _of_field(self, part: Stored) -> list[Source] | None:
        """Return the source of a hidden field: that of one object, or of every object if it is computed.

        None for a deck.
        """
        if self._ruleset.declarations.kinds[part.kind].fields[part.field].seen_by is None:
            return None  # a deck, whose remaining cards are hidden
        path = None if part.kind == GAME_KIND else find_path(part.base)
        if path is None and part.kind != GAME_KIND:
            return [["every", part.kind, part.field]]
        return [["field", part.kind, part.field, path]]

    def _of_formula(self, identity: str) -> list[Source] | None:
        """Return the sources of a formula for any arguments, or None if one of them is unknown."""
        sources: list[Source] = []
        for part in self._ruleset.declarations.formulas[identity].body.walk():
            match part:
                case Stored(kind=kind, field=field) if field in self._secrets.fields[kind]:
                    if self._ruleset.declarations.kinds[kind].fields[field].seen_by is None:
                        return None
                    sources.append(["every", kind, field])
                case op.CardsLeft(deck=deck) if f"deck.{deck}" in self._secrets.decks:
                    return None
                case Invoke(formula=formula):
                    more = self._of_formula(formula)
                    if more is None:
                        return None
                    sources += more
                case After() if self._secrets.tries_secret(part.procedure):
                    return None
        return sources

    def _reads(self, source: Source) -> Iterator[Any]:
        """Yield the dependencies of a source: slots by number, fields by kind and name."""
        what, *rest = source
        if what == "told":
            for path in rest[0]:
                yield from _keys(path)
            return
        kind, name, *path = rest
        yield kind, name
        for each in path:
            yield from _keys(each)
        seers = self._ruleset.declarations.kinds[kind].fields[name].seen_by
        for part in seers.walk() if seers is not None else ():
            if isinstance(part, Stored):
                yield part.kind, part.field

    def _changed_by(self, each: Operation[Typed]) -> Iterable[Any]:
        """Yield the slots (by number) and fields (by kind and name) that an operation changes.

        Those of a procedure that it calls are included, but only fields.
        """
        yield from _fills(each)
        if isinstance(each, op.Write):
            yield each.kind, each.field
        if isinstance(each, op.Call):
            yield from self._changed_in(each.procedure)

    def _changed_in(self, procedure: str) -> frozenset[Any]:
        """Return the fields that a procedure may change, as pairs of kind and name. Cached."""
        if procedure not in self._changes:
            self._changes[procedure] = frozenset()  # a recursive call adds no further changes
            every = (key for each in self._bodies[procedure].operations for key in self._changed_by(each))
            self._changes[procedure] = frozenset(key for key in every if isinstance(key, tuple))
        return self._changes[procedure]


class _Body:
    """The operations of a procedure in the order of the rules, and which of them may follow which."""

    def __init__(self, region: op.Region[Typed]) -> None:
        self.operations: list[Operation[Typed]] = []
        self._around: list[tuple[int, ...]] = []
        self._next: list[set[int]] = []
        self._previous: list[set[int]] = []
        self._add(region, (), set())
        for place, following in enumerate(self._next):
            for after in following:
                self._previous[after].add(place)
        self.bound = {slot for each in self.operations for slot in _fills(each)}
        self.temporaries: dict[int, Operation[Typed]] = {}
        for each in self.operations:
            if isinstance(each, op.Keep | op.Ask | op.Chance | op.Draw | op.Create):
                self.temporaries[each.into] = each

    def _add(self, region: op.Region[Typed], around: tuple[int, ...], before: set[int]) -> set[int]:
        """Add the operations of a region that follows those `before`, and return those that may be its last.

        `around` has the operations that the region is in, outermost first.
        """
        for each in region:
            place = len(self.operations)
            self.operations.append(each)
            self._around.append(around)
            self._next.append(set())
            self._previous.append(set())
            for other in before:
                self._next[other].add(place)
            ends = [self._add(inner, (*around, place), {place}) for inner in each.regions]
            before = {place} if self._repeats(place) or not ends else set().union(*ends)
            if self._repeats(place):
                for last in set().union(*ends):
                    self._next[last].add(place)
        return before

    def of_step(self, step: int) -> list[Operation[Typed]]:
        return [each for each in self.operations if each.step.number == step]

    def list_stops(self, step: int) -> tuple[int, ...]:
        """Return the operations of a step, by number, at which a game may stop."""
        return tuple(at for at, each in enumerate(self.operations) if each.step.number == step and each.suspends)

    def find_between(self, since: int, slot: int, places: tuple[int, ...]) -> set[int] | None:
        """Return the operations, by number, that may be executed after `since` and before one of `places`.

        Only executions in which the slot keeps the value that `since` stores in it count. The set may be empty. The
        result is None if no such execution reaches a place.
        """
        keep = {at for at, each in enumerate(self.operations) if not _replaces(each, slot)}
        after = self._reach({since}, self._next, keep)
        if not after & set(places):
            return None
        between = after & self._reach(set(places), self._previous, keep) & keep
        # A loop that only ends does not change the variable that holds its element.
        return {at for at in between if not self._repeats(at) or self._first_inside(at) in between.union(places)}

    def _first_inside(self, at: int) -> int:
        """Return the first operation in a loop, or the loop itself if it is empty."""
        return at + 1 if any(at in around for around in self._around[at + 1 : at + 2]) else at

    @staticmethod
    def _reach(start: set[int], edges: list[set[int]], keep: set[int]) -> set[int]:
        """Return what can be reached from `start` in at least one step, and only through operations in `keep`."""
        reached: set[int] = set()
        fresh = set().union(*(edges[at] for at in start))
        while fresh:
            reached |= fresh
            fresh = set().union(*(edges[at] for at in fresh & keep)) - reached
        return reached

    def rounds(self, at: int) -> set[int]:
        """Return all that is carried out in the loops around an operation."""
        return {inner for around in self._around[at] if self._repeats(around) for inner in self.inside(around)}

    def _repeats(self, at: int) -> bool:
        return isinstance(self.operations[at], op.Loop | op.Each)

    def inside(self, at: int) -> set[int]:
        """Return a loop with all that is carried out in it."""
        return {at, *(place for place, around in enumerate(self._around) if at in around)}


def _fills(each: Operation[Typed]) -> tuple[int, ...]:
    """Return the slots that hold something else after an operation."""
    return (*each.fills, each.rest) if isinstance(each, op.Each) else each.fills


def _adds_to(each: Operation[Typed], slot: int) -> bool:
    """Return whether the value that an operation stores in a slot depends on the slot's old value."""
    values = [each.value] if isinstance(each, op.Bind) else []
    return any(isinstance(part, Local) and part.slot == slot for value in values for part in value.walk())


def _replaces(each: Operation[Typed], slot: int) -> bool:
    """Return whether an operation always replaces the whole value of a slot, whatever it was."""
    return isinstance(each, op.Bind) and each.slot == slot and each.row is None and not _adds_to(each, slot)


def _make_asked_source(slot: int) -> Source:
    """Return the source of the deciding player in a slot, whom all players see."""
    return ["told", [["players"], ["slot", slot]]]


def _is_asked(each: Operation[Typed], slot: int) -> bool:
    """Return whether an operation asks the player in a slot, which reveals that player to everybody."""
    return isinstance(each, op.Ask) and isinstance(each.who, Local) and each.who.slot == slot


def find_path(value: Typed) -> Path | None:
    """Return the path to a stored value, or None for a computed one.

    The path is `["slot", number]`, `["players"]`, or `["field", kind, name, path of the object]`. The last part is None
    for a field of the game.
    """
    match value:
        case Local(slot=slot, type=kind) if not isinstance(kind, Record):
            return ["slot", slot]
        case Objects(kind=kind) if kind == PLAYER_KIND:
            return ["players"]
        case Stored(kind=kind, field=field) if kind == GAME_KIND:
            return ["field", kind, field, None]
        case Stored(base=base, kind=kind, field=field):
            path = find_path(base)
            return None if path is None else ["field", kind, field, path]
    return None


def _paths(seers: Typed) -> list[Path] | None:
    """Return the paths to the viewers, or None if they are computed."""
    match seers:
        case Items(items=items):
            results = [find_path(item) for item in items]
            return None if None in results else [path for path in results if path is not None]
        case If(condition=Present(), then=Items() as there):
            return _paths(there)
    path = find_path(seers)
    return None if path is None else [path]


def _keys(path: Path | None) -> Iterator[Any]:
    """Yield the slots and fields that a path reads. None for the path of no object."""
    match path:
        case ["slot", slot]:
            yield slot
        case ["field", kind, name, base]:
            yield kind, name
            yield from _keys(base)


def analyze_knowledge(ruleset: Ruleset) -> Knowledge:
    """Return the knowledge analysis of a ruleset. Cached in the ruleset."""
    return ruleset.get_or_make(Knowledge)
