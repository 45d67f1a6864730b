"""The sentence parts for a new object: where it is, whose it is, and its other initial values."""

from __future__ import annotations

from typing import Any

from rulewright.book.english.assignments import OWNER
from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import is_same_noun
from rulewright.language.expressions.typed_ast import Constant, Items, Local, Stored
from rulewright.language.types import PLAYER, Boolean, ListOf


def describe_start(say: English, action: Any) -> tuple[str, list[str], list[str], str]:
    """Return where a new object is, on which space of a board, and its other initial values, one clause for each.

    The place is empty if it has none, or if it may be on several spaces. Values that go by the noun of their field
    are in the third list, without a clause: `the owner`. Last comes the player to whom it belongs, if that is a
    plain noun.
    """
    result, known, owner = list[str](), list[str](), ""
    places = [field for field, value in action.values.items() if say.naming.is_place(value.type)]
    place = say.within(action.values[places[0]]) if len(places) == 1 else ""
    for field, value in action.values.items():
        noun = say.naming.field(action.kind, field)
        type_ = say.naming.field_type(action.kind, field)
        if place and field == places[0]:
            continue
        if isinstance(value, Local) and is_same_noun(held := say.value(value), noun):
            known.append(held)
        elif isinstance(type_, Boolean):
            if isinstance(value, Constant):
                result.append(f"it is {noun}" if value.value else f"it is not {noun}")
            else:
                result.append(f"it is {noun} if {say.condition(value)}")
        elif noun == OWNER and value.type == PLAYER and isinstance(value, Local | Stored):
            owner = say.value(value)
        elif noun == OWNER and value.type == PLAYER:
            result.append(f"it belongs to {say.value(value)}")
        elif isinstance(value, Constant) and is_same_noun(held := say.value(value), noun):
            result.append(f"it has {held}")
        else:
            single = isinstance(value, Items) and isinstance(type_, ListOf) and len(value.items) == 1
            result.append(f"its {noun} {say.naming.be(noun)} {'just ' if single else ''}{say.value(value)}")
    return place, result, known, owner
