"""Truth values as clauses, and their opposites."""

from __future__ import annotations

from rulewright.book.english import aggregates, phrases
from rulewright.book.english.grammar import bracketed, listed
from rulewright.book.english.naming import pretty
from rulewright.book.english.say import Say
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression import typed as t
from rulewright.language.types import present

_COMPARED = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_RANKED = {
    **_COMPARED,
    "<": "is lower than",
    "<=": "is no higher than",
    ">": "is higher than",
    ">=": "is no lower than",
}
_JOINED_OTHERWISE = {"and": "or", "or": "and"}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def clause(say: Say, node: t.Typed, *, holds: bool) -> str:
    """The clause that says `node`, or its opposite."""
    match node:
        case t.Not(operand=operand):
            return say.condition(operand, holds=not holds)
        case t.Comparison():
            return _comparison(say, node, holds)
        case t.Membership():
            return _membership(say, node, holds)
        case t.Logic():
            return _logic(say, node, holds)
        case t.Present(operand=operand):
            return _present(say, operand, holds)
        case t.Aggregate():
            return aggregates.clause(say, node, holds=holds)
        case t.Local(name=name):
            base, _, part = name.partition(".")
            if part:
                is_ = "is" if holds else "is not"
                return f"the {say.style.name(pretty(base))} {is_} {say.style.name(pretty(part))}"
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND:
            is_ = "is" if holds else "is not"
            return f"{say.value(base)} {is_} {say.naming.field(kind, field)}"
        case t.Invoke(formula=formula, arguments=(thing,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            return f"{say.value(thing)} {'is' if holds else 'is not'} {say.naming.field(kind, name)}"
        case t.Invoke():
            return phrases.clause(say, node, holds=holds)
        case t.Constant(value=bool(value)):
            return "always" if value is holds else "never"
        case t.If(condition=condition, then=then, otherwise=otherwise):
            first = f"{say.condition(then, holds=holds)} where {say.condition(condition)}"
            return f"{first}, and otherwise {say.condition(otherwise, holds=holds)}"
    return f"{say.value(node)} is {'true' if holds else 'not true'}"


def _comparison(say: Say, node: t.Comparison, holds: bool) -> str:
    operator = node.operator if holds else _OPPOSITE[node.operator]
    left, right = node.left, node.right
    if isinstance(right, t.Constant) and right.value is None:
        return _present(say, left, operator == "!=")
    if isinstance(left, t.Constant) and not isinstance(right, t.Constant) and operator in ("==", "!="):
        left, right = right, left
    words = (_RANKED if node.table else _COMPARED)[operator]
    match left, right:
        case t.Arithmetic(operator="%", left=number, right=t.Constant(value=2)), t.Constant(value=0 | 1 as rest):
            odd = (rest == 1) is (operator == "==")
            return f"{say.inside(number)} is {'odd' if odd else 'even'}"
    if isinstance(right, t.Constant) and type(right.value) is bool:
        return say.condition(left, holds=right.value is (operator == "=="))
    return f"{_side(say, left, right)} {words} {_side(say, right, left)}"


def _side(say: Say, node: t.Typed, other: t.Typed) -> str:
    if isinstance(node, t.Constant):
        return say.constant(node.value, node.type, beside=other)
    return say.inside(node)


def _membership(say: Say, node: t.Membership, holds: bool) -> str:
    found = holds is not node.negated
    item = _side(say, node.item, node.source)
    match node.source:
        case t.Items(items=items) if items:
            options = [_side(say, option, node.item) for option in items]
            return f"{item} is {listed(options, 'or')}" if found else f"{item} is neither {listed(options, 'nor')}"
    if isinstance(node.source, t.Objects):
        return f"{item} is {'still' if found else 'no longer'} in play"
    among = "is among" if found else "is not among"
    return f"{item} {among} {say.value(node.source)}"


def _logic(say: Say, node: t.Logic, holds: bool) -> str:
    operator = node.operator if holds else _JOINED_OTHERWISE[node.operator]
    said = []
    for operand in node.operands:
        inner = say.condition(operand, holds=holds)
        said.append(bracketed(inner) if _joining(operand, holds) not in (None, operator) else inner)
    return listed(said, operator)


def _joining(node: t.Typed, holds: bool) -> str | None:
    """The word that joins the parts of a condition, or of its opposite; None where it has no parts."""
    match node:
        case t.Not(operand=operand):
            return _joining(operand, not holds)
        case t.Logic(operator=operator):
            return operator if holds else _JOINED_OTHERWISE[operator]
    return None


def _present(say: Say, node: t.Typed, holds: bool) -> str:
    match node:
        case t.Stored(base=base, kind=kind, field=field):
            noun = say.naming.field(kind, field)
            return f"{say.value(base)} has {say.naming.one(noun)}" if holds else f"{say.value(base)} has no {noun}"
        case t.Local(name=name, type=kind):
            noun = say.naming.bound(name, kind).removeprefix("the ")
            return f"there is {say.naming.one(noun)}" if holds else f"there is no {noun}"
        case t.Apply(function="next", arguments=(row,)):
            table = say.naming.table(getattr(present(row.type), "table", ""))
            return f"{say.value(row)} is {'not ' if holds else ''}the last of {table}"
        case t.Invoke(formula=formula, arguments=(base,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            noun = say.naming.field(kind, name)
            return f"{say.value(base)} has {say.naming.one(noun) if holds else f'no {noun}'}"
        case t.Invoke():
            noun = say.value(node).removeprefix("the ")
            return f"there is {say.naming.one(noun) if holds else f'no {noun}'}"
        case t.Cell():
            return f"there is {'' if holds else 'nothing for '}{say.value(node)}"
    return f"there is {say.value(node)}" if holds else f"there is nothing like {say.value(node)}"
