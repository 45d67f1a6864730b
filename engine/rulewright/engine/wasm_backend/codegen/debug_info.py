"""Sites in the code of a ruleset: its pause points and the operations that record events."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ir.values import Value
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from rulewright.language.operations import Operation
from rulewright.language.types import PLAYER, Row, Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.measures import FIRST


@dataclass(frozen=True, slots=True)
class Whole(Type):
    """The type of all values of an object: its kind, then its fields."""

    kind: str


@dataclass(frozen=True, slots=True)
class RowPlace(Type):
    """The type of the index of a row in its table."""

    table: str


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An operation that records an event. Each detail has a type, or None if it is a plain number."""

    operation: Operation[Value]
    details: tuple[Type | None, ...]


class DebugInfo:
    """The sites of one ruleset. `resumes` is the address of a table with the position of each step's pause point."""

    def __init__(self, ruleset: Ruleset, resumes: int) -> None:
        self.resumes = resumes
        self.events: list[Site] = []
        self.most_in_a_move = MOST_IN_A_MOVE
        self.clocks = any(measure.per is not None for measure in ruleset.measures.values())
        self.first = any(FIRST in dict(measure.parameters) for measure in ruleset.measures.values())

    def event(self, operation: Operation[Value], details: tuple[Type | None, ...]) -> int:
        """Register a site that records an event and return its number."""
        self.events.append(Site(operation, details))
        return len(self.events) - 1

    def row(self, table: str) -> Type:
        """Return the type with which the index of a row is decoded."""
        return PLAYER if table == PLAYER_KIND else Row(table)

    def object(self, kind: str) -> Type:
        """Return the type with which a created object is decoded."""
        return Whole(kind)
