"""Expansion of triggers into the steps at which they apply.

The inserted steps are ordinary: names for the values of the event, and a conditional call of the trigger's procedure.
Back ends, odds and checks work on the expanded steps and need not know triggers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rulewright.language.checked_steps import Block, Step
from rulewright.language.declarations import GAME_KIND, Binding, Declarations, Scope, Signature, Trigger
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    Local,
    Logic,
    Not,
    Present,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.statement import by_role
from rulewright.language.triggers import AMOUNTS, Effect, list_effects, list_watched
from rulewright.language.types import BOOLEAN, INTEGER, UNKNOWN, ListOf, Optional, Type
from rulewright.source.diagnostics.collector import Diagnostics

ZERO = Constant(INTEGER, 0)


@dataclass(frozen=True, slots=True, eq=False)
class TriggerPlan:
    """The rules that apply in one procedure: by the id of a step, and at its beginning and end (`""`), in order."""

    at: Mapping[str, Sequence[Trigger]] = field(default_factory=dict)


NOTHING_WOVEN = TriggerPlan()


class TriggerExpansion:
    """Weaves rules into the steps of one procedure. `slot` makes a slot of its frame, of that name and type."""

    def __init__(
        self,
        procedure: str,
        declarations: Declarations,
        slot: Callable[[str, Type], int],
    ) -> None:
        self.procedure = procedure
        self.declarations = declarations
        self._slot = slot

    # -- triggers of a step ------------------------------------------------------------------

    def step(self, host: Step, triggers: Sequence[Trigger], scope: Scope) -> list[Step]:
        """Return a step with the triggers that apply at it, in the order of execution. `scope` is that of the step.

        The step in the result is a copy, to which the inner blocks then belong.
        """
        make = _Maker(self, host)
        does = list_effects(host)
        host = replace(host, touched=tuple(trigger.id for trigger in triggers))
        for block in host.blocks:
            block.owner = host
        due = make.combine_conditions(host.when)
        for trigger in triggers:
            if trigger.timing == "just_before":
                self._before(trigger, does, due, make, scope)
        values = {
            (trigger.id, effect.place): make.read_before(trigger, effect, due)
            for trigger in triggers
            if trigger.timing == "then" and trigger.event not in ("creates", "does")
            for effect in list_watched(trigger, does)
        }
        host = self._instead(host, [each for each in triggers if each.timing == "instead"], does, due, make)
        make.steps.append(host)
        for trigger in triggers:
            if trigger.timing == "then":
                self._after(trigger, host, does, values, due, make, scope)
        return make.steps

    def _before(self, trigger: Trigger, does: Sequence[Effect], due: Typed | None, make: _Maker, scope: Scope) -> None:
        """Emit the calls of a trigger that applies just before a step, one for each effect or element it watches.

        A trigger on the step itself has a single call. `due` is the condition of the step.
        """
        if trigger.event == "does":
            make.carry_out(trigger, self._parameters(trigger, scope), due)
        for effect in list_watched(trigger, does):
            if effect.several:
                assert effect.entity is not None

                def each(item: Typed, trigger: Trigger = trigger) -> list[Step]:
                    inside = _Maker(self, make.host, make)
                    inside.carry_out(trigger, (item,), None)
                    return inside.steps

                make.build_loop(trigger, effect.entity, due, each)
            elif trigger.event == "creates":
                make.carry_out(trigger, (), due)
            else:
                make.carry_out(trigger, *make.build_arguments(trigger, effect, due))

    def _after(
        self,
        trigger: Trigger,
        host: Step,
        does: Sequence[Effect],
        values: Mapping[tuple[str, int], tuple[Typed | None, Typed]],
        due: Typed | None,
        make: _Maker,
        scope: Scope,
    ) -> None:
        """Emit the calls of a trigger that applies after a step, one for each effect that it watches.

        `values` has the object of each effect and the value before it, by trigger and place. A trigger on the step
        itself has a single call. `due` is the condition of the step.
        """
        if trigger.event == "does":
            make.carry_out(trigger, self._parameters(trigger, scope), due)
            return
        for effect in list_watched(trigger, does):
            if trigger.event == "creates":
                assert host.slot is not None
                assert host.binds is not None
                local = Local(host.binds, host.slot, host.id)
                there = Present(BOOLEAN, local) if isinstance(host.binds, Optional) else None
                make.carry_out(trigger, (local,), there)
                continue
            whose, before = values[trigger.id, effect.place]
            make.carry_out(trigger, *make.read_after(trigger, effect, whose, before, due))

    # -- in place of a step ------------------------------------------------------------------

    def _instead(
        self, host: Step, triggers: Sequence[Trigger], does: Sequence[Effect], due: Typed | None, make: _Maker
    ) -> Step:
        """Return the step under the condition that no trigger replaces its effects.

        Emits the calls of the triggers to `make` first. If a trigger replaces only some effects, the others are emitted
        as separate steps.
        """
        due_to: dict[int, list[Trigger]] = {}
        for trigger in triggers:
            for effect in list_watched(trigger, does):
                due_to.setdefault(effect.place, []).append(trigger)
        replaced = [effect for effect in does if effect.place in due_to]
        if not replaced:
            return host
        several = next((effect for effect in replaced if effect.several), None)
        if several is not None:
            return self._instead_of_several(host, triggers, several, due, make)
        spared: dict[int, list[Typed]] = {}
        for effect in replaced:
            for trigger in due_to[effect.place]:
                earlier = [Not(BOOLEAN, other) for other in spared.get(effect.place, ())]
                holds = make.carry_out(trigger, *make.build_arguments(trigger, effect, due), besides=earlier)
                spared.setdefault(effect.place, []).append(holds)
        held = [holds for result in spared.values() for holds in result]
        if len(does) > 1 or len(host.verb.split_effects(host.action, lambda value: value)) > 1:
            self._do_the_rest(host, spared, held, due, make)
        return _unless(host, held)

    def _do_the_rest(
        self,
        host: Step,
        spared: Mapping[int, Sequence[Typed]],
        held: Sequence[Typed],
        due: Typed | None,
        make: _Maker,
    ) -> None:
        """Emit the remaining effects of a step, one by one, if a trigger replaces some of them.

        `spared` has the conditions under which an effect is replaced, by the effect's place, and `held` has all of
        these.
        """
        effects = host.verb.split_effects(host.action, lambda value: make.let("part", value, due))
        place = 0
        for target, action in effects:
            own: Sequence[Typed] = ()
            if target is None or target.base is not None:
                own = spared.get(place, ())
                place += 1
            when = _all([*_some(due), _any(held), *(Not(BOOLEAN, holds) for holds in own)])
            make.steps.append(make.build_part(action, when))

    def _instead_of_several(
        self, host: Step, triggers: Sequence[Trigger], effect: Effect, due: Typed | None, make: _Maker
    ) -> Step:
        """Emit a loop with one effect for each element of a list, and return the step under the opposite condition.

        For each element, the effect is the first matching trigger, or else the step's own.
        """
        assert effect.entity is not None
        entity = make.let("those", effect.entity, due)

        def each(item: Typed) -> list[Step]:
            inside = _Maker(self, host, make)
            spared: list[Typed] = []
            for trigger in triggers:
                holds = inside.carry_out(trigger, (item,), None, besides=[Not(BOOLEAN, other) for other in spared])
                spared.append(holds)
            (_, own), *_ = host.verb.split_effects(host.action, lambda _: item)
            inside.steps.append(inside.build_part(own, _all([Not(BOOLEAN, other) for other in spared])))
            return inside.steps

        make.build_loop(triggers[0], entity, due, each)
        assert isinstance(entity.type, ListOf)
        item = Variable(entity.type.inner, "each")
        some = Comparison(BOOLEAN, ">", Aggregate(INTEGER, "count", item, "each", entity, None, None), ZERO)
        return _unless(host, [make.let("met", some if due is None else Logic(BOOLEAN, "and", (due, some)), None)])

    # -- beginnings and ends -----------------------------------------------------------------

    def expand_begin(self, triggers: Iterable[Trigger], scope: Scope, host: Step) -> list[Step]:
        """Return the steps to insert at the start of the procedure, at the position of `host`."""
        make = _Maker(self, host, prefix="begins")
        for trigger in triggers:
            make.carry_out(trigger, self._parameters(trigger, scope), None)
        return make.steps

    def expand_end(self, triggers: Iterable[Trigger], scope: Scope, host: Step, *, within: bool) -> list[Step]:
        """Return the steps to put at an end of the procedure.

        With `within`, `host` itself ends the procedure, and a copy of it is the last of these steps, in its place.
        Otherwise they follow `host`, which is not among them.
        """
        make = _Maker(self, host, prefix=f"{host.id}.ends")
        due = make.combine_conditions(host.when) if within else None
        for trigger in triggers:
            make.carry_out(trigger, self._parameters(trigger, scope), due)
        if within:
            # The trigger's steps cannot prevent the procedure from ending.
            ended = replace(host, when=due, written=host.when)
            for block in ended.blocks:
                block.owner = ended
            make.steps.append(ended)
        return make.steps

    def _parameters(self, trigger: Trigger, scope: Scope) -> tuple[Typed, ...]:
        given = self.declarations.procedures[trigger.procedure].parameters
        return tuple(Local(kind, scope.locals[name].slot, name) for name, kind in given.items())

    # -- conditions --------------------------------------------------------------------------

    def build_condition(self, trigger: Trigger, given: Sequence[Typed]) -> Typed | None:
        """Return the condition of a trigger, for the slots with the values of its event, or None if it has none."""
        if trigger.when is None:
            return None
        signature = self.declarations.procedures[trigger.id]
        slots = [each.slot if isinstance(each, Local) else 0 for each in given]
        scope = build_condition_scope(self.declarations, signature, slots)
        return check_expression(trigger.when, scope, Diagnostics(), condition=True)


def build_condition_scope(declarations: Declarations, signature: Signature, slots: Sequence[int]) -> Scope:
    """Return the scope of a trigger's condition: the values of its event, each in its slot."""
    bound = {
        name: Binding(slot, kind, False, signature.span)
        for slot, (name, kind) in zip(slots, signature.parameters.items(), strict=True)
    }
    return Scope(declarations, MappingProxyType(bound), looks_ahead=True)


