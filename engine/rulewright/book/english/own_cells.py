"""The steps of a row with the values of its own cells, as its printed text says them."""

from __future__ import annotations

from dataclasses import replace

from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.language.declarations import ROW_NAME, Declarations
from rulewright.language.expressions.typed_ast import Cell, Constant, Typed
from rulewright.language.statement import rewrite_expressions
from rulewright.language.types import Boolean, Choice, Dice, Integer, Row, present


def inline_own_cells(procedure: Procedure, declarations: Declarations) -> Procedure:
    """Return a copy of a row's procedure in which a cell such as `self.power` is its value.

    Cells with lists, records or no value stay. Other procedures are returned themselves.
    """
    if procedure.cell is None or procedure.is_dispatch:
        return procedure
    cells = declarations.tables[procedure.cell.table].rows[procedure.cell.row].cells

    def inline(part: Typed) -> Typed | None:
        """Return the constant for a plain cell of the row, or None for other expressions."""
        match part:
            case Cell(base=Constant(name=name), column=column) if name == ROW_NAME and column in cells:
                plain = isinstance(present(part.type), Integer | Boolean | Choice | Dice | Row)
                return Constant(part.type, cells[column]) if plain and cells[column] is not None else None
        return None

    def copy(block: Block, owner: Step | None) -> Block:
        """Return a copy of a block, in which the steps and blocks refer to each other as before."""
        steps = []
        for step in block.steps:
            when, written = (rewrite_expressions(each, inline) for each in (step.when, step.written))
            copied = replace(step, action=rewrite_expressions(step.action, inline), when=when, written=written)
            copied.blocks = tuple(copy(inner, copied) for inner in step.blocks)
            steps.append(copied)
        copied_block = Block(tuple(steps), owner)
        for step in copied_block.steps:
            step.container = copied_block
        return copied_block

    return replace(procedure, body=copy(procedure.body, None), gives=rewrite_expressions(dict(procedure.gives), inline))
