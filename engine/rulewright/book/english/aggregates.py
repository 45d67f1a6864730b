"""Functions of a list: how many, the highest, each one for which something holds."""

from __future__ import annotations

import re

from rulewright.book.english.grammar import article, listed, plain
from rulewright.book.english.naming import pretty
from rulewright.book.english.say import Say
from rulewright.language.expression import typed as t
from rulewright.language.types import Boolean, ListOf, Thing, present

_OF_VALUES = {
    "sum": "the total {what} of {where}",
    "max": "the highest {what} of {where}",
    "min": "the lowest {what} of {where}",
    "first": "the {what} of the first of {where}",
    "last": "the {what} of the last of {where}",
    "list": "the {what} of each of {where}",
}
_OVER = {
    "sum": "the total, over {where}, of {what}",
    "max": "the highest, among {where}, of {what}",
    "min": "the lowest, among {where}, of {what}",
    "first": "for the first of {where}, {what}",
    "last": "for the last of {where}, {what}",
    "list": "for each of {where}, {what}",
}
"""What is said of each member and speaks of `it` again: the member must have been named before."""
_OF_THEMSELVES = {
    "sum": "all of {where} added up",
    "max": "the highest of {where}",
    "min": "the lowest of {where}",
    "first": "the first of {where}",
    "last": "the last of {where}",
    "list": "{where}",
}


def value(say: Say, node: t.Aggregate) -> str:
    """A value worked out from a list."""
    if isinstance(node.type, Boolean):
        return f"whether {clause(say, node, holds=True)}"
    if node.function == "count":
        return f"the number of {_members(say, node, bare=isinstance(node.source, t.Objects))}"
    where = _members(say, node)
    if node.order is not None and node.function in ("first", "last"):
        end = "lowest" if node.function == "first" else "highest"
        chosen = f"the one of {where} with the {end} {_quality(say, node.order, node.variable)}"
        if _is_itself(node.element, node):
            return chosen
        return f"the {_quality(say, node.element, node.variable)} of {chosen}"
    if node.order is not None:
        where += f", by {_quality(say, node.order, node.variable)}"
    if _is_itself(node.element, node):
        return _OF_THEMSELVES[node.function].format(where=where)
    what = _quality(say, node.element, node.variable)
    forms = _OVER if re.search(r"\bits?\b", what) else _OF_VALUES
    return forms[node.function].format(what=what, where=where)


def clause(say: Say, node: t.Aggregate, *, holds: bool) -> str:
    """`any`, `none` and `all` as a clause."""
    function = node.function
    if not holds:
        function = {"any": "none", "none": "any"}.get(function, function)
    if _is_itself(node.element, node) and not isinstance(present(node.element.type), Boolean):
        return _existence(say, node, any_=function == "any")
    members = _members(say, node)
    which = _which(say, node.element, node.variable) if function in ("any", "none") and node.condition is None else ""
    if which.startswith("whose ") and "for which " not in which and "that " not in which:
        return _one_among(say, node, members, which, any_=function == "any")
    inner = say.about(node.variable).condition(node.element)
    if isinstance(node.source, t.Objects) and node.condition is None:
        one = say.naming.kind(node.source.kind)
        every = {"any": f"at least one {one}", "none": f"no {one}"}.get(
            function, f"{'' if holds else 'not '}every {one}"
        )
    else:
        every = {"any": f"at least one of {members}", "none": f"none of {members}"}.get(
            function, f"{'' if holds else 'not '}each of {members}"
        )
    # `every card is open`, where the clause is about the card; else `for every card, …`.
    about = re.match(r"it (is|has) (?!.*\bits?\b)", inner)
    return f"{every} {inner.removeprefix('it ')}" if about and " or " not in inner else f"for {every}, {inner}"


def _one_among(say: Say, node: t.Aggregate, members: str, which: str, *, any_: bool) -> str:
    """That there is one of a quality, or none: `there is a card whose owner is the player`."""
    if isinstance(node.source, t.Objects):
        one = say.naming.kind(node.source.kind)
        return f"there is {article(one) if any_ else f'no {one}'} {which}"
    return f"there is {'one' if any_ else 'none'} among {members} {which}"


