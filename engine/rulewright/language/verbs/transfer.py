"""What `gain` and `pay` share: amounts added to or taken from the number fields of one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulewright.language import codes
from rulewright.language.expression.typed import Arithmetic, Stored, Typed
from rulewright.language.shape import MapOf, Shape, expression
from rulewright.language.step import Step, Target
from rulewright.language.types import INTEGER, Optional, Thing, Unknown
from rulewright.language.verb import Check, Checked, Lower, Run
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Mapping, Node


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """Whose fields change, and by how much each."""

    who: Typed
    kind: str
    amounts: tuple[tuple[Target, Typed], ...]


def transfer_shape(doc: str) -> Shape:
    """`who:` and, for each field, an amount."""
    return MapOf(doc, inner=expression("`who`: whose fields change; every other key: a field and its amount."))


def check_transfer(node: Node | None, check: Check) -> Checked:
    """Type a `gain` or `pay`."""
    assert isinstance(node, Mapping)
    who = check.value(node.get("who"))
    if "who" not in node:
        check.report(codes.STEP_SHAPE, "this does not say `who`", node.span)
        return Checked(Transfer(who, "", ()))
    if not isinstance(who.type, Thing):
        if isinstance(who.type, Optional):
            check.report(codes.MAY_BE_NONE, "`who` must be there, and this may be none", node.entries["who"].value.span)
        elif not isinstance(who.type, Unknown):
            check.report(codes.WRONG_TYPE, f"`who` must be an object, not {who.type}", node.entries["who"].value.span)
        return Checked(Transfer(who, "", ()))
    kind = check.declarations.kinds[who.type.kind]
    amounts: list[tuple[Target, Typed]] = []
    for name, entry in node.entries.items():
        if name == "who":
            continue
        amount = check.value(entry.value, INTEGER)
        field = kind.fields.get(name)
        if field is None:
            hint = did_you_mean(name, kind.fields)
            check.report(codes.UNKNOWN_FIELD, f"`{kind.id}` has no field `{name}`", entry.key.span, hint)
        elif field.type != INTEGER:
            check.report(codes.WRONG_TYPE, f"`{name}` is {field.type}, which cannot be added to", entry.key.span)
        else:
            amounts.append((Target(field.type, who, kind.id, name, None, field.minimum), amount))
    if len(node.entries) == 1:
        check.report(codes.STEP_SHAPE, "this does not say how much of what", node.span)
    return Checked(Transfer(who, kind.id, tuple(amounts)))


def run_transfer(step: Step, run: Run, sign: int) -> None:
    """Run a `gain` (sign 1) or `pay` (sign -1)."""
    action: Transfer = step.action
    thing = run.value(action.who)
    # All amounts are worked out before any changes hands, as in `set`.
    ready = [
        (target, run.field(thing, target.kind, target.field) + sign * run.value(amount))
        for target, amount in action.amounts
    ]
    for target, value in ready:
        run.store(target, thing, value, step)


def lower_transfer(step: Step, lower: Lower, sign: Literal["+", "-"]) -> None:
    """Lower a `gain` (sign +) or `pay` (sign -)."""
    action: Transfer = step.action
    thing = lower.keep(action.who)
    ready = []
    for target, amount in action.amounts:
        held = Stored(INTEGER, thing, target.kind, target.field)
        ready.append((target, Arithmetic(INTEGER, sign, held, amount)))
    # All amounts are worked out before any changes hands, as in `set`.
    values = [lower.keep(value) for _, value in ready] if len(ready) > 1 else [value for _, value in ready]
    for (target, _), value in zip(ready, values, strict=True):
        lower.store(target, thing, value, by=sign)
