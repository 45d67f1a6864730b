"""The tree of steps in a procedure: steps may be nested, but ids are unique in the whole procedure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.language.schema_shapes import Record, Steps
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.schema.model import step_shape
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode

Edit = Callable[[list[Node], int, Path], None]
"""A function that changes a list of steps in place, given the list, the index of a step, and the path of the list."""


def walk(steps: SequenceNode) -> Sequence[Mapping]:
    """Return all steps of a list, including nested ones."""
    return [step for _, step in iterate_steps(steps, ())]


def iterate_steps(steps: SequenceNode, path: Path) -> Iterator[tuple[Path, Mapping]]:
    """Yield all steps of the list at `path`, including nested ones, each with its own path.

    A path ends in the id of the step, or, without an id, in its position counted from 1. A step comes before the
    steps in it.
    """
    for place, step in enumerate(steps.items, start=1):
        if isinstance(step, Mapping):
            own = (*path, find_id(step) or str(place))
            yield own, step
            yield from _inside(step, step_shape(step), own)


def _inside(node: Mapping, shape: Record, path: Path) -> Iterator[tuple[Path, Mapping]]:
    """Yield the steps in the blocks of a step, at any depth, each with its path."""
    for key, entry in node.entries.items():
        member = shape.members.get(key)
        if member is not None and isinstance(member.shape, Steps) and isinstance(entry.value, SequenceNode):
            yield from iterate_steps(entry.value, (*path, key))
        elif member is not None and isinstance(member.shape, Record) and isinstance(entry.value, Mapping):
            yield from _inside(entry.value, member.shape, (*path, key))


def find(steps: SequenceNode, identity: str) -> Mapping | None:
    """Return the step with that id at any depth, or None if there is none."""
    return next((step for step in walk(steps) if find_id(step) == identity), None)


def list_ids(steps: SequenceNode) -> list[str]:
    """Return the ids of all steps that have one."""
    return [identity for step in walk(steps) if (identity := find_id(step))]


def edit(steps: SequenceNode, identity: str, change: Edit, path: Path) -> SequenceNode | None:
    """Return a copy of `steps` with `change` applied at the step with that id, at any depth, or None if there is none.

    `change` gets a list of the steps beside it, which it changes in place, the index of the step, and the path of the
    list. Of several steps with the id, only the first is changed.
    """
    for place, step in enumerate(steps.items):
        if not isinstance(step, Mapping):
            continue
        own = find_id(step)
        if own == identity:
            items = list(steps.items)
            change(items, place, path)
            return SequenceNode(tuple(items), steps.span)
        inner = _edit_inside(step, step_shape(step), identity, change, (*path, own or str(place + 1)))
        if inner is not None:
            return SequenceNode((*steps.items[:place], inner, *steps.items[place + 1 :]), steps.span)
    return None


def _edit_inside(node: Mapping, shape: Record, identity: str, change: Edit, path: Path) -> Mapping | None:
    """Return a copy of a step with `change` applied in one of its blocks, or None if no step in them has the id."""
    for key, entry in node.entries.items():
        member = shape.members.get(key)
        value = entry.value
        edited: Node | None = None
        if member is not None and isinstance(member.shape, Steps) and isinstance(value, SequenceNode):
            edited = edit(value, identity, change, (*path, key))
        elif member is not None and isinstance(member.shape, Record) and isinstance(value, Mapping):
            edited = _edit_inside(value, member.shape, identity, change, (*path, key))
        if edited is not None:
            return Mapping({**node.entries, key: Entry(entry.key, edited)}, node.span)
    return None


def find_id(step: Mapping) -> str | None:
    """Return the id of a step, or None if it has none."""
    node = step.get("id")
    return node.text if isinstance(node, Scalar) else None