def _existence(say: Say, node: t.Aggregate, *, any_: bool) -> str:
    no = "" if any_ else "no "
    match node.source:
        case t.Stored(base=base, kind=kind, field=field) if node.condition is None:
            return f"{say.value(base)} has {no}{say.naming.field(kind, field)}"
        case t.Invoke(formula=formula, arguments=(base,)) if node.condition is None and "." in formula:
            kind, _, name = formula.rpartition(".")
            return f"{say.value(base)} has {no}{say.naming.field(kind, name)}"
    members = _members(say, node, bare=True)
    if isinstance(node.source, t.Local) and node.condition is None and not plain(members).endswith("s"):
        return f"{members} is {'empty' if no else 'not empty'}"
    return f"there are {no}{members}"


def _is_itself(element: t.Typed, node: t.Aggregate) -> bool:
    return isinstance(element, t.Variable) and element.name == node.variable


def _members(say: Say, node: t.Aggregate, *, bare: bool = False) -> str:
    """The list, with the condition on its members; `bare` has no article."""
    source = say.value(node.source)
    if isinstance(node.source, t.Objects) and (bare or node.condition is not None):
        several = say.naming.kind(node.source.kind, several=True)
        source = several if bare else f"the {several}"
    elif bare and source.startswith("the "):
        source = source.removeprefix("the ")
    if node.condition is None:
        return source
    return f"{source} {_which(say, node.condition, node.variable)}"


def _which(say: Say, condition: t.Typed, variable: str) -> str:
    """The condition as a relative clause, where it is about a field of the member; else `for which …`."""
    conditions = condition.operands if isinstance(condition, t.Logic) and condition.operator == "and" else (condition,)
    return listed([_relative(say, part, variable) for part in conditions])


def _relative(say: Say, condition: t.Typed, variable: str) -> str:
    about = say.about(variable)
    match condition:
        case t.Stored(base=t.Variable(name=name), kind=kind, field=field) if name == variable:
            return f"that are {say.naming.field(kind, field)}"
        case t.Not(operand=t.Stored(base=t.Variable(name=name), kind=kind, field=field)) if name == variable:
            return f"that are not {say.naming.field(kind, field)}"
        case t.Comparison(left=left) if _field_of(left, variable) is not None:
            said = about.condition(condition)
            if said.startswith("its "):
                return f"whose {said.removeprefix('its ')}"
    said = about.condition(condition)
    if said.startswith("it is "):
        return f"that are {said.removeprefix('it is ')}"
    if said.startswith("it has "):
        return f"that have {said.removeprefix('it has ')}"
    return f"for which {said}"


def _field_of(node: t.Typed, variable: str) -> str | None:
    match node:
        case t.Stored(base=t.Variable(name=name), field=field) if name == variable:
            return field
        case t.Invoke(formula=formula, arguments=(t.Variable(name=name),)) if name == variable and "." in formula:
            return formula
        case t.Cell(base=t.Variable(name=name), column=column) if name == variable:
            return column
    return None


def _quality(say: Say, element: t.Typed, variable: str) -> str:
    """What of each member is meant, without an article: `price`."""
    match element:
        case t.Apply(function="mean", arguments=(inner,)):
            return f"average {_quality(say, inner, variable)}"
        case t.Stored(kind=kind, field=field) if _field_of(element, variable) is not None:
            return say.naming.field(kind, field)
        case t.Invoke(formula=formula) if _field_of(element, variable) is not None:
            kind, _, name = formula.rpartition(".")
            return say.naming.field(kind, name)
        case t.Cell(column=column) if _field_of(element, variable) is not None:
            term = say.naming.word(column)
            return say.style.term(term) if term is not None else say.style.escape(pretty(column))
    said = say.about(variable).value(element)
    alone = said.removeprefix("the ").removeprefix("its ")
    return said if re.search(r"\bits?\b", alone) else alone


def kind_of(node: t.Typed) -> str | None:
    """The kind of things in a list, if they are things."""
    inner = node.type.inner if isinstance(node.type, ListOf) else None
    return inner.kind if isinstance(inner, Thing) else None
