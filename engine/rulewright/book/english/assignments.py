"""English for the changes that a `set` step makes."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.expression_english import English
from rulewright.book.english.list_members import Members, needs_letter
from rulewright.book.english.phrase import Bond, Phrase, build, build_list
from rulewright.language.checked_steps import Target
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import Boolean, ListOf, MapOf, Optional


def describe_assignments(say: English, changes: tuple[tuple[Target, t.Typed], ...]) -> Phrase:
    """Return the changes of one step as a phrase.

    Semicolons separate the changes if they are independent. Otherwise they form a list below `all at once`, because the
    step computes all values before it changes any.
    """
    lines = [change(say, target, value) for target, value in changes]
    apart = not any(_reads(value, target) for _, value in changes for target, _ in changes)
    if len(lines) == 1:
        return lines[0]
    if apart and not any(phrase.items for phrase in lines):
        pieces: list[str | Phrase] = [lines[0]]
        for phrase in lines[1:]:
            pieces += ["; ", phrase]
        return build(*pieces, bond=Bond.OPEN)
    return build_list("all at once", lines)


def _reads(value: t.Typed, target: Target) -> bool:
    """Return whether a value may read the target of a change.

    Formulas and aggregates are assumed to read it. An increment or decrement of the target itself does not count.
    """
    match value:
        case t.Arithmetic(operator="+" | "-", left=left, right=right) if _is_place(left, target):
            return _reads(right, target)
    return any(
        isinstance(part, t.Invoke | t.Aggregate)
        or (isinstance(part, t.Local) and part.slot == target.slot)
        or (isinstance(part, t.Stored) and target.base is not None and part.field == target.field)
        for part in value.walk()
    )


def change(say: English, target: Target, value: t.Typed) -> Phrase:
    """Return one change as a clause that can begin a sentence."""
    if target.kind == GAME_KIND and target.field.startswith("options.") and target.base is not None:
        setting = t.Stored(target.type, target.base, target.kind, target.field)
        return build(place_of(say, target), " becomes ", _setting(say, setting, value))
    if isinstance(target.type, Boolean):
        return _truth(say, target, value)
    place = place_of(say, target)
    match value:
        case t.Arithmetic(operator="+" | "-" as operator, left=left, right=right) if _is_place(left, target):
            amount = right.items[0] if isinstance(right, t.Items) and len(right.items) == 1 else right
            does, preposition = ("add ", " to ") if operator == "+" else ("take ", " from ")
            return build(does, say.inside(amount), preposition, place)
        case t.Constant(value=None) if (
            target.row is None and target.base is not None and isinstance(target.type, Optional)
        ):
            noun = say.naming.field(target.kind, target.field)
            if target.kind == GAME_KIND:
                return Phrase(f"there is no longer {say.naming.one(noun)}")
            return build(say.inside(target.base), f" no longer has {say.naming.one(noun)}")
        case t.Aggregate(function="list", order=None, condition=t.Typed(), source=source) if (
            _is_place(source, target) and _is_itself(value) and not needs_letter(value)
        ):
            which = Members(say, value).which
            assert which is not None
            return build("of ", place, ", only those stay ", which, bond=Bond.OPEN)
        case t.Items(items=(item,)):
            return build(place, " become just ", say.phrase(item))
    verb = "become" if isinstance(target.type, ListOf) else "becomes"
    if target.base is not None and target.kind != GAME_KIND:
        verb = say.naming.agreeing(verb, say.naming.field(target.kind, target.field))
    return build(place, f" {verb} ", say.phrase(value))


def _is_itself(node: t.Aggregate) -> bool:
    return isinstance(node.element, t.Variable) and node.element.name == node.variable


def _setting(say: English, setting: t.Stored, value: t.Typed) -> Phrase:
    """Return the new value of a setting, in the setting's own words."""
    match value:
        case t.Constant(value=choice, type=kind):
            return Phrase(say.constant(choice, kind, beside=setting))
        case t.If(condition=condition, then=then, otherwise=otherwise):
            first, second = _setting(say, setting, then), _setting(say, setting, otherwise)
            return build(first, " if ", say.clause(condition), ", and otherwise ", second, bond=Bond.OPEN)
    return say.phrase(value)


def place_of(say: English, target: Target) -> Phrase:
    """Return the phrase for the target of a change."""
    return say.phrase(place_read(target))


def place_read(target: Target) -> t.Typed:
    """Return the expression that reads the target of a change."""
    kind = target.type if target.row is None else MapOf(target.table, target.type)
    place: t.Typed = (
        t.Local(kind, target.slot or 0, target.field)
        if target.base is None
        else t.Stored(kind, target.base, target.kind, target.field)
    )
    return place if target.row is None else t.Entry(target.type, place, target.row, target.table)


def _truth(say: English, target: Target, value: t.Typed) -> Phrase:
    """Return the change of a boolean target."""
    place = place_read(target)
    if target.row is not None:
        return build(place_of(say, target), " becomes ", say.phrase(value))
    if isinstance(value, t.Constant):
        if target.base is not None and target.kind != GAME_KIND:
            now = "now" if value.value else "no longer"
            return build(say.inside(target.base), f" is {now} {say.naming.field(target.kind, target.field)}")
        return build("note that ", say.clause(place, holds=bool(value.value)))
    condition = say.clause(value)
    if condition.items or condition.joint or condition.bond > Bond.RELATIVE:
        return build_list(f"from now on, {say.clause(place).words} exactly if this is so", [condition])
    return build("from now on, ", say.clause(place), " exactly if ", condition, bond=Bond.OPEN)


def _is_place(node: t.Typed, target: Target) -> bool:
    """Return whether an expression reads exactly the target."""
    match node:
        case t.Entry(base=base, key=key) if target.row is not None:
            return key == target.row and _is_place(base, replace(target, row=None))
        case _ if target.row is not None:
            return False
        case t.Local(slot=slot):
            return slot == target.slot
        case t.Stored(base=base, field=field):
            return target.base is not None and field == target.field and base == target.base
    return False
