"""What a condition tells about places that may be none."""

from __future__ import annotations

from rulewright.language.expression.typed import Comparison, Constant, Logic, Not, Present, Typed, path
from rulewright.language.types import Nothing, Optional

NO_FACTS: frozenset[str] = frozenset()


def facts(condition: Typed, *, holds: bool = True) -> frozenset[str]:
    """The places known not to be none where `condition` holds (or, with `holds=False`, where it does not)."""
    match condition:
        case Present(operand=operand) if holds:
            return _one(operand)
        case Not(operand=operand):
            return facts(operand, holds=not holds)
        case Logic(operator=operator, operands=operands) if (operator == "and") == holds:
            return NO_FACTS.union(*(facts(operand, holds=holds) for operand in operands))
        case Comparison(operator=operator, left=left, right=right) if operator in ("==", "!="):
            return _compared(operator, left, right, holds)
    return NO_FACTS


def _compared(operator: str, left: Typed, right: Typed, holds: bool) -> frozenset[str]:
    same = (operator == "==") == holds
    for place, other in ((left, right), (right, left)):
        if not isinstance(place.type, Optional):
            continue
        is_none = isinstance(other.type, Nothing)
        certain = not isinstance(other.type, Optional) and isinstance(other, Constant)
        if (is_none and not same) or (certain and not is_none and same):
            return _one(place)
    return NO_FACTS


def _one(place: Typed) -> frozenset[str]:
    name = path(place)
    return frozenset((name,)) if name else NO_FACTS
