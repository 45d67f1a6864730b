"""Answer choices: what a hidden answer or number can be, as far as it is computed from what all players know."""

from __future__ import annotations

from typing import Any

from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.ir.analyses.knowledge import find_path
from rulewright.ir.analyses.option_ranges import (
    NumberRange,
    OptionalRange,
    SubsetRange,
    find_option_ranges,
    find_stored_numbers,
)
from rulewright.ir.analyses.roll_provenance import AnswerOrigin, Place, analyze_origins
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Arithmetic, Constant, Items, Typed
from rulewright.language.operations import OrNone, Range
from rulewright.language.types import Boolean, Choice, Integer, ListOf, MapOf, Row, Text, Type, present
from rulewright.ruleset.ruleset import Ruleset

Bound = list[Any] | None
"""A bound of a number: a path to a stored number, `["number", number]`, or `["+", bound, bound]`, also with `-`.

None if it is computed in another way.
"""

Choices = list[Any]
"""All answers: `["values", type, values]`, or `["numbers", bound, bound]` for the numbers between two bounds."""


def list_choices(ruleset: Ruleset, place: Place, kind: Type) -> list[Choices]:
    """Return the choices of each decision whose answers are in a field or slot, which has a type.

    A number that comes from elsewhere, and that the player can compare with no other, has its bounds in all games.
    Nothing is returned for a place with other values, or if the choices of one decision are unknown. The choices depend
    on no secret. Only those of a slot may read names of its procedure.
    """
    decisions = analyze_origins(ruleset).answers.get(place, ())
    results = [_find_choices(ruleset, each, inside=each.procedure == place[0]) for each in decisions]
    if not results:
        results = [_find_numbers(ruleset, place, kind)]
    known = [each for each in results if each is not None]
    return known if len(known) == len(results) else []


def holds_subsets(ruleset: Ruleset, place: Place) -> bool:
    """Return whether a field or slot holds only answers of decisions that offer lists without repeated elements."""
    decisions = analyze_origins(ruleset).answers.get(place, ())
    return bool(decisions) and all(_offers_subsets(ruleset, each.step) for each in decisions)


def _offers_subsets(ruleset: Ruleset, step: int) -> bool:
    options = find_option_ranges(ruleset).get(step)
    inner = options.inner if isinstance(options, OptionalRange) else options
    return isinstance(inner, SubsetRange) and not inner.repeats


def _find_numbers(ruleset: Ruleset, place: Place, kind: Type) -> Choices | None:
    owner, name = place
    if (isinstance(name, str) and owner != GAME_KIND) or place in analyze_origins(ruleset).rolls:
        return None
    inner = present(kind)
    while isinstance(inner, ListOf | MapOf):
        inner = present(inner.inner)
    if not isinstance(inner, Integer) or (ends := find_stored_numbers(ruleset).get(place)) is None:
        return None
    return ["numbers", ["number", ends.low], ["number", ends.high]]


def _find_choices(ruleset: Ruleset, decision: AnswerOrigin, *, inside: bool) -> Choices | None:
    options = decision.options
    while isinstance(options, OrNone):
        options = options.source
    match options:
        case Items(items=items) if items and all(_is_plain(each) for each in items):
            return ["values", items[0].type, [each.value for each in items if isinstance(each, Constant)]]
        case Constant(value=tuple(values), type=kind) if values and _is_simple(getattr(kind, "inner", kind)):
            return ["values", getattr(kind, "inner", kind), list(values)]
        case Range(low=low, high=high):
            fixed = _find_fixed(ruleset, decision.step)
            ends = [_find_bound(ruleset, each, decision.procedure, inside=inside) for each in (low, high)]
            return ["numbers", *(end or other for end, other in zip(ends, fixed, strict=True))]
    fixed = _find_fixed(ruleset, decision.step)
    return None if None in fixed else ["numbers", *fixed]


def _find_fixed(ruleset: Ruleset, step: int) -> tuple[Bound, Bound]:
    """Return the lowest and the highest number that a step can ever offer, None if the rules fix none."""
    result = find_option_ranges(ruleset).get(step)
    inner = result.inner if isinstance(result, OptionalRange) else result
    return (["number", inner.low], ["number", inner.high]) if isinstance(inner, NumberRange) else (None, None)


def _find_bound(ruleset: Ruleset, value: Typed, procedure: str, *, inside: bool) -> Bound:
    match value:
        case Constant(value=int(number)):
            return ["number", number]
        case Arithmetic(operator="+" | "-" as operator, left=left, right=right):
            ends = [_find_bound(ruleset, each, procedure, inside=inside) for each in (left, right)]
            return None if None in ends else [operator, *ends]
    if not inside or find_secrets(ruleset).reads_secret(value, procedure):
        return None
    return find_path(value)


def _is_plain(value: Typed) -> bool:
    return isinstance(value, Constant) and value.value is not None and _is_simple(value.type)


def _is_simple(kind: Type) -> bool:
    return isinstance(kind, Integer | Choice | Boolean | Row | Text)
