"""Which lists a game keeps for what is in them alone, so that two orders of the same things are one position.

A field that holds a list may be read in ways that see its order (the first of it, a loop over it, a choice from it), or
in ways that do not (whether something is in it, how many, whether any or all of them). It has no order where every
expression of the rules reads it in the second way, or hands it on to fields that have none either.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.expression.typed import Aggregate, Apply, Arithmetic, Coalesce, If, Membership, Stored, Typed
from rulewright.language.lowering import lowered
from rulewright.language.operations import Create, Keep, Operation, Temporary, Write
from rulewright.language.step import Procedure
from rulewright.language.types import BOOLEAN, INTEGER, ListOf, Thing
from rulewright.ruleset.ruleset import Ruleset

Field = tuple[str, str]
"""A kind and the name of a field of its."""

_BLIND = frozenset({"count", "any", "none", "all", "max", "min", "sum"})
"""Functions of a list whose results are the same in any order, where they are numbers or truths."""


def unordered(ruleset: Ruleset) -> frozenset[Field]:
    """The fields that hold lists without an order."""
    lists = {
        (kind.id, field.name)
        for kind in ruleset.declarations.kinds.values()
        for field in kind.fields.values()
        # Of objects, a choice by place sees the order in which they are offered; of a deck, what numbers its cards.
        if isinstance(field.type, ListOf) and not isinstance(field.type.inner, ListOf | Thing) and "." not in field.name
    }
    read = list(_read(ruleset))
    while True:
        seen: set[Field] = set()
        for expression, into in read:
            seen |= set(_seen(expression, into is None or into not in lists))
        if not lists & seen:
            return frozenset(lists)
        lists -= seen


def _read(ruleset: Ruleset) -> Iterator[tuple[Typed, Field | None]]:
    """Every expression that is carried out, with the field that its value is put into, if it is put into one."""
    for procedure in ruleset.procedures.values():
        yield from _read_in(procedure)
        for expression in procedure.gives.values():
            yield expression, None
    for formula in ruleset.declarations.formulas.values():
        yield formula.body, None
    for measure in ruleset.measures.values():
        yield measure.value, None


def _read_in(procedure: Procedure) -> Iterator[tuple[Typed, Field | None]]:
    """What the steps of a procedure work out; what is kept on the way goes where it is read."""
    read: dict[int, list[Field | None]] = {}
    for each in reversed([each for outer in lowered(procedure.body) for each in outer.walk()]):
        kept = [(each.value, into) for into in read.get(each.into, ())] if isinstance(each, Keep) else _read_by(each)
        for value, into in kept:
            yield value, into
            for part in value.walk():
                if isinstance(part, Temporary):
                    read.setdefault(part.number, []).append(into if part is value else None)


def _read_by(operation: Operation[Typed]) -> Iterator[tuple[Typed, Field | None]]:
    match operation:
        case Write(kind=kind, field=name, thing=thing, value=value):
            yield thing, None
            yield value, (kind, name)
        case Create(kind=kind, given=given):
            for name, value in given:
                yield value, (kind, name)
        case _:
            for value in operation.values:
                yield value, None


def _seen(node: Typed, ordered: bool) -> Iterator[Field]:
    """The fields whose order an expression sees; `ordered` says whether the order of its own value is seen."""
    match node:
        case Stored(base=base, kind=kind, field=name):
            if ordered and isinstance(node.type, ListOf):
                yield kind, name
            yield from _seen(base, True)
        case Membership(item=item, source=source):
            yield from _seen(item, True)
            yield from _seen(source, False)
        case Aggregate(function=function, source=source):
            blind = function in _BLIND and _is_plain(node)
            yield from _seen(source, not blind and (function != "list" or ordered or node.order is not None))
            for part in (node.element, node.condition, node.order):
                if part is not None:
                    yield from _seen(part, True)
        case Apply(function=function, arguments=arguments):
            blind = function in _BLIND and len(arguments) == 1 and _is_plain(node)
            for argument in arguments:
                yield from _seen(argument, not blind)
        case Arithmetic(left=left, right=right) if isinstance(node.type, ListOf):
            yield from _seen(left, ordered)
            yield from _seen(right, ordered)
        case If(condition=condition, then=then, otherwise=otherwise):
            yield from _seen(condition, True)
            yield from _seen(then, ordered)
            yield from _seen(otherwise, ordered)
        case Coalesce(first=first, otherwise=otherwise):
            yield from _seen(first, ordered)
            yield from _seen(otherwise, ordered)
        case _:
            for child in node.children:
                yield from _seen(child, True)


def _is_plain(node: Typed) -> bool:
    """Whether a result is a number or a truth; of rolls and rows alike, the order may decide which is taken."""
    return node.type in (INTEGER, BOOLEAN)
