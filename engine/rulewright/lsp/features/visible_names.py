"""The names of a procedure that a line of its source can use."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.language.lowering import list_block_slots
from rulewright.language.schema_shapes import ByForm, Shape, Steps
from rulewright.lsp.features.line_map import LineMap
from rulewright.lsp.features.symbol_at import follow_shape
from rulewright.lsp.features.typing_context import ITEM
from rulewright.ruleset.schema.model import build_rules_shape
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class VisibleSlots:
    """The slots whose names a line can use. Those in `own` belong to the step on the line, perhaps not to each key."""

    slots: frozenset[int]
    own: frozenset[int]


def find_visible_slots(procedure: Procedure, way: tuple[str, ...], key: str, line: int, moved: LineMap) -> VisibleSlots:
    """Return the slots of a checked procedure whose names can be used on a line.

    These are the parameters, the results of the steps before it in the blocks around it, and the names that the steps
    around it declare. Results of steps in other files are included, because their order is not known here.

    Args:
        procedure: The procedure as it was checked.
        way: The keys that lead to the line.
        key: The key of the file with the line.
        line: The line, counted from 1.
        moved: How the lines of the file have moved since the check.
    """
    parameters = frozenset(range(1, len(procedure.parameters) + 1))
    if way[:1] == ("procedures",) and way[2:3] != ("steps",):
        return VisibleSlots(parameters | _list_results(procedure.body.steps), frozenset())
    elsewhere = [step for step in procedure.iterate_steps() if _is_elsewhere(step, key)]
    # The names of a generated step are those of the step that it belongs to.
    written = [step for step in elsewhere if not step.woven]
    slots = set(parameters | _list_results(elsewhere)).union(*map(list_block_slots, written))
    own: frozenset[int] = frozenset()
    block: Block | None = procedure.body
    rules = build_rules_shape()
    depth = sum(_holds_steps(follow_shape(rules, way[:place])) for place, each in enumerate(way) if each == ITEM)
    while block is not None:
        depth -= 1
        begun = [step for step in block.steps if step not in elsewhere and _now(step.span, moved).line <= line]
        around = begun[-1] if begun and (depth > 0 or line <= _now(begun[-1].span, moved).end_line) else None
        slots |= _list_results(begun if around is None else begun[:-1])
        own = frozenset() if around is None else list_block_slots(around)
        slots |= own
        entered = [] if around is None else [each for each in around.blocks if _begins_before(each, line, moved)]
        block = entered[-1] if entered else None
        if block is not None and block.names is not None:
            slots -= own - block.names  # the names of the step that only its other blocks can use
    return VisibleSlots(frozenset(slots), own)


def _holds_steps(shape: Shape) -> bool:
    return isinstance(shape, Steps) or (isinstance(shape, ByForm) and shape.steps is not None)


def _is_elsewhere(step: Step, key: str) -> bool:
    """Return whether a step is in another file, or in another section, such as an exception."""
    return build_file_key(step.span.file) != key or step.rule != f"{step.procedure}.{step.id}"


def _begins_before(block: Block, line: int, moved: LineMap) -> bool:
    return bool(block.steps) and _now(block.steps[0].span, moved).line <= line


def _now(span: Span, moved: LineMap) -> Span:
    """Return where a range is now. On a changed line, its old position is the best guess."""
    return moved.map_forward(span) or span


def _list_results(steps: tuple[Step, ...] | list[Step]) -> frozenset[int]:
    return frozenset(slot for step in steps for slot in step.slots)
