"""The arguments of a call by name."""

from __future__ import annotations

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import ROW_NAME
from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.types import Row


def name_arguments(step: Step, procedure: Procedure) -> dict[str, Typed]:
    """Return the arguments of a step that runs a procedure, by parameter. If it runs steps of a row, the row is one."""
    given: dict[str, Typed] = dict(zip(procedure.parameters, step.action.arguments, strict=True))
    cell = procedure.cell
    if cell is not None and cell.row:
        given[ROW_NAME] = Constant(Row(cell.table), cell.row, cell.row)
    return given
