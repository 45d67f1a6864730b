"""`into`: the steps that put the result of a step into a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulewright.language import language_diagnostics as codes
from rulewright.language.checked_steps import PLACED, Block, Step, Target
from rulewright.language.declarations import PLAYER_KIND, Binding
from rulewright.language.expressions.typed_ast import Entry, ListElement, Local, Objects, Typed
from rulewright.language.statement import Check, CheckedStep, Group, by_role, list_expressions
from rulewright.language.types import BOOLEAN, PLAYER, UNKNOWN, ByPlayer, ListOf, Optional, Type, is_assignable
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import write_scalar


@dataclass(frozen=True, slots=True, eq=False)
class ResultPlacement:
    """The place after `into`, and the type of what goes there.

    `group` are the asked players if the place is one of each of them.
    """

    target: Target
    kind: Type
    span: Span
    group: Group | None

    def build_steps(
        self, step: Step, add_slot: Callable[[str, Type], int], weave: Callable[[Step], list[Step]]
    ) -> tuple[list[Step], list[Step]]:
        """Return the steps before and after `step` that put its result into the place.

        The step before it keeps the condition of `step`, which need not hold any more afterwards. `add_slot` returns a
        new slot for a name and a type, and `weave` a step with the triggers that apply to it.
        """
        due: Local | None = None
        before: list[Step] = []
        if step.when is not None:
            named = by_role("name")
            due = Local(BOOLEAN, add_slot(f"{step.id} (due)", BOOLEAN), f"{step.id}.due")
            before.append(Step(due.name, step.rule, named, named.action(step.when), None, self.span, due.slot, BOOLEAN))
        put = by_role("place")
        action = put.action(((self.target, self._read_result(step)),))
        when = due if self.group is None else None
        placed = Step(f"{step.id}{PLACED}", step.rule, put, action, when, self.span)
        for each in (*before, placed):
            each.procedure, each.woven = step.procedure, True
        after = weave(placed)
        return before, after if self.group is None else [self._build_loop(step, self.group, after, due, add_slot)]

    def _read_result(self, step: Step) -> Typed:
        """Return the result of `step`, or the answer of the player who is in the slot of the group."""
        slot = step.slot or 0
        if self.group is None:
            return Local(self.kind, slot, step.id)
        who = Local(PLAYER, self.group.slot, self.group.name)
        if isinstance(self.group.players, Objects):
            return Entry(self.kind, Local(ByPlayer(self.kind), slot, step.id), who, PLAYER_KIND)
        return ListElement(self.kind, Local(ListOf(self.kind), slot, step.id), who, self.group.players)

    def _build_loop(
        self, step: Step, group: Group, steps: list[Step], due: Typed | None, add_slot: Callable[[str, Type], int]
    ) -> Step:
        """Return a loop that runs `steps` for each player of the group."""
        statement = by_role("each")
        action = statement.action(group.players, group.slot, group.name, False)
        loop = Step(
            f"{step.id}.each", step.rule, statement, action, due, self.span, procedure=step.procedure, woven=True
        )
        loop.hidden = add_slot(f"{loop.id} (place)", UNKNOWN)
        loop.blocks = (Block(tuple(steps), loop),)
        return loop


def check_placement(
    node: Node | None, checked: CheckedStep, own_names: Mapping[str, Binding], check: Check, identity: str
) -> ResultPlacement | None:
    """Return the place that the result of the step `identity` goes into, or None without `into`.

    If the place is one of each asked player, named by `as`, it gets the answer of that player.

    Reports an unsuitable place, and a step without exactly one result, and then returns None. Otherwise removes the
    facts about the place from `check.scope`.
    """
    if node is None:
        return None
    results = {"": checked.binds} if checked.parts is None else checked.parts
    kinds = [kind for kind in results.values() if kind is not None]
    if len(kinds) != 1:
        several = f"has several results: {', '.join(results)}" if kinds else "has no result"
        check.report(codes.STEP_SHAPE, f"`into` takes one result, but this step {several}", node.span)
        return None
    kind, group, outer = kinds[0], checked.group, check.scope
    if group is not None and group.name in own_names:
        check.scope = outer.with_binding(group.name, own_names[group.name])
    target = check.check_target(node)
    check.scope = outer
    if target is None:
        return None
    if group is not None and not _depends_on_slot(target, group.slot):
        group = None
    if group is not None and isinstance(kind, ListOf):
        kind = kind.inner
    if not is_assignable(target.type, kind):
        missing = isinstance(kind, Optional) and is_assignable(target.type, kind.inner)
        message = f"{target.type} is needed here, but the result {'may be none' if missing else f'is {kind}'}"
        hint = f"after `into`, name a field or value whose type is {kind}"
        if checked.group is not None and group is None:
            name = checked.group.name or "one"
            named = "" if checked.group.name else f"name the choosing player with `as: {name}`, and "
            hint = f"to store the answer of each player in a field of that player, {named}write `into: {name}.…`"
        elif isinstance(target.type, ListOf) and is_assignable(target.type.inner, kind) and isinstance(node, Scalar):
            place, whole = write_scalar(node.text), write_scalar(f"{node.text} + {identity}")
            hint = (
                f"to add the result to the list, write `set: {{{place}: {whole}}}` in the next step in place of `into`"
            )
        check.report(codes.MAY_BE_NONE if missing else codes.WRONG_TYPE, message, node.span, hint)
        return None
    check.forget_target(target)
    return ResultPlacement(target, kind, node.span, group)


def _depends_on_slot(target: Target, slot: int) -> bool:
    """Return whether the object or the row of a target depends on the value in a slot."""
    parts = (part for value in list_expressions(target) for part in value.walk())
    return any(isinstance(part, Local) and part.slot == slot for part in parts)
