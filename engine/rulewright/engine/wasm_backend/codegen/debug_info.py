"""Places in the code of a ruleset that others ask about: where it may stop, and where it tells what happens."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ir.values import Value
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from rulewright.language.operations import Operation
from rulewright.language.types import PLAYER, Row, Type
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Whole(Type):
    """All values of an object of a kind, its kind first."""

    kind: str


@dataclass(frozen=True, slots=True)
class RowPlace(Type):
    """The place of a row in its table."""

    table: str


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """What one operation tells of: each detail is of a type, or a number where it has none."""

    operation: Operation[Value]
    details: tuple[Type | None, ...]


class DebugInfo:
    """The places of one ruleset. `resumes` is the address of a table: for each step, the place at which it stops."""

    def __init__(self, ruleset: Ruleset, resumes: int) -> None:
        self.resumes = resumes
        self.events: list[Site] = []
        self.most_in_a_move = MOST_IN_A_MOVE
        self.clocks = any(measure.over is not None for measure in ruleset.measures.values())

    def event(self, operation: Operation[Value], details: tuple[Type | None, ...]) -> int:
        """Return the number of a place that tells of something."""
        self.events.append(Site(operation, details))
        return len(self.events) - 1

    def row(self, table: str) -> Type:
        """Return what the place of a row is told as."""
        return PLAYER if table == PLAYER_KIND else Row(table)

    def object(self, kind: str) -> Type:
        """Return what an object that was made is told as."""
        return Whole(kind)
