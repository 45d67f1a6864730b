"""Clauses that compare two things of one sort: their numbers of something, or the same field of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.book.english.clauses import Say
from rulewright.book.english.grammar import join_list, strip_markup
from rulewright.book.english.phrase import Bond, Lead, Phrase, build_clause
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import Boolean, present

TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""Each comparison operator with its sides swapped."""
_THAN = {
    ">": ("more {} than", "more {} than"),
    "<": ("fewer {} than", "less {} than"),
    "!=": ("more or fewer {} than", "more or less {} than"),
    "<=": ("no more {} than", "no more {} than"),
    ">=": ("at least as many {} as", "at least as much {} as"),
    "==": ("as many {} as", "as much {} as"),
}
"""Words for a number of things and for an amount of a mass noun, before what they are compared with."""


def describe_numbers(say: Say, left: t.Typed, right: t.Typed, operator: str) -> Phrase | None:
    """Return a clause such as `the player has fewer Seeds than the rival`, or `… than the price of the Bed`.

    Return None unless at least one side is a field that counts something, and the other one no constant.
    """
    if isinstance(left, t.Constant) or isinstance(right, t.Constant):
        return None
    owners = [_count_owner(say, side) for side in (left, right)]
    if owners[1] is not None and (owners[0] is None or _is_it(say, owners[1])):
        left, right, operator = right, left, TURNED[operator]
        owners.reverse()
    owner, other = owners
    if owner is None or not isinstance(left, t.Stored):
        return None
    match right:
        # “whose price is at most the player’s score” is shorter than “for which the player has …”.
        case t.Stored(base=t.Typed() as base) | t.Cell(base=base) | t.PartOf(base=base) if _is_it(
            say, base
        ) and not _is_it(say, owner):
            return None
    unit = say.naming.unit(left.field, kind=left.kind)
    is_mass = say.naming.is_mass(unit) or say.naming.begins_with_mass(unit)
    same = isinstance(right, t.Stored) and (left.kind, left.field) == (right.kind, right.field)
    own = say.owning(owner) if isinstance(right, t.Invoke) else say
    amount = say.inside(other) if other is not None and same else own.inside(right, Bond.RELATIVE)
    if amount.lead == Lead.WHAT and _THAN[operator][0].endswith("as"):
        amount = amount.led(Lead.NONE)
    return build_clause(say.inside(owner), "has", f"{_THAN[operator][is_mass].format(unit)} ", amount)


def compare_counts(say: Say, left: t.Typed, right: t.Typed, operator: str) -> Phrase | None:
    """Return a clause such as `there are more ayes than nays`, or None unless both names count something."""
    if not (isinstance(left, t.Local) and isinstance(right, t.Local)):
        return None
    first, second = (say.naming.counted(side.name, say.called) for side in (left, right))
    return Phrase(f"there are {_THAN[operator][0].format(first)} {second}") if first and second else None


def count_noun(say: Say, node: t.Typed) -> Phrase | None:
    """Return the plural of what a number counts, or None for other values and for a noun that is no plural.

    Its lead is `Lead.THE` if the things are known already: `the number of the other members`.
    """
    if isinstance(node, t.Local):
        counted = say.naming.counted(node.name, say.called)
        return Phrase(counted) if counted else None
    phrase = say.phrase(node)
    noun = phrase.words.removeprefix(_NUMBER_OF)
    if noun == phrase.words or phrase.items or phrase.bond > Bond.RELATIVE:
        return None
    # The noun that is counted comes first: `cards left in the Deck`, and not `players’ cards`.
    if strip_markup(noun).split()[:1] == ["times"]:
        return None
    lead = Lead.THE if noun.startswith(Lead.THE) else Lead.NONE
    return replace(phrase, words=noun, lead=lead) if say.naming.is_several(noun) else None


_NUMBER_OF = "the number of "


def _count_owner(say: Say, node: t.Typed) -> t.Typed | None:
    """Return the owner of a field that counts something, or None for other values."""
    if isinstance(node, t.Stored) and node.kind != GAME_KIND and say.naming.is_counted(node.kind, node.field):
        return node.base
    return None


def _is_it(say: Say, node: t.Typed) -> bool:
    return isinstance(node, t.Variable) and node.name == say.it


def find_shared_field(say: Say, node: t.Typed) -> tuple[t.Typed, str, t.Typed] | None:
    """Return two things and the noun of the field that a condition says to be the same of both, or None for others."""
    match node:
        case t.Comparison(operator="==" | "!=", left=left, right=right):
            first, second = _find_field(say, left), _find_field(say, right)
            if first is None or second is None or strip_markup(first[1]) != strip_markup(second[1]):
                return None
            if _is_it(say, second[0]):
                first, second = second, first
            return first[0], first[1], second[0]
    return None


def _find_field(say: Say, node: t.Typed) -> tuple[t.Typed, str] | None:
    """Return the owner of a field, or of a cell of a row, with the noun for it, or None for other values."""
    if isinstance(present(node.type), Boolean):
        return None
    match node:
        case t.Stored(base=t.Typed() as base, kind=kind, field=field) if kind != GAME_KIND:
            return base, say.naming.field(kind, field)
        case t.Cell(base=base, table=table, column=column) if column != t.ROW_RANK and not isinstance(base, t.Lookup):
            return base, say.naming.column(table, column)
    return None


def describe_shared_fields(say: Say, nodes: Sequence[t.Typed], *, holds: bool = True) -> Phrase | None:
    """Return the clause that two things have the same fields: `it has the same owner and size as the Tree`.

    Return None unless every condition is about the same two things.
    """
    shared = [find_shared_field(say, node) for node in nodes]
    if not shared or shared[0] is None:
        return None
    owner, _, other = shared[0]
    nouns = [each[1] for each in shared if each is not None and each[0] == owner and each[2] == other]
    # “for which it does not have the same owner” is longer than “whose owner is not”.
    if len(nouns) < len(nodes) or (_is_it(say, owner) and not holds):
        return None
    match nodes:
        case [t.Comparison(left=left)] if say.naming.is_place(left.type):
            not_ = "" if holds else "not "
            return build_clause(say.inside(owner), "is", f"{not_}on the same {nouns[0]} as ", say.inside(other))
    verb, not_ = ("has", "") if holds else ("does", "not have ")
    return build_clause(say.inside(owner), verb, f"{not_}the same {join_list(nouns)} as ", say.inside(other))