class _Maker:
    """Makes the steps that are woven in at one step."""

    def __init__(self, weaving: TriggerExpansion, host: Step, outer: _Maker | None = None, *, prefix: str = "") -> None:
        self.weaving = weaving
        self.host = host
        self.prefix = prefix or host.id
        self.steps: list[Step] = []
        self.count: list[int] = outer.count if outer is not None else [0]

    def _make_step(self, role: str, action: object, name: str, when: Typed | None) -> Step:
        """Return a new woven step of a statement with a role. A number that counts up makes its id unique."""
        self.count[0] += 1
        verb = by_role(role)
        identity = f"{self.prefix}.{name}.{self.count[0]}"
        rule = f"{self.weaving.procedure}.{self.host.id}"
        return Step(identity, rule, verb, action, when, self.host.span, procedure=self.weaving.procedure, woven=True)

    def combine_conditions(self, when: Typed | None) -> Typed | None:
        """Return the condition of the step, evaluated once, or None if it is unconditional."""
        return None if when is None else self.let("due", when, None)

    def let(self, name: str, value: Typed, when: Typed | None) -> Typed:
        """Return a value worked out here, once."""
        return value if isinstance(value, Constant) else self.bind_value(name, value, when)

    def bind_value(self, name: str, value: Typed, when: Typed | None) -> Local:
        """Emit a step that binds a value to a slot of its own, and return that local, so that conditions can use it."""
        step = self._make_step("name", by_role("name").action(value), name, when)
        step.slot = self.weaving._slot(f"{step.id} (woven)", value.type)
        step.binds = value.type
        self.steps.append(step)
        return Local(value.type, step.slot, step.id)

    def carry_out(
        self, trigger: Trigger, given: Sequence[Typed], due: Typed | None, *, besides: Iterable[Typed] = ()
    ) -> Typed:
        """Emit a conditional call of a trigger, and return the condition, or a constant true if there is none.

        `given` are the arguments. The call depends on `due`, the condition of the step itself, on `besides`, on the
        trigger's own condition, and on the amount being above 0 or the value having changed.
        """
        parameters = [
            value if isinstance(value, Local) else self.bind_value(name, value, due)
            for name, value in zip(self.weaving.declarations.procedures[trigger.id].parameters, given, strict=True)
        ]
        conditions = [*_some(due), *besides]
        if trigger.event in AMOUNTS:
            conditions.append(Comparison(BOOLEAN, ">", parameters[-1], ZERO))
        elif trigger.event == "changes":
            conditions.append(Comparison(BOOLEAN, "!=", parameters[-2], parameters[-1]))
        conditions += _some(self.weaving.build_condition(trigger, parameters))
        holds: Local | None = None
        result = _all(conditions)
        if result is not None or trigger.timing == "instead":
            holds = self.bind_value("holds", result or Constant(BOOLEAN, True), None)
        call = by_role("call").action(trigger.id, tuple(parameters), ())
        self.steps.append(self._make_step("call", call, trigger.id, holds))
        return holds if holds is not None else Constant(BOOLEAN, True)

    def build_part(self, action: object, when: Typed | None) -> Step:
        """Return one effect of the step as a separate step."""
        result = self._make_step("group", action, "part", when)
        return replace(result, verb=self.host.verb)

    def build_loop(
        self, trigger: Trigger, source: Typed, due: Typed | None, inside: Callable[[Typed], list[Step]]
    ) -> None:
        """Emit a loop over the list `source` under the condition `due`. `inside` returns the steps for an element."""
        assert isinstance(source.type, ListOf)
        slot = self.weaving._slot(f"{self.prefix}.{trigger.id}.{self.count[0]} (each)", source.type.inner)
        action = by_role("each").action(source, slot, trigger.kind, True)
        loop = self._make_step("each", action, "each", due)
        loop.hidden = self.weaving._slot(f"{loop.id} (place)", UNKNOWN)
        block = Block(tuple(inside(Local(source.type.inner, slot, trigger.kind))), loop)
        loop.blocks = (block,)
        self.steps.append(loop)

    # -- arguments of triggers -------------------------------------------------------------

    def read_before(self, trigger: Trigger, effect: Effect, due: Typed | None) -> tuple[Typed | None, Typed]:
        """Emit steps that store the object of an effect and the value of its field just before it, and return both.

        `due` is the condition of these steps. Constants are returned themselves.
        """
        write = effect.operation
        assert effect.entity is not None
        item = self.let("whose", effect.entity, due)
        stored = Stored(getattr(write, "type", INTEGER), item, trigger.kind, trigger.field)
        return item, self.let("before", stored, due)

    def build_arguments(
        self, trigger: Trigger, effect: Effect, due: Typed | None
    ) -> tuple[tuple[Typed, ...], Typed | None]:
        """Return the arguments of a trigger for an effect that is about to happen, and `due`, its condition or None.

        Emits steps that store the values of a change.
        """
        if trigger.event == "removes":
            assert effect.entity is not None
            return (effect.entity,), due
        assert effect.value is not None
        item, before = self.read_before(trigger, effect, due)
        return self._make_arguments(trigger, item, before, self.let("after", effect.value, due)), due

    def read_after(
        self, trigger: Trigger, effect: Effect, entity: Typed | None, before: Typed, due: Typed | None
    ) -> tuple[tuple[Typed, ...], Typed | None]:
        """Return the arguments of a trigger for an effect that has happened, and its condition."""
        assert entity is not None
        stored = Stored(getattr(effect.operation, "type", INTEGER), entity, trigger.kind, trigger.field)
        return self._make_arguments(trigger, entity, before, self.let("after", stored, due)), due

    def _make_arguments(self, trigger: Trigger, entity: Typed | None, before: Typed, after: Typed) -> tuple[Typed, ...]:
        """Return the arguments of a trigger: the object, unless it is the game, and the amount or both values."""
        whose = (entity,) if trigger.kind != GAME_KIND and entity is not None else ()
        if trigger.event not in AMOUNTS:
            return (*whose, before, after)
        sides = (after, before) if trigger.event == "gains" else (before, after)
        return (*whose, Arithmetic(INTEGER, "-", *sides))


def _unless(host: Step, held: Sequence[Typed]) -> Step:
    """Return a copy of the step that only runs if none of the conditions `held` is true.

    Its descriptions do not change. Its inner blocks then belong to the copy.
    """
    names = tuple(each.name for each in held if isinstance(each, Local))
    when = _all([*(Not(BOOLEAN, each) for each in held), *_some(host.when)])
    step = replace(host, when=when, exceptions=(*host.exceptions, *names))
    for block in step.blocks:
        block.owner = step
    return step


def _some(condition: Typed | None) -> list[Typed]:
    return [] if condition is None else [condition]


def _any(conditions: Sequence[Typed]) -> Typed:
    return conditions[0] if len(conditions) == 1 else Logic(BOOLEAN, "or", tuple(conditions))


def _all(conditions: Sequence[Typed]) -> Typed | None:
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else Logic(BOOLEAN, "and", tuple(conditions))
