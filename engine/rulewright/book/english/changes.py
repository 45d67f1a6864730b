"""What a `set` does, in English."""

from __future__ import annotations

from rulewright.book.english.english import English
from rulewright.book.english.naming import pretty
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression import typed as t
from rulewright.language.step import Target
from rulewright.language.types import Boolean, ListOf, Optional


def change(say: English, target: Target, value: t.Typed) -> str:
    """One change, as a clause that a sentence may begin with."""
    place = place_of(say, target)
    if target.kind == GAME_KIND and target.field.startswith("options.") and target.base is not None:
        setting = t.Stored(target.type, target.base, target.kind, target.field)
        return f"{place} becomes {_setting(say, setting, value)}"
    if isinstance(target.type, Boolean):
        return _truth(say, target, value)
    match value:
        case t.Arithmetic(operator="+", left=left, right=t.Items(items=items)) if _is_place(left, target):
            added = " and ".join(say.value(item) for item in items)
            return f"add {added} to {place}"
        case t.Arithmetic(operator="+", left=left, right=right) if _is_place(left, target):
            return f"add {say.value(right)} to {place}"
        case t.Arithmetic(operator="-", left=left, right=right) if _is_place(left, target):
            return f"take {say.value(right)} from {place}"
        case t.Constant(value=None) if target.base is not None and isinstance(target.type, Optional):
            noun = say.naming.field(target.kind, target.field)
            return f"{say.value(target.base)} no longer has {say.naming.one(noun)}"
    return f"{place} {'become' if isinstance(target.type, ListOf) else 'becomes'} {say.value(value)}"


def _setting(say: English, setting: t.Stored, value: t.Typed) -> str:
    """A choice of a setting, in the setting's own words."""
    match value:
        case t.Constant(value=choice, type=kind):
            return say.constant(choice, kind, beside=setting)
        case t.If(condition=condition, then=then, otherwise=otherwise):
            first, second = _setting(say, setting, then), _setting(say, setting, otherwise)
            return f"{first} if {say.condition(condition)}, and {second} otherwise"
    return say.value(value)


def place_of(say: English, target: Target) -> str:
    """The place that changes."""
    if target.base is None:
        return say.naming.bound(target.field, target.type)
    return say.value(t.Stored(target.type, target.base, target.kind, target.field))


def _truth(say: English, target: Target, value: t.Typed) -> str:
    if target.base is None or target.kind == GAME_KIND:
        thing, quality = say.style.name(pretty(target.field)), "true"
    else:
        thing, quality = say.value(target.base), say.naming.field(target.kind, target.field)
    if isinstance(value, t.Constant):
        return f"{thing} is now {quality}" if value.value else f"{thing} is {_no_longer(target)} {quality}"
    return f"{thing} is {quality} from now on if {say.condition(value)}, and not otherwise"


def _no_longer(target: Target) -> str:
    return "not" if target.base is None else "no longer"


def _is_place(node: t.Typed, target: Target) -> bool:
    match node:
        case t.Local(slot=slot):
            return slot == target.slot
        case t.Stored(base=base, field=field):
            return field == target.field and base == target.base
    return False
