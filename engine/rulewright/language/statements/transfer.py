"""The common part of `gain` and `pay`: amounts added to or taken from the number fields of one object."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from rulewright.language import language_diagnostics, schema_shapes
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import GAME_KIND, Kind
from rulewright.language.expressions.typed_ast import Arithmetic, Typed
from rulewright.language.schema_shapes import Shape, expression
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, read_target
from rulewright.language.types import INTEGER, Entity, MapOf, Optional, Unknown
from rulewright.language.visibility import SHOWN
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.yaml.flow_style import write_scalar


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """The object whose fields change, and the amount for each field."""

    who: Typed
    kind: str
    amounts: tuple[tuple[Target, Typed], ...]


def transfer_shape(doc: str) -> Shape:
    """Return the shape of `gain` and `pay`, which `doc` describes: `who:` and an amount for each field."""
    keys = (
        "`who`: the object whose fields change; every other key: a "
        "field, or a map and a row (`stock[good]`), and its amount."
    )
    return schema_shapes.MapOf(doc, inner=expression(keys))


def check_transfer(node: Node | None, check: Check, sign: Literal["+", "-"]) -> CheckedStep:
    """Return the checked `gain` (sign `+`) or `pay` (`-`). Errors are reported, and their fields are left out.

    All fields are left out if `who` is missing or invalid. A transfer without any field is reported, too.
    """
    assert isinstance(node, Mapping)
    who = check.check_value(node.get("who"))
    if "who" not in node:
        hint = _suggest_set(node, check, sign)
        check.report(language_diagnostics.STEP_SHAPE, "`who` is missing", node.span, hint)
        return CheckedStep(Transfer(who, "", ()))
    if not isinstance(who.type, Entity):
        if isinstance(who.type, Optional):
            written = node.entries["who"].value
            hint = language_diagnostics.suggest_presence(written)
            message = "`who` must not be none, but this may be"
            check.report(language_diagnostics.MAY_BE_NONE, message, written.span, hint, who)
        elif not isinstance(who.type, Unknown):
            check.report(
                language_diagnostics.WRONG_TYPE,
                f"`who` must be an object, not {who.type}",
                node.entries["who"].value.span,
            )
        return CheckedStep(Transfer(who, "", ()))
    kind = check.declarations.kinds[who.type.kind]
    amounts: list[tuple[Target, Typed]] = []
    for name, entry in node.entries.items():
        if name == "who":
            continue
        amount = check.check_value(entry.value, INTEGER)
        target = _target(who, kind, entry.key, check)
        if target is not None:
            amounts.append((target, amount))
    for target, _ in amounts:
        check.forget_target(target)
    if len(node.entries) == 1:
        check.report(language_diagnostics.STEP_SHAPE, "this step needs at least one field with its amount", node.span)
    return CheckedStep(Transfer(who, kind.id, tuple(amounts)))


def _suggest_set(node: Mapping, check: Check, sign: Literal["+", "-"]) -> str | None:
    """Return a hint to write `set` if only values of the game change, which no object has. Otherwise, return None."""
    game = check.declarations.kinds.get(GAME_KIND)
    if game is None or not node.entries:
        return None
    pairs = []
    for name, entry in node.entries.items():
        if name.partition("[")[0].strip() not in game.fields or not isinstance(entry.value, Scalar):
            return None
        amount = entry.value.text if _A_NAME.fullmatch(entry.value.text) else f"({entry.value.text})"
        pairs.append(f"{write_scalar(name)}: {write_scalar(f'{name} {sign} {amount}')}")
    return f"a value of the game belongs to no object: write `set: {{{', '.join(pairs)}}}`"


_OF_A_MAP = re.compile(r"(?s)\s*(\w+)\s*\[(.*)\]\s*")


def _target(who: Typed, kind: Kind, key: Scalar, check: Check) -> Target | None:
    """Return the integer field, or the map entry for a row, that a key refers to: `points`, `stock[good]`.

    Reports a key that is not such a field, and returns None. An invalid row is also reported, but the result is then
    a target with a broken row.
    """
    match = _OF_A_MAP.fullmatch(key.text)
    name = match[1] if match else key.text
    field = kind.fields.get(name)
    if field is None:
        hint = suggest_name(name, kind.fields)
        check.report(language_diagnostics.UNKNOWN_FIELD, f"`{kind.id}` has no field `{name}`", key.span, hint)
        return None
    type_, row, table = field.type, None, ""
    if isinstance(type_, MapOf):
        if match is None:
            message = f"`{name}` has a number for each row of {type_.table}, but this does not name the row"
            check.report(language_diagnostics.WRONG_TYPE, message, key.span, f"write `{name}[…]` with a row")
            return None
        table, type_ = type_.table, type_.inner
        row = check.check_row(key, match.start(2), match.end(2), table)
    elif match is not None:
        check.report(language_diagnostics.WRONG_TYPE, f"`{name}` is {type_}, which has no rows", key.span)
        return None
    if type_ != INTEGER:
        check.report(language_diagnostics.WRONG_TYPE, f"`{key.text}` is {type_}, not a number", key.span)
        return None
    hidden = f"{SHOWN}{name}" in kind.fields
    return Target(type_, who, kind.id, name, None, field.minimum, row, table, hidden=hidden)


def transfer_changes(node: Node | None) -> Changes:
    """Return the changes that `gain` or `pay` may make: any amount may become zero."""
    named = node.entries if isinstance(node, Mapping) else ()
    return Changes(frozenset(name.partition("[")[0].strip() for name in named if name != "who"))


def run_transfer(step: Step, run: Run, sign: int) -> None:
    """Run a `gain` (sign 1) or `pay` (sign -1). All amounts are evaluated before any field changes."""
    action: Transfer = step.action
    item = run.compute(action.who)
    # As in `set`, evaluate all amounts before any field changes. Several of them may belong to the same row.
    ready = [
        (target, None if target.row is None else run.compute(target.row), run.compute(amount))
        for target, amount in action.amounts
    ]
    for target, row, amount in ready:
        run.store(target, item, run.read_target(target, item, row=row) + sign * amount, step, row=row)


_A_NAME = re.compile(r"\w+(\.\w+)*")


def guard_transfer(step: Step, node: Node | None) -> str:
    """Return the condition that there is enough to pay, as a designer writes it.

    Fields without a minimum are left out. Empty if no field remains, or if `who` is not a plain name.
    """
    who = node.get("who") if isinstance(node, Mapping) else None
    if not isinstance(node, Mapping) or not isinstance(who, Scalar) or not _A_NAME.fullmatch(who.text):
        return ""
    action: Transfer = step.action
    least = {target.field: target.minimum for target, _ in action.amounts}
    results = []
    for name, entry in node.entries.items():
        if name == "who" or least.get(name.partition("[")[0].strip()) is None or not isinstance(entry.value, Scalar):
            continue
        amount = entry.value.text if _A_NAME.fullmatch(entry.value.text) else f"({entry.value.text})"
        saved = least[name.partition("[")[0].strip()]
        results.append(f"{who.text}.{name} >= {amount}" + (f" + {saved}" if saved else ""))
    return " and ".join(results)


def transfer_apart(action: Transfer, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Transfer], ...]:
    """Return a separate `gain` or `pay` for each amount, with its target.

    `keep` turns an expression into one that is evaluated once. It is called for the object, each row and each amount.
    """
    item = keep(action.who)
    amounts = [
        (target if target.row is None else replace(target, row=keep(target.row)), keep(amount))
        for target, amount in action.amounts
    ]
    return tuple((target, Transfer(item, action.kind, ((target, amount),))) for target, amount in amounts)


def lower_transfer(step: Step, lower: Lower, sign: Literal["+", "-"]) -> None:
    """Lower a `gain` (sign +) or `pay` (sign -). All amounts are evaluated before any field changes."""
    action: Transfer = step.action
    item = lower.keep(action.who)
    alone = len(action.amounts) == 1
    ready = [
        (target, target.row and lower.keep(target.row), amount if alone else lower.keep(amount))
        for target, amount in action.amounts
    ]
    for target, row, amount in ready:
        held = read_target(replace(target, base=item, row=row))
        lower.store(target, item, Arithmetic(INTEGER, sign, held, amount), row=row, by=sign)
